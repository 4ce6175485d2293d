package meter

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// reached reports which defined functions may be called if the exports of these names are not. An
// indirect call may reach every function of its type whose address is taken. It returns nil if
// they are more than three quarters of the code.
func (a *analysis) reached(without []string) []bool {
	reached, types := make([]bool, len(a.functions)), make([]bool, len(a.m.Types))
	var todo []uint32
	size := 0
	add := func(index uint32) {
		if index >= a.imported && !reached[index-a.imported] {
			reached[index-a.imported] = true
			todo = append(todo, index-a.imported)
			size += len(a.m.Code[index-a.imported].Code)
		}
	}
	for _, e := range a.m.Exports {
		if e.Kind == binary.FunctionKind && !slices.Contains(without, e.Name) {
			add(e.Index)
		}
	}
	if a.m.Start != nil {
		add(*a.m.Start)
	}
	targets := a.targets()
	for len(todo) > 0 {
		f := &a.functions[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		for _, c := range a.callees[f.callees[0]:f.callees[1]] {
			if c&indirectly == 0 {
				add(c)
				continue
			}
			if t := a.types[c&^indirectly]; !types[t] {
				types[t] = true
				for _, defined := range targets[t] {
					add(a.imported + defined)
				}
			}
		}
	}
	if size > codeBytes(a.m)/4*3 {
		return nil
	}
	return reached
}

// targets returns the defined functions whose address is taken, by the number of their type.
func (a *analysis) targets() map[uint32][]uint32 {
	targets := map[uint32][]uint32{}
	for f := range a.addressTaken {
		if f >= a.imported {
			t := a.types[a.m.Functions[f-a.imported]]
			targets[t] = append(targets[t], f-a.imported)
		}
	}
	return targets
}
