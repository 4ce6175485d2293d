package wasm_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm"
	wasmbin "github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/store"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// came is the outcome of a call.
type came struct {
	answer, failure, log string
	fuel                 uint64
}

func whatCame(m *wasm.Module, export string, request []byte) came {
	answer, u, err := m.Call(context.Background(), export, request, nil)
	o := came{answer: string(answer), fuel: u.Fuel, log: string(u.Log)}
	if err != nil {
		o.failure = string(fault.Of(err)) + ": " + err.Error()
	}
	return o
}

func runtimeIn(t *testing.T, dir string) *wasm.Runtime {
	t.Helper()
	rt, err := wasm.New(context.Background(), wasm.Options{CacheDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close(context.Background()) })
	return rt
}

// looks are the properties of a module that are visible without calling it.
func looks(m *wasm.Module) string {
	return fmt.Sprint(m.Digest(), m.ABI(), m.Exports(), m.Keeps(), m.ImageDigest())
}

// TestLoad_StoredModuleIsTheModule holds the hostile modules, which fail in
// every way, to the same outcomes, traces included.
func TestLoad_StoredModuleIsTheModule(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	plain, first, second := runtimeIn(t, ""), runtimeIn(t, dir), runtimeIn(t, dir)
	for i, h := range readHostile(t) {
		if h.AtLoad || h.Class == fault.Deadline {
			continue
		}
		if wasmtest.Race && i%8 != 0 {
			continue // the answers of modules have no races; loading them is the same code
		}
		t.Run(h.Name, func(t *testing.T) {
			want := load(t, plain, h.Name, h.Module, h.Limits)
			made, kept := load(t, first, h.Name, h.Module, h.Limits), load(t, second, h.Name, h.Module, h.Limits)
			if !made.CacheMiss() || kept.CacheMiss() {
				t.Errorf("cache miss at first: %v; then: %v", made.CacheMiss(), kept.CacheMiss())
			}
			for _, m := range []*wasm.Module{made, kept} {
				if looks(m) != looks(want) {
					t.Errorf("it is %s\nwant %s", looks(m), looks(want))
				}
				for range 2 {
					got, want := whatCame(m, m.Exports()[0], []byte("x")), whatCame(want, want.Exports()[0], []byte("x"))
					if got != want {
						t.Errorf("got %+v\nwant %+v", got, want)
					}
				}
			}
		})
	}
}

// answering returns a module that answers one byte.
func answering(b byte) []byte {
	return assemble(fmt.Sprintf(`(module (memory (export "memory") 1)
		(func (export "alloc") (param i32) (result i32) (i32.const 1024))
		(func (export "score") (param i32 i32) (result i64)
			(i32.store8 (i32.const 16) (i32.const %d)) (i64.const 0x1000000001)))`, b))
}

func answerOf(t *testing.T, m *wasm.Module) string {
	t.Helper()
	got := whatCame(m, "score", []byte("x"))
	if got.failure != "" {
		t.Fatal(got.failure)
	}
	return got.answer
}

// TestLoad_SimilarModulesAreNotConfused has modules that differ only in the body of a
// function, so that their stubs are equal.
func TestLoad_SimilarModulesAreNotConfused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	for turn := range 2 {
		rt := runtimeIn(t, dir)
		for b := byte('a'); b < 'e'; b++ {
			m := load(t, rt, "p", answering(b), wasm.Limits{})
			if got := answerOf(t, m); got != string(b) || m.CacheMiss() != (turn == 0) {
				t.Errorf("turn %d: %q, want %q; cache miss: %v", turn, got, b, m.CacheMiss())
			}
		}
	}
}

// TestLoad_ArtifactIsUntrusted changes the artifact of a module, puts another module's
// in its place, or removes it. The answer stays, and the artifact is written again.
func TestLoad_ArtifactIsUntrusted(t *testing.T) {
	base := t.TempDir()
	dir, others := filepath.Join(base, "cache"), filepath.Join(base, "others")
	for d, b := range map[string]byte{dir: 'a', others: 'b'} {
		load(t, runtimeIn(t, d), "p", answering(b), wasm.Limits{})
	}
	path, foreign := onlyFile(t, dir), onlyFile(t, others)
	read := func(path string) []byte {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	whole := read(path)
	spoiled := map[string][]byte{
		"cut": whole[:len(whole)-1], "torn": whole[:len(whole)/2], "empty": {}, "longer": append(bytes.Clone(whole), 0),
		"another module's": read(foreign), "gone": nil,
	}
	for n := range 12 { // of code, traits, stub, data, index, trailer
		at := min(len(whole)*n/11, len(whole)-1)
		changed := bytes.Clone(whole)
		changed[at] ^= 1
		spoiled[fmt.Sprintf("changed at %d of %d", at, len(whole))] = changed
	}
	for name, b := range spoiled {
		t.Run(name, func(t *testing.T) {
			err := os.Remove(path)
			if b != nil {
				err = os.WriteFile(path, b, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, miss := range []bool{true, false} {
				m := load(t, runtimeIn(t, dir), "p", answering('a'), wasm.Limits{})
				if got := answerOf(t, m); got != "a" || m.CacheMiss() != miss {
					t.Errorf("%q; cache miss: %t, want %t", got, m.CacheMiss(), miss)
				}
			}
			if !bytes.Equal(read(path), whole) {
				t.Error("it is not written again as it was")
			}
		})
	}
}

// TestLoad_CarriedArtifact has a program carry the artifact of a module: whole, for another processor,
// with another index, or that of another module. If it is whole, nothing is kept.
func TestLoad_CarriedArtifact(t *testing.T) {
	pack := func(b byte) (key string, artifact []byte) {
		key, artifact, err := runtimeIn(t, filepath.Join(t.TempDir(), "cache")).Pack(t.Context(), wasm.Source{Name: "p", Module: answering(b)}, wasm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return key, artifact
	}
	key, whole := pack('a')
	_, foreign := pack('b')
	cases := map[string]struct {
		carried []byte
		miss    bool
	}{
		"whole": {whole, false}, "none": {nil, true}, "another module's": {foreign, true}, "cut": {whole[:len(whole)-1], true},
		"for another processor": {wasm.MovedCode(key, whole), true},
	}
	for n := range 12 { // of trailer and index
		changed := bytes.Clone(whole)
		at := len(whole) - 1 - 16*n
		changed[at] ^= 1
		cases[fmt.Sprintf("changed at %d of %d", at, len(whole))] = struct {
			carried []byte
			miss    bool
		}{changed, true}
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			kept := filepath.Join(t.TempDir(), "cache")
			for k, dir := range []string{"", kept, kept} {
				miss := c.miss && k == 1
				rt, err := wasm.New(t.Context(), wasm.Options{CacheDir: dir, Carried: func(asked string) *io.SectionReader {
					if asked != key || c.carried == nil {
						return nil
					}
					return io.NewSectionReader(bytes.NewReader(c.carried), 0, int64(len(c.carried)))
				}})
				if err != nil {
					t.Fatal(err)
				}
				defer rt.Close(t.Context())
				m, err := rt.Load(t.Context(), wasm.Source{Name: "p", Module: answering('a'), Scorers: []string{"score"}}, wasm.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				if got := answerOf(t, m); got != "a" || m.CacheMiss() != miss {
					t.Errorf("%q; cache miss: %t, want %t", got, m.CacheMiss(), miss)
				}
			}
			if c.miss {
				onlyFile(t, kept)
			} else if list := files(t, kept); len(list) > 0 {
				t.Errorf("%q is kept", list)
			}
		})
	}
}

// onlyFile returns the one file below a directory.
func onlyFile(t *testing.T, dir string) string {
	t.Helper()
	list := files(t, dir)
	if len(list) != 1 {
		t.Fatalf("%q", list)
	}
	return list[0]
}

// TestLoad_SealedPartsAreChecked gives an artifact parts of every length, rightly sealed.
func TestLoad_SealedPartsAreChecked(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	dir, ctx := filepath.Join(t.TempDir(), "cache"), context.Background()
	key := private.Key(strings.Repeat("k", 32))
	answer := func() *wasm.Module {
		rt, err := wasm.New(ctx, wasm.Options{CacheDir: dir, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rt.Close(ctx) })
		m := load(t, rt, "p", answering('a'), wasm.Limits{})
		if got := answerOf(t, m); got != "a" {
			t.Errorf("it answers %q", got)
		}
		return m
	}
	answer()
	name := filepath.Base(filepath.Dir(onlyFile(t, dir)))
	s, err := store.Open(filepath.Join(dir, "modules"), key.Derive("artifacts"))
	if err != nil {
		t.Fatal(err)
	}
	a := s.Get(name)
	defer a.Close()
	parts := []string{"traits", "stub", "data", "library", "name"}
	code := a.Part(store.Code)
	forge := func(code []byte, data func(part string) []byte) {
		t.Helper()
		d := s.Draft()
		_, err := d.Write(code)
		var list []store.Part
		for _, part := range parts {
			list = append(list, store.Part{Name: part, Data: data(part)})
		}
		if err = errors.Join(err, d.Seal(name, list...)); err != nil || !d.Commit(name) {
			t.Fatal(err)
		}
	}
	for _, forged := range parts {
		content := a.Part(forged)
		others := [][]byte{nil, {1}, binary.LittleEndian.AppendUint32(nil, 1<<32-1), bytes.Repeat([]byte{0xff}, 40), []byte("{}"), []byte("null")}
		for n := 0; n < len(content); n += 1 + len(content)/amount.Of(5, 20) {
			others = append(others, content[:n])
		}
		for _, b := range others {
			forge(code, func(part string) []byte {
				if part == forged {
					return b
				}
				return a.Part(part)
			})
			if m := answer(); m.CacheMiss() != (forged != "library") {
				t.Errorf("%s of %d bytes: cache miss: %t", forged, len(b), m.CacheMiss())
			}
		}
	}
	// Machine code of another module, and of none: the stub says that it is not its own.
	other := filepath.Join(t.TempDir(), "cache")
	load(t, runtimeIn(t, other), "p", answering('b'), wasm.Limits{})
	foreign, err := os.ReadFile(onlyFile(t, other))
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range [][]byte{foreign[:len(code)], code[:len(code)/2], []byte("WAZEVO")} {
		forge(code, a.Part)
		if m := answer(); !m.CacheMiss() {
			t.Errorf("%d bytes of other code are taken", len(code))
		}
	}
}

// TestLoad_StoredModuleKeepsItsLimits loads it with other limits: they refuse it, and
// meter it, as if it were new.
func TestLoad_StoredModuleKeepsItsLimits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	module := assemble(string(fixture(t, "hostile/recurse.wat")))
	fuel := map[int32]uint64{}
	for range 2 {
		rt := runtimeIn(t, dir)
		for _, depth := range []int32{100, 200} {
			got := whatCame(load(t, rt, "p", module, wasm.Limits{Depth: depth}), "score", nil)
			if fuel[depth] == 0 {
				fuel[depth] = got.fuel
			}
			if got.fuel != fuel[depth] || fuel[100] >= fuel[200] && fuel[200] > 0 {
				t.Errorf("depth %d: %d fuel; %v", depth, got.fuel, fuel)
			}
		}
		for _, l := range []wasm.Limits{{Module: wasmbin.Limits{Functions: 1}}, {Module: wasmbin.Limits{FileBytes: 50}}} {
			if _, err := rt.Load(context.Background(), wasm.Source{Name: "p", Module: module}, l); fault.Of(err) != fault.Refused {
				t.Errorf("%+v: %v", l.Module, err)
			}
		}
	}
}

// TestCacheVersion_CoversMeterOutput meters modules of every kind. If its output
// changes, artifacts of older programs must not be used: then increment cacheVersion,
// and write the new digest beside it.
func TestCacheVersion_CoversMeterOutput(t *testing.T) {
	const version, want = 21, "fa9c7653a63126c6f365a11aaeddde107463761b51814a86107282e10f5acfcb"
	rt := runtimeIn(t, filepath.Join(t.TempDir(), "cache"))
	h := sha256.New()
	add := func(name string, module []byte, scorers ...string) {
		metered, kept, err := rt.Metered(name, module, scorers...)
		if err != nil {
			t.Fatal(err)
		}
		h.Write(metered)
		h.Write(kept)
	}
	for _, file := range []string{"bleu/bleu.wasm", "c/recall.wasm", "extism/recall-rust.wasm"} {
		add(file, fixture(t, file))
	}
	add("two", twoScorers, "small")
	if got := hex.EncodeToString(h.Sum(nil)); wasm.ArtifactVersion != version || got != want {
		t.Errorf("version %d has %s", wasm.ArtifactVersion, got)
	}
}

// TestLoad_StoreThatCannotBeWritten loses the store's directory: modules are compiled in
// memory, and scores stay.
func TestLoad_StoreThatCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	rt := runtimeIn(t, dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		m := load(t, rt, "p", answering('a'), wasm.Limits{})
		if got := answerOf(t, m); got != "a" || !m.CacheMiss() {
			t.Errorf("%q; cache miss: %t", got, m.CacheMiss())
		}
	}
	if list := files(t, filepath.Dir(dir)); len(list) > 0 {
		t.Errorf("%q", list)
	}
}

// TestLimits_AreCheckedAndInTheKey sets each limit by itself: a new one must be refused if it is negative, and must be
// in the key of artifacts unless it bounds calls alone.
func TestLimits_AreCheckedAndInTheKey(t *testing.T) {
	t.Parallel()
	ofCalls := []string{"Fuel", "PeerFuel", "Deadline", "Compile", "InputBytes", "OutputBytes", "LogBytes", "LogLines"}
	rt := runtimeIn(t, "")
	for field := range reflect.TypeFor[wasm.Limits]().Fields() {
		var l wasm.Limits
		switch f := reflect.ValueOf(&l).Elem().FieldByIndex(field.Index); {
		case f.CanUint():
			f.SetUint(7)
		case f.CanInt():
			f.SetInt(-1)
			if _, err := rt.Load(t.Context(), wasm.Source{Name: "p", Module: answering('a')}, l); fault.Of(err) != fault.Invalid {
				t.Errorf("a negative %s is not refused: %v", field.Name, err)
			}
		default: // binary.Limits, which the key has as a whole
			f.FieldByName("Functions").SetUint(7)
		}
		if inKey := wasm.Key(l) != wasm.Key(wasm.Limits{}); inKey == slices.Contains(ofCalls, field.Name) {
			t.Errorf("%s in the key: %t; if it changes what is compiled, it belongs into keyFor, else into ofCalls", field.Name, inKey)
		}
	}
}
