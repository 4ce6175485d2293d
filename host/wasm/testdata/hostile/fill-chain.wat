;; class: fuel
;; limits: fuel=10000000
;; Bulk work without a loop.
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func $f (param $n i32)
    (if (i32.eqz (local.get $n)) (then (return)))
    (memory.fill (i32.const 0) (i32.const 7) (i32.add (local.get $n) (i32.const 60000)))
    (call $f (i32.sub (local.get $n) (i32.const 1)))
    (call $f (i32.sub (local.get $n) (i32.const 1))))
  (func (export "score") (param i32 i32) (result i64) (call $f (i32.const 60)) (i64.const 0)))
