;; class: depth
;; Recursion without end, by way of a table.
(module
  (type $t (func (param i32 i32) (result i64)))
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (table 1 funcref)
  (elem (i32.const 0) $f)
  (func $f (export "score") (param i32 i32) (result i64)
    (call_indirect $t (local.get 0) (local.get 1) (i32.const 0))))
