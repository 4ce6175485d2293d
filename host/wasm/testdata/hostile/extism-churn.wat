;; class: fuel
;; limits: fuel=50000000
;; Leaves as many gaps as it can, and then looks for room for ever.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "free" (func $free (param i64)))
  (func (export "score") (result i32) (local $n i32) (local $at i64)
    (loop $hold
      (local.set $at (call $alloc (i64.const 1)))
      (drop (call $alloc (i64.const 1)))
      (call $free (local.get $at))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if $hold (i32.lt_u (local.get $n) (i32.const 4000))))
    (loop $more (call $free (call $alloc (i64.const 100))) (br $more))
    (i32.const 0)))
