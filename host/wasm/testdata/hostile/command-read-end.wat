;; class:
;; answer: "hello\x05\x00\x00\x00\x00\x00\x00\x00"
;; Reads to the end of its input and on, and answers with what it read and how
;; much that was, thrice.
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\40\00\00\00\05\00\00\00")
  (data (i32.const 8) "\60\00\00\00\64\00\00\00")
  (data (i32.const 16) "\40\00\00\00\05\00\00\00\20\00\00\00\08\00\00\00")
  (func (export "_start")
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 32)))
    (drop (call $read (i32.const 0) (i32.const 8) (i32.const 1) (i32.const 36)))
    (drop (call $read (i32.const 0) (i32.const 8) (i32.const 1) (i32.const 36)))
    (drop (call $write (i32.const 1) (i32.const 16) (i32.const 2) (i32.const 44)))))
