;; class: refused
;; at: load
;; says: function bodies announced
(module binary "\00asm" "\01\00\00\00" "\0a\05" "\ff\ff\ff\ff\0f")
