;; class: memory
;; says: no room for a block of 18446744073709551600 bytes
;; A length that becomes small where it is rounded up.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (func (export "score") (result i32) (drop (call $alloc (i64.const -16))) (i32.const 0)))
