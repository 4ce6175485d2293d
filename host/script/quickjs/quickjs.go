// Package quickjs carries the interpreter of scripts in JavaScript: QuickJS-NG 0.16.2 as a
// WebAssembly module for WASI preview 1. build.sh builds it from the sources that sources.txt
// names, bit for bit; exports.txt lists the functions that the host calls.
//
// Stability: experimental.
package quickjs

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the module and its licence
	"fmt"
	"io"
)

// Digest is "sha256:<hex>" of the module.
const Digest = "sha256:30de4ec2d1bcf2afc890b1295c219c66c0ac777cfb6d5b6a548b993654899848"

// Notice is the licence text that must be distributed with the module.
//
//go:embed NOTICE
var Notice string

//go:embed quickjs.wasm.gz
var compressed []byte

// Module returns the module, decompressed: 1 MB, some ten milliseconds. A process that finds the
// compiled interpreter in its store does not need it.
func Module() ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, fmt.Errorf("the interpreter that the program carries: %w", err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("the interpreter that the program carries: %w", err)
	}
	return b, nil
}
