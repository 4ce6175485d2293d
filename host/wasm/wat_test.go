package wasm_test

import "github.com/rubric-host/rubric-host/host/wasm/wasmtest"

// assemble compiles a module in the text format.
func assemble(text string) []byte { return wasmtest.Assemble(text) }
