;; class: plugin-error
;; says: exit code 3; it printed: "no references"
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (data (i32.const 0) "\10\00\00\00\0e\00\00\00")
  (data (i32.const 16) "no references\0a")
  (func (export "score") (param i32 i32) (result i64)
    (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 8)))
    (call $exit (i32.const 3))
    (i64.const 0)))
