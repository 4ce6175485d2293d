;; reports an error of its own
(module
  (memory (export "memory") 2)
  (data (i32.const 1024) "{\22error\22:\22the dictionary is missing\22}")
  (func (export "alloc") (param i32) (result i32) (i32.const 4096))
  (func (export "score") (param i32 i32) (result i64)
    (i64.or (i64.shl (i64.const 1024) (i64.const 32)) (i64.const 37))))
