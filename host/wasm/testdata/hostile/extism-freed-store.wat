;; class: protocol
;; says: writes 1 bytes of the host's memory
;; Writes to a block that it has freed.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "free" (func $free (param i64)))
  (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
  (func (export "score") (result i32) (local $a i64)
    (local.set $a (call $alloc (i64.const 8)))
    (call $free (local.get $a))
    (call $store (local.get $a) (i32.const 1))
    (i32.const 0)))
