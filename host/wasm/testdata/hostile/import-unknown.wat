;; class: refused
;; at: load
;; says: "env" "evil", "wasi_snapshot_preview1" "fd_frobnicate"
(module
  (import "env" "evil" (func $evil))
  (import "wasi_snapshot_preview1" "fd_frobnicate" (func $f))
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64) (call $evil) (i64.const 0)))
