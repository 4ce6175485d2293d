;; class: memory
;; at: load
;; says: more than 4096 blocks
;; Takes its host's memory before it is called.
(module
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (func $begin (loop $more (drop (call $alloc (i64.const 1))) (br $more)))
  (func (export "score") (result i32) (i32.const 0))
  (start $begin))
