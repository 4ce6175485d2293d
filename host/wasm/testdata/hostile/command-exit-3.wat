;; class: plugin-error
;; says: exit code 3; it printed: "no such model"
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\40\00\00\00\0e\00\00\00")
  (data (i32.const 64) "no such model\n")
  (func (export "_start")
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 32)))
    (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 32)))
    (call $exit (i32.const 3))))
