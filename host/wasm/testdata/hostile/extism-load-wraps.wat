;; class: protocol
;; says: reads 8 bytes of the host's memory at 18446744073709551612
;; Reads at an address whose end is a small number.
(module
  (import "extism:host/env" "load_u64" (func $load (param i64) (result i64)))
  (func (export "score") (result i32) (drop (call $load (i64.const -4))) (i32.const 0)))
