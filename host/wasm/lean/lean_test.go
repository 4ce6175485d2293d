package lean_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/lean"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/tetratelabs/wazero"
)

// around is a module with a function f in it. $g writes to its argument.
func around(f string) []byte {
	return wasmtest.Assemble(`(module
		(global $sp (mut i32) (i32.const 65536)) (memory (export "memory") 2)
		(func $g (param $p i32) (result i32) (i32.store (local.get $p) (i32.const 9)) (i32.const 0))
		(func (export "f") (param $x i32) (param $y i32) (result i32) (local $fp i32) (local $i i32) ` + f + `))`)
}

const enter, leave = `(local.set $fp (i32.sub (global.get $sp) (i32.const 16)))
	(global.set $sp (local.get $fp)) `, ` (global.set $sp (i32.add (local.get $fp) (i32.const 16)))`

func TestRewrite_PrivateSlotsBecomeLocals(t *testing.T) {
	const leaf = `(local.set $fp (i32.sub (global.get $sp) (i32.const 16))) `
	for _, tt := range []struct {
		name, body string
		stays      int // loads and stores
		want       uint64
	}{
		{"a variable of a leaf", leaf + `(i32.store offset=12 (local.get $fp) (local.get $x)) (i32.load offset=12 (local.get $fp))`, 0, 7},
		{"variables side by side, of every width", leaf + `
			(i64.store offset=0 (local.get $fp) (i64.extend_i32_s (local.get $x))) (i32.store16 offset=8 (local.get $fp) (i32.const 0x1ffff)) (i32.store8 offset=10 (local.get $fp) (i32.const 0x180))
			(i32.add (i32.wrap_i64 (i64.load offset=0 (local.get $fp))) (i32.add (i32.load16_s offset=8 (local.get $fp)) (i32.load8_u offset=10 (local.get $fp))))`, 0, 7 - 1 + 0x80},
		{"the frame of a function that calls", enter + `(i32.store offset=4 (local.get $fp) (local.get $x)) (drop (call $g (i32.const 64)))
			(local.set $i (i32.load offset=4 (local.get $fp)))` + leave + `(local.get $i)`, 0, 7},
		{"a variable that another function is given", enter + `(i32.store offset=4 (local.get $fp) (local.get $x)) (drop (call $g (i32.add (local.get $fp) (i32.const 4))))
			(local.set $i (i32.load offset=4 (local.get $fp)))` + leave + `(local.get $i)`, 2, 9},
		{"what lies beside such a variable, which may be an array", enter + `(i32.store offset=8 (local.get $fp) (local.get $x)) (drop (call $g (local.get $fp)))
			(local.set $i (i32.load offset=8 (local.get $fp)))` + leave + `(local.get $i)`, 2, 7},
		{"an address that is stored", leaf + `(i32.store (i32.const 64) (local.get $fp)) (i32.store offset=8 (local.get $fp) (local.get $x))
			(i32.store offset=8 (i32.load (i32.const 64)) (i32.const 3)) (i32.load offset=8 (local.get $fp))`, 5, 3},
		{"an address with what is not known added", leaf + `(i32.store offset=8 (local.get $fp) (local.get $x)) (i32.store (i32.add (local.get $fp) (local.get $y)) (i32.const 3)) (i32.load offset=8 (local.get $fp))`, 3, 3},
		{"an address that a block gives", leaf + `(i32.store offset=8 (local.get $fp) (local.get $x)) (i32.load offset=8 (block (result i32) (local.get $fp)))`, 2, 7},
		{"an address that a jump gives", leaf + `(i32.store offset=8 (local.get $fp) (local.get $x)) (i32.load offset=8 (block (result i32) (br 0 (local.get $fp))))`, 2, 7},
		{"an address that is chosen", leaf + `(i32.store offset=8 (local.get $fp) (local.get $x)) (i32.load offset=8 (select (local.get $fp) (i32.const 64) (local.get $x)))`, 2, 7},
		{"a local that is an address on one way only", leaf + `(i32.store offset=8 (local.get $fp) (local.get $x))
			(if (i32.eqz (local.get $x)) (then (local.set $fp (i32.const 64)))) (i32.load offset=8 (local.get $fp))`, 2, 7},
		{"an address that the other arm has overwritten", leaf + `(i32.store offset=8 (local.get $fp) (local.get $x))
			(if (i32.eqz (local.get $x)) (then (local.set $fp (i32.const 64))) (else (local.set $i (i32.load offset=8 (local.get $fp))))) (local.get $i)`, 0, 7},
		{"a local that is an address in the first round only", leaf + `(i32.store offset=8 (local.get $fp) (i32.const 5))
			(loop $l (local.set $i (i32.add (local.get $i) (i32.load offset=8 (local.get $fp)))) (local.set $fp (i32.const 64))
				(br_if $l (i32.lt_s (local.get $i) (i32.const 5)))) (local.get $i)`, 2, 5},
		{"a local that a loop leaves alone", leaf + `(i32.store offset=8 (local.get $fp) (i32.const 5))
			(loop $l (local.set $i (i32.add (local.get $i) (i32.load offset=8 (local.get $fp)))) (br_if $l (i32.lt_s (local.get $i) (i32.const 12)))) (local.get $i)`, 0, 15},
		{"a local that is used for something else afterwards", leaf + `(i32.store offset=8 (local.get $fp) (local.get $x)) (local.set $i (i32.load offset=8 (local.get $fp)))
			(local.set $fp (i32.const 1)) (i32.add (local.get $fp) (local.get $i))`, 0, 8},
		{"a place that is written whole and read in part", leaf + `(i32.store offset=8 (local.get $fp) (i32.const 0x1234)) (i32.load8_u offset=9 (local.get $fp))`, 2, 0x12},
		{"a place that is written as one type and read as another", leaf + `(i64.store offset=8 (local.get $fp) (i64.const 5)) (i32.load offset=8 (local.get $fp))`, 2, 5},
		{"a place beyond the frame", leaf + `(i32.store offset=16 (local.get $fp) (local.get $x)) (i32.load offset=16 (local.get $fp))`, 2, 7},
		{"a stack pointer that is kept and put back", `(local.set $i (global.get $sp)) ` + enter + `(i32.store offset=8 (local.get $fp) (local.get $x)) (local.set $x (i32.load offset=8 (local.get $fp)))
			(global.set $sp (local.get $i)) (local.get $x)`, 0, 7},
		{"a stack pointer that is computed with", `(local.set $i (i32.mul (global.get $sp) (i32.const 1))) ` + leaf + `(i32.store offset=8 (local.get $fp) (local.get $x)) (i32.load offset=8 (local.get $fp))`, 2, 7},
		{"a frame of 64 bytes, by whose size a compiler adds and subtracts", `(local.set $fp (i32.add (global.get $sp) (i32.const -64))) (global.set $sp (local.get $fp)) (i32.store offset=8 (local.get $fp) (local.get $x))
			(drop (call $g (i32.const 64))) (local.set $i (i32.load offset=8 (local.get $fp))) (global.set $sp (i32.sub (local.get $fp) (i32.const -64))) (local.get $i)`, 0, 7},
		{"code that is never executed", leaf + `(i32.store offset=8 (local.get $fp) (local.get $x)) (return (i32.load offset=8 (local.get $fp))) (drop (call $g (local.get $fp))) (i32.const 1)`, 0, 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			module := around(tt.body)
			out := lean.Rewrite(read(t, module), lean.Options{Inline: 1}).Append(nil)
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

// called returns the result of f(7, 8), and the stack pointer then.
func called(t *testing.T, module []byte) [2]uint64 {
	t.Helper()
	ctx := context.Background()
	m := read(t, module)
	m.Exports = append(slices.Clone(m.Exports), binary.Export{Name: "sp", Kind: binary.GlobalKind})
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer rt.Close(ctx)
	in, err := rt.Instantiate(ctx, m.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	r, err := in.ExportedFunction("f").Call(ctx, 7, 8)
	if err != nil {
		t.Fatal(err)
	}
	return [2]uint64{r[0], in.ExportedGlobal("sp").Get()}
}

func TestRewrite_EmptyFrameIsNotAllocated(t *testing.T) {
	const vars = `(i32.store offset=4 (local.get $fp) (local.get $x)) (drop (call $g (i32.const 64)))`
	for _, tt := range []struct {
		name, body string
		moves      int // writes to the stack pointer
	}{
		{"all of it went to locals", enter + vars + leave + `(local.get $x)`, 0},
		{"and it is given back on two ways", enter + vars + `(if (local.get $x) (then ` + leave + `(return (i32.const 1))))` + leave + `(local.get $x)`, 0},
		{"it has 64 bytes", `(local.set $fp (i32.add (global.get $sp) (i32.const -64))) (global.set $sp (local.get $fp)) ` + vars + `(global.set $sp (i32.sub (local.get $fp) (i32.const -64))) (local.get $x)`, 0},
		{"it is given back by another size", enter + vars + `(global.set $sp (i32.sub (local.get $fp) (i32.const 16))) (local.get $x)`, 2},
		{"something stays", enter + vars + `(i32.store offset=8 (local.get $fp) (i32.const 1)) (drop (i32.load8_u offset=8 (local.get $fp)))` + leave + `(local.get $x)`, 2},
		{"it is given back in another way", enter + vars + `(global.set $sp (i32.const 65536)) (local.get $x)`, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := lean.Rewrite(read(t, around(tt.body)), lean.Options{Inline: 1})
			moves := 0
			it := m.Code[1].Instructions()
			for it.Next() {
				if it.Op == binary.GlobalSet {
					moves++
				}
			}
			if moves != tt.moves {
				t.Errorf("the stack pointer is written to %d times, not %d", moves, tt.moves)
			}
			if want, got := called(t, around(tt.body)), called(t, m.Append(nil)); got != want {
				t.Errorf("%d, not %d", got, want)
			}
		})
	}
}

func TestRewrite_InlinesSmallFunctions(t *testing.T) {
	for _, tt := range []struct {
		name, callee, body string
		calls              int // that stay in f
	}{
		{"a sum", `(i32.add (local.get $a) (local.get $b))`, `(i32.mul (call $s (local.get $x) (i32.const 2)) (call $s (i32.const 3) (local.get $y)))`, 0},
		{"one that returns early", `(if (local.get $a) (then (return (local.get $b)))) (i32.const 5)`, `(i32.add (call $s (local.get $x) (i32.const 2)) (call $s (i32.const 0) (local.get $y)))`, 0},
		{"one that jumps to its end", `(drop (br_if 0 (local.get $b) (local.get $a))) (i32.const 5)`, `(i32.add (call $s (local.get $x) (i32.const 2)) (call $s (i32.const 0) (local.get $y)))`, 0},
		{"a local that is zero at first, in every round", `(local.set $c (i32.add (local.get $c) (local.get $a))) (local.get $c)`,
			`(loop $l (local.set $y (call $s (local.get $x) (i32.const 0))) (local.set $i (i32.add (local.get $i) (i32.const 1))) (br_if $l (i32.lt_s (local.get $i) (i32.const 3)))) (local.get $y)`, 0},
		{"one that traps, where that never happens", `(if (local.get $a) (then (return (local.get $b)))) unreachable`, `(call $s (local.get $x) (local.get $y))`, 0},
		{"one that calls itself", `(if (result i32) (local.get $a) (then (call $s (i32.sub (local.get $a) (i32.const 1)) (local.get $b))) (else (local.get $b)))`, `(call $s (local.get $x) (local.get $y))`, 1},
		{"one with a loop", `(loop $l (local.set $a (i32.sub (local.get $a) (i32.const 1))) (br_if $l (local.get $a))) (local.get $b)`, `(call $s (local.get $x) (local.get $y))`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			module := wasmtest.Assemble(`(module (global $sp (mut i32) (i32.const 65536)) (memory (export "memory") 1)
				(func (export "f") (param $x i32) (param $y i32) (result i32) (local $i i32) ` + tt.body + `)
				(func $s (param $a i32) (param $b i32) (result i32) (local $c i32) ` + tt.callee + `))`)
			m := lean.Rewrite(read(t, module), lean.Options{})
			calls := 0
			it := m.Code[0].Instructions()
			for it.Next() {
				if it.Op == binary.Call {
					calls++
				}
			}
			if calls != tt.calls {
				t.Errorf("%d calls stay, not %d", calls, tt.calls)
			}
			if want, got := called(t, module), called(t, m.Append(nil)); got != want {
				t.Errorf("%d, not %d", got, want)
			}
		})
	}
}

// TestRewrite_ModuleWithoutStackIsUnchanged takes options that name no stack pointer.
func TestRewrite_ModuleWithoutStackIsUnchanged(t *testing.T) {
	module := wasmtest.Assemble(`(module (global $n i32 (i32.const 65536)) (global $l (mut i64) (i64.const 1)) (memory 1)
		(func (export "f") (result i32) (i32.load (i32.sub (global.get $n) (i32.const 16)))))`)
	m := read(t, module)
	for _, stack := range []uint32{0, 1, 2, 1 << 31} {
		if lean.Rewrite(m, lean.Options{Stack: stack}) != m {
			t.Errorf("global %d is taken for a stack pointer", stack)
		}
	}
}

// TestRewrite_OutputIsKnown rewrites the functions of the tests above. If the output
// changes, so does that of CPython: then the digest of the language in package script
// has to change, and users have to reinstall the runtime.
// TestAdd_InstallsCPythonFromItsWheel shows the new digest.
func TestRewrite_OutputIsKnown(t *testing.T) {
	const want = "bef97346744b8e396866bbc2f0a7749194639009381f329a0ed8c58e59e106de"
	h := sha256.New()
	for _, body := range []string{
		enter + `(i32.store offset=4 (local.get $fp) (local.get $x)) (drop (call $g (i32.load offset=4 (local.get $fp))))` + leave + `(i32.const 3)`,
		enter + `(i32.store16 offset=4 (local.get $fp) (local.get $x)) (drop (call $g (i32.const 64))) (local.set $i (i32.load16_s offset=4 (local.get $fp)))` + leave + `(local.get $i)`,
		enter + `(i32.store offset=4 (local.get $fp) (local.get $x)) (drop (call $g (local.get $fp)))` + leave + `(local.get $x)`,
		`(local.set $fp (i32.add (global.get $sp) (i32.const -64))) (i32.store offset=4 (local.get $fp) (local.get $x)) (i32.load offset=4 (local.get $fp))`,
	} {
		h.Write(lean.Rewrite(read(t, around(body)), lean.Options{}).Append(nil))
		h.Write(lean.Rewrite(read(t, around(body)), lean.Options{Objects: map[uint32][]lean.Object{1: {{From: 0, To: 4}}}}).Append(nil))
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("the output is %s, want %s", got, want)
	}
}
