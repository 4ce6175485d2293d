;; class: refused
;; at: load
;; says: limit MemoryPages
;; Asks for 128 MiB to begin with.
(module
  (memory (export "memory") 2048)
  (func (export "alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "score") (param i32 i32) (result i64) (i64.const 0)))
