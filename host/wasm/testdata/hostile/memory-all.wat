;; answer: ""
;; limits: pages=16
;; Grows memory until it is denied, and lives with it. Every call starts small.
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64)
    (if (i32.ne (memory.size) (i32.const 1)) (then (unreachable)))
    (loop $l (br_if $l (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
    (i64.const 0)))
