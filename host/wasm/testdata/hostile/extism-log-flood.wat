;; class: fuel
;; log: 16384
;; Logs without end, in blocks that its host frees.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "log_error" (func $log (param i64)))
  (func (export "score") (result i32)
    (loop $more (call $log (call $alloc (i64.const 1000))) (br $more))
    (i32.const 0)))
