;; class: plugin-error
;; says: ????????
;; An error of a million control characters.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
  (import "extism:host/env" "error_set" (func $error (param i64)))
  (func (export "score") (result i32) (local $a i64)
    (local.set $a (call $alloc (i64.const 1_000_000)))
    (call $store (local.get $a) (i32.const 0x1b))
    (call $error (local.get $a))
    (i32.const 0)))
