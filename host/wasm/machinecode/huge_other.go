//go:build !linux

package machinecode

import "io"

// fill reads into a new mapping.
func fill(b []byte, from io.Reader) (int, error) { return io.ReadFull(from, b) }
