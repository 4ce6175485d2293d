;; class: load
;; at: load
;; says: no memory is exported
(module (func (export "_start")))
