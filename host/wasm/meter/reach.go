package meter

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// reached reports which defined functions may be called if the exports of these names, which are
// sorted, are not. It returns nil if they are more than three quarters of the code.
func (a *analysis) reached(without []string) []bool {
	g := newGraph(a)
	reached := make([]bool, g.nodes())
	var todo []uint32 // nodes that were reached, and not followed
	add := func(node uint32) {
		if !reached[node] {
			reached[node] = true
			todo = append(todo, node)
		}
	}
	for _, f := range a.entries(without) {
		add(f)
	}
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for k := 0; ; k++ {
			to, more := g.next(node, k)
			if !more {
				break
			}
			add(to)
		}
	}
	size := 0
	for i := range a.m.Code {
		if reached[i] {
			size += len(a.m.Code[i].Code)
		}
	}
	if size > codeBytes(a.m)/4*3 {
		return nil
	}
	return reached[:len(a.functions)]
}

// entries returns the defined functions that are exported by other names, or that start the module.
func (a *analysis) entries(without []string) (list []uint32) {
	add := func(index uint32) {
		if index >= a.imported {
			list = append(list, index-a.imported)
		}
	}
	for _, e := range a.m.Exports {
		if e.Kind != binary.FunctionKind {
			continue
		}
		if _, never := slices.BinarySearch(without, e.Name); !never {
			add(e.Index)
		}
	}
	if a.m.Start != nil {
		add(*a.m.Start)
	}
	return list
}
