;; class: refused
;; at: load
;; says: exports announced
(module binary "\00asm" "\01\00\00\00" "\07\05" "\ff\ff\ff\ff\0f")
