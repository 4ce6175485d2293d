// Package script makes plugins of scripts. A script is stored as its files, the names of
// its scorers and the digest of its interpreter, in the form of a WebAssembly module
// without code: everything that reads, pins, ships and loads modules handles scripts too.
//
// The package also knows, for each language, how its interpreter is started and called.
// Package wasm runs both, through Open:
//
//	rt, err := wasm.New(ctx, wasm.Options{Scripts: script.Open, Interpreters: store.Bytes})
//
// Stability: experimental.
package script
