;; class: fuel
;; limits: fuel=100000
;; says: used 131
;; Has a host function do the work that is beyond its fuel, and nothing after that.
(module
  (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
  (memory (export "memory") 17)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64)
    (i32.store (i32.const 1024) (i32.const 0x7b7d)) ;; "}{"
    (drop (call $random (i32.const 65536) (i32.const 1_048_576)))
    (i64.const 0x200000400)))
