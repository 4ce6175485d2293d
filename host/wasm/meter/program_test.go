package meter_test

import (
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// A program writes random functions (i32) -> i32 that end: loops count a local
// of their own down. Between statements the operand stack is empty.
type program struct {
	t      *rapid.T
	code   []byte
	labels []bool // open blocks: whether a jump there goes forward
	loops  int    // loops so far; each has a local
	budget int    // statements left
	callee uint32 // functions below this index may be called

	throws bool // there are exceptions, of tags 0, which carries an i32, and 1
}

const (
	plainLocals = 4 // local 0 is the parameter
	loopLocals  = 6
)

func (p *program) put(b ...byte) { p.code = append(p.code, b...) }

func (p *program) pick(n int) int { return rapid.IntRange(0, n-1).Draw(p.t, "n") }

// value pushes an i32.
func (p *program) value() {
	switch p.pick(4) {
	case 0:
		p.put(0x41)
		p.code = binary.AppendS64(p.code, int64(p.pick(200)-100))
	case 1:
		p.value()
		p.value()
		p.put([]byte{0x6a, 0x6b, 0x6c, 0x71, 0x73, 0x48}[p.pick(6)])
	default:
		p.put(0x20, byte(p.pick(plainLocals)))
	}
}

func (p *program) set() {
	p.value()
	p.put(0x21, byte(1+p.pick(plainLocals-1)))
}

// jump writes a branch to a block that it leaves forward, or a return.
func (p *program) jump() {
	var forward []byte
	for i, f := range p.labels {
		if f {
			forward = append(forward, byte(len(p.labels)-1-i))
		}
	}
	if len(forward) == 0 {
		return
	}
	to := func() byte { return forward[p.pick(len(forward))] }
	p.value()
	switch p.pick(3) {
	case 0:
		p.put(0x0d, to())
	case 1: // if ... br ... end: labels are one further out
		p.put(0x04, 0x40, 0x0c, to()+1, 0x0b)
	default: // block br_table end
		p.put(0x21, 3, 0x02, 0x40, 0x20, 3, 0x0e, 2, 0, to()+1, 0, 0x0b)
	}
}

func (p *program) block(forward bool, open ...byte) {
	p.put(open...)
	p.labels = append(p.labels, forward)
	p.statements(3)
	p.labels = p.labels[:len(p.labels)-1]
}

func (p *program) statements(most int) {
	for n := p.pick(most + 1); n > 0 && p.budget > 0; n-- {
		p.budget--
		p.statement()
	}
}

func (p *program) statement() {
	kinds := 9
	if p.throws {
		kinds = 12
	}
	switch p.pick(kinds) {
	case 9, 10:
		p.try()
	case 11:
		p.throw()
	case 0:
		p.block(true, 0x02, 0x40)
		p.put(0x0b)
	case 1:
		p.value()
		p.block(true, 0x04, 0x40)
		if p.pick(2) == 0 {
			p.labels = append(p.labels, true)
			p.put(0x05)
			p.statements(3)
			p.labels = p.labels[:len(p.labels)-1]
		}
		p.put(0x0b)
	case 2:
		p.loop()
	case 3, 4:
		p.jump()
	case 5:
		if p.callee > 0 {
			p.value()
			p.put(0x10, byte(p.pick(int(p.callee))), 0x21, 2)
		}
	case 6:
		p.value()
		p.put(0x04, 0x40, 0x20, 1, 0x0f, 0x0b) // if ... return
	default:
		p.set()
	}
}

// throw writes if ... throw.
func (p *program) throw() {
	p.value()
	p.put(0x04, 0x40)
	if p.pick(2) == 0 {
		p.put(0x20, 1, 0x08, 0, 0x0b)
	} else {
		p.put(0x08, 1, 0x0b)
	}
}

// exception is the local that holds one.
const exception = plainLocals + loopLocals

// A shape is a try_table, as code around its body.
type shape struct {
	before []byte
	jumps  []bool // for each block in before: whether a jump to it is forward, and hands on nothing
	after  []byte
	keeps  bool // behind after an exception is on the stack, in a block that its end ends
}

var shapes = []shape{
	// block (result i32) (try_table (catch 0 0) ...) (i32.const 5) end, local.set 1
	{[]byte{0x02, 0x7f, 0x1f, 0x40, 1, 0, 0, 0}, []bool{false, true}, []byte{0x0b, 0x41, 5, 0x0b, 0x21, 1}, false},
	// block (block (result i32 exnref) (try_table (catch_ref 0 0) ...) (br 1)) (the exception) local.set 2 end
	{[]byte{0x02, 0x40, 0x02, 2, 0x1f, 0x40, 1, 1, 0, 0}, []bool{true, false, true}, []byte{0x0b, 0x0c, 1, 0x0b, 0x21, exception, 0x21, 2, 0x20, exception}, true},
	// block (try_table (catch_all 0) ...) end
	{[]byte{0x02, 0x40, 0x1f, 0x40, 1, 2, 0}, []bool{true, true}, []byte{0x0b, 0x0b}, false},
	// block (block (result exnref) (try_table (catch_all_ref 0) ...) (br 1)) (the exception) end
	{[]byte{0x02, 0x40, 0x02, 0x69, 0x1f, 0x40, 1, 3, 0}, []bool{true, false, true}, []byte{0x0b, 0x0c, 1, 0x0b}, true},
	// block (try_table (catch 1 0) ...) end
	{[]byte{0x02, 0x40, 0x1f, 0x40, 1, 0, 1, 0}, []bool{true, true}, []byte{0x0b, 0x0b}, false},
	// block (block (result exnref) (try_table (catch_ref 1 0) (catch_all_ref 0) ...) (br 1)) (the exception) end
	{[]byte{0x02, 0x40, 0x02, 0x69, 0x1f, 0x40, 2, 1, 1, 0, 3, 0}, []bool{true, false, true}, []byte{0x0b, 0x0c, 1, 0x0b}, true},
	// block (result i32) (block (try_table (catch 0 1) (catch 1 0) ...)) (local.get 3) end, local.set 2
	{[]byte{0x02, 0x7f, 0x02, 0x40, 0x1f, 0x40, 2, 0, 0, 1, 0, 1, 0}, []bool{false, true, true}, []byte{0x0b, 0x0b, 0x20, 3, 0x0b, 0x21, 2}, false},
	// block (result i32) (try_table (result i32) (catch 0 0) ... (i32.const 6)) end, local.set 3
	{[]byte{0x02, 0x7f, 0x1f, 0x7f, 1, 0, 0, 0}, []bool{false, false}, []byte{0x41, 6, 0x0b, 0x0b, 0x21, 3}, false},
	// (i32.const 3) block (try_table (type (i32) -> (i32)) (catch_all 0) (local.set 1) ... (local.get 2)) (local.set 3) end
	{[]byte{0x02, 0x40, 0x41, 3, 0x1f, 0, 1, 2, 0, 0x21, 1}, []bool{true, false}, []byte{0x20, 2, 0x0b, 0x21, 3, 0x0b}, false},
	// a try_table that catches nothing
	{[]byte{0x1f, 0x40, 0}, []bool{true}, []byte{0x0b}, false},
}

// try writes a try_table. An exception that it catches is thrown again sometimes.
func (p *program) try() {
	if p.pick(4) == 0 && p.loops < loopLocals {
		p.tryAgain()
		return
	}
	s := shapes[p.pick(len(shapes))]
	p.put(s.before...)
	labels := len(p.labels)
	p.labels = append(p.labels, s.jumps...)
	p.statements(4)
	p.labels = p.labels[:labels]
	p.put(s.after...)
	if s.keeps { // it is thrown again if local 1 is small
		p.put(0x21, exception, 0x20, 1, 0x41, byte(p.pick(3)), 0x48, 0x04, 0x40, 0x20, exception, 0x0a, 0x0b, 0x0b)
	}
}

// tryAgain writes a loop that repeats when something is thrown, three times at most.
func (p *program) tryAgain() {
	counter := byte(plainLocals + p.loops)
	p.loops++
	p.put(0x41, 3, 0x21, counter, 0x02, 0x40, 0x03, 0x40)
	p.put(0x20, counter, 0x41, 1, 0x6b, 0x22, counter, 0x41, 0, 0x48, 0x0d, 1)
	p.put(0x1f, 0x40, 1, 2, 0)
	labels := len(p.labels)
	p.labels = append(p.labels, true, false, true)
	p.statements(4)
	p.labels = p.labels[:labels]
	p.put(0x0b, 0x0b, 0x0b)
}

func (p *program) loop() {
	if p.loops == loopLocals {
		return
	}
	counter := byte(plainLocals + p.loops)
	p.loops++
	p.put(0x41, byte(p.pick(4)), 0x21, counter)
	p.block(false, 0x03, 0x40)
	p.put(0x20, counter, 0x41, 1, 0x6b, 0x22, counter, 0x41, 0, 0x4a, 0x0d, 0, 0x0b) // while --counter > 0
}

// random writes a module of three functions; each may call those before it.
func random(t *rapid.T, throws bool) *binary.Module {
	m := &binary.Module{
		Types:   []binary.FuncType{{Params: i32, Results: i32}},
		Exports: []binary.Export{{Name: "f", Kind: binary.FunctionKind, Index: 2}},
	}
	locals := []binary.Locals{{Count: plainLocals - 1 + loopLocals, Type: binary.I32}}
	if throws {
		m.Types = append(m.Types, binary.FuncType{}, binary.FuncType{Results: []binary.ValType{binary.I32, binary.ExnRef}}, binary.FuncType{Params: i32})
		m.Tags = []uint32{3, 1}
		locals = append(locals, binary.Locals{Count: 1, Type: binary.ExnRef})
	}
	for i := range uint32(3) {
		p := &program{t: t, budget: 25, callee: i, labels: []bool{}, throws: throws}
		p.statements(12)
		p.put(0x20, 1, 0x0b)
		m.Functions = append(m.Functions, 0)
		m.Code = append(m.Code, binary.Body{
			Locals: locals, Code: p.code,
		})
	}
	return m
}

func TestRandom_ProgramsKeepResultsAndCount(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m, err := binary.Read(random(rt, false).Append(nil), binary.Limits{})
		if err != nil {
			rt.Fatal(err)
		}
		lane := func(config wazero.RuntimeConfig, module []byte) func(arg uint64) ([]uint64, uint64) {
			box := newMachine(rt, config)
			mod := box.instantiate(module)
			if mod == nil {
				rt.Fatal("the module does not instantiate")
			}
			return func(arg uint64) ([]uint64, uint64) {
				r, trap, fuel := box.call(mod, "f", []uint64{arg})
				if trap != "" {
					rt.Fatalf("trap %s", trap)
				}
				return r, fuel
			}
		}
		form := func(o meter.Options) []byte {
			r, err := meter.Rewrite(m, o)
			if err != nil {
				rt.Fatal(err)
			}
			return r.Module
		}
		compiler, interpreter := wazero.NewRuntimeConfigCompiler(), wazero.NewRuntimeConfigInterpreter()
		plain := lane(interpreter, m.Append(nil)) // the compiler has the defects of wazero 1.12
		metered, interpreted := lane(compiler, form(meter.Options{})), lane(interpreter, form(meter.Options{}))
		exact, naive := lane(interpreter, form(meter.Options{}.Exact())), lane(interpreter, meter.Naive(m))
		for _, arg := range []uint64{0, 1, 7} {
			want, _ := plain(arg)
			got, fuel := metered(arg)
			if !slices.Equal(got, want) {
				rt.Errorf("f(%d) = %v, metered %v", arg, want, got)
			}
			if _, f := interpreted(arg); f != fuel {
				rt.Errorf("f(%d): %d fuel compiled, %d interpreted", arg, fuel, f)
			}
			_, e := exact(arg)
			_, n := naive(arg)
			if e != n || fuel < n || fuel > 2*n {
				rt.Errorf("f(%d): %d fuel, %d by runs, %d by instruction", arg, fuel, e, n)
			}
		}
	})
}
