// Package meter rewrites modules so that they count their own work as fuel. The fuel of a
// call depends on the module and its input alone, not on the machine or the engine. A call
// stops when the host refuses more fuel. The package needs no WebAssembly runtime.
//
// # How it counts
//
// Code is split into runs (runs.go): instructions that are executed equally often. The start
// of a run subtracts its cost, by the table in cost.go, from an exported global. A run may pay
// in advance for a smaller one that follows, even if that is then not executed. So fuel is
// at least the sum of the costs of the executed instructions, and at most twice that sum. Bulk
// instructions are charged by length, memory.grow by page, calls to imports by a flat amount.
//
// # How it stops
//
// Subtracting fuel never stops a guest. The code checks whether fuel is below zero at the start
// of every loop round, at the entry of functions that could repeat without a loop, and
// after bulk instructions. If it is, it calls the imported function refill, where the host
// hands out the next slice or ends the call. Slices keep the goroutine preemptible, let the
// garbage collector run and let the host check deadlines: two checks are some ten
// milliseconds apart at worst.
//
// A second global counts the depth of nested calls to recursive functions; the guest traps
// below zero. Other functions are not counted: the size of the module bounds their depth.
//
// # Exceptions
//
// Exceptions are compiled away: a pending exception is a global that callers check
// (exceptions.go). A run that an exception leaves is charged to its end, as with a trap.
//
// # Other changes
//
// The imported refill shifts the index of every defined function by one. Loops get a pad
// around them, so that the call to refill lies outside of the loop: a call inside costs
// tens of percent, even if it is never made. Memory and tables get a maximum size. Custom
// sections are dropped, except for function names, which traces need. Instructions that
// wazero 1.12 compiles wrongly are replaced: README.md in the directory above lists them, with
// the tests that fail once wazero is right. Then the files wazero112_*.go can be deleted; the rest
// of the package only knows the edits orZero, selectFloat and rewritten.
//
// RATIONALE.md in the directory above has the measurements behind this.
//
// Stability: experimental; the cost of a call changes with TableVersion.
package meter
