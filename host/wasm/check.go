package wasm

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// Check says what keeps a module that binary.Read took from being loaded: an
// error of class fault.Refused for imports that the sandbox does not have, of
// class fault.Load for what has no ABI. Load checks the same; nothing is
// compiled.
func Check(m *binary.Module) error { return conventionOf(m).check(m) }

// ScorersOf returns the names by which the scorers of m are called, sorted.
func ScorersOf(m *binary.Module) []string { return conventionOf(m).scorers(m) }

// Restorable reports whether instances of m are put back to where they began
// after a call. If not, every call starts a new one.
func Restorable(m *binary.Module) bool { return restorable(m) }
