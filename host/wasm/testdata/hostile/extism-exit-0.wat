;; class: plugin-error
;; says: exit code 0
;; Ends itself as if all were well, without an answer.
(module
  (import "extism:host/env" "output_set" (func $answer (param i64 i64)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func (export "score") (result i32) (call $exit (i32.const 0)) (i32.const 0)))
