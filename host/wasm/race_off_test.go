//go:build !race

package wasm_test

// raceEnabled says that the race detector, which allocates, is on.
const raceEnabled = false
