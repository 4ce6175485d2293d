;; class:
;; answer: "\x15\x00\x15\x00\x1c\x00\x08\x00"
;; Wants its input where it has no memory, from wrapped lists, in too many parts,
;; and from a file that there is not: it gets error numbers.
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\ff\ff\00\00\05\00\00\00")
  (data (i32.const 16) "\20\00\00\00\08\00\00\00")
  (func (export "_start")
    (i32.store16 (i32.const 32) (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 64)))
    (i32.store16 (i32.const 34) (call $read (i32.const 0) (i32.const -4) (i32.const 1) (i32.const 64)))
    (i32.store16 (i32.const 36) (call $read (i32.const 0) (i32.const 0) (i32.const -1) (i32.const 64)))
    (i32.store16 (i32.const 38) (call $read (i32.const 3) (i32.const 0) (i32.const 1) (i32.const 64)))
    (drop (call $write (i32.const 1) (i32.const 16) (i32.const 1) (i32.const 44)))))
