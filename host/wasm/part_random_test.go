package wasm_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// A tangle writes modules of the direct ABI whose functions reach each other in every way: by calls,
// tables, segments of all modes, globals and a start function. Bytes are written by hand, since
// package binary cannot make all forms of a segment.
type tangle struct {
	t         *rapid.T
	functions []byte  // the type of each
	globals   [2]byte // functions that two globals hold to begin with
	tables    int
	segments  int
}

// Types of functions, and the locals that every body has behind its parameters.
const (
	toNothing = iota // () -> ()
	toNumber         // i32 -> i32
	ofAlloc          // i32 -> i32, a type of its own that is the same
	ofScorer         // (i32, i32) -> i64
	locals    = 2    // i32: a sum, and a counter
	entries   = 8    // of every table, to begin with
)

var parametersOf = []byte{0, 1, 1, 2}

func (g *tangle) pick(n int) byte { return byte(rapid.IntRange(0, n-1).Draw(g.t, "n")) }

func (g *tangle) function() byte { return g.pick(len(g.functions)) }

// list writes a vector of items, which must be shorter than 128.
func list(items ...[]byte) []byte {
	return append([]byte{byte(len(items))}, slices.Concat(items...)...)
}

func section(id byte, content []byte) []byte {
	return append(binary.AppendU32([]byte{id}, uint32(len(content))), content...)
}

func text(s string) []byte { return append([]byte{byte(len(s))}, s...) }

// module writes a module, and returns the names of its scorers.
func (g *tangle) module() (module []byte, scorers []string) {
	g.functions = []byte{ofAlloc}
	for range 3 + g.pick(6) {
		g.functions = append(g.functions, g.pick(4))
	}
	g.functions = append(g.functions, ofScorer, ofScorer)
	g.globals = [2]byte{g.function(), g.function()}
	g.tables, g.segments = 1+int(g.pick(2)), 1+int(g.pick(4))
	exports := [][]byte{append(text("memory"), 2, 0), append(text("alloc"), 0, 0)}
	for i, of := range g.functions {
		if of == ofScorer && (i >= len(g.functions)-2 || g.pick(2) == 0) {
			name := fmt.Sprintf("s%d", i)
			scorers, exports = append(scorers, name), append(exports, append(text(name), 0, byte(i)))
		}
	}
	if g.pick(4) == 0 { // one function by two names
		scorers, exports = append(scorers, "twice"), append(exports, append(text("twice"), 0, byte(len(g.functions)-1)))
	}
	if g.pick(4) == 0 {
		exports = append(exports, append(text("table"), 1, 0), append(text("global"), 3, 0))
	}
	var types, bodies, tables, segments [][]byte
	for _, of := range g.functions {
		types, bodies = append(types, []byte{of}), append(bodies, g.body(of))
	}
	for range g.tables {
		tables = append(tables, []byte{0x70, 0, entries})
	}
	filled := [][]byte{}
	for range g.pick(entries + 1) {
		filled = append(filled, []byte{g.function()})
	}
	segments = append(segments, append([]byte{0, 0x41, 0, 0x0b}, list(filled...)...))
	for range g.segments - 1 {
		segments = append(segments, g.segment())
	}
	module = slices.Concat(
		[]byte("\x00asm\x01\x00\x00\x00"),
		section(1, list([]byte{0x60, 0, 0}, []byte{0x60, 1, 0x7f, 1, 0x7f}, []byte{0x60, 1, 0x7f, 1, 0x7f}, []byte{0x60, 2, 0x7f, 0x7f, 1, 0x7e})),
		section(3, list(types...)),
		section(4, list(tables...)),
		section(5, []byte{1, 0, 1}),
		section(6, list([]byte{0x70, 1, 0xd2, g.globals[0], 0x0b}, []byte{0x70, 0, 0xd2, g.globals[1], 0x0b}, []byte{0x7f, 1, 0x41, 0, 0x0b})),
		section(7, list(exports...)))
	if start := slices.Index(g.functions, toNothing); start >= 0 && g.pick(4) == 0 {
		module = append(module, section(8, []byte{byte(start)})...)
	}
	return slices.Concat(module, section(9, list(segments...)), section(10, list(bodies...))), scorers
}

// segment writes an element segment of any form.
func (g *tangle) segment() []byte {
	form := g.pick(8)
	out := []byte{form}
	if form&1 == 0 {
		if form&2 != 0 {
			out = append(out, g.pick(g.tables))
		}
		out = append(out, 0x41, g.pick(5), 0x0b)
	}
	if form&3 != 0 {
		out = append(out, form>>2*0x70) // functions, or references to functions
	}
	entry := func() []byte {
		switch {
		case form&4 == 0:
			return []byte{g.function()}
		case g.pick(4) == 0:
			return []byte{0xd0, 0x70, 0x0b}
		}
		return []byte{0xd2, g.function(), 0x0b}
	}
	return append(out, list(entry(), entry(), entry())...)
}

// body writes the code of a function.
func (g *tangle) body(of byte) []byte {
	sum := parametersOf[of]
	code := []byte{1, locals, 0x7f}
	if sum > 0 {
		code = append(code, 0x20, sum-1, 0x21, sum)
	}
	for range g.pick(5) {
		if of != ofAlloc {
			code = g.statement(code, sum)
		}
	}
	if g.pick(3) == 0 { // code that weighs, and hardly runs
		code = append(code, 0x20, sum, 0x41, 5, 0x46, 0x04, 0x40)
		for range 60 {
			code = append(code, 0x20, sum, 0x41, 3, 0x6c, 0x21, sum)
		}
		code = append(code, 0x0b)
	}
	if g.pick(80) == 0 { // invalid
		code = append(code, [][]byte{{0x42, 0, 0x21, sum}, {0x1a}, {0x41, 0}, {0x02, 0x40, 0x1a, 0x0b}, {0x0c, 1}, {0xd2, g.function(), 0x1a}}[g.pick(6)]...)
	}
	switch of {
	case toNumber:
		code = append(code, 0x20, sum)
	case ofAlloc:
		code = append(code, 0x41, 0x80, 0x08)
	case ofScorer: // the answer is the sum, and a byte of the global
		code = append(code, 0x41, 16, 0x20, sum, 0x23, 2, 0x6a, 0x36, 2, 0, 0x42, 0x84, 0x80, 0x80, 0x80, 0x80, 0x02)
	}
	return append(binary.AppendU32(nil, uint32(len(code)+1)), append(code, 0x0b)...)
}

// statement writes a statement of a body, whose operand stack is empty.
func (g *tangle) statement(code []byte, sum byte) []byte {
	at := func() { // where in a table
		if g.pick(3) == 0 {
			code = append(code, 0x20, sum, 0x41, 7, 0x71)
		} else {
			code = append(code, 0x41, g.pick(entries+1))
		}
	}
	table, count := g.pick(g.tables), sum+1
	switch g.pick(14) {
	case 0:
		code = append(code, 0x20, sum, 0x41, 7, 0x6c, 0x41, g.pick(50), 0x6a, 0x21, sum)
	case 1: // a loop
		code = append(code, 0x41, g.pick(20), 0x21, count, 0x03, 0x40, 0x20, sum, 0x20, count, 0x6a, 0x21, sum,
			0x20, count, 0x41, 1, 0x6b, 0x22, count, 0x41, 0, 0x4a, 0x0d, 0, 0x0b)
	case 2, 3:
		f := g.function()
		code = append(g.arguments(code, g.functions[f], sum), 0x10, f)
		code = result(code, g.functions[f], sum)
	case 4, 5, 6:
		of := g.pick(4)
		code = g.arguments(code, of, sum)
		at()
		code = result(append(code, 0x11, of, table), of, sum)
	case 7: // table.set, of a function, a global or an entry, and often a call of it
		f, to := g.exported(), g.pick(entries)
		code = append(code, 0x41, to)
		switch g.pick(3) {
		case 0:
			code = append(code, 0xd2, f)
		case 1:
			k := g.pick(2)
			code, f = append(code, 0x23, k), g.globals[k]
		default:
			at()
			code = append(code, 0x25, table)
		}
		code = append(code, 0x26, table)
		if of := g.functions[f]; g.pick(3) > 0 {
			code = g.arguments(code, of, sum)
			code = result(append(code, 0x41, to, 0x11, of, table), of, sum)
		}
	case 8: // table.init
		code = append(code, 0x41, g.pick(6), 0x41, 0, 0x41, g.pick(4), 0xfc, 0x0c, g.pick(g.segments), table)
	case 9: // elem.drop
		code = append(code, 0xfc, 0x0d, g.pick(g.segments))
	case 10: // table.copy
		code = append(code, 0x41, g.pick(6), 0x41, g.pick(6), 0x41, g.pick(3), 0xfc, 0x0e, table, g.pick(g.tables))
	case 11: // table.grow, table.fill
		if g.pick(2) == 0 {
			code = append(code, 0xd2, g.exported(), 0x41, g.pick(3), 0xfc, 0x0f, table, 0x21, sum)
		} else {
			code = append(code, 0x41, g.pick(6), 0xd2, g.exported(), 0x41, g.pick(3), 0xfc, 0x11, table)
		}
	case 12: // global.set of a function, or of the sum
		if g.pick(2) == 0 {
			code = append(code, 0xd2, g.exported(), 0x24, 0)
		} else {
			code = append(code, 0x20, sum, 0x24, 2)
		}
	default: // if the sum is odd: trap, or memory.grow
		code = append(code, 0x20, sum, 0x41, 1, 0x71, 0x04, 0x40)
		if g.pick(4) == 0 {
			code = append(code, 0x00, 0x0b)
		} else {
			code = append(code, 0x41, 1, 0x40, 0, 0x21, sum, 0x0b)
		}
	}
	return code
}

// exported returns a function that ref.func may name: one that is exported.
func (g *tangle) exported() byte {
	return []byte{0, byte(len(g.functions) - 1), byte(len(g.functions) - 2)}[g.pick(3)]
}

func (g *tangle) arguments(code []byte, of, sum byte) []byte {
	for range parametersOf[of] {
		code = append(code, 0x20, sum)
	}
	return code
}

// result stores the result of a call.
func result(code []byte, of, sum byte) []byte {
	switch of {
	case toNothing:
		return code
	case ofScorer:
		code = append(code, 0xa7)
	}
	return append(code, 0x20, sum, 0x6a, 0x21, sum)
}

// refusal cuts off where on wazero's operand stack a type is wrong.
func refusal(failure string) string {
	before, _, ok := strings.Cut(failure, "]: ")
	if !ok {
		return failure
	}
	return before
}

// TestRandom_PartIsTheModule loads random modules for some of their scorers. Answers and failures are
// those of the whole, or both are refused with the same words.
func TestRandom_PartIsTheModule(t *testing.T) {
	all, parts := 0, 0
	engines := runtimes(t)
	rapid.Check(t, func(rt *rapid.T) {
		g := &tangle{t: rt}
		module, scorers := g.module()
		engine := engines[rapid.SampledFrom([]string{"compiler", "interpreter"}).Draw(rt, "engine")]
		limits := wasm.Limits{Fuel: 100_000, MemoryPages: 4, Depth: 200}
		load := func(only ...string) (*wasm.Module, string) {
			m, err := engine.Load(context.Background(), wasm.Source{Name: "tangle", Module: module, Scorers: only}, limits)
			if err != nil {
				return nil, string(fault.Of(err)) + ": " + err.Error()
			}
			return m, ""
		}
		whole, refused := load()
		if whole != nil {
			defer whole.Close(context.Background())
		}
		for _, name := range scorers {
			m, failed := load(name)
			if refusal(failed) != refusal(refused) {
				rt.Fatalf("for %s: %q, whole: %q", name, failed, refused)
			}
			if m == nil {
				continue
			}
			all++
			if looks(m) != looks(whole) {
				rt.Errorf("%s looks %s, whole %s", name, looks(m), looks(whole))
			}
			for _, request := range []string{"", "a", "ab", "abc"} {
				want, got := whatCame(whole, name, []byte(request)), whatCame(m, name, []byte(request))
				if want != got {
					rt.Errorf("%s(%q): %+v, whole: %+v", name, request, got, want)
				}
			}
			if i := slices.IndexFunc(scorers, func(s string) bool { return s != name }); strings.HasPrefix(whatCame(m, scorers[i], nil).failure, string(fault.NotFound)) {
				parts++
			}
			if err := m.Close(context.Background()); err != nil {
				rt.Error(err)
			}
		}
	})
	t.Logf("%d loaded, %d of them in part", all, parts)
	if parts < all/10 {
		t.Errorf("%d of %d were loaded in part", parts, all)
	}
}
