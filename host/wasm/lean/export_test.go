package lean

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// A Touch is what a load or store touches in a function's own frame.
type Touch struct {
	Object
	Stores bool
}

// Touches returns what the i-th function touches in its own frame, which addresses in it
// go where they are not followed, and its size.
func Touches(m *binary.Module, i int, stack uint32) (list []Touch, escaped []int32, size int32) {
	w := &walk{m: m, stackPointer: stack}
	if !w.follow(i) || len(w.frames) == 0 || w.frames[0].computed[0] != 0 {
		return nil, nil, 0
	}
	for _, a := range w.accesses {
		if a.frame == 0 {
			list = append(list, Touch{Object{a.offset, w.end(a)}, w.instructions[a.at].op >= i32Store})
		}
	}
	return list, w.frames[0].escaped, w.frames[0].size
}
