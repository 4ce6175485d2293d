;; class: plugin-error
;; says: whose text it has freed
;; An error that is gone when the call ends is an error nevertheless.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "free" (func $free (param i64)))
  (import "extism:host/env" "error_set" (func $error (param i64)))
  (func (export "score") (result i32) (local $a i64)
    (local.set $a (call $alloc (i64.const 8)))
    (call $error (local.get $a))
    (call $free (local.get $a))
    (i32.const 0)))
