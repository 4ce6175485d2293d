package binary_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// throwing is a module with every form of a catch.
func throwing() *binary.Module {
	return &binary.Module{
		Types:     []binary.FuncType{{Params: []binary.ValType{binary.I32}}, {}, {Results: []binary.ValType{binary.I32, binary.ExnRef}}},
		Functions: []uint32{1},
		Tags:      []uint32{0, 1},
		Code: []binary.Body{{Locals: []binary.Locals{{Count: 1, Type: binary.ExnRef}}, Code: []byte{
			0x02, 0x02, // block (result i32 exnref)
			0x02, 0x69, // block (result exnref)
			0x02, 0x40, // block
			0x02, 0x7f, // block (result i32)
			0x1f, 0x40, 4, 0, 0, 0, 1, 0, 3, 2, 1, 3, 2, // try_table (catch 0 0) (catch_ref 0 3) (catch_all 1) (catch_all_ref 2)
			0x41, 7, 0x08, 0, // throw 0
			0x0b, 0x00, 0x0b, 0x1a, 0x0b, 0x00, 0x0b,
			0x22, 0, 0x0a, // local.tee 0, throw_ref
			0x0b, 0x1a, 0x1a, 0x0b,
		}}},
	}
}

var withExceptions = binary.Limits{Exceptions: true}

func TestRead_Exceptions(t *testing.T) {
	b := throwing().Append(nil)
	m, err := binary.Read(b, withExceptions)
	if err != nil {
		t.Fatal(err)
	}
	if out := m.Append(nil); !bytes.Equal(out, b) {
		t.Errorf("%x was read and written as %x", b, out)
	}
	if !slices.Equal(m.Tags, []uint32{0, 1}) || !m.Uses(binary.TryTable) || !m.Uses(binary.Throw) || !m.Uses(binary.ThrowRef) {
		t.Errorf("%+v", m)
	}
	it := m.Code[0].Instructions()
	for it.Next() && it.Op != binary.TryTable {
	}
	want := []binary.Clause{{Kind: binary.Catch}, {Kind: binary.CatchRef, Label: 3}, {Kind: binary.CatchAll, Label: 1}, {Kind: binary.CatchAllRef, Label: 2}}
	if got := it.Clauses(nil); !slices.Equal(got, want) || it.BlockType() != binary.NoResult {
		t.Errorf("clauses %+v, want %+v", got, want)
	}
}

func TestRead_RefusesExceptionsUnlessAllowed(t *testing.T) {
	body := func(code ...byte) *binary.Module {
		return &binary.Module{Types: []binary.FuncType{{}}, Functions: []uint32{0}, Code: []binary.Body{{Code: code}}}
	}
	for name, m := range map[string]*binary.Module{
		"a tag":               {Types: []binary.FuncType{{}}, Tags: []uint32{0}},
		"try_table":           body(0x1f, 0x40, 0, 0x0b, 0x0b),
		"throw":               body(0x08, 0, 0x0b),
		"throw_ref":           body(0x00, 0x0a, 0x0b),
		"a whole module":      throwing(),
		"a block of one":      body(0x02, 0x69, 0x00, 0x0b, 0x1a, 0x0b),
		"a parameter":         {Types: []binary.FuncType{{Params: []binary.ValType{binary.ExnRef}}}},
		"a local":             {Types: []binary.FuncType{{}}, Functions: []uint32{0}, Code: []binary.Body{{Locals: []binary.Locals{{Count: 1, Type: binary.ExnRef}}, Code: []byte{0x0b}}}},
		"the legacy try":      body(0x06, 0x40, 0x0b, 0x0b),
		"the legacy catch":    body(0x07, 0, 0x0b),
		"the legacy catchall": body(0x19, 0x0b),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := binary.Read(m.Append(nil), binary.Limits{})
			if fault.Of(err) != fault.Refused {
				t.Fatalf("error %v, want a refusal", err)
			}
			if op := strings.HasPrefix(name, "t") && name != "the legacy try" && name != "the legacy catch" && name != "the legacy catchall"; (op || name == "a tag") && !strings.Contains(err.Error(), "not allowed to plugins") {
				t.Errorf("%v does not say why", err)
			}
		})
	}
}

func TestRead_RefusesMalformedExceptions(t *testing.T) {
	change := func(f func(m *binary.Module)) []byte {
		m := throwing()
		f(m)
		return m.Append(nil)
	}
	code := func(c ...byte) []byte {
		return change(func(m *binary.Module) { m.Code[0].Code = c })
	}
	tag := bytes.Replace(throwing().Append(nil), []byte{13, 5, 2, 0, 0, 0, 1}, []byte{13, 5, 2, 1, 0, 0, 1}, 1)
	many := bytes.Replace(throwing().Append(nil), []byte{13, 5, 2, 0, 0, 0, 1}, []byte{13, 5, 0xff, 0xff, 0xff, 0xff, 0x0f}, 1)
	for _, tt := range []struct {
		name   string
		module []byte
		says   string
	}{
		{"a tag of a type that there is not", change(func(m *binary.Module) { m.Tags[0] = 9 }), "type 9 does not exist"},
		{"a tag of another form", tag, "unknown form of tag 0x01"},
		{"more tags than bytes", many, "tags announced"},
		{"throw of a tag that there is not", code(0x41, 0, 0x08, 2, 0x0b), "tag 2 of instruction 0x8 does not exist"},
		{"catch of a tag that there is not", code(0x1f, 0x40, 1, 0, 7, 0, 0x0b, 0x0b), "tag 7 of instruction 0x1f does not exist"},
		{"a clause to a label that there is not", code(0x1f, 0x40, 1, 2, 1, 0x0b, 0x0b), "label 1 of instruction 0x1f does not exist"},
		{"a clause of a kind that there is not", code(0x1f, 0x40, 1, 4, 0, 0x0b, 0x0b), "malformed immediate"},
		{"more clauses than bytes", code(0x1f, 0x40, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x0b, 0x0b), "malformed immediate"},
		{"a clause that is cut short", code(0x1f, 0x40, 1, 0), "malformed immediate"},
		{"a try_table of a type that there is not", code(0x1f, 9, 0, 0x0b, 0x0b), "type 9 of instruction 0x1f does not exist"},
		{"a try_table without end", code(0x1f, 0x40, 0, 0x0b), "1 blocks are not ended"},
		{"a table of exceptions", change(func(m *binary.Module) { m.Tables = []binary.Table{{Of: binary.ExnRef}} }), "cannot hold values of type 0x69"},
		{"a global exception", change(func(m *binary.Module) {
			m.Globals = []binary.Global{{GlobalType: binary.GlobalType{Type: binary.ExnRef}, Init: binary.ConstExpr{0xd0, 0x69, 0x0b}}}
		}), "cannot hold an exception"},
		{"a null exception", code(0xd0, 0x69, 0x1a, 0x0b), "malformed immediate"},
		{"select of exceptions", code(0x00, 0x1c, 1, 0x69, 0x1a, 0x0b), "malformed immediate"},
		{"a tag that is exported", change(func(m *binary.Module) { m.Exports = []binary.Export{{Name: "t", Kind: 4}} }), "unknown kind of export 0x04"},
		{"a tag that is imported", change(func(m *binary.Module) { m.Imports = []binary.Import{{Module: "m", Name: "t", Kind: 4}} }), "unknown kind of import 0x04"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := binary.Read(tt.module, withExceptions)
			var r *binary.Refusal
			if !errors.As(err, &r) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v, want a refusal with %q", err, tt.says)
			}
		})
	}
	if _, err := binary.Read(throwing().Append(nil), binary.Limits{Exceptions: true, Tags: 1}); err == nil || !strings.Contains(err.Error(), "limit Tags") {
		t.Errorf("two tags where one is allowed: %v", err)
	}
	if _, err := binary.Read(throwing().Append(nil), binary.Limits{Exceptions: true, BranchTable: 3}); err == nil || !strings.Contains(err.Error(), "limit BranchTable") {
		t.Errorf("four clauses where three are allowed: %v", err)
	}
}

// TestRead_ExceptionsOfTheSpecification reads the specification's modules with
// exceptions that neither import nor export a tag.
func TestRead_ExceptionsOfTheSpecification(t *testing.T) {
	var read int
	var refused []string
	corpus(t, func(path string, b []byte) {
		if !strings.Contains(path, "/spectest/exception-handling/") {
			return
		}
		m, err := binary.Read(b, withExceptions)
		if err != nil {
			refused = append(refused, fmt.Sprintf("%s: %v", path[strings.LastIndexByte(path, '/')+1:], err))
			return
		}
		read++
		if !bytes.Equal(m.Append(nil), b) {
			t.Errorf("%s: read and written as something else", path)
		}
	})
	t.Logf("%d read; refused: %s", read, strings.Join(refused, "\n"))
	if read < 15 {
		t.Errorf("only %d modules were read", read)
	}
}
