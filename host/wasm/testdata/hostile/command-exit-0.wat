;; class:
;; answer: "hello"
;; Exit code 0 is success, what is written before counts.
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\40\00\00\00\05\00\00\00")
  (func (export "_start")
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 32)))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 32)))
    (call $exit (i32.const 0))
    (unreachable)))
