package wasm

import (
	"encoding/binary"
	"slices"

	"github.com/go-json-experiment/json"

	wasmbin "github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// formHeader is what a file has of a module that was rewritten, in front of its
// hollow form: all that loading and calling it needs.
type formHeader struct {
	ABI      ABI         `json:"abi"`
	Exports  []string    `json:"exports"`
	Late     bool        `json:"late"`
	Imports  [][2]string `json:"imports"`
	Imported uint32      `json:"imported"`
	Most     uint64      `json:"most"`
	Keeps    bool        `json:"keeps"`
	Globals  []string    `json:"globals"`
	Grows    bool        `json:"grows"`
	Starts   bool        `json:"starts"`
	Throws   bool        `json:"throws"`
	Library  int64       `json:"library"` // bytes, in a file of their own
}

// appendForm appends what a file has of a module.
func appendForm(b []byte, w *rewritten) ([]byte, error) {
	h := formHeader{
		ABI: w.how.abi, Exports: w.exports, Late: w.late, Imported: w.imported, Most: w.most, Keeps: w.keeps,
		Globals: w.Globals, Grows: w.Grows, Starts: w.Starts, Throws: w.Throws, Library: int64(len(w.library)),
	}
	for i := range w.imports {
		h.Imports = append(h.Imports, [2]string{w.imports[i].Module, w.imports[i].Name})
	}
	head, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(head)))
	return append(append(b, head...), w.Hollow...), nil
}

// readForm returns what a file has of a module, without the memory that it begins
// with, or nil.
func readForm(b []byte) *rewritten {
	if len(b) < 4 {
		return nil
	}
	n := uint64(binary.LittleEndian.Uint32(b))
	if b = b[4:]; n > uint64(len(b)) {
		return nil
	}
	var h formHeader
	if json.Unmarshal(b[:n], &h) != nil {
		return nil
	}
	w := &rewritten{
		Result: &meter.Result{Module: b[n:], Globals: h.Globals, Grows: h.Grows, Starts: h.Starts, Throws: h.Throws},
		how:    conventionFor(h.ABI), exports: h.Exports, late: h.Late,
		imported: h.Imported, most: h.Most, keeps: h.Keeps, libraryBytes: h.Library,
	}
	for _, in := range h.Imports {
		w.imports = append(w.imports, wasmbin.Import{Module: in[0], Name: in[1]})
	}
	return w
}

// appendData appends the memory that a module begins with.
func appendData(b []byte, list []meter.Data) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, uint32(len(list)))
	for _, d := range list {
		b = le.AppendUint32(le.AppendUint32(b, d.Offset), uint32(len(d.Bytes)))
	}
	for _, d := range list {
		b = append(b, d.Bytes...)
	}
	return b
}

// readData returns it. It reports false if that is not what b is.
func readData(b []byte) ([]meter.Data, bool) {
	if len(b) < 4 {
		return nil, false
	}
	le := binary.LittleEndian
	n := uint64(le.Uint32(b))
	if b = b[4:]; n > uint64(len(b))/8 {
		return nil, false
	}
	list, rest := make([]meter.Data, n), b[8*n:]
	for k := range list {
		size := uint64(le.Uint32(b[8*k+4:]))
		if size > uint64(len(rest)) {
			return nil, false
		}
		list[k] = meter.Data{Offset: le.Uint32(b[8*k:]), Bytes: rest[:size:size]}
		rest = rest[size:]
	}
	return slices.Clip(list), true
}
