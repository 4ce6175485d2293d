;; class: load
;; at: load
;; says: there is nothing to call
(module
  (import "extism:host/env" "input_length" (func $length (result i64)))
  (func (export "score") (param i32) (result i32) (i32.const 0)))
