package lean

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// A Touch is an access to a function's own frame.
type Touch struct {
	Object
	Stores bool
}

// Touches returns the accesses of the i-th function to its own frame, the addresses
// in it that escape, and its size.
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
