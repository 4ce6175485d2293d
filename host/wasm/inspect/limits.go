package inspect

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// measured has the usage of a module for each limit of binary.Limits, by name. For limits per
// function, it is the maximum over all functions.
type measured struct {
	has          map[string]uint64
	instructions int
	code         int // bytes
}

func measure(m *binary.Module, size int) *measured {
	t := &measured{has: map[string]uint64{
		"FileBytes": uint64(size), "Types": uint64(len(m.Types)), "Imports": uint64(len(m.Imports)), "Exports": uint64(len(m.Exports)),
		"NameBytes": longestName(m), "Customs": uint64(len(m.Customs)), "DataSegments": uint64(len(m.Data)), "ElementSegments": uint64(len(m.Elements)),
		"Functions": uint64(len(m.Functions)), "Tables": uint64(m.Count(binary.TableKind)), "Globals": uint64(len(m.Globals)),
	}}
	for i := range m.Types {
		t.most("Params", len(m.Types[i].Params))
		t.most("Results", len(m.Types[i].Results))
		t.has["TypeValues"] += uint64(len(m.Types[i].Params) + len(m.Types[i].Results))
	}
	for i := range m.Elements {
		t.has["Elements"] += uint64(len(m.Elements[i].Functions) + len(m.Elements[i].Exprs))
	}
	for i := range m.Tables {
		t.has["TableEntries"] += uint64(m.Tables[i].Size.Min)
	}
	for i := range m.Memories {
		t.most("MemoryPages", int(m.Memories[i].Min))
	}
	for i := range m.Code {
		locals := len(m.Types[m.Functions[i]].Params)
		for _, l := range m.Code[i].Locals {
			locals += int(l.Count)
		}
		t.body(&m.Code[i], locals)
		t.most("Values", int(m.Code[i].Values))
	}
	return t
}

// most records the maximum of a limit that applies to each of several.
func (t *measured) most(name string, n int) { t.has[name] = max(t.has[name], uint64(n)) }

// body measures a function.
func (t *measured) body(b *binary.Body, locals int) {
	var open []binary.Op
	branches, loops, nested, labels := 0, 0, 0, 0
	it := b.Instructions()
	for it.Next() {
		t.instructions++
		switch it.Op {
		case binary.Block, binary.Loop, binary.If:
			branches++
			t.most("Nesting", len(open)+1)
			open = append(open, it.Op)
			if it.Op == binary.Loop {
				loops++
				nested++
				t.most("LoopNesting", nested)
			}
		case binary.Else, binary.BrIf:
			branches++
		case binary.MemoryFill, binary.TableFill:
			branches++
			loops++
		case binary.BrTable:
			branches++
			labels += int(it.Index) + 1
			t.most("BranchTable", int(it.Index)+1)
		case binary.End:
			if len(open) == 0 {
				continue // of the function
			}
			if open[len(open)-1] == binary.Loop {
				nested--
			}
			open = open[:len(open)-1]
		}
	}
	size := len(b.Code) + declared(b.Locals)
	t.code += size
	t.most("BodyBytes", size)
	t.most("Locals", locals)
	t.most("BranchTables", labels)
	t.most("Branches", branches)
	t.most("Loops", loops)
	t.most("LocalsByBranch", locals*branches)
	t.most("LocalsByLoop", locals*loops)
}

// longestName returns the length of the longest name of an import or export.
func longestName(m *binary.Module) (longest uint64) {
	for i := range m.Imports {
		longest = max(longest, uint64(len(m.Imports[i].Module)), uint64(len(m.Imports[i].Name)))
	}
	for i := range m.Exports {
		longest = max(longest, uint64(len(m.Exports[i].Name)))
	}
	return longest
}

// declared returns the size of declarations of locals in their shortest form, in bytes.
func declared(list []binary.Locals) int {
	n := leb(uint32(len(list)))
	for _, l := range list {
		n += leb(l.Count) + 1
	}
	return n
}

func leb(v uint32) int {
	n := 1
	for ; v >= 0x80; v >>= 7 {
		n++
	}
	return n
}

// near is the share of a limit from which Usage.Near is set.
const near = 0.5

// usages compares the measurements with the limits, nearest first.
func (t *measured) usages(l binary.Limits) []Usage {
	var out []Usage
	v := reflect.ValueOf(l.WithDefaults())
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if v.Field(i).Kind() != reflect.Uint64 {
			continue
		}
		n := Usage{Name: name, Value: t.has[name], Limit: v.Field(i).Uint()}
		n.Share = float64(n.Value) / float64(n.Limit)
		n.Near = n.Share >= near
		out = append(out, n)
	}
	slices.SortStableFunc(out, func(a, b Usage) int { return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Name, b.Name)) })
	return out
}
