;; class: refused
;; at: load
;; says: "wasi_snapshot_preview1" "fd_write" with another type
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $f (param i64) (result i32)))
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64) (i64.const 0)))
