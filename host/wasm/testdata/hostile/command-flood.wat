;; class: output
;; says: 1048576 allowed
;; Answers without end, a page at a time.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 2)
  (data (i32.const 0) "\00\00\01\00\00\00\01\00")
  (func (export "_start")
    (loop $more (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16))) (br $more))))
