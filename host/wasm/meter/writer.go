package meter

import (
	le "encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// A writer builds the metered module.
type writer struct {
	a   *analysis
	o   Options
	m   *binary.Module
	out binary.Module

	fuel, depth, denied uint32 // indices of globals
	thrown, payload     uint32 // indices of globals, of modules with exceptions
	refill              uint32 // index of the imported function
	next                uint32 // index of the next function to add
	added               [helpers]uint32
	helpersUsed         []helper
	typed               map[string]uint32 // indices of the types of out, by key
	key                 []byte            // of a type: scratch
	reached             []bool            // defined functions that may be called; nil: all
}

func newWriter(a *analysis, o Options) *writer {
	w := &writer{a: a, o: o, m: a.m, out: *a.m, refill: a.imported}
	w.fuel = uint32(a.m.Count(binary.GlobalKind))
	w.depth, w.denied = w.fuel+1, w.fuel+2
	w.thrown = w.denied
	if a.m.Uses(binary.MemoryGrow) {
		w.thrown++
	}
	w.payload = w.thrown + 1
	w.next = uint32(a.m.Count(binary.FunctionKind)) + 1
	return w
}

// newIndex returns the index of a function in the metered module.
func (w *writer) newIndex(index uint32) uint32 {
	if index < w.a.imported {
		return index
	}
	return index + 1
}

func (w *writer) module() *Result {
	r := &Result{Grows: w.m.Uses(binary.MemoryGrow), Throws: w.a.exceptions, Part: w.reached != nil}
	w.types()
	w.imports()
	w.globals(r.Grows)
	w.sizes()
	w.segments()
	w.data(r)
	w.bodies()
	w.exports(r)
	withStub := w.o.Stub != [32]byte{}
	if withStub {
		w.whole()
	}
	w.names()
	r.Module = w.out.Append(nil)
	if withStub {
		r.Stub = w.stub()
	}
	return r
}

// imports adds the refill after all other imported functions.
func (w *writer) imports() {
	w.out.Imports = append(slices.Clone(w.m.Imports), binary.Import{
		Module: RefillModule, Name: RefillName, Kind: binary.FunctionKind,
		Type: w.typeOf([]binary.ValType{binary.I64}, []binary.ValType{binary.I64}),
	})
}

// typeOf returns the index of a function type, which is added if needed.
func (w *writer) typeOf(params, results []binary.ValType) uint32 {
	w.key = appendTypeKey(w.key[:0], params, results)
	i, known := w.typed[string(w.key)]
	if !known {
		i = uint32(len(w.out.Types))
		w.typed[string(w.key)] = i
		w.out.Types = append(w.out.Types, binary.FuncType{Params: params, Results: results})
	}
	return i
}

func (w *writer) blockType(results []binary.ValType) int64 {
	switch len(results) {
	case 0:
		return int64(binary.NoResult)
	case 1:
		return int64(results[0]) - 0x80
	}
	return int64(w.typeOf(nil, results))
}

func (w *writer) globals(grows bool) {
	i32 := func(v int32) binary.Global {
		init := append(binary.AppendS64([]byte{byte(binary.I32Const)}, int64(v)), byte(binary.End))
		return binary.Global{GlobalType: binary.GlobalType{Type: binary.I32, Mutable: true}, Init: init}
	}
	fuel := binary.Global{
		GlobalType: binary.GlobalType{Type: binary.I64, Mutable: true},
		Init:       binary.ConstExpr{byte(binary.I64Const), 0, byte(binary.End)},
	}
	w.out.Globals = make([]binary.Global, 0, len(w.m.Globals)+3)
	for _, g := range w.m.Globals {
		g.Init = w.expr(g.Init)
		w.out.Globals = append(w.out.Globals, g)
	}
	w.out.Globals = append(w.out.Globals, fuel, i32(w.o.Depth))
	if grows {
		w.out.Globals = append(w.out.Globals, i32(0))
	}
	if w.a.exceptions {
		w.out.Globals = append(w.out.Globals, i32(0), i32(0))
	}
}

// sizes lowers the maximum sizes of memory and tables.
func (w *writer) sizes() {
	lower := func(s binary.Size, max uint32) binary.Size {
		if !s.HasMax || s.Max > max {
			s.Max, s.HasMax = max, true
		}
		return s
	}
	w.out.Memories = slices.Clone(w.m.Memories)
	for i := range w.out.Memories {
		w.out.Memories[i] = lower(w.out.Memories[i], w.o.MemoryPages)
	}
	w.out.Tables = slices.Clone(w.m.Tables)
	for i := range w.out.Tables {
		w.out.Tables[i].Size = lower(w.out.Tables[i].Size, w.o.TableEntries)
	}
}

// segments updates the function indices in element segments.
func (w *writer) segments() {
	w.out.Elements = slices.Clone(w.m.Elements)
	for i := range w.out.Elements {
		e := &w.out.Elements[i]
		e.Functions = slices.Clone(e.Functions)
		for k, f := range e.Functions {
			e.Functions[k] = w.newIndex(f)
		}
		e.Exprs = slices.Clone(e.Exprs)
		for k, x := range e.Exprs {
			e.Exprs[k] = w.expr(x)
		}
	}
}

// data removes the active segments, with Options.Unstarted. Where code may refer to
// segments, each becomes an empty passive one: active segments are dropped after
// instantiation.
func (w *writer) data(r *Result) {
	if !w.o.Unstarted {
		return
	}
	r.Data = make([]binary.Data, 0, len(w.m.Data))
	for i := range w.m.Data {
		d := &w.m.Data[i]
		if d.Mode != binary.Active {
			continue
		}
		if _, known := d.Offset.I32(); !known {
			r.Data = nil
			return // wazero evaluates the offset, or refuses it
		}
		r.Data = append(r.Data, *d)
	}
	if len(r.Data) == len(w.m.Data) && !w.m.Uses(binary.MemoryInit) && !w.m.Uses(binary.DataDrop) {
		w.out.Data, w.out.DataCount = nil, nil
		return
	}
	w.out.Data = slices.Clone(w.m.Data)
	for i := range w.out.Data {
		if w.out.Data[i].Mode == binary.Active {
			w.out.Data[i] = binary.PassiveData(nil)
		}
	}
}

// expr updates the function index in a constant expression.
func (w *writer) expr(e binary.ConstExpr) binary.ConstExpr {
	it := e.Instruction()
	if it.Op != binary.RefFunc {
		return e
	}
	return append(binary.AppendU32([]byte{byte(binary.RefFunc)}, w.newIndex(it.Index)), byte(binary.End))
}

// bodies meters the code and adds the helpers that it needs.
func (w *writer) bodies() {
	w.out.Code = make([]binary.Body, len(w.m.Code), len(w.m.Code)+int(helpers))
	total := codeBytes(w.m)
	// All bodies share one allocation.
	all := make([]byte, 0, total+total/2)
	for i := range w.m.Code {
		at := len(all)
		if w.reached != nil && !w.reached[i] {
			// It traps. Its code stays, in a block that is not compiled, but is type-checked.
			all = append(all, byte(binary.Unreachable), byte(binary.Block))
			all = binary.AppendS64(all, w.blockType(w.m.Types[w.m.Functions[i]].Results))
			all = append(w.code(all, i), byte(binary.End))
		} else {
			all = w.code(all, i)
		}
		w.out.Code[i] = binary.Body{Locals: declarations(&w.a.functions[i], w.m.Code[i].Locals), Code: all[at:len(all):len(all)]}
	}
	w.out.Functions = slices.Clone(w.m.Functions)
	for _, h := range w.helpersUsed {
		w.out.Functions = append(w.out.Functions, w.typeOf(h.signature()))
		w.out.Code = append(w.out.Code, w.body(h))
	}
}

// exports updates the indices of exports and of the start function, and adds the counters.
func (w *writer) exports(r *Result) {
	w.out.Exports = slices.Clone(w.m.Exports)
	for i := range w.out.Exports {
		if e := &w.out.Exports[i]; e.Kind == binary.FunctionKind {
			e.Index = w.newIndex(e.Index)
		}
	}
	add := func(name string, index uint32) {
		w.out.Exports = append(w.out.Exports, binary.Export{Name: name, Kind: binary.GlobalKind, Index: index})
	}
	if w.out.Start = nil; w.m.Start != nil {
		index := w.newIndex(*w.m.Start)
		if w.o.Unstarted {
			w.out.Exports = append(w.out.Exports, binary.Export{Name: StartName, Index: index})
		} else {
			w.out.Start = &index
		}
	}
	add(FuelName, w.fuel)
	add(DepthName, w.depth)
	if r.Grows {
		add(DeniedName, w.denied)
	}
	if r.Throws {
		add(ThrownName, w.thrown)
	}
	if !w.o.ExportGlobals {
		return
	}
	for i, g := range w.m.Globals {
		if g.Mutable {
			index := w.m.Imported(binary.GlobalKind) + i
			name := fmt.Sprintf("%s%d", globalPrefix, index)
			add(name, uint32(index))
			r.Globals = append(r.Globals, name)
		}
	}
}

// whole adds the function WholeName, as the last one.
func (w *writer) whole() {
	w.out.Functions = append(w.out.Functions, w.typeOf(nil, []binary.ValType{binary.I64}))
	mark := binary.AppendS64([]byte{byte(binary.I64Const)}, WholeMark(w.o.Stub))
	w.out.Code = append(w.out.Code, binary.Body{Code: append(mark, byte(binary.End))})
	w.out.Exports = append(w.out.Exports, binary.Export{Name: WholeName, Index: uint32(w.out.Count(binary.FunctionKind)) - 1})
}

// WholeMark returns the result of WholeName in the module with a digest. It is never 0.
func WholeMark(digest [32]byte) int64 { return int64(le.LittleEndian.Uint64(digest[:]) | 1) }

// stub returns the module with empty functions.
func (w *writer) stub() []byte {
	out := w.out
	out.Code = make([]binary.Body, len(w.out.Code))
	for i := range out.Code {
		out.Code[i].Code = []byte{byte(binary.Unreachable), byte(binary.End)}
	}
	out.Code[len(out.Code)-1].Code = []byte{byte(binary.I64Const), 0, byte(binary.End)}
	return out.Append(nil)
}

// names keeps the function names, for traces, and drops every other custom section: their
// offsets in the code are no longer right.
func (w *writer) names() {
	byIndex := map[uint32]string{w.refill: Reserved + RefillName}
	for _, n := range w.m.FunctionNames() {
		byIndex[w.newIndex(n.Index)] = fault.Clip(n.Function, maxNameBytes)
	}
	for _, h := range w.helpersUsed {
		byIndex[w.added[h]] = helperNames[h]
	}
	names := make([]binary.Name, 0, len(byIndex))
	for _, i := range slices.Sorted(maps.Keys(byIndex)) {
		names = append(names, binary.Name{Index: i, Function: byIndex[i]})
	}
	w.out.Customs = []binary.Custom{binary.NameSection(names)}
}

// maxNameBytes is the size to which names of functions are cut: a trace may show a name
// thirty times.
const maxNameBytes = 200

func codeBytes(m *binary.Module) (n int) {
	for i := range m.Code {
		n += len(m.Code[i].Code)
	}
	return n
}
