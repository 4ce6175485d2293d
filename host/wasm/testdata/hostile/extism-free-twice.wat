;; class:
;; answer: "\x05\x00\x00\x00\x00\x00\x00\x00"
;; Frees twice, frees what never was a block, and the middle of one: nothing comes
;; of it.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "free" (func $free (param i64)))
  (import "extism:host/env" "store_u64" (func $store (param i64 i64)))
  (import "extism:host/env" "input_length" (func $length (result i64)))
  (import "extism:host/env" "output_set" (func $answer (param i64 i64)))
  (func (export "score") (result i32) (local $a i64) (local $b i64)
    (local.set $a (call $alloc (i64.const 8)))
    (call $free (local.get $a))
    (local.set $b (call $alloc (i64.const 8)))
    (call $free (local.get $a))
    (call $free (i64.const 0))
    (call $free (i64.const -1))
    (call $free (i64.add (local.get $b) (i64.const 1)))
    (call $store (local.get $b) (call $length))
    (call $answer (local.get $b) (i64.const 8))
    (i32.const 0)))
