// Package wasm runs untrusted scorers in a sandbox: WebAssembly core modules of three
// ABIs, and scripts, read by package binary, metered by package meter, compiled by
// wazero, kept by package store, called with budgets. README.md describes how a module is
// loaded and run.
//
//	rt, err := wasm.New(ctx, wasm.Options{})
//	m, err := rt.Load(ctx, wasm.Source{Name: "bleu", Module: module}, wasm.Limits{})
//	answer, usage, err := m.Call(ctx, "bleu", request, answer)
//
// A module gets nothing that was not granted: no files, no network, no
// environment, no arguments; its clock and its random stream are the same in every
// call. Whatever it does, a call ends within its budgets, and with an error of one
// of these classes: fuel, depth, deadline, memory, input, output, protocol, trap,
// plugin-error; or Load refuses it with refused or load. Trace says which functions
// it was in. A caller's own cancelled context comes back as it is.
//
// No call sees what an earlier one did: memory and globals are put back
// afterwards, or the instance is thrown away.
//
// The package knows nothing of what requests and answers mean.
//
// Stability: experimental.
package wasm
