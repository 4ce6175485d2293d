;; class: refused
;; at: load
;; says: "extism:host/env" "input_set"
;; Asks for what is meant for hosts.
(module
  (import "extism:host/env" "input_set" (func $set (param i64 i64)))
  (func (export "score") (result i32) (i32.const 0)))
