;; A program that sleeps for a century, again and again: each returns at once.
(module
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 24) "\ff\ff\ff\ff\ff\ff\ff\7f")
  (func (export "_start")
    (loop $more (drop (call $poll (i32.const 0) (i32.const 64) (i32.const 1) (i32.const 128))) (br $more))))
