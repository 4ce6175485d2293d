;; answer: ""
;; limits: fuel=5000000
;; Looks at the clock until ten seconds have passed.
(module
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func $now (result i64)
    (drop (call $clock (i32.const 1) (i64.const 0) (i32.const 512)))
    (i64.load (i32.const 512)))
  (func (export "score") (param i32 i32) (result i64) (local $end i64)
    (local.set $end (i64.add (call $now) (i64.const 10000000000)))
    (loop $l (br_if $l (i64.lt_u (call $now) (local.get $end))))
    (i64.const 0)))
