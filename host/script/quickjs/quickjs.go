// Package quickjs carries the interpreter of scripts in JavaScript: QuickJS-NG 0.16.2 as a
// WebAssembly module for WASI preview 1. build.sh builds it from the sources that sources.txt
// names, bit for bit; exports.txt lists the functions that the host calls.
//
// Stability: experimental.
package quickjs

import _ "embed" // the module and its licence

// Digest is "sha256:<hex>" of the module.
const Digest = "sha256:ac4525f03e2edcec48c74beb442984ac16e2d641688dc177bfb0ecd3d73804dc"

// Notice is the licence text that must be distributed with the module.
//
//go:embed NOTICE
var Notice string

// Compressed is the module, compressed by gzip.
//
//go:embed quickjs.wasm.gz
var Compressed []byte
