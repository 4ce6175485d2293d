;; class: refused
;; at: load
;; says: "rubric-host.meter" "refill"
;; Calls the host's own function, to get fuel.
(module
  (import "rubric-host.meter" "refill" (func $refill (param i64) (result i64)))
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64) (call $refill (i64.const -1))))
