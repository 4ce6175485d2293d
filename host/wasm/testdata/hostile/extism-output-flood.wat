;; class: output
;; says: the answer has 2097152 bytes, 1048576 allowed
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "output_set" (func $answer (param i64 i64)))
  (func (export "score") (result i32)
    (call $answer (call $alloc (i64.const 2_097_152)) (i64.const 2_097_152))
    (i32.const 0)))
