//go:build !race

package wasmtest

// Race reports whether the race detector watches: work of seconds takes minutes
// then, and allocates.
const Race = false
