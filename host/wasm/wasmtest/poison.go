package wasmtest

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
)

// Poison replaces all machine code at the start of an artifact with breakpoints, and renews
// the checksum that wazero looks at: a process that runs any of it dies. On processors
// other than amd64 the code is as invalid.
func Poison(file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	const magic = 6
	if len(b) < magic+1 || string(b[:magic]) != "WAZEVO" {
		return errors.New(file + " is not machine code of wazero")
	}
	at := magic + 1 + int(b[magic]) // behind the version
	at += 4 + 8*int(binary.LittleEndian.Uint32(b[at:]))
	size := int(binary.LittleEndian.Uint64(b[at:]))
	code := b[at+8 : at+8+size]
	for i := range code {
		code[i] = 0xCC
	}
	binary.LittleEndian.PutUint32(b[at+8+size:], crc32.Checksum(code, crc32.MakeTable(crc32.Castagnoli)))
	return os.WriteFile(file, b, 0o600)
}
