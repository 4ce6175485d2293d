// Package host is the evaluator: it loads rubrics, grades outputs with them, and
// runs every scorer that is code as a sandboxed WebAssembly module.
//
// Stability: experimental.
package host
