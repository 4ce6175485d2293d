;; class: load
;; at: load
;; says: so nothing can be called
(module
  (import "extism:host/env" "input_length" (func $length (result i64)))
  (func (export "score") (param i32) (result i32) (i32.const 0)))
