;; answer: ""
;; Sleeps for an hour, and sees that it has passed.
(module
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (data (i32.const 24) "\00\a0\b8\30\46\03\00\00")
  (func $now (result i64)
    (drop (call $clock (i32.const 1) (i64.const 0) (i32.const 512)))
    (i64.load (i32.const 512)))
  (func (export "score") (param i32 i32) (result i64) (local $before i64)
    (local.set $before (call $now))
    (drop (call $poll (i32.const 0) (i32.const 256) (i32.const 1) (i32.const 320)))
    (if (i64.lt_u (i64.sub (call $now) (local.get $before)) (i64.const 3600000000000)) (then (unreachable)))
    (i64.const 0)))
