;; class: refused
;; at: load
;; says: rebuild for wasip1
(module binary "\00asm" "\0d\00\01\00")
