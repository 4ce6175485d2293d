//go:build !linux

package machinecode

// memory returns memory of a size.
func memory(size, _ int) (b []byte, free func()) { return make([]byte, size), func() {} }

// move moves nothing: its caller copies.
func move(_, _ []byte) (int, error) { return 0, nil }

// preferHuge does nothing: this system chooses by itself, or has none.
func preferHuge([]byte) {}
