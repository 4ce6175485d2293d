;; class: fuel
(module
  (import "extism:host/env" "input_length" (func $length (result i64)))
  (func (export "score") (result i32) (loop $more (drop (call $length)) (br $more)) (i32.const 0)))
