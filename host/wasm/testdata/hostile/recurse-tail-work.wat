;; class: fuel
;; limits: fuel=5000000
;; Does its work on the way back from a deep recursion.
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func $f (param $n i32)
    (if (local.get $n) (then (call $f (i32.sub (local.get $n) (i32.const 1)))))
    (memory.fill (i32.const 0) (i32.const 0) (i32.add (local.get $n) (i32.const 50000))))
  (func (export "score") (param i32 i32) (result i64)
    (call $f (i32.const 1500))
    (i64.const 0)))
