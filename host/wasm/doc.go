// Package wasm runs untrusted scorers in a sandbox: WebAssembly core modules of three
// ABIs, and scripts, read by package binary, metered by package meter, compiled by
// wazero and kept by package store. Every call has a budget. README.md describes how a module
// is loaded and run.
//
//	rt, err := wasm.New(ctx, wasm.Options{})
//	m, err := rt.Load(ctx, wasm.Source{Name: "bleu", Module: module}, wasm.Limits{})
//	answer, usage, err := m.Call(ctx, "bleu", request, answer)
//
// A module gets nothing that was not granted: no files, no network, no environment variables,
// no arguments. Its clock and its random stream are the same in every call. A call always ends
// within its budget. Its error has class fuel, depth, deadline, memory, input, output, protocol,
// trap or plugin-error; Load returns refused or load. fault.Trace returns the functions of the
// guest in which it failed. If the caller cancels its context, the error wraps the cause.
//
// No state carries over between calls: memory and globals are restored, or the instance is
// closed.
//
// The package does not know the content of requests and answers.
//
// Stability: experimental.
package wasm
