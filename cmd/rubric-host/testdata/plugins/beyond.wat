;; answers a number out of range
(module
  (memory (export "memory") 2)
  (data (i32.const 1024) "{\22score\22:1.5}")
  (func (export "alloc") (param i32) (result i32) (i32.const 4096))
  (func (export "score") (param i32 i32) (result i64)
    (i64.or (i64.shl (i64.const 1024) (i64.const 32)) (i64.const 13))))
