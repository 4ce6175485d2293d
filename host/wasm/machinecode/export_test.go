package machinecode

import "io"

// Pages reads from memory.
func Pages(b []byte) io.Reader { return &pages{b} }
