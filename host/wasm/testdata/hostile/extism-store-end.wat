;; class: protocol
;; says: writes 8 bytes of the host's memory
;; Writes eight bytes where five are left.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u64" (func $store (param i64 i64)))
  (func (export "score") (result i32)
    (call $store (i64.add (call $alloc (i64.const 13)) (i64.const 8)) (i64.const -1))
    (i32.const 0)))
