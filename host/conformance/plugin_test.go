package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// writePlugin writes a module to dir whose exports answer every request with a
// fixed text each.
func writePlugin(t testing.TB, dir, name string, answers map[string]string) {
	t.Helper()
	const room, texts = 1 << 20, 16 // requests go to room, answers begin at texts
	constant := func(op byte, v int64) []byte { return append(binary.AppendS64([]byte{op}, v), 0x0b) }
	const i32const, i64const = 0x41, 0x42
	m := &binary.Module{
		Types: []binary.FuncType{
			{Params: []binary.ValType{binary.I32}, Results: []binary.ValType{binary.I32}},
			{Params: []binary.ValType{binary.I32, binary.I32}, Results: []binary.ValType{binary.I64}},
		},
		Functions: []uint32{0},
		Memories:  []binary.Size{{Min: 64}},
		Exports:   []binary.Export{{Name: "memory", Kind: binary.MemoryKind}, {Name: "alloc", Kind: binary.FunctionKind}},
		Code:      []binary.Body{{Code: constant(i32const, room)}},
	}
	var data []byte
	for i, export := range sortedKeys(answers) {
		at, length := int64(texts+len(data)), int64(len(answers[export]))
		data = append(data, answers[export]...)
		m.Functions = append(m.Functions, 1)
		m.Code = append(m.Code, binary.Body{Code: constant(i64const, at<<32|length)})
		m.Exports = append(m.Exports, binary.Export{Name: export, Kind: binary.FunctionKind, Index: uint32(i + 1)})
	}
	m.Data = []binary.Data{{Offset: constant(i32const, texts), Bytes: data}}
	must(t, os.WriteFile(filepath.Join(dir, name+".wasm"), m.Append(nil), 0o600))
}
