;; class: plugin-error
;; says: exit code 7
;; Exits again and again.
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func (export "_start") (loop $more (call $exit (i32.const 7)) (br $more))))
