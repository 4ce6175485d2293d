;; class: fuel
;; Never exits.
(module
  (memory (export "memory") 1)
  (func (export "_start") (loop $more (br $more))))
