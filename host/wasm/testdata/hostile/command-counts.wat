;; class:
;; answer: "\x01\x00\x00\x00"
;; Counts its calls in its memory: every one is the first.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\40\00\00\00\04\00\00\00")
  (func (export "_start")
    (i32.store (i32.const 64) (i32.add (i32.load (i32.const 64)) (i32.const 1)))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 32)))))
