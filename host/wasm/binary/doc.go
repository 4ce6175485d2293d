// Package binary reads and writes untrusted WebAssembly core modules. It knows the core
// specification 2.0: the MVP with sign extension, saturating conversions, multiple values, bulk
// memory, reference types and SIMD. It needs no WebAssembly runtime.
//
// Read checks every count against the bytes that remain before it allocates, so it needs a small
// multiple of the input as memory, and it stops at the Limits. It refuses a module with a *Refusal
// that names section, offset and limit.
//
// # Validation
//
// Read checks the format in full (section order and sizes, LEB128 lengths,
// UTF-8, opcodes and their immediates) and, of validation, everything that a
// rewriter must be able to rely on: every index is in range, blocks nest and
// end, branches name an enclosing label, exports have distinct names, constant
// expressions are one instruction. It does not type-check the operand stack: a
// runtime does that on the rewritten bytes. So every valid module within the limits is accepted,
// and an invalid one is refused here or by the compiler.
//
// Three things that the specification tolerates are refused: a malformed name
// section, memory or table imports unless Limits allows them, and proposals
// beyond core 2.0. Of these, Limits.Exceptions allows exception handling in its
// final form (try_table, not the legacy try), with tags that the module neither
// imports nor exports, and exceptions in locals and blocks only.
//
// Stability: experimental.
package binary
