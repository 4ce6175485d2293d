;; class: trap
;; says: start
;; The start function runs in the call, as _start does.
(module
  (memory (export "memory") 1)
  (func $begin (unreachable))
  (func (export "_start"))
  (start $begin))
