;; answer: ""
;; limits: fuel=5000000
;; log: 16384
;; Prints ten megabytes.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (data (i32.const 0) "\00\00\00\00\00\40\00\00")
  (func (export "score") (param i32 i32) (result i64) (local $n i32)
    (local.set $n (i32.const 640))
    (loop $l
      (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
      (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (i64.const 0)))
