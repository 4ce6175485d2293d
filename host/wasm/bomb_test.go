package wasm_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// bomb returns a module with the direct ABI whose scorer has this code, n times
// over in as many functions.
func bomb(functions int, locals uint32, code ...byte) []byte {
	m, err := binary.Read(assemble(`(module
		(memory (export "memory") 1)
		(func (export "alloc") (param i32) (result i32) (i32.const 64))
		(func (export "score") (param i32 i32) (result i64) (i64.const 0)))`), binary.Limits{})
	if err != nil {
		panic(err)
	}
	m.Code[1] = binary.Body{Locals: []binary.Locals{{Count: locals, Type: binary.I32}}, Code: append(code, 0x42, 0, 0x0b)}
	for range functions - 1 {
		m.Functions, m.Code = append(m.Functions, m.Functions[1]), append(m.Code, m.Code[1])
	}
	return m.Append(nil)
}

// nested returns n blocks within each other.
func nested(n int, open ...byte) []byte {
	return append(bytes.Repeat(open, n), bytes.Repeat([]byte{0x0b}, n)...)
}

// elements returns a module whose segments write to a table, over and over, each
// time that an instance is made.
func elements(n, segments int) []byte {
	m, err := binary.Read(bomb(1, 0), binary.Limits{})
	if err != nil {
		panic(err)
	}
	m.Tables = []binary.Table{{Of: binary.FuncRef, Size: binary.Size{Min: uint32(n)}}}
	e := binary.Element{Offset: binary.ConstExpr{byte(binary.I32Const), 0, byte(binary.End)}, Type: binary.FuncRef, Functions: make([]uint32, n)}
	for range segments {
		m.Elements = append(m.Elements, e)
	}
	return m.Append(nil)
}

// handing returns a module with functions of so many results: one that does nothing, and one with this code.
// It has these types too, whose results are set.
func handing(results int, code []byte, types ...binary.FuncType) []byte {
	m, err := binary.Read(bomb(1, 0), binary.Limits{})
	if err != nil {
		panic(err)
	}
	of := uint32(len(m.Types))
	m.Types = append(m.Types, binary.FuncType{})
	m.Types = append(m.Types, types...)
	for i := range m.Types[of:] {
		m.Types[int(of)+i].Results = slices.Repeat([]binary.ValType{binary.I32}, results)
	}
	m.Functions, m.Code = append(m.Functions, of), append(m.Code, binary.Body{Code: []byte{0, 0x0b}})
	m.Code[1].Code = append(code, 0, 0x0b)
	return m.Append(nil)
}

// filling returns a module that fills a table over and over.
func filling(n int) []byte { return copying(n, 0x41, 0, 0xd0, 0x70, 0x41, 0, 0xfc, 0x11, 0) }

// copying returns a module with a table and this code over and over.
func copying(n int, code ...byte) []byte {
	m, err := binary.Read(elements(1, 1), binary.Limits{})
	if err != nil {
		panic(err)
	}
	m.Code[1].Code = append(bytes.Repeat(code, n), 0x42, 0, 0x0b)
	return m.Append(nil)
}

// TestLoad_RefusesCompileBombs holds the shapes that make compilers slow.
func TestLoad_RefusesCompileBombs(t *testing.T) {
	branch := []byte{0x20, 0, 0x0d, 0}
	tests := []struct {
		name   string
		module []byte
		limit  string
	}{
		{"a hundred million locals", bomb(1, 100_000_000), "Locals"},
		{"nested blocks", bomb(1, 0, nested(2_001, 0x02, 0x40)...), "Nesting"},
		{"nested loops", bomb(1, 0, nested(201, 0x03, 0x40)...), "LoopNesting"},
		{"many ifs", bomb(1, 0, bytes.Repeat([]byte{0x20, 0, 0x04, 0x40, 0x0b}, 8_001)...), "Branches"},
		{"many branches", bomb(1, 0, append(append([]byte{0x02, 0x40}, bytes.Repeat(branch, 8_001)...), 0x0b)...), "Branches"},
		{"many loops", bomb(1, 0, bytes.Repeat([]byte{0x03, 0x40, 0x0b}, 2_001)...), "Loops"},
		{"many fills", bomb(1, 0, bytes.Repeat([]byte{0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 0x0b, 0}, 2_001)...), "Loops"},
		{"many fills of a table", filling(2_001), "Loops"},
		{"loops and locals", bomb(1, 990, bytes.Repeat([]byte{0x03, 0x40, 0x0b}, 203)...), "LocalsByLoop"},
		{"ifs and locals", bomb(1, 990, bytes.Repeat([]byte{0x20, 0, 0x04, 0x40, 0x0b}, 1_011)...), "LocalsByBranch"},
		{"a wide br_table", bomb(1, 0, append(append([]byte{0x20, 0, 0x0e}, binary.AppendU32(nil, 4_096)...), make([]byte, 4_097)...)...), "BranchTable"},
		{"a long function", bomb(1, 0, make([]byte, 600_000)...), "BodyBytes"},
		{"many functions", bomb(50_001, 0), "Functions"},
		{"many values", handing(1_000, bytes.Repeat([]byte{0x10, 2}, 301)), "Values"},
		{"many indirect calls", copying(20_001, 0x41, 0, 0x11, 0, 0, 0x1a), "Values"},
		{"many copies of a table", copying(20_001, 0x41, 0, 0x41, 0, 0x41, 1, 0xfc, 0x0e, 0, 0), "Values"},
		{"many copies of memory", copying(20_001, 0x41, 0, 0x41, 0, 0x41, 1, 0xfc, 0x0a, 0, 0), "Values"},
		{"wide types", handing(1_000, nil, make([]binary.FuncType, 100)...), "TypeValues"},
		{"many elements", elements(10_001, 10), "Elements"},
		{"a large file", make([]byte, 17<<20), "FileBytes"},
	}
	rt := runtimes(t)["compiler"]
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := rt.Load(context.Background(), wasm.Source{Name: "bomb", Module: tt.module}, wasm.Limits{})
			if fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), "(limit "+tt.limit+")") {
				t.Errorf("error %v, want one about limit %s", err, tt.limit)
			}
		})
	}
}

func TestLoad_CompilingEndsAtItsLimit(t *testing.T) {
	ifs := bytes.Repeat([]byte{0x20, 0, 0x04, 0x40, 0x0b}, 1_000)
	rt, err := wasm.New(context.Background(), wasm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close(context.Background())
	_, err = rt.Load(context.Background(), wasm.Source{Name: "bomb", Module: bomb(100, 8, ifs...)}, wasm.Limits{Compile: time.Millisecond})
	if fault.Of(err) != fault.Load || !strings.Contains(err.Error(), "compiling takes longer than 1ms") {
		t.Errorf("error %v", err)
	}
}
