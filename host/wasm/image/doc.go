// Package image keeps linear memories as they were at one moment, and puts them
// back:
//
//	s := image.Probe()
//	first := s.Memory(max)             // a guest fills it
//	im := s.Freeze(first, globals)     // and this is what it was then
//	m := im.Memory()                   // another one, as if it had been filled
//	m.Watch()
//	...                                // a call writes to m
//	ok := im.Restore(m)                // only what the call changed is written
//
// Where the system allows it, every memory is a private mapping of one file that
// holds the image: what nobody has written to exists once, and what was written
// to is found by asking the kernel. Which ways there are is found out by trying
// them, and each falls back on the next; the last, comparing and copying by
// ourselves, needs nothing.
//
// A Memory has the methods of wazero's experimental.LinearMemory; this package
// knows no WebAssembly runtime.
//
// RATIONALE.md in the directory above has the measurements behind this.
//
// Stability: experimental.
package image
