;; class: depth
;; Recursion without end.
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func $f (export "score") (param i32 i32) (result i64)
    (call $f (local.get 0) (local.get 1))))
