;; class: protocol
;; says: writes 1 bytes of the host's memory
;; Writes over what lies before a block. In Extism's own kernel that is the
;; block's header, and the next look for a block never ends.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
  (import "extism:host/env" "config_get" (func $config (param i64) (result i64)))
  (func (export "score") (result i32) (local $a i64)
    (local.set $a (call $alloc (i64.const 8)))
    (call $store (i64.add (local.get $a) (i64.const -8)) (i32.const 0))
    (drop (call $config (local.get $a)))
    (i32.const 0)))
