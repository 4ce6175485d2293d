;; class: refused
;; at: load
;; says: "extism:host/env" "alloc" with another type
(module
  (import "extism:host/env" "alloc" (func $alloc (param i32) (result i32)))
  (func (export "score") (result i32) (i32.const 0)))
