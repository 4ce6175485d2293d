// Package lean rewrites modules that a compiler of C wrote without optimising:
// every variable lies in memory, and the smallest function is called. It needs no
// WebAssembly runtime.
//
// # Frames
//
// Such a function takes a frame from the stack in memory, by lowering a global, and
// keeps its variables there. If the frame's address goes nowhere - it is only what
// loads and stores begin with, and what the global is set to - nobody else can reach
// it, and each place that is always accessed with the same width and type becomes a
// local (slots.go). A frame in which nothing is left is not taken any more.
//
// Where the address goes is found by following values through locals and the operand
// stack (walk.go, step.go). What is not followed - memory, calls, results of blocks,
// locals that hold an address on one way and something else on another - counts as
// being reached by anybody.
//
// If some address within a frame is given away, all of the frame stays in memory, unless
// it is known what lies there: then only the variable that it is an address of stays
// (objects.go). That is known of few functions, from the debug information of the module
// (cpython.go). An address that is computed with is one of anything in the frame.
//
// # Calls
//
// Functions of a few bytes and without loops are put where they are called
// (inline.go), the innermost first. That changes nothing that a module can see.
//
// # What is relied on
//
// Code is taken for what compilers make of C: nobody reads below the stack pointer,
// nor what he has not written in his own frame. There, a module that does would find
// zeros or what others left, not what it found before. Where it is known what lies in a
// frame, nobody goes from one variable to the next. So this is no rewriting of modules
// that nobody vouches for: it is for interpreters that are known in every bit and tested
// in this form.
//
// Stability: experimental; what is made changes with Version.
package lean
