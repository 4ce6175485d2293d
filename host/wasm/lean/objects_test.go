package lean_test

import (
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/lean"
)

// TestRewrite_SlotsBesideSharedObjectsBecomeLocals has a variable at 8 in frames
// whose other variables are given away.
func TestRewrite_SlotsBesideSharedObjectsBecomeLocals(t *testing.T) {
	const (
		writes = `(i32.store offset=8 (local.get $fp) (local.get $x)) `
		reads  = ` (local.set $i (i32.load offset=8 (local.get $fp)))` + leave + `(local.get $i)`
		before = `(i32.store offset=4 (local.get $fp) (i32.const 1)) ` // another variable
	)
	list := func(o ...lean.Object) []lean.Object { return o }
	for _, tt := range []struct {
		name, body string
		objects    []lean.Object
		stays      int // loads and stores
		want       uint64
	}{
		{"an object is given to a function", enter + writes + `(drop (call $g (i32.add (local.get $fp) (i32.const 4))))` + reads, list(lean.Object{From: 4, To: 8}), 0, 7},
		{"it begins with the frame", enter + writes + `(drop (call $g (local.get $fp)))` + reads, list(lean.Object{From: 0, To: 4}), 0, 7},
		{"its address is stored, and read again", enter + writes + `(i32.store (i32.const 64) (i32.add (local.get $fp) (i32.const 4)))
			(i32.store (i32.load (i32.const 64)) (i32.const 3))` + reads, list(lean.Object{From: 4, To: 8}), 3, 7},
		{"what is in it stays", enter + before + writes + `(drop (call $g (i32.add (local.get $fp) (i32.const 4))))
			(local.set $x (i32.load offset=4 (local.get $fp)))` + reads, list(lean.Object{From: 4, To: 8}), 2, 7},
		{"the variable is part of it, before the address that is given", enter + writes + `(drop (call $g (i32.add (local.get $fp) (i32.const 12))))` + reads, list(lean.Object{From: 8, To: 16}), 2, 7},
		{"the variable is part of it, behind the address that is given", enter + writes + `(drop (call $g (i32.add (local.get $fp) (i32.const 4))))` + reads, list(lean.Object{From: 4, To: 12}), 2, 7},
		{"one of two is not known", enter + writes + `(drop (call $g (local.get $fp))) (drop (call $g (i32.add (local.get $fp) (i32.const 4))))` + reads, list(lean.Object{From: 4, To: 8}), 2, 7},
		{"an address that is computed may be that of anything", enter + writes + `(i32.store (i32.add (i32.add (local.get $fp) (i32.const 4)) (i32.shl (local.get $x) (i32.const 0))) (i32.const 3))` + reads, list(lean.Object{From: 4, To: 8}), 3, 3<<24 + 7},
		{"an address that is masked too", enter + writes + `(i32.store (i32.or (local.get $fp) (i32.const 8)) (i32.const 3))` + reads, list(lean.Object{From: 0, To: 8}), 3, 3},
		{"an address that is compared is that of its object", enter + writes + `(drop (i32.eqz (local.get $fp)))` + reads, list(lean.Object{From: 0, To: 8}), 0, 7},
		{"what is accessed lies across the end of an object", enter + writes + `(i64.store offset=0 (local.get $fp) (i64.const 1)) (drop (call $g (local.get $fp)))` + reads, list(lean.Object{From: 0, To: 4}), 3, 7},
		{"it is not known where the object ends", enter + writes + `(drop (call $g (local.get $fp)))` + reads, nil, 2, 7},
		{"the frame is not the function's own", `(drop (i32.const 0)) ` + enter + writes + `(drop (call $g (local.get $fp)))` + reads, list(lean.Object{From: 0, To: 4}), 2, 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			module := around(tt.body)
			out := lean.Rewrite(read(t, module), lean.Options{Inline: 1, Objects: map[uint32][]lean.Object{1: tt.objects}}).Append(nil)
			if n := len(accesses(t, out)) - 1; n != tt.stays { // one is $g's
				t.Errorf("%d loads and stores stay, not %d", n, tt.stays)
			}
			want, got := called(t, module), called(t, out)
			if want[0] != tt.want || got != want {
				t.Errorf("%d, before %d; want %d", got, want, tt.want)
			}
		})
	}
}
