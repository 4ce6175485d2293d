//go:build race

package wasmtest

// Race reports whether the race detector watches: what takes seconds takes minutes
// then, and allocates.
const Race = true
