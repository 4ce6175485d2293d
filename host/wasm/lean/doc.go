// Package lean optimises modules that a C compiler wrote without optimisation, with every
// variable in memory and every small function called. It needs no WebAssembly runtime.
//
// # Frames
//
// Such a function allocates a frame on the stack in memory, by lowering a global, and keeps
// its variables there. If the address of the frame does not escape - only loads, stores and
// the global use it - no other code can reach the frame. Each slot that is always accessed
// with the same width and type then becomes a local (slots.go). An empty frame is not
// allocated any more.
//
// The analysis follows addresses through locals and the operand stack (walk.go, step.go).
// An address escapes into everything else: memory, calls, results of blocks, and locals that
// hold an address on one path and another value on another.
//
// If an address within a frame escapes, all of the frame stays in memory, unless its layout is
// known: then only the variable at that address stays (objects.go). The layout is known for
// few functions, from the debug information of the module (cpython.go). A computed address may
// point anywhere in the frame.
//
// # Calls
//
// Functions of a few bytes and without loops are inlined (inline.go), innermost first. A
// module cannot observe that.
//
// # Assumptions
//
// The code is compiled C: it does not read below the stack pointer, nor parts of its own frame
// that it has not written, nor beyond a variable whose layout is known. A module that does
// would read other values than before. So the package is not for untrusted modules, but for
// interpreters with a known digest that are tested in this form.
//
// # Who calls it
//
// Package interpreter calls it when a runtime is installed. The rewritten module is
// stored, and known by its digest: loading rewrites nothing.
//
// Stability: experimental.
package lean
