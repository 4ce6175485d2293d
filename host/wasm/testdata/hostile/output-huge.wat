;; class: output
;; says: the answer has 2147483647 bytes, 1048576 allowed
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64) (i64.const 0x000000007fffffff)))
