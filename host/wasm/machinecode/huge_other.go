//go:build !linux

package machinecode

// preferHuge does nothing: this system chooses by itself, or has none.
func preferHuge([]byte) {}
