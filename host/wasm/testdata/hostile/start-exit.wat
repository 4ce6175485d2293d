;; class: plugin-error
;; at: load
;; The start function calls the host and ends itself, with success.
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func $go (call $exit (i32.const 0)))
  (start $go)
  (func (export "score") (param i32 i32) (result i64) (i64.const 0)))
