;; class: fuel
;; fuel: 1200001
;; A scorer that never ends.
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64)
    (loop $l (br $l))
    (i64.const 0)))
