;; tries to steer the terminal
(module
  (memory (export "memory") 2)
  (data (i32.const 1024) "{\22score\22:0.5,\22reason\22:\22\5cu001b[2Jcleared\5cu202e\22}")
  (func (export "alloc") (param i32) (result i32) (i32.const 4096))
  (func (export "score") (param i32 i32) (result i64)
    (i64.or (i64.shl (i64.const 1024) (i64.const 32)) (i64.const 47))))
