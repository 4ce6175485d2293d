;; class:
;; answer: "\x08\x00\x00\x00\x00\x00\x00\x00"
;; Answers how long a variable is that an earlier call may have made longer: it is
;; the same in every call.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "length" (func $length (param i64) (result i64)))
  (import "extism:host/env" "store_u64" (func $store (param i64 i64)))
  (import "extism:host/env" "var_get" (func $get (param i64) (result i64)))
  (import "extism:host/env" "var_set" (func $set (param i64 i64)))
  (import "extism:host/env" "output_set" (func $answer (param i64 i64)))
  (func $name (result i64) (local $a i64)
    (local.set $a (call $alloc (i64.const 8)))
    (call $store (local.get $a) (i64.const 7))
    (local.get $a))
  (func (export "score") (result i32) (local $a i64)
    (call $set (call $name) (call $alloc (i64.add (i64.const 8) (call $length (call $get (call $name))))))
    (local.set $a (call $alloc (i64.const 8)))
    (call $store (local.get $a) (call $length (call $get (call $name))))
    (call $answer (local.get $a) (i64.const 8))
    (i32.const 0)))
