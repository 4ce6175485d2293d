;; class: memory
;; limits: fuel=20000000
;; says: no room for a block of 1048576 bytes
;; Keeps every byte that it can get, in few blocks.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (func (export "score") (result i32)
    (loop $more (drop (call $alloc (i64.const 1_048_576))) (br $more))
    (i32.const 0)))
