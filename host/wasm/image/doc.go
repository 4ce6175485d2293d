// Package image takes snapshots of linear memories and restores them:
//
//	s := image.Probe()
//	first := s.Memory(max)             // a guest fills it
//	im := s.Freeze(first, globals)     // the snapshot
//	m := im.Memory()                   // another memory with the same content
//	m.Watch()
//	...                                // a call writes to m
//	ok := im.Restore(m)                // only changed pages are written
//
// Where the system allows it, every memory is a private copy-on-write mapping of one file
// that holds the image. Pages that are not written to exist once, and the kernel tells which
// ones were written to. Probe tries which ways work; each falls back to the next. The last,
// comparing and copying everything, always works.
//
// A Memory has the methods of wazero's experimental.LinearMemory; this package
// knows no WebAssembly runtime.
//
// RATIONALE.md in the directory above has the measurements behind this.
//
// Stability: experimental.
package image
