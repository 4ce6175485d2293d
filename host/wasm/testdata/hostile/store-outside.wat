;; class: trap
;; says: out of bounds memory access
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64)
    (i32.store (i32.const 65536) (i32.const 1))
    (i64.const 0)))
