;; class: output
;; says: 100 bytes at 65500, is outside of the memory of 65536 bytes
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64)
    (i64.or (i64.shl (i64.const 65500) (i64.const 32)) (i64.const 100))))
