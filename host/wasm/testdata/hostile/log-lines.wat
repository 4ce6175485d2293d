;; answer: ""
;; log: 699
;; Prints ten thousand lines.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (data (i32.const 0) "\10\00\00\00\07\00\00\00")
  (data (i32.const 16) "ok\nno\n.")
  (func (export "score") (param i32 i32) (result i64) (local $n i32)
    (local.set $n (i32.const 5000))
    (loop $l
      (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
      (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (i64.const 0)))
