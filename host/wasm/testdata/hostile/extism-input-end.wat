;; class:
;; answer: "\x00\x00\x00\x00\x00\x00\x00\x00"
;; Reads the input behind its end: there are zeros, as in Extism's own hosts.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u64" (func $store (param i64 i64)))
  (import "extism:host/env" "input_load_u64" (func $load8 (param i64) (result i64)))
  (import "extism:host/env" "input_load_u8" (func $load1 (param i64) (result i32)))
  (import "extism:host/env" "output_set" (func $answer (param i64 i64)))
  (func (export "score") (result i32) (local $a i64)
    (local.set $a (call $alloc (i64.const 8)))
    (call $store (local.get $a) (i64.or
      (i64.or (call $load8 (i64.const 0)) (call $load8 (i64.const -3)))
      (i64.extend_i32_u (i32.or (call $load1 (i64.const 5)) (call $load1 (i64.const -1))))))
    (call $answer (local.get $a) (i64.const 8))
    (i32.const 0)))
