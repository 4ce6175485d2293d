;; answers 1 if the clock shows a time after 2024, else 0
(module
  (import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
  (memory (export "memory") 2)
  (data (i32.const 1024) "{\22score\22:0}")
  (func (export "alloc") (param i32) (result i32) (i32.const 4096))
  (func (export "score") (param i32 i32) (result i64)
    (drop (call $time (i32.const 0) (i64.const 0) (i32.const 16)))
    (if (i64.gt_u (i64.load (i32.const 16)) (i64.const 1704067200000000000))
      (then (i32.store8 (i32.const 1033) (i32.const 49))))
    (i64.or (i64.shl (i64.const 1024) (i64.const 32)) (i64.const 11))))
