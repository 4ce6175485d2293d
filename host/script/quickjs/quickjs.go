// Package quickjs carries the interpreter of scripts in JavaScript: QuickJS-NG 0.16.2 as a
// WebAssembly module for WASI preview 1. build.sh builds it from the sources that sources.txt
// names, bit for bit; exports.txt lists the functions that the host calls.
//
// Stability: experimental.
package quickjs

import _ "embed" // the module and its licence

// Digest is "sha256:<hex>" of the module.
const Digest = "sha256:30de4ec2d1bcf2afc890b1295c219c66c0ac777cfb6d5b6a548b993654899848"

// Notice is the licence text that must be distributed with the module.
//
//go:embed NOTICE
var Notice string

// Compressed is the module, compressed by gzip.
//
//go:embed quickjs.wasm.gz
var Compressed []byte
