;; answers nothing
(module
  (memory (export "memory") 2)
  (func (export "alloc") (param i32) (result i32) (i32.const 4096))
  (func (export "score") (param i32 i32) (result i64)
    (i64.const 0)))
