//go:build race

package wasm_test

import "testing"

// kits are the languages in which testdata/extism has the same scorer, the large
// one left out.
var kits = []string{"rust"}

// ways are the ways in which the same scorer is written, the large ones left out.
func ways(t testing.TB) map[string][]byte {
	return map[string][]byte{"program in C": fixture(t, "c/recall.wasm"), "kit for Rust": fixture(t, "extism/recall-rust.wasm")}
}
