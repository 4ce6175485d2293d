package binary_test

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// example is a module with something in every section.
func example() *binary.Module {
	start, count := uint32(1), uint32(1)
	zero := binary.ConstExpr{0x41, 0, 0x0b}
	return &binary.Module{
		Types: []binary.FuncType{
			{},
			{Params: []binary.ValType{binary.I32, binary.I32}, Results: []binary.ValType{binary.I64}},
		},
		Imports:   []binary.Import{{Module: "env", Name: "f", Kind: binary.FunctionKind, Type: 0}},
		Functions: []uint32{0, 1},
		Tables:    []binary.Table{{Of: binary.FuncRef, Size: binary.Size{Min: 2, Max: 9, HasMax: true}}},
		Memories:  []binary.Size{{Min: 1}},
		Globals:   []binary.Global{{GlobalType: binary.GlobalType{Type: binary.I32, Mutable: true}, Init: zero}},
		Exports: []binary.Export{
			{Name: "memory", Kind: binary.MemoryKind},
			{Name: "score", Kind: binary.FunctionKind, Index: 2},
		},
		Start:     &start,
		Elements:  []binary.Element{{Offset: zero, Type: binary.FuncRef, Functions: []uint32{1, 2}}},
		DataCount: &count,
		Code: []binary.Body{
			{Code: []byte{0x10, 0, 0x0b}},
			{Locals: []binary.Locals{{Count: 2, Type: binary.I64}}, Code: []byte{
				0x03, 0x40, 0x20, 0, 0x0d, 0, 0x0b, // loop, local.get 0, br_if 0, end
				0x42, 7, 0x0b, // i64.const 7
			}},
		},
		Data:    []binary.Data{{Offset: zero, Bytes: []byte("data")}},
		Customs: []binary.Custom{{Name: "first", Bytes: []byte{1}}, binary.NameSection([]binary.Name{{Index: 2, Function: "score"}})},
	}
}

func TestRead_DecodesEverySection(t *testing.T) {
	b := example().Append(nil)
	m, err := binary.Read(b, binary.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(m.Append(nil), b) {
		t.Error("the module does not come out as it went in")
	}
	if got := m.Count(binary.FunctionKind); got != 3 {
		t.Errorf("%d functions, want 3", got)
	}
	if ft, ok := m.FunctionType(2); !ok || len(ft.Params) != 2 || !slices.Equal(ft.Results, []binary.ValType{binary.I64}) {
		t.Errorf("type of function 2 = %v, %v", ft, ok)
	}
	if _, ok := m.FunctionType(3); ok {
		t.Error("function 3 has a type")
	}
	if e, ok := m.Export("score"); !ok || e.Index != 2 {
		t.Errorf("export score = %v, %v", e, ok)
	}
	if names := m.FunctionNames(); len(names) != 1 || names[0] != (binary.Name{Index: 2, Function: "score"}) {
		t.Errorf("names = %v", names)
	}
	if !m.Uses(binary.Loop) || m.Uses(binary.MemoryGrow) || m.Uses(binary.TableGrow) {
		t.Error("Uses is wrong about loop, memory.grow or table.grow")
	}
	if s := m.Custom("first"); len(s) != 1 || m.Custom("second") != nil {
		t.Error("Custom is wrong")
	}
}

// section returns a module with one section whose content is body.
func section(id byte, body ...byte) []byte {
	b := append([]byte("\x00asm\x01\x00\x00\x00"), id)
	return append(binary.AppendU32(b, uint32(len(body))), body...)
}

// lengthLies announce 2^32-1 entries in a few bytes.
var lengthLies = []struct {
	name string
	id   byte
	body []byte
}{
	{"types", 1, many()},
	{"parameters", 1, []byte{1, 0x60, 0xff, 0xff, 0xff, 0xff, 0x0f}},
	{"results", 1, []byte{1, 0x60, 0, 0xff, 0xff, 0xff, 0xff, 0x0f}},
	{"imports", 2, many()},
	{"import name", 2, append([]byte{1}, many()...)},
	{"functions", 3, many()},
	{"tables", 4, many()},
	{"memories", 5, many()},
	{"globals", 6, many()},
	{"exports", 7, many()},
	{"elements", 9, many()},
	{"element entries", 9, append([]byte{1, 3, 0}, many()...)},
	{"element expressions", 9, append([]byte{1, 7, 0x70}, many()...)},
	{"bodies", 10, many()},
	{"data", 11, many()},
	{"data bytes", 11, append([]byte{1, 1}, many()...)},
	{"names", 0, append([]byte{4, 'n', 'a', 'm', 'e', 1, 5}, many()...)},
	{"custom name", 0, many()},
}

func many() []byte { return []byte{0xff, 0xff, 0xff, 0xff, 0x0f} }

func TestRead_RefusesFalseLengthsBeforeAllocating(t *testing.T) {
	for _, tt := range lengthLies {
		t.Run(tt.name, func(t *testing.T) {
			b := section(tt.id, tt.body...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := binary.Read(b, binary.Limits{})
			runtime.ReadMemStats(&after)
			if !fault.Is(err, fault.Refused) {
				t.Errorf("error %v, want one of class refused", err)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 64<<10 {
				t.Errorf("%d bytes allocated for %d bytes of input", got, len(b))
			}
		})
	}
}

// TestRead_FalseLengthsWithinLimitsAllocateNothing announces as many entries as Limits
// allow, with none of them there.
func TestRead_FalseLengthsWithinLimitsAllocateNothing(t *testing.T) {
	l := binary.Limits{}.WithDefaults()
	for _, tt := range []struct {
		name  string
		id    byte
		count uint64
	}{
		{"types", 1, l.Types}, {"functions", 3, l.Functions}, {"globals", 6, l.Globals}, {"exports", 7, l.Exports},
		{"element segments", 9, l.ElementSegments}, {"data segments", 11, l.DataSegments},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := section(tt.id, binary.AppendU32(nil, uint32(tt.count))...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := binary.Read(b, binary.Limits{})
			runtime.ReadMemStats(&after)
			if !fault.Is(err, fault.Refused) || !strings.Contains(err.Error(), "announced, 0 bytes left") {
				t.Errorf("error %v", err)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 16<<10 {
				t.Errorf("%d bytes allocated for %d bytes of input", got, len(b))
			}
		})
	}
}

func TestRead_AllocatesSmallMultipleOfInput(t *testing.T) {
	big := example()
	big.Exports = nil
	for len(big.Types) < 9_000 {
		big.Types = append(big.Types, binary.FuncType{})
	}
	for len(big.Code) < 40_000 {
		big.Functions, big.Code = append(big.Functions, 0), append(big.Code, binary.Body{Code: []byte{0x0b}})
	}
	for range 9_000 {
		big.Data = append(big.Data, big.Data[0])
		big.Elements = append(big.Elements, big.Elements[0])
	}
	*big.DataCount = uint32(len(big.Data))
	b := big.Append(nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := binary.Read(b, binary.Limits{}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 64*uint64(len(b)) {
		t.Errorf("%d bytes allocated for %d bytes of input", got, len(b))
	}
}

func TestRead_Refuses(t *testing.T) {
	body := func(code ...byte) []byte {
		m := &binary.Module{Types: make([]binary.FuncType, 1), Functions: make([]uint32, 1), Code: []binary.Body{{Code: code}}}
		return m.Append(nil)
	}
	tests := []struct {
		name    string
		module  []byte
		section string
		offset  int
		says    string
	}{
		{"nothing", nil, "module", 0, "not a WebAssembly module"},
		{"a text file", []byte("hello world"), "module", 0, "not a WebAssembly module"},
		{"WebAssembly text", []byte("  (module)"), "module", 0, "wat2wasm"},
		{"a component", []byte("\x00asm\x0d\x00\x01\x00"), "module", 4, "rebuild for wasip1"},
		{"a later version", []byte("\x00asm\x02\x00\x00\x00"), "module", 4, "unknown version"},
		{"half a header", []byte("\x00asm\x01"), "module", 4, "unknown version"},
		{"an unknown section", section(14), "module", 8, "unknown section 14"},
		{"a tag section", section(13), "tag", 10, "exception handling is not allowed to plugins"},
		{"a section that there is not", section(14), "module", 8, "unknown section 14"},
		{"a section twice", append(section(1, 0), 1, 1, 0), "module", 11, "type section after type section"},
		{"sections out of order", append(section(3, 0), 1, 1, 0), "module", 11, "type section after function section"},
		{"a section that is longer than its content", section(1, 0, 0), "type", 11, "1 bytes too many"},
		{"a section that ends early", section(1, 1, 0x60), "type", 11, "1 types announced"},
		{"functions without code", append(section(1, 1, 0x60, 0, 0), 3, 2, 1, 0), "module", 18, "1 functions without code"},
		{"an overlong number", section(1, 0x80, 0x80, 0x80, 0x80, 0x80, 0), "type", 10, "malformed number"},
		{"an unknown value type", section(1, 1, 0x60, 1, 0x6e, 0), "type", 13, "unknown value type 0x6e"},
		{"an imported memory", section(2, 1, 0, 0, 2, 0, 1), "import", 13, "must bring its own"},
		{"an imported table", section(2, 1, 0, 0, 1, 0x70, 0, 1), "import", 13, "must bring its own"},
		{"a shared memory", section(5, 1, 3, 1, 2), "memory", 12, "unknown form of limits 0x03"},
		{"memories, before any is read", section(5, 2, 0, 0, 0, 0), "memory", 11, "more than one memory"},
		{"a 64-bit memory", section(5, 1, 4, 1), "memory", 12, "unknown form of limits 0x04"},
		{"a name that is not text", section(2, 1, 1, 0xff, 0, 0, 0), "import", 13, "not valid UTF-8"},
		{"a malformed name section", section(0, 4, 'n', 'a', 'm', 'e', 1, 2, 1, 0), "name", 18, "1 names announced"},
		{"a start function that is not there", section(8, 0), "start", 11, "function 0 does not exist"},
		{"a global that reads its own kind", section(6, 1, 0x7f, 0, 0x23, 0, 0x0b), "global", 13, "not imported"},
		{"an initialiser that computes", section(6, 1, 0x7f, 0, 0x41, 1, 0x41, 1, 0x6a, 0x0b), "global", 13, "does not end after one instruction"},
		{"a call of nothing", body(0x10, 1, 0x0b), "code", 23, "function 1 of instruction 0x10 does not exist; the module has 1 (function 0)"},
		{"a jump out of the function", body(0x0c, 1, 0x0b), "code", 23, "label 1"},
		{"a global that is not there", body(0x23, 0, 0x1a, 0x0b), "code", 23, "global 0"},
		{"a local that is not there", body(0x20, 0, 0x1a, 0x0b), "code", 23, "local 0"},
		{"memory access without a memory", body(0x41, 0, 0x28, 2, 0, 0x1a, 0x0b), "code", 25, "memory 0"},
		{"a data segment without count", body(0xfc, 9, 0, 0x0b), "code", 23, "data segment 0"},
		{"an else without if", body(0x05, 0x0b), "code", 23, "else without if"},
		{"a function that does not end", body(0x02, 0x40, 0x0b), "code", 25, "1 blocks are not ended"},
		{"code after the end", body(0x0b, 0x0b), "code", 24, "code after the end"},
		{"an unknown instruction", body(0xff, 0x0b), "code", 23, "unknown instruction: 0xff"},
		{"a tail call", body(0x12, 0, 0x0b), "code", 23, "unknown instruction: 0x12"},
		{"an atomic instruction", body(0xfe, 3, 0, 0x0b), "code", 23, "unknown instruction: 0xfe"},
		{"a try", body(0x06, 0x40, 0x0b, 0x0b), "code", 23, "unknown instruction: 0x6"},
		{"relaxed SIMD", body(0xfd, 0x80, 2, 0x0b), "code", 23, "unknown instruction"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := binary.Read(tt.module, binary.Limits{})
			var r *binary.Refusal
			if !errors.As(err, &r) || fault.Of(err) != fault.Refused {
				t.Fatalf("error %v, want a refusal", err)
			}
			if r.Section != tt.section || r.Offset != tt.offset || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%q at %s %d\nwant %q at %s %d", err, r.Section, r.Offset, tt.says, tt.section, tt.offset)
			}
		})
	}
}

func TestLimits_AreEnforced(t *testing.T) {
	nested := func(n int) []byte {
		code := bytes.Repeat([]byte{0x02, 0x40}, n)
		return append(code, bytes.Repeat([]byte{0x0b}, n+1)...)
	}
	change := func(f func(m *binary.Module)) []byte {
		m := example()
		f(m)
		return m.Append(nil)
	}
	inBody := func(code []byte) []byte {
		return change(func(m *binary.Module) { m.Code[0].Code = code })
	}
	calling := func(code []byte) []byte { // of type 2, without parameters, with two results; type 3 takes two and has one
		return change(func(m *binary.Module) {
			m.Types = append(m.Types, binary.FuncType{Results: []binary.ValType{binary.I32, binary.I32}},
				binary.FuncType{Params: []binary.ValType{binary.I32, binary.I32}, Results: []binary.ValType{binary.I32}})
			m.Functions[0], m.Start, m.Code[0].Code = 2, nil, code
		})
	}
	loops := []byte{0x03, 0x40, 0x03, 0x40, 0x0b, 0x0b, 0x0b}
	brTable := []byte{0x41, 0, 0x0e, 3, 0, 0, 0, 0, 0x0b}
	tests := []struct {
		limit   string
		tight   binary.Limits // one below the need of the module
		exactly binary.Limits
		module  []byte
	}{
		{"FileBytes", binary.Limits{FileBytes: 7}, binary.Limits{FileBytes: 8}, (&binary.Module{}).Append(nil)},
		{"Types", binary.Limits{Types: 1}, binary.Limits{Types: 2}, example().Append(nil)},
		{"Params", binary.Limits{Params: 1}, binary.Limits{Params: 2}, example().Append(nil)},
		{"Results", binary.Limits{Results: 1}, binary.Limits{Results: 2}, change(func(m *binary.Module) {
			m.Types = append(m.Types, binary.FuncType{Results: []binary.ValType{binary.I32, binary.I32}})
		})},
		{"Imports", binary.Limits{Imports: 1}, binary.Limits{Imports: 2}, change(func(m *binary.Module) {
			m.Imports = append(m.Imports, binary.Import{Kind: binary.GlobalKind, Global: binary.GlobalType{Type: binary.I32}})
		})},
		{"TypeValues", binary.Limits{TypeValues: 2}, binary.Limits{TypeValues: 3}, example().Append(nil)},
		{"Exports", binary.Limits{Exports: 1}, binary.Limits{Exports: 2}, example().Append(nil)},
		{"Customs", binary.Limits{Customs: 1}, binary.Limits{Customs: 2}, example().Append(nil)},
		{"DataSegments", binary.Limits{DataSegments: 1}, binary.Limits{DataSegments: 2}, change(func(m *binary.Module) {
			m.Data = append(m.Data, m.Data[0])
			*m.DataCount = 2
		})},
		{"ElementSegments", binary.Limits{ElementSegments: 1}, binary.Limits{ElementSegments: 2}, change(func(m *binary.Module) { m.Elements = append(m.Elements, m.Elements[0]) })},
		{"Elements", binary.Limits{Elements: 3}, binary.Limits{Elements: 4}, change(func(m *binary.Module) { m.Elements = append(m.Elements, m.Elements[0]) })},
		{"Functions", binary.Limits{Functions: 1}, binary.Limits{Functions: 2}, example().Append(nil)},
		{"BodyBytes", binary.Limits{BodyBytes: 12}, binary.Limits{BodyBytes: 13}, example().Append(nil)},
		{"Locals", binary.Limits{Locals: 3}, binary.Limits{Locals: 4}, example().Append(nil)},
		{"Nesting", binary.Limits{Nesting: 4}, binary.Limits{Nesting: 5}, inBody(nested(5))},
		{"BranchTable", binary.Limits{BranchTable: 3}, binary.Limits{BranchTable: 4}, inBody(brTable)},
		{"BranchTables", binary.Limits{BranchTables: 3}, binary.Limits{BranchTables: 4}, inBody(brTable)},
		{"Branches", binary.Limits{Branches: 1}, binary.Limits{Branches: 2}, example().Append(nil)},
		{"Loops", binary.Limits{Loops: 1}, binary.Limits{Loops: 2}, inBody(loops)},
		{"LoopNesting", binary.Limits{LoopNesting: 1}, binary.Limits{LoopNesting: 2}, inBody(loops)},
		{"LocalsByBranch", binary.Limits{LocalsByBranch: 7}, binary.Limits{LocalsByBranch: 8}, example().Append(nil)},
		{"LocalsByLoop", binary.Limits{LocalsByLoop: 3}, binary.Limits{LocalsByLoop: 4}, example().Append(nil)},
		{"Values", binary.Limits{Values: 1}, binary.Limits{Values: 2}, calling([]byte{0x10, 1, 0, 0x0b})},
		{"Values", binary.Limits{Values: 3}, binary.Limits{Values: 4}, calling([]byte{0x10, 1, 0x10, 1, 0, 0x0b})},
		{"Values", binary.Limits{Values: 16}, binary.Limits{Values: 17}, calling([]byte{0x41, 0, 0x11, 2, 0, 0, 0x0b})},                 // an indirect call
		{"Values", binary.Limits{Values: 14}, binary.Limits{Values: 15}, calling([]byte{0xfc, 8, 0, 0, 0, 0x0b})},                       // memory.init
		{"Values", binary.Limits{Values: 14}, binary.Limits{Values: 15}, calling([]byte{0xfc, 10, 0, 0, 0, 0x0b})},                      // memory.copy
		{"Values", binary.Limits{Values: 14}, binary.Limits{Values: 15}, calling([]byte{0xfc, 12, 0, 0, 0, 0x0b})},                      // table.init
		{"Values", binary.Limits{Values: 14}, binary.Limits{Values: 15}, calling([]byte{0xfc, 14, 0, 0, 0, 0x0b})},                      // table.copy
		{"Values", binary.Limits{Values: 4}, binary.Limits{Values: 5}, calling([]byte{0x10, 1, 0x02, 3, 0x1a, 0x0b, 0, 0x0b})},          // a block takes two, and makes one
		{"Values", binary.Limits{Values: 6}, binary.Limits{Values: 7}, calling([]byte{0x10, 1, 0x03, 3, 0x0c, 0, 0x0b, 0, 0x0b})},       // a jump to a loop
		{"Values", binary.Limits{Values: 5}, binary.Limits{Values: 6}, calling([]byte{0x10, 1, 0x02, 3, 0x0d, 0, 0x1a, 0x0b, 0, 0x0b})}, // to a block's end
		{"Values", binary.Limits{Values: 7}, binary.Limits{Values: 8}, calling([]byte{0x10, 1, 0x02, 3, 0x0e, 1, 0, 1, 0x0b, 0, 0x0b})}, // to both, and the function's
		{"Values", binary.Limits{Values: 3}, binary.Limits{Values: 4}, calling([]byte{0x10, 1, 0x0f, 0x0b})},                            // a return
		{"Tables", binary.Limits{Tables: 1}, binary.Limits{Tables: 2}, change(func(m *binary.Module) { m.Tables = append(m.Tables, m.Tables[0]) })},
		{"TableEntries", binary.Limits{TableEntries: 1}, binary.Limits{TableEntries: 2}, example().Append(nil)},
		{"Globals", binary.Limits{Globals: 1}, binary.Limits{Globals: 2}, change(func(m *binary.Module) { m.Globals = append(m.Globals, m.Globals[0]) })},
		{"MemoryPages", binary.Limits{MemoryPages: 1}, binary.Limits{MemoryPages: 2}, change(func(m *binary.Module) { m.Memories[0].Min = 2 })},
	}
	for _, tt := range tests {
		t.Run(tt.limit, func(t *testing.T) {
			_, err := binary.Read(tt.module, tt.tight)
			var r *binary.Refusal
			if !errors.As(err, &r) || r.Limit != tt.limit {
				t.Errorf("one below: %v (%+v), want limit %s", err, r, tt.limit)
			}
			if _, err := binary.Read(tt.module, tt.exactly); err != nil {
				t.Errorf("at the limit: %v", err)
			}
		})
	}
}

func TestLimits_Defaults(t *testing.T) {
	l := binary.Limits{Functions: 7}.WithDefaults()
	if l.Functions != 7 || l.FileBytes != 16<<20 || l.MemoryPages != 1024 || l.ImportMemory {
		t.Errorf("defaults %+v", l)
	}
}

func TestRead_LEB128(t *testing.T) {
	for _, v := range []uint32{0, 1, 127, 128, 16383, 16384, 1<<32 - 1} {
		b := binary.AppendU32(nil, v)
		m := &binary.Module{Customs: []binary.Custom{{Name: strings.Repeat("n", int(v%20000))}}}
		if _, err := binary.Read(m.Append(nil), binary.Limits{}); err != nil {
			t.Errorf("%d as % x: %v", v, b, err)
		}
	}
	tests := []struct {
		v    int64
		want []byte
	}{
		{0, []byte{0}}, {63, []byte{0x3f}}, {64, []byte{0xc0, 0}}, {-1, []byte{0x7f}}, {-64, []byte{0x40}}, {-65, []byte{0xbf, 0x7f}},
		{-1 << 63, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}},
	}
	for _, tt := range tests {
		if got := binary.AppendS64(nil, tt.v); !bytes.Equal(got, tt.want) {
			t.Errorf("%d as % x, want % x", tt.v, got, tt.want)
		}
	}
}

func TestInstructions_WalksBody(t *testing.T) {
	body := binary.Body{Code: []byte{
		0x02, 0x7f, // block (result i32)
		0x41, 5, 0x0e, 2, 0, 1, 0, // br_table 0 1 0
		0x0b,
		0x11, 3, 1, // call_indirect type 3 table 1
		0xfc, 0x0a, 0, 0, // memory.copy
		0xfd, 0x0c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, // v128.const
		0x0b,
	}}
	var ops []binary.Op
	it := body.Instructions()
	for it.Next() {
		ops = append(ops, it.Op)
		switch it.Op {
		case binary.Block:
			if r, ok := it.BlockType().Result(); !ok || r != binary.I32 {
				t.Errorf("result of block = 0x%x, %v", r, ok)
			}
		case binary.BrTable:
			if got := it.Labels(nil); !slices.Equal(got, []uint32{0, 1, 0}) {
				t.Errorf("labels %v", got)
			}
		case binary.CallIndirect:
			if it.Index != 3 || it.Index2 != 1 {
				t.Errorf("call_indirect %d %d", it.Index, it.Index2)
			}
		}
	}
	want := []binary.Op{binary.Block, binary.I32Const, binary.BrTable, binary.End, binary.CallIndirect, binary.MemoryCopy, binary.V128Const, binary.End}
	if !slices.Equal(ops, want) || it.End != len(body.Code) {
		t.Errorf("ops %x up to %d", ops, it.End)
	}
}

func TestInstructions_StopsAtTruncatedCode(t *testing.T) {
	full := []byte{0x41, 0x80, 0x80, 0x01, 0x28, 2, 0x80, 1, 0x44, 1, 2, 3, 4, 5, 6, 7, 8, 0x0e, 2, 0, 1, 0x0b}
	for n := range full {
		body := binary.Body{Code: full[:n]}
		it := body.Instructions()
		for it.Next() {
			if it.End > n || it.End <= it.Start {
				t.Fatalf("%d bytes: instruction from %d to %d", n, it.Start, it.End)
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	m := example()
	unit := []byte{0x20, 0, 0x20, 1, 0x6a, 0x28, 2, 16, 0x21, 0, 0x20, 0, 0x0d, 0, 0x20, 2, 0x42, 0x80, 1, 0x7c, 0x21, 2}
	code := append([]byte{0x03, 0x40}, bytes.Repeat(unit, 1000)...)
	m.Code[1].Code = append(code, 0x0b, 0x42, 7, 0x0b)
	for range 100 {
		m.Functions, m.Code = append(m.Functions, 1), append(m.Code, m.Code[1])
	}
	module := m.Append(nil)
	b.SetBytes(int64(len(module)))
	for b.Loop() {
		if _, err := binary.Read(module, binary.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
