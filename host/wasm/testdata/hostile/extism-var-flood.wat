;; class: memory
;; says: the plugin's variables take
;; Keeps variables under ever other names.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u64" (func $store (param i64 i64)))
  (import "extism:host/env" "var_set" (func $set (param i64 i64)))
  (func (export "score") (result i32) (local $name i64) (local $n i64)
    (loop $more
      (local.set $name (call $alloc (i64.const 8)))
      (local.set $n (i64.add (local.get $n) (i64.const 1)))
      (call $store (local.get $name) (local.get $n))
      (call $set (local.get $name) (call $alloc (i64.const 1000)))
      (br $more))
    (i32.const 0)))
