;; class: refused
;; at: load
;; says: "extism:host/user" "read_file"
;; Asks for a function that its user would have to provide.
(module
  (import "extism:host/env" "input_length" (func $length (result i64)))
  (import "extism:host/user" "read_file" (func $read (param i64) (result i64)))
  (func (export "score") (result i32) (i32.const 0)))
