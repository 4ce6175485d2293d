;; answers with a key that is not of the contract
(module
  (memory (export "memory") 2)
  (data (i32.const 1024) "{\22score\22:0.5,\22grade\22:\22A\22}")
  (func (export "alloc") (param i32) (result i32) (i32.const 4096))
  (func (export "score") (param i32 i32) (result i64)
    (i64.or (i64.shl (i64.const 1024) (i64.const 32)) (i64.const 25))))
