// Package quickjs carries the interpreter of scripts in JavaScript: QuickJS-NG 0.16.2 as a
// WebAssembly module for WASI preview 1, with functions of numbers of V8. build.sh builds it from the sources that sources.txt
// names, bit for bit; exports.txt lists the functions that the host calls.
//
// Stability: experimental.
package quickjs

import _ "embed" // the module and its licence

// Digest is "sha256:310c373c40b2d1baa5a17b0bacf18d7411e1d3948079558c1945963869c8379a<hex>" of the module.
const Digest = "sha256:310c373c40b2d1baa5a17b0bacf18d7411e1d3948079558c1945963869c8379a"

// Notice is the licence text that must be distributed with the module.
//
//go:embed NOTICE
var Notice string

// Compressed is the module, compressed by gzip.
//
//go:embed quickjs.wasm.gz
var Compressed []byte
