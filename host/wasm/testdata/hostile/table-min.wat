;; class: refused
;; at: load
;; says: limit TableEntries
;; Asks for a table of a gibibyte.
(module
  (memory (export "memory") 1)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (table 134217728 funcref)
  (func (export "score") (param i32 i32) (result i64) (i64.const 0)))
