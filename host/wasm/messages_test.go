package wasm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// longNames returns a module whose functions have names of a megabyte each, and
// which ends in a recursion: every frame of a trace has such a name.
func longNames(t *testing.T) []byte {
	t.Helper()
	m, err := binary.Read(assemble(string(fixture(t, "hostile/recurse.wat"))), binary.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var names []binary.Name
	for i := range uint32(len(m.Code)) {
		names = append(names, binary.Name{Index: i, Function: strings.Repeat("\u00e9", 1<<19)})
	}
	m.Customs = []binary.Custom{binary.NameSection(names)}
	return m.Append(nil)
}

func TestTrace_IsShortWithLongNames(t *testing.T) {
	for engine, rt := range runtimes(t) {
		m := load(t, rt, "p", longNames(t), wasm.Limits{Depth: 500})
		bounded(t, func() {
			for range 5 {
				_, _, err := m.Call(context.Background(), "score", nil, nil)
				if fault.Of(err) != fault.Depth || len(err.Error()) > 1_000 || len(fault.Trace(err)) != 30 {
					t.Fatalf("%s: an error of %d bytes, %d functions in its trace", engine, len(err.Error()), len(fault.Trace(err)))
				}
			}
		})
	}
}

// TestCall_ErrorsAreShortWithManyNames has as many exports and imports as there may
// be, with names as long as they may be.
func TestCall_ErrorsAreShortWithManyNames(t *testing.T) {
	rt := runtimes(t)["interpreter"]
	read := func() *binary.Module {
		m, err := binary.Read(assemble(string(fixture(t, "hostile/loop.wat"))), binary.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	l := binary.Limits{}.WithDefaults()
	name := func(n int) string { return strings.Repeat(string(rune('a'+n%26)), int(l.NameBytes)-4) + "abc"[n/26%3:] }
	m := read()
	export, _ := m.Export("score")
	for n := range 70 {
		m.Exports = append(m.Exports, binary.Export{Name: name(n), Kind: binary.FunctionKind, Index: export.Index})
	}
	_, _, err := load(t, rt, "p", m.Append(nil), wasm.Limits{}).Call(context.Background(), "none", nil, nil)
	if fault.Of(err) != fault.NotFound || len(err.Error()) > 4_000 || !strings.Contains(err.Error(), "61 more") {
		t.Errorf("an error of %d bytes: %.300s", len(err.Error()), err)
	}
	m = read()
	for range 60 {
		m.Imports = append(m.Imports, binary.Import{Module: name(1), Name: name(2), Kind: binary.FunctionKind})
	}
	_, err = rt.Load(context.Background(), wasm.Source{Name: "p", Module: m.Append(nil)}, wasm.Limits{})
	if fault.Of(err) != fault.Refused || len(err.Error()) > 8_000 || !strings.Contains(err.Error(), "50 more") {
		t.Errorf("an error of %d bytes: %.300s", len(err.Error()), err)
	}
	m = read()
	m.Exports = append(m.Exports, binary.Export{Name: name(0) + "more", Kind: binary.FunctionKind, Index: export.Index})
	_, err = rt.Load(context.Background(), wasm.Source{Name: "p", Module: m.Append(nil)}, wasm.Limits{})
	if fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), "(limit NameBytes)") {
		t.Errorf("a name that is too long: %v", err)
	}
}
