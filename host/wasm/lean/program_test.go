package lean_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/lean"
	"github.com/tetratelabs/wazero"
	"pgregory.net/rapid"
)

// A program writes random functions (i32, i32) -> i32 as a C compiler does without
// optimisation: their variables lie in a frame on the stack in memory. Every variable
// is written to before it is read.
type program struct {
	t       *rapid.T
	code    []byte
	slots   []variable
	size    int64 // of the frame
	calls   bool  // not a leaf: the stack pointer is moved
	index   uint32
	left    int                      // statements
	depth   int                      // blocks that are open
	objects map[uint32][]lean.Object // of each function: its variables, or several that are one structure
}

// A variable is a place in a frame: how it is stored and loaded, and how its value
// becomes an i32, and back.
type variable struct {
	offset      int64
	store, load byte
	to, from    []byte
	within      bool // something of the same structure is before it
}

// Locals of every function.
const (
	first, second = 0, 1 // parameters
	base          = 2    // where the frame begins
	inner         = 3    // where a frame within the frame begins, as of a function that was put there
	result        = 4
	copied        = 5 // base again
)

// Functions that write to their argument, or to the byte before it.
const (
	writes, writesBefore = 0, 1
	written              = 2 // how many these are
)

// Places in memory: statics below, the stack from its top down.
const (
	statics  = 1024
	stackEnd = 2048
	stackTop = 1 << 16
)

// Opcodes that only this test writes.
const (
	i32Load, i32Store, i32Const                        = 0x28, 0x36, 0x41
	i32Add, i32Sub, i32Mul, i32And, i32Xor, i32LtS     = 0x6a, 0x6b, 0x6c, 0x71, 0x73, 0x48
	localGet, localSet, localTee, getGlobal, setGlobal = 0x20, 0x21, 0x22, 0x23, 0x24
)

func (p *program) put(b ...byte) { p.code = append(p.code, b...) }

func (p *program) pick(n int) int { return rapid.IntRange(0, n-1).Draw(p.t, "n") }

func (p *program) number(n int64) { p.code = binary.AppendS64(append(p.code, i32Const), n) }

func (p *program) at(op byte, offset int64) {
	p.code = binary.AppendU32(append(p.code, op, 0), uint32(offset))
}

// kinds are the types of variables. The narrow ones are loaded with a sign or
// without.
var kinds = []struct {
	size int64
	variable
}{
	{4, variable{store: 0x36, load: 0x28}},
	{4, variable{store: 0x36, load: 0x28}},
	{1, variable{store: 0x3a, load: 0x2c}},
	{1, variable{store: 0x3a, load: 0x2d}},
	{2, variable{store: 0x3b, load: 0x2e}},
	{2, variable{store: 0x3b, load: 0x2f}},
	{8, variable{store: 0x37, load: 0x29, to: []byte{0xa7}, from: []byte{0xac}}},
	{4, variable{store: 0x3e, load: 0x35, to: []byte{0xa7}, from: []byte{0xac}}},
	{4, variable{store: 0x38, load: 0x2a, to: []byte{0xfc, 0}, from: []byte{0xb2}}},
	{8, variable{store: 0x39, load: 0x2b, to: []byte{0xfc, 2}, from: []byte{0xb7}}},
	{4, variable{store: 0x36, load: 0x2d}}, // written as one type, read as another
	{4, variable{store: 0x38, load: 0x28, from: []byte{0xb2}}},
}

// frame chooses variables.
func (p *program) frame() {
	p.slots, p.size = nil, 0
	for range 1 + p.pick(5) {
		k := kinds[p.pick(len(kinds))]
		v := k.variable
		v.offset = (p.size + k.size - 1) / k.size * k.size
		p.slots, p.size = append(p.slots, v), v.offset+k.size
		p.object(lean.Object{From: int32(v.offset), To: int32(p.size)})
	}
	p.size = (p.size + 15) / 16 * 16
	if p.pick(4) == 0 {
		p.size = 64
	}
}

// object notes whether the last variable is an object, or part of the one before it.
func (p *program) object(o lean.Object) {
	list := p.objects[p.index]
	if n := len(list); n > 0 && p.pick(3) == 0 {
		p.slots[len(p.slots)-1].within, list[n-1].To = true, o.To
		return
	}
	p.objects[p.index] = append(list, o)
}

// move adds to the value on the stack, or subtracts, in one of two ways.
func (p *program) move(by int64) {
	if p.pick(2) == 0 {
		p.number(by)
		p.put(i32Add)
		return
	}
	p.number(-by)
	p.put(i32Sub)
}

func (p *program) variable() variable { return p.slots[p.pick(len(p.slots))] }

// where pushes an address from which a variable's offset counts, and returns the rest.
func (p *program) where(v variable) int64 {
	switch p.pick(60) {
	case 0, 3, 4, 5, 6:
		p.put(localGet, base)
		p.move(v.offset)
		return 0
	case 7: // computed
		p.put(localGet, base, localGet, second)
		p.number(0)
		p.put(i32And, i32Add)
	case 1, 8, 9, 10, 11:
		p.put(localGet, base, localTee, copied)
	case 2, 12, 13, 14, 15:
		p.put(localGet, base, localSet, copied, localGet, copied)
	default:
		p.put(localGet, base)
	}
	return v.offset
}

// value pushes an i32.
func (p *program) value(depth int) {
	switch c := p.pick(9); {
	case c == 0 || depth > 3:
		p.number(int64(p.pick(200) - 100))
	case c == 1:
		p.put(localGet, second)
	case c == 2:
		p.number(statics + 4*int64(p.pick(8)))
		p.at(i32Load, 0)
	case c < 6:
		p.value(depth + 1)
		p.value(depth + 1)
		p.put([]byte{i32Add, i32Sub, i32Mul, i32And, i32Xor, i32LtS}[p.pick(6)])
	default:
		v := p.variable()
		rest := p.where(v)
		p.at(v.load, rest)
		p.put(v.to...)
	}
}

// assign writes the value that push leaves on the stack to a variable.
func (p *program) assign(push func()) {
	v := p.variable()
	rest := p.where(v)
	push()
	p.put(v.from...)
	p.at(v.store, rest)
}

func (p *program) some() { p.value(0) }

// statement writes one that leaves the stack as it is.
func (p *program) statement() {
	p.left--
	switch p.pick(10) {
	case 0, 1, 2:
		p.assign(p.some)
	case 3:
		p.number(statics + 4*int64(p.pick(8)))
		p.value(0)
		p.at(i32Store, 0)
	case 4:
		p.branch()
	case 5:
		p.loop()
	case 6:
		p.call()
	case 7:
		p.within()
	case 8:
		p.leave()
	default:
		p.put(0x02, 0x40) // block ... br_if ... end
		p.block()
		p.value(0)
		p.put(0x0d, 0)
		p.block()
		p.put(0x0b)
	}
}

func (p *program) block() {
	p.depth++
	for n := p.pick(3); n >= 0 && p.left > 0 && p.depth < 5; n-- {
		p.statement()
	}
	p.depth--
}

func (p *program) branch() {
	p.value(0)
	p.put(0x04, 0x40)
	p.block()
	if p.pick(2) == 0 {
		p.put(0x05)
		p.block()
	}
	p.put(0x0b)
}

// loop goes around while the first parameter, which counts down, is above zero.
func (p *program) loop() {
	p.number(int64(p.pick(4)))
	p.put(localSet, first, 0x03, 0x40)
	p.block()
	p.put(localGet, first)
	p.number(-1)
	p.put(i32Add, localTee, first)
	p.number(0)
	p.put(0x4a, 0x0d, 0, 0x0b)
}

// call calls a function below this one, or gives the address of a variable away.
func (p *program) call() {
	if !p.calls {
		return
	}
	if p.index == written || p.pick(6) == 0 {
		v := p.variable()
		p.put(localGet, base)
		if v.offset > 0 || p.pick(2) == 0 {
			p.move(v.offset)
		}
		p.value(0)
		if v.within && p.pick(2) == 0 {
			p.put(0x10, writesBefore, 0x1a)
			return
		}
		p.put(0x10, writes, 0x1a)
		return
	}
	p.assign(func() {
		p.value(1)
		p.value(1)
		p.code = binary.AppendU32(append(p.code, 0x10), written+uint32(p.pick(int(p.index)-written)))
	})
}

// within takes a frame within the frame for a moment, and adds something to a static.
func (p *program) within() {
	if !p.calls {
		return
	}
	p.put(getGlobal, 0)
	p.number(16)
	p.put(i32Sub)
	moved := p.pick(2) == 0
	p.put(localTee, inner)
	if moved {
		p.put(setGlobal, 0, localGet, inner)
	}
	p.value(0)
	p.at(i32Store, 12)
	p.put(localGet, inner, localGet, inner)
	p.at(i32Load, 12)
	p.at(i32Store, 8)
	p.number(statics)
	p.put(localGet, inner)
	p.at(i32Load, 8)
	p.at(i32Store, 0)
	if moved {
		p.put(localGet, inner)
		p.number(16)
		p.put(i32Add, setGlobal, 0)
	}
}

// leave returns in the middle, perhaps.
func (p *program) leave() {
	p.value(0)
	p.put(0x04, 0x40)
	p.end()
	p.put(0x0f, 0x0b)
}

// end leaves the result on the stack, and gives the frame back.
func (p *program) end() {
	p.value(0)
	if p.calls {
		p.put(localSet, result, localGet, base)
		p.move(p.size)
		p.put(setGlobal, 0, localGet, result)
	}
}

// function writes one.
func (p *program) function(index uint32) binary.Body {
	p.code, p.index, p.left = nil, index, p.pick(12)
	p.calls = p.pick(3) > 0
	p.frame()
	p.put(getGlobal, 0)
	p.move(-p.size)
	p.put(localTee, base)
	if p.calls {
		p.put(setGlobal, 0, localGet, base)
	}
	p.put(0x1a)
	if p.pick(4) > 0 { // the usual way: nothing is left on the stack
		p.code = p.code[:len(p.code)-1]
		v := p.slots[0]
		p.put(localGet, first)
		p.put(v.from...)
		p.at(v.store, v.offset)
	}
	for _, v := range p.slots {
		p.put(localGet, base)
		p.number(int64(p.pick(300)))
		p.put(v.from...)
		p.at(v.store, v.offset)
	}
	for p.left > 0 {
		p.statement()
	}
	p.end()
	return binary.Body{Locals: []binary.Locals{{Count: 4, Type: binary.I32}}, Code: append(p.code, 0x0b)}
}

// module writes functions, and exports the last as f.
func (p *program) module() []byte {
	two := binary.FuncType{Params: []binary.ValType{binary.I32, binary.I32}, Results: []binary.ValType{binary.I32}}
	m := binary.Module{
		Types:    []binary.FuncType{two},
		Memories: []binary.Size{{Min: 1}},
		Globals:  []binary.Global{{GlobalType: binary.GlobalType{Type: binary.I32, Mutable: true}, Init: append(binary.AppendS64([]byte{i32Const}, stackTop), 0x0b)}},
	}
	p.objects = map[uint32][]lean.Object{}
	for i := range byte(written) { // first[-i] = second, twice that is the result
		m.Code = append(m.Code, binary.Body{Code: []byte{localGet, first, i32Const, i, i32Sub, localGet, second, 0x3a, 0, 0, localGet, second, localGet, second, i32Add, 0x0b}})
	}
	for i := range 1 + p.pick(4) {
		m.Code = append(m.Code, p.function(uint32(i)+written))
	}
	m.Functions = make([]uint32, len(m.Code))
	m.Exports = []binary.Export{
		{Name: "f", Kind: binary.FunctionKind, Index: uint32(len(m.Code)) - 1},
		{Name: "memory", Kind: binary.MemoryKind}, {Name: "stack", Kind: binary.GlobalKind},
	}
	return m.Append(nil)
}

// came is the result of a module, and its statics and stack pointer afterwards.
type came struct {
	results []uint64
	statics []byte
	stack   uint64
}

func run(t interface{ Fatalf(string, ...any) }, ctx context.Context, rt wazero.Runtime, module []byte) (out came) {
	m, err := rt.InstantiateWithConfig(ctx, module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatalf("%v\n% x", err, module)
	}
	defer m.Close(ctx)
	for _, x := range []uint64{0, 1, 77, 0xfffffff0} {
		r, err := m.ExportedFunction("f").Call(ctx, x, x+3)
		if err != nil {
			t.Fatalf("%v", err)
		}
		out.results = append(out.results, r[0])
	}
	b, _ := m.Memory().Read(0, stackEnd)
	out.statics, out.stack = bytes.Clone(b), m.ExportedGlobal("stack").Get()
	return out
}

// TestRewrite_ComputesTheSame runs random programs before and after, with small
// functions put where they are called and without, where objects are known and where
// not.
func TestRewrite_ComputesTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	ctx := context.Background()
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer rt.Close(ctx)
	less, known := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := &program{t: t}
		module := p.module()
		before := len(accesses(t, module))
		want := run(t, ctx, rt, module)
		for _, inline := range []int{1, 64, 1000} {
			var left [2]int
			for k, objects := range []map[uint32][]lean.Object{nil, p.objects} {
				out := lean.Rewrite(read(t, module), lean.Options{Inline: inline, Objects: objects}).Append(nil)
				left[k] = len(accesses(t, out))
				same(t, run(t, ctx, rt, out), want, fmt.Sprintf("inline %d, objects %v\n% x\n% x", inline, objects, module, out))
			}
			if left[0] < before {
				less++
			}
			if left[1] < left[0] {
				known++
			}
		}
	})
	if less == 0 || known == 0 {
		t.Errorf("%d programs have fewer accesses to memory, %d have fewer where objects are known", less, known)
	}
}

// same compares the results of modules and their memories afterwards.
func same(t interface{ Fatalf(string, ...any) }, got, want came, what string) {
	if !slices.Equal(got.results, want.results) {
		t.Fatalf("results %d, not %d: %s", got.results, want.results, what)
	}
	if !bytes.Equal(got.statics, want.statics) || got.stack != want.stack {
		t.Fatalf("another memory, or stack pointer: %d, not %d: %s", got.stack, want.stack, what)
	}
}

func read(t interface{ Fatalf(string, ...any) }, module []byte) *binary.Module {
	m, err := binary.Read(module, binary.Limits{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return m
}

// accesses returns the loads and stores of a module.
func accesses(t interface{ Fatalf(string, ...any) }, module []byte) (ops []binary.Op) {
	m := read(t, module)
	for i := range m.Code {
		it := m.Code[i].Instructions()
		for it.Next() {
			if it.Op >= binary.I32Load && it.Op <= binary.I64Store32 {
				ops = append(ops, it.Op)
			}
		}
	}
	return ops
}
