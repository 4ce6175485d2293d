package wasm

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// Check reports whether Load would refuse a module that binary.Read accepted, without
// compiling it. The error has class fault.Refused for unknown imports, and fault.Load for a
// module without an ABI.
func Check(m *binary.Module) error { return conventionOf(m).check(m) }

// ScorersOf returns the names of the scorers of m, sorted.
func ScorersOf(m *binary.Module) []string { return conventionOf(m).scorers(m) }
