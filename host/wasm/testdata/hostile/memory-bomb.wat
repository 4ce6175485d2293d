;; class: memory
;; says: denied more than 1048576 of 1048576 bytes
;; limits: pages=16
;; Grows memory until it is denied, then gives up.
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64)
    (loop $l (br_if $l (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
    (unreachable)))
