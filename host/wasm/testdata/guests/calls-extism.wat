;; Calls its host for ever.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "free" (func $free (param i64)))
  (func (export "score") (result i32)
    (loop $more (call $free (call $alloc (i64.const 100_000))) (br $more))
    (i32.const 0)))
