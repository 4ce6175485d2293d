package wasm_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	wasmbin "github.com/rubric-host/rubric-host/host/wasm/binary"
)

// hollowing returns a runtime that keeps every module hollow in a directory.
func hollowing(t testing.TB, dir string) *wasm.Runtime {
	t.Helper()
	rt, err := wasm.New(context.Background(), wasm.Hollowing(wasm.Options{CacheDir: dir}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close(context.Background()) })
	return rt
}

// looks is what can be seen of a module without calling it.
func looks(m *wasm.Module) string {
	return fmt.Sprint(m.Digest(), m.ABI(), m.Exports(), m.Keeps(), m.ImageDigest())
}

// TestAModuleThatIsKeptHollowIsTheModule holds the hostile modules, which fail in
// every way, to the same outcomes, traces included.
func TestAModuleThatIsKeptHollowIsTheModule(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	plain, first, second := runtimeIn(t, ""), hollowing(t, dir), hollowing(t, dir)
	for _, h := range readHostile(t) {
		if h.AtLoad || h.Class == fault.Deadline {
			continue
		}
		t.Run(h.Name, func(t *testing.T) {
			want := load(t, plain, h.Name, h.Module, h.Limits)
			made, kept := load(t, first, h.Name, h.Module, h.Limits), load(t, second, h.Name, h.Module, h.Limits)
			if !made.Made() || kept.Made() {
				t.Errorf("made at first: %v; then: %v", made.Made(), kept.Made())
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

// TestModulesThatLookTheSameAreNotConfused has modules that differ in nothing but
// what a function does: their hollow forms must differ too.
func TestModulesThatLookTheSameAreNotConfused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	for turn := range 2 {
		rt := hollowing(t, dir)
		for b := byte('a'); b < 'e'; b++ {
			m := load(t, rt, "p", answering(b), wasm.Limits{})
			if got := answerOf(t, m); got != string(b) || m.Made() != (turn == 0) {
				t.Errorf("turn %d: %q, want %q; made: %v", turn, got, b, m.Made())
			}
		}
	}
}

// TestWhatIsKeptOfAModuleIsNotTrusted spoils each file that is kept of a module,
// puts another module's in its place, or takes it away. The answer stays, and the
// file is made anew.
func TestWhatIsKeptOfAModuleIsNotTrusted(t *testing.T) {
	base := t.TempDir()
	dir, others := filepath.Join(base, "cache"), filepath.Join(base, "others")
	for d, b := range map[string]byte{dir: 'a', others: 'b'} {
		load(t, hollowing(t, d), "p", answering(b), wasm.Limits{})
	}
	files, foreign := files(t, dir), files(t, others)
	if len(files) != 3 || len(foreign) != 3 { // machine code, memory, form: in the order of their directories and suffixes
		t.Fatalf("%q, %q", files, foreign)
	}
	for k, path := range files {
		read := func(path string) []byte {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		whole, other := read(path), read(foreign[k])
		changed := bytes.Clone(whole)
		changed[len(changed)/2] ^= 1
		for _, tt := range []struct {
			name string
			b    []byte // nil: it is gone
		}{
			{"changed", changed}, {"cut", whole[:len(whole)-1]}, {"torn", whole[:len(whole)/2]}, {"empty", []byte{}},
			{"longer", append(bytes.Clone(whole), 0)}, {"another module's", other}, {"gone", nil},
		} {
			t.Run(filepath.Ext(path)+" is "+tt.name, func(t *testing.T) {
				err := os.Remove(path)
				if tt.b != nil {
					err = os.WriteFile(path, tt.b, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
				m := load(t, hollowing(t, dir), "p", answering('a'), wasm.Limits{})
				if got := answerOf(t, m); got != "a" || !m.Made() {
					t.Errorf("%q; made: %v", got, m.Made())
				}
				if !bytes.Equal(read(path), whole) {
					t.Error("it is not made anew")
				}
				if m := load(t, hollowing(t, dir), "p", answering('a'), wasm.Limits{}); answerOf(t, m) != "a" || m.Made() {
					t.Error("it is not kept again")
				}
			})
		}
	}
}

// TestAFormWithAForgedEndIsReadAsAStrangers gives a form every length that it may
// have, and a right digest. Nothing of it is believed without its bytes.
func TestAFormWithAForgedEndIsReadAsAStrangers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	load(t, hollowing(t, dir), "p", answering('a'), wasm.Limits{})
	for _, path := range files(t, dir)[1:] {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		content := whole[:len(whole)-sha256.Size]
		forged := [][]byte{nil, {1}, binary.LittleEndian.AppendUint32(nil, 1<<32-1), bytes.Repeat([]byte{0xff}, 40)}
		for n := 0; n < len(content); n += 1 + len(content)/40 {
			forged = append(forged, content[:n])
		}
		for _, b := range forged {
			h := sha256.New()
			h.Write([]byte(filepath.Base(path) + "\x00"))
			h.Write(b)
			if err := os.WriteFile(path, h.Sum(bytes.Clone(b)), 0o600); err != nil {
				t.Fatal(err)
			}
			if m := load(t, hollowing(t, dir), "p", answering('a'), wasm.Limits{}); answerOf(t, m) != "a" {
				t.Errorf("%s: %d bytes", filepath.Ext(path), len(b))
			}
		}
	}
}

// TestWhatAKilledProcessLeftIsRemoved has one that was killed long ago, and one that
// is at work.
func TestWhatAKilledProcessLeftIsRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	load(t, hollowing(t, dir), "p", answering('a'), wasm.Limits{})
	kept := filepath.Dir(files(t, dir)[1])
	for name, age := range map[string]time.Duration{"new-1": 2 * time.Hour, "new-2": time.Minute} {
		path := filepath.Join(kept, name)
		at := time.Now().Add(-age)
		err := os.Mkdir(path, 0o700)
		if err == nil {
			err = os.WriteFile(filepath.Join(path, "x"), []byte("x"), 0o600)
		}
		if err == nil {
			err = os.Chtimes(path, at, at)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	load(t, hollowing(t, dir), "p", answering('b'), wasm.Limits{})
	for name, stays := range map[string]bool{"new-1": false, "new-2": true} {
		if _, err := os.Stat(filepath.Join(kept, name)); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAKeptModuleIsHeldToItsLimits loads it with others: what was refused before
// is refused again, and what is counted by them is counted.
func TestAKeptModuleIsHeldToItsLimits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	module := assemble(string(fixture(t, "hostile/recurse.wat")))
	fuel := map[int32]uint64{}
	for range 2 {
		rt := hollowing(t, dir)
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
			if _, err := rt.Load(context.Background(), "p", module, l); fault.Of(err) != fault.Refused {
				t.Errorf("%+v: %v", l.Module, err)
			}
		}
	}
}

// TestWhatTheMeterMakesHasAVersion meters modules of every kind. If what it makes
// of them changes, what older programs have kept must not be used: then count
// keptForm on, and write the new digest beside it.
func TestWhatTheMeterMakesHasAVersion(t *testing.T) {
	const form, want = 11, "d2959615ace94bd098583460c3df1197661eebb2d9644e9eb2fa32e3dc7b4f37"
	rt := hollowing(t, filepath.Join(t.TempDir(), "cache"))
	h := sha256.New()
	for _, file := range []string{"bleu/bleu.wasm", "c/recall.wasm", "extism/recall-rust.wasm"} {
		whole, kept, err := rt.Metered(file, fixture(t, file))
		if err != nil {
			t.Fatal(err)
		}
		h.Write(whole)
		h.Write(kept)
	}
	if got := hex.EncodeToString(h.Sum(nil)); wasm.KeptForm != form || got != want {
		t.Errorf("form %d makes %s", wasm.KeptForm, got)
	}
}
