;; class: output
;; says: is in no block
(module
  (import "extism:host/env" "output_set" (func $answer (param i64 i64)))
  (func (export "score") (result i32) (call $answer (i64.const 1_000_000) (i64.const 8)) (i32.const 0)))
