;; has the Extism ABI and asks for the network
(module
  (import "extism:host/env" "http_request" (func $ask (param i64 i64) (result i64)))
  (func (export "score") (result i32) (drop (call $ask (i64.const 0) (i64.const 0))) (i32.const 0)))
