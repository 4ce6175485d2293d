;; class: load
;; at: load
;; says: element segment 0, 1 entries at 1, is outside of its table of 1 entries
;; A segment does not fit into its table, which wazero passes over, and the next
;; one with it.
(module
  (memory (export "memory") 1)
  (table 1 funcref)
  (elem (i32.const 1) $one)
  (elem (i32.const 0) $one)
  (func $one)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64) (i64.const 0)))
