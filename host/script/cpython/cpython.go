// Package cpython carries the interpreter of scripts in Python: CPython 3.13.5 as a
// WebAssembly module for WASI preview 1, and its standard library in a custom section. build.sh
// builds it from Debian's sources, bit for bit; NOTICE has the licences of its parts.
//
// Stability: experimental.
package cpython

import _ "embed" // the module and its licences

// Digest is "sha256:<hex>" of the module.
const Digest = "sha256:9fffb0efd0225caf786ab7bdc7930a0ee3429ec00e25480bb56e79c64d594256"

// Notice is the licence texts that must be distributed with the module.
//
//go:embed NOTICE
var Notice string

// Compressed is the module, compressed by gzip.
//
//go:embed python.wasm.gz
var Compressed []byte
