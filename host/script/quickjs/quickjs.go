// Package quickjs carries the interpreter of scripts in JavaScript: QuickJS-NG 0.16.2 as a
// WebAssembly module for WASI preview 1, with functions of numbers of V8. build.sh builds it from the sources that sources.txt
// names, bit for bit; exports.txt lists the functions that the host calls.
//
// Stability: experimental.
package quickjs

import _ "embed" // the module and its licence

// Digest is "sha256:eb739b6e6cfd910d4041b944a1e62be8403a6210e9c0c325f33aecffb16930e2<hex>" of the module.
const Digest = "sha256:eb739b6e6cfd910d4041b944a1e62be8403a6210e9c0c325f33aecffb16930e2"

// Notice is the licence text that must be distributed with the module.
//
//go:embed NOTICE
var Notice string

// Compressed is the module, compressed by gzip.
//
//go:embed quickjs.wasm.gz
var Compressed []byte
