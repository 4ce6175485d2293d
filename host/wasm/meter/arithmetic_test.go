package meter_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	wasm "github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// The programs of program_test.go go through much and compute little. Those here
// are the other way round: they have every instruction that computes, with the
// operands that a compiler folds, fuses or gets wrong.

// signatures of the instructions: operands, result and opcodes, which are bytes
// or, of a group, its prefix and numbers. "i" is an i32, "l" an i64, "f" and "d"
// are floats, "v" is a vector; "=" after a result says that its NaNs may differ,
// a digit that the number of a lane below it follows.
const signatures = `
i  i 45 67-69 c0-c1
ii i 46-4f 6a-78
l  i 50 a7
ll i 51-5a
ff i 5b-60
dd i 61-66
l  l 79-7b c2-c4
ll l 7c-8a
f  f 8b-91
ff f 92-98
d  d 99-9f
dd d a0-a6
f  i a8-a9 bc fc:00-01
d  i aa-ab fc:02-03
i  l ac-ad
f  l ae-af fc:04-05
d  l b0-b1 bd fc:06-07
i  f b2-b3 be
l  f b4-b5
d  f b6
i  d b7-b8
l  d b9-ba bf
f  d bb
i  v fd:0f-11
l  v fd:12
f  v fd:13
d  v fd:14
v  i16 fd:15-16
v  i8 fd:18-19
v  i4 fd:1b
v  l2 fd:1d
v  f4 fd:1f
v  d2 fd:21
vi v16 fd:17
vi v8 fd:1a
vi v4 fd:1c
vl v2 fd:1e
vf v4 fd:20
vd v2 fd:22
v  i fd:53 63-64 83-84 a3-a4 c3-c4
vi v fd:6b-6d 8b-8d ab-ad cb-cd
v  v fd:4d 5e-62 67-6a 74-75 7a 7c-81 87-8a 94 a0-a1 a7-aa c0-c1 c7-ca e0-e1 e3 ec-ed ef f8-ff
vv v fd:0e 23-4c 4e-51 65-66 6e-73 76-79 7b 82 85-86 8e-93 95-99 9b-9f ae b1 b5-ba bc-bf ce d1 d5-df ea-eb f6-f7
vvv v fd:52
vv v= fd:e4-e9 f0-f5
`

const kinds = "ilfdv"

var kindTypes = []wasm.ValType{wasm.I32, wasm.I64, wasm.F32, wasm.F64, wasm.V128}

type instruction struct {
	operands string
	code     []byte
	lanes    int  // if not 0, the number of one below it follows
	quiet    bool // NaN lanes of the result are made 0
}

// instructions by the type of their result
var instructions = func() map[byte][]instruction {
	all := map[byte][]instruction{}
	for _, line := range strings.Split(strings.TrimSpace(signatures), "\n") {
		fields := strings.Fields(line)
		in := instruction{operands: fields[0], quiet: strings.HasSuffix(fields[1], "=")}
		in.lanes, _ = strconv.Atoi(fields[1][1:])
		var prefix []byte
		for _, span := range fields[2:] {
			if group, rest, ok := strings.Cut(span, ":"); ok {
				n, _ := strconv.ParseUint(group, 16, 8)
				prefix, span = []byte{byte(n)}, rest
			}
			from, to, ok := strings.Cut(span, "-")
			if !ok {
				to = from
			}
			first, _ := strconv.ParseUint(from, 16, 8)
			last, _ := strconv.ParseUint(to, 16, 8)
			for op := first; op <= last; op++ {
				in.code = []byte{byte(op)}
				if prefix != nil {
					in.code = binary.AppendUvarint(slices.Clone(prefix), op)
				}
				all[fields[1][0]] = append(all[fields[1][0]], in)
			}
		}
	}
	return all
}()

const (
	localsPerKind = 3 // beside the parameter
	memoryUsed    = 64
)

// arithmetic writes a random function of one parameter and one result of each
// kind but the last.
type arithmetic struct {
	t      *rapid.T
	code   []byte
	left   int  // expressions that may still have operands
	loops  int  // loops within each other
	callee byte // functions below this index may be called
}

func (p *arithmetic) pick(n int) int { return rapid.IntRange(0, n-1).Draw(p.t, "n") }
func (p *arithmetic) put(b ...byte)  { p.code = append(p.code, b...) }

// local returns the index of a local of a type that programs use, and scratch of one
// that only the code around them uses.
func (p *arithmetic) local(kind byte) byte {
	k := strings.IndexByte(kinds, kind)
	if kind != 'v' && p.pick(3) == 0 {
		return byte(k) // the parameter
	}
	return byte(4 + k*localsPerKind + 1 + p.pick(localsPerKind-1))
}

func scratch(kind byte) byte { return byte(4 + strings.IndexByte(kinds, kind)*localsPerKind) }

var (
	integers = []int64{0, 1, -1, 2, 7, 8, 31, 32, 33, 63, 64, 127, -128, 255, 256, 65535, 1 << 16, math.MaxInt32, math.MinInt32, 1 << 32, 1<<32 - 1, math.MaxInt64, math.MinInt64}
	reals    = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1.5, 2.5, -0.5, 1e-310, 1e308, 16777217, 1 << 31, -1 << 31, 1 << 32, 1 << 63, -1 << 63, 1 << 53, math.Inf(1), math.Inf(-1), math.NaN(), 2147483647.5, -0.99}
)

func (p *arithmetic) constant(kind byte) {
	integer := func() int64 {
		n := integers[p.pick(len(integers))]
		if p.pick(4) == 0 {
			n = rapid.Int64().Draw(p.t, "integer")
		}
		return n
	}
	switch real := reals[p.pick(len(reals))]; kind {
	case 'i':
		p.put(0x41)
		p.code = wasm.AppendS64(p.code, int64(int32(integer())))
	case 'l':
		p.put(0x42)
		p.code = wasm.AppendS64(p.code, integer())
	case 'f':
		p.put(0x43)
		p.code = binary.LittleEndian.AppendUint32(p.code, math.Float32bits(float32(real)))
	case 'd':
		p.put(0x44)
		p.code = binary.LittleEndian.AppendUint64(p.code, math.Float64bits(real))
	case 'v':
		p.put(0xfd, 0x0c)
		for range 2 {
			n := uint64(integer())
			if p.pick(2) == 0 {
				n = math.Float64bits(reals[p.pick(len(reals))])
			}
			p.code = binary.LittleEndian.AppendUint64(p.code, n)
		}
	}
}

// address pushes where something may be read or written.
func (p *arithmetic) address() (offset byte) {
	p.expression('i')
	if p.pick(16) > 0 {
		p.put(0x41, memoryUsed/2-1, 0x71)
	}
	return byte(p.pick(memoryUsed / 2))
}

// load and store instructions by kind, each with its group's prefix.
var (
	loads  = map[byte][]string{'i': {"\x28", "\x2c", "\x2d", "\x2e", "\x2f"}, 'l': {"\x29", "\x30", "\x31", "\x32", "\x33", "\x34", "\x35"}, 'f': {"\x2a"}, 'd': {"\x2b"}, 'v': {"\xfd\x00", "\xfd\x01", "\xfd\x02", "\xfd\x03", "\xfd\x04", "\xfd\x05", "\xfd\x06", "\xfd\x07", "\xfd\x08", "\xfd\x09", "\xfd\x0a", "\xfd\x5c", "\xfd\x5d"}}
	stores = map[byte][]string{'i': {"\x36", "\x3a", "\x3b"}, 'l': {"\x37", "\x3c", "\x3d", "\x3e"}, 'f': {"\x38"}, 'd': {"\x39"}, 'v': {"\xfd\x0b"}}
)

// expression pushes a value of a kind.
func (p *arithmetic) expression(kind byte) {
	if p.left--; p.left < 0 || p.pick(6) == 0 {
		switch p.pick(8) {
		case 0, 1:
			p.constant(kind)
		case 2:
			p.put(0x23, byte(strings.IndexByte(kinds, kind)))
		default:
			p.put(0x20, p.local(kind))
		}
		return
	}
	k := byte(kindTypes[strings.IndexByte(kinds, kind)])
	switch p.pick(14) {
	case 0:
		offset, list := p.address(), loads[kind]
		p.put([]byte(list[p.pick(len(list))])...)
		p.put(0, offset)
	case 1:
		p.expression(kind)
		p.expression(kind)
		p.expression('i')
		p.put(0x1c, 1, k)
	case 2:
		p.expression('i')
		p.put(0x04, k)
		p.expression(kind)
		p.put(0x05)
		p.expression(kind)
		p.put(0x0b)
	case 3:
		p.put(0x02, k)
		p.expression(kind)
		p.expression('i')
		p.put(0x0d, 0, 0x1a)
		p.expression(kind)
		p.put(0x0b)
	case 4:
		p.expression(kind)
		p.put(0x22, p.local(kind))
	default:
		p.compute(kind)
	}
}

// compute pushes the result of an instruction.
func (p *arithmetic) compute(kind byte) {
	list := instructions[kind]
	in := list[p.pick(len(list))]
	for k, operand := range []byte(in.operands) {
		p.expression(operand)
		switch op := in.code[0]; {
		case op >= 0x6d && op <= 0x70 && k == 1 && p.pick(8) > 0: // a division by a value that is hardly ever 0
			p.put(0x41, 1, 0x72)
		case op >= 0x7f && op <= 0x82 && k == 1 && p.pick(8) > 0:
			p.put(0x42, 1, 0x84)
		case operand == 'f' && (op == 0xbc || op == 0x98 && k == 1 || op == 0xfd):
			p.quiet(operand)
		case operand == 'd' && (op == 0xbd || op == 0xa6 && k == 1 || op == 0xfd):
			p.quiet(operand)
		}
	}
	p.put(in.code...)
	if in.lanes > 0 {
		p.put(byte(p.pick(in.lanes)))
	}
	if in.quiet {
		s := scratch('v')
		float := byte(0x41) // f32x4.eq
		if in.code[1] >= 0xf0 {
			float = 0x47
		}
		p.put(0x22, s, 0x20, s, 0x20, s, 0xfd, float, 0xfd, 0x4e)
	}
}

// quiet makes a 1 of a NaN, whose bits the engines may choose.
func (p *arithmetic) quiet(kind byte) {
	s := scratch(kind)
	p.put(0x22, s)
	if kind == 'f' {
		p.put(0x43, 0, 0, 0x80, 0x3f, 0x20, s, 0x20, s, 0x5b)
	} else {
		p.put(0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0x20, s, 0x20, s, 0x61)
	}
	p.put(0x1b)
}

func (p *arithmetic) statements(n int) {
	for range 1 + p.pick(n) {
		kind := kinds[p.pick(len(kinds))]
		p.left = 12
		choices := 11
		if n < 2 {
			choices = 7
		}
		switch p.pick(choices) {
		case 0:
			offset, list := p.address(), stores[kind]
			p.expression(kind)
			if kind == 'f' || kind == 'd' {
				p.quiet(kind)
			}
			p.put([]byte(list[p.pick(len(list))])...)
			p.put(0, offset)
		case 1:
			p.call()
		case 2:
			p.expression(kind)
			if kind == 'f' || kind == 'd' {
				p.quiet(kind)
			}
			p.put(0x24, byte(strings.IndexByte(kinds, kind)))
		case 3:
			p.bulk()
		case 7:
			p.loop(n / 2)
		case 8:
			p.table(n / 2)
		case 9:
			p.expression('i')
			p.put(0x04, 0x40)
			p.statements(n / 2)
			p.put(0x05)
			p.statements(n / 2)
			p.put(0x0b)
		case 10:
			p.put(0x02, 0x40)
			p.statements(n / 2)
			p.left = 6
			p.expression('i')
			p.put(0x0d, 0)
			p.statements(n / 2)
			p.put(0x0b)
		default:
			p.expression(kind)
			p.put(0x21, p.local(kind))
		}
	}
}

// call calls a function before this one, by its name or through the table, and keeps
// its result.
func (p *arithmetic) call() {
	if p.callee == 0 || p.loops > 0 {
		return
	}
	p.left = 6
	for _, kind := range []byte(kinds[:4]) {
		p.expression(kind)
		if kind == 'f' || kind == 'd' {
			p.quiet(kind)
		}
	}
	if callee := byte(p.pick(int(p.callee))); p.pick(2) == 0 {
		p.put(0x10, callee)
	} else {
		p.put(0x41, callee, 0x11, 0, 0)
	}
	for _, kind := range []byte("dfli") {
		p.put(0x21, p.local(kind))
	}
}

// bulk fills or moves some bytes, or asks for memory.
func (p *arithmetic) bulk() {
	p.left = 4
	small := func(mask byte) {
		p.expression('i')
		p.put(0x41, mask, 0x71)
	}
	switch p.pick(3) {
	case 0:
		small(31)
		p.expression('i')
		small(15)
		p.put(0xfc, 0x0b, 0)
	case 1:
		small(31)
		small(31)
		small(15)
		p.put(0xfc, 0x0a, 0, 0)
	default:
		small(1)
		p.put(0x40, 0, 0x21, p.local('i'))
	}
}

// loop goes around three times, or less often.
func (p *arithmetic) loop(n int) {
	if p.loops == len(counters) {
		return
	}
	counter := counters[p.loops]
	p.loops++
	p.put(0x41, 3, 0x21, counter, 0x02, 0x40, 0x03, 0x40)
	p.statements(n)
	p.left = 6
	p.expression('i')
	p.put(0x0d, 1)
	p.put(0x20, counter, 0x41, 1, 0x6b, 0x22, counter, 0x0d, 0, 0x0b, 0x0b)
	p.loops--
}

// counters are the locals that loops count down, one for each depth.
var counters = []byte{4 + 5*localsPerKind, 4 + 5*localsPerKind + 1}

// table goes out of one of three blocks.
func (p *arithmetic) table(n int) {
	p.put(0x02, 0x40, 0x02, 0x40, 0x02, 0x40)
	p.left = 6
	p.expression('i')
	p.put(0x0e, 2, 0, 1, 2, 0x0b)
	p.statements(n)
	p.put(0x0b)
	p.statements(n)
	p.put(0x0b)
}

// arithmetics writes a module of some functions that know each other's memory.
func arithmetics(t *rapid.T, functions int) *wasm.Module {
	parameters := kindTypes[:4]
	m := &wasm.Module{
		Types:    []wasm.FuncType{{Params: parameters, Results: parameters}},
		Memories: []wasm.Size{{Min: 1}},
		Exports:  []wasm.Export{{Name: "memory", Kind: wasm.MemoryKind}},
	}
	var locals []wasm.Locals
	for _, k := range kindTypes {
		locals = append(locals, wasm.Locals{Count: localsPerKind, Type: k})
		init := &arithmetic{t: t}
		init.constant(kinds[len(m.Globals)])
		m.Globals = append(m.Globals, wasm.Global{GlobalType: wasm.GlobalType{Type: k, Mutable: true}, Init: append(init.code, 0x0b)})
	}
	locals = append(locals, wasm.Locals{Count: uint32(len(counters)), Type: wasm.I32})
	all := wasm.Element{}
	for i := range functions {
		all.Functions = append(all.Functions, uint32(i))
		p := &arithmetic{t: t, callee: byte(i)}
		p.statements(6)
		for k, kind := range []byte(kinds[:4]) {
			p.left = 8
			if p.expression(kind); p.pick(2) == 0 { // a local that much went through
				p.put(0x1a, 0x20, byte(4+k*localsPerKind+1))
			}
		}
		p.put(0x0b)
		m.Functions = append(m.Functions, 0)
		m.Exports = append(m.Exports, wasm.Export{Name: fmt.Sprintf("f%d", i), Kind: wasm.FunctionKind, Index: uint32(i)})
		m.Code = append(m.Code, wasm.Body{Locals: locals, Code: p.code})
	}
	all.Offset, all.Type = wasm.ConstExpr{0x41, 0, 0x0b}, wasm.FuncRef
	m.Elements = []wasm.Element{all}
	m.Tables = []wasm.Table{{Of: wasm.FuncRef, Size: wasm.Size{Min: uint32(functions)}}}
	return m
}

// TestRandom_ArithmeticIsTheSameInBothEngines compares results, traps, fuel and
// memory of metered modules. Rare differences need ten thousands of checks, as in
// make fuzz.
func TestRandom_ArithmeticIsTheSameInBothEngines(t *testing.T) { rapid.Check(t, sameArithmetic(t)) }

func sameArithmetic(tb testing.TB) func(*rapid.T) {
	const functions = 4
	arguments := [][]uint64{
		{0, 0, 0, 0},
		{1, math.MaxUint64, uint64(math.Float32bits(1.5)), math.Float64bits(-2.5)},
		{1 << 31, 1 << 63, uint64(math.Float32bits(float32(math.Inf(-1)))), math.Float64bits(1e300)},
	}
	boxes := map[string]*machine{}
	for name, config := range engines {
		boxes[name] = newMachine(tb, config())
	}
	return func(rt *rapid.T) {
		m, err := wasm.Read(arithmetics(rt, functions).Append(nil), wasm.Limits{})
		if err != nil {
			rt.Fatal(err)
		}
		r, err := meter.Rewrite(m, meter.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		var answers []string
		for name, box := range boxes {
			mod, free, err := box.open(r.Module)
			if err != nil {
				rt.Fatal(err)
			}
			defer free()
			for k := range functions * len(arguments) {
				function, args := fmt.Sprintf("f%d", k%functions), arguments[k/functions]
				results, trap, fuel := box.call(mod, function, args)
				if trap == "" {
					results[2], results[3] = oneNaN32(results[2]), oneNaN64(results[3])
				}
				memory, _ := mod.Memory().Read(0, memoryUsed)
				answer := fmt.Sprintf("%s(%x) = %x, %q, %d fuel, memory %x", function, args, results, trap, fuel, memory)
				if len(answers) == k {
					answers = append(answers, answer)
				} else if answers[k] != answer {
					rt.Errorf("%s: %s\nthe other: %s", name, answer, answers[k])
				}
			}
		}
	}
}

// oneNaN32 and oneNaN64 make one NaN of all, whose bits the engines may choose.
func oneNaN32(bits uint64) uint64 {
	if v := math.Float32frombits(uint32(bits)); v != v {
		return math.MaxUint64
	}
	return bits
}

func oneNaN64(bits uint64) uint64 {
	if v := math.Float64frombits(bits); v != v {
		return math.MaxUint64
	}
	return bits
}
