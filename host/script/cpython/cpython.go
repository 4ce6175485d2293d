// Package cpython carries the interpreter of scripts in Python: CPython 3.13.5 as a
// WebAssembly module for WASI preview 1, and its standard library in a custom section. build.sh
// builds it from Debian's sources, bit for bit; NOTICE has the licences of its parts.
//
// Stability: experimental.
package cpython

import _ "embed" // the module and its licences

// Digest is "sha256:<hex>" of the module.
const Digest = "sha256:a95a841f21c2ded2c707111c5eef26e59521b06e9a43b48a0745f30308a37e30"

// Notice is the licence texts that must be distributed with the module.
//
//go:embed NOTICE
var Notice string

// Compressed is the module, compressed by gzip.
//
//go:embed python.wasm.gz
var Compressed []byte
