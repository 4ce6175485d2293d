// Package quickjs carries the interpreter of scripts in JavaScript: QuickJS-NG 0.16.2 as a
// WebAssembly module for WASI preview 1, with functions of numbers of V8. build.sh builds it from the sources that sources.txt
// names, bit for bit; exports.txt lists the functions that the host calls.
//
// Stability: experimental.
package quickjs

import _ "embed" // the module and its licence

// Digest is "sha256:<hex>" of the module.
const Digest = "sha256:c0460fefd0ab5a370235ee0256f5ca80f9fa1151374578e1d56e207b08341c26"

// Notice is the licence text that must be distributed with the module.
//
//go:embed NOTICE
var Notice string

// Compressed is the module, compressed by gzip.
//
//go:embed quickjs.wasm.gz
var Compressed []byte
