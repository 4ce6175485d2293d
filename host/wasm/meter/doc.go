// Package meter rewrites a module so that it counts its own work: every call of
// the result uses an amount of fuel that depends on the module and its input
// alone, on any machine and in any engine, and it stops when the host gives no
// more. It needs no WebAssembly runtime.
//
// # How it counts
//
// Code is split into runs (runs.go): instructions that are executed equally
// often. Where a run starts, its cost, by the table in cost.go, is taken from
// an exported global. A run that is small beside one that precedes it is paid
// by that one in advance, even if it is then not executed. Fuel is therefore
// never less than the sum of the costs of what was executed, and never more
// than twice that sum. Bulk instructions are charged by length, memory.grow by
// page, calls to imports by a flat amount.
//
// # How it stops
//
// Taking fuel never stops anything. At the start of every loop round, at the
// entry of functions that could otherwise repeat without a loop, and after bulk
// instructions, the code looks whether fuel is below zero, and if so calls an
// imported function, refill. The host there hands out the next slice, or ends
// the call. Slices keep the goroutine preemptible, let the collector run and let
// the host see deadlines: between two looks lie some ten milliseconds at worst.
//
// A second global counts how deep functions nest that can call themselves; it
// traps below zero. Functions that cannot are not counted: the module's size
// bounds how deep they nest.
//
// # Exceptions
//
// Where a module has exceptions, the result has none: what is thrown is a global
// that whoever calls looks at (exceptions.go). A run that an exception leaves has
// been paid for to its end, as one that a trap leaves.
//
// # What else changes
//
// The imported refill moves every index of a defined function by one. Loops get
// a pad around them, so that the call to refill lies outside of the loop: a
// call inside costs tens of percent, even when it is never made. Memory and
// tables get a greatest size. Custom sections are dropped, but for function
// names, which traces need. What wazero's compiler gets wrong is written in
// another way (wazero112.go).
//
// RATIONALE.md in the directory above has the measurements behind this.
//
// Stability: experimental; what a call costs changes with TableVersion.
package meter
