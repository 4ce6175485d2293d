package meter

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// Exact makes every run pay for itself only.
func (o Options) Exact() Options {
	o.rule = rule{everywhere: true}
	return o
}

// Rule sets the charging rule.
func (o Options) Rule(advance uint64, everywhere bool) Options {
	o.rule = rule{advance: advance, everywhere: everywhere}
	return o
}

// Naive meters m the obvious way, which is right because it is obvious: it
// charges before every single instruction, and checks nothing. It takes no
// bulk instructions and no memory.grow.
func Naive(m *binary.Module) []byte {
	w := newWriter(newAnalysis(m, rule{}), Options{Depth: DefaultDepth, MemoryPages: 1 << 16, TableEntries: 1<<32 - 1})
	w.out.Types = slices.Clone(m.Types)
	_, w.typed = typeNumbers(m.Types)
	w.imports()
	w.globals(false)
	w.sizes()
	w.segments()
	w.out.Code = slices.Clone(m.Code)
	for i := range m.Code {
		var code []byte
		for it := m.Code[i].Instructions(); it.Next(); {
			cost := int64(Cost(it.Op) + w.a.importCharge(&it))
			if cost > 0 && it.Op != binary.Loop {
				code = w.charge(code, cost)
			}
			switch it.Op {
			case binary.Call, binary.RefFunc:
				code = binary.AppendU32(append(code, m.Code[i].Code[it.Start]), w.newIndex(it.Index))
			default:
				code = append(code, it.Code(it.Start, it.End)...)
			}
			if it.Op == binary.Loop {
				code = w.charge(code, cost)
			}
		}
		w.out.Code[i].Code = code
	}
	w.exports(&Result{})
	return w.out.Append(nil)
}
