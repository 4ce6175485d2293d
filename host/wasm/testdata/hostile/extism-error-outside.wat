;; class: protocol
;; says: gives an error at 3
(module
  (import "extism:host/env" "error_set" (func $error (param i64)))
  (func (export "score") (result i32) (call $error (i64.const 3)) (i32.const 0)))
