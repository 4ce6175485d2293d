;; class: fuel
;; fuel: 1200012
;; Doubly recursive, without a loop: what a timeout cannot stop.
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func $f (param $n i32) (result i32)
    (if (result i32) (i32.eqz (local.get $n))
      (then (i32.const 1))
      (else (i32.add
        (call $f (i32.sub (local.get $n) (i32.const 1)))
        (call $f (i32.sub (local.get $n) (i32.const 1)))))))
  (func (export "score") (param i32 i32) (result i64)
    (i64.extend_i32_u (call $f (i32.const 60)))))
