;; answer: ""
;; Asks for 200 million table entries and must be denied.
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (table 1 funcref)
  (func (export "score") (param i32 i32) (result i64)
    (if (i32.ne (table.grow (ref.null func) (i32.const 200000000)) (i32.const -1)) (then (unreachable)))
    (i64.const 0)))
