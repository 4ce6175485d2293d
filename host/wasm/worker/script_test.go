package worker

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/store"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// scripted returns a script in the form of a module.
func scripted(t testing.TB, source string) []byte {
	t.Helper()
	return scriptedWith(t, source, nil)
}

// scriptedWith returns a script with exports, of which score is one if there are none, and custom sections.
func scriptedWith(t testing.TB, source string, exports []string, more ...binary.Custom) []byte {
	t.Helper()
	l, ok := script.Of("score.js")
	if !ok {
		t.Fatal("there is no JavaScript")
	}
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: "score.js", Exports: exports, Files: map[string]string{"score.js": source}}
	b, err := s.Module(more...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLoad_FrontHasAnEntry: the front of a script is compiled once, in an entry of its own, and again
// if that is damaged.
func TestLoad_FrontHasAnEntry(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	wasmtest.NeedsKernel(t, canKeep(), "Landlock (Linux 5.13 or later)")
	t.Parallel()
	o := Options{CacheDir: withInterpreter(t)}
	module := scriptedWith(t, `export const exact = () => 0.5`, []string{"exact"}, binary.Custom{Name: script.FrontSection, Bytes: large(t)})
	start := func() (entry string, missed bool) {
		t.Helper()
		m := load(t, isolated(t, o), "p", module, wasm.Limits{})
		defer m.Close(t.Context())
		if answer, _, err := m.Call(t.Context(), "exact", []byte(question), nil); err != nil || !strings.Contains(string(answer), `"score":1`) {
			t.Errorf("the front answers %s, %v", answer, err)
		}
		return m.runtime.store.Path(m.owner.l.front.entryKey), m.about.FrontMiss
	}
	entry, _ := start()
	for _, want := range []bool{false, true, false} {
		if again, missed := start(); again != entry || missed != want {
			t.Errorf("missed: %t, want %t", missed, want)
		}
		if want { // it is removed
			continue
		}
		for _, file := range files(t, entry) {
			if err := os.WriteFile(file, []byte("WAZERO"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := isolated(t, o).Load(t.Context(), wasm.Source{Name: "p", Module: scriptedWith(t, `export const score = () => 1`, nil, binary.Custom{Name: script.FrontSection, Bytes: module})}, wasm.Limits{}); err == nil {
		t.Error("a script is a front")
	}
}

// withInterpreter returns a cache directory of the test's own that has the machine code of the
// interpreter, which takes a second to compile, as other tests and runs left it.
func withInterpreter(t testing.TB) string {
	t.Helper()
	shared, dir := wasmtest.CacheDir(t), filepath.Join(t.TempDir(), "cache")
	m := load(t, isolated(t, Options{CacheDir: shared}), "p", scripted(t, `export const score = () => 1`), wasm.Limits{})
	defer m.Close(t.Context())
	if !canKeep() {
		return dir
	}
	err := filepath.WalkDir(m.runtime.store.Path(m.owner.l.entryKey), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, strings.TrimPrefix(path, shared))
		if d.IsDir() {
			return os.MkdirAll(to, 0o700)
		}
		code, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(to, code, 0o600))
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestCall_ScriptsScoreAsInProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Parallel()
	cache := withInterpreter(t)
	rt := isolated(t, Options{CacheDir: cache, Interpreter: wasmtest.Race})
	in, err := wasm.New(t.Context(), wasm.Options{CacheDir: wasmtest.CacheDir(t), Interpreter: wasmtest.Race, Scripts: script.Open})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close(t.Context())
	sources := []string{
		`let n = 0; export function score(c) { n++; return n / c.output.length }`,
		`export const score = Math.random`,
		`export function score(c) { throw new Error("no") }`,
		`export function score(c) { for (;;) {} }`,
		`export function score(c) { return a +; }`,
	}
	if wasmtest.Race {
		sources = sources[:1]
	}
	for _, source := range sources {
		limits := wasm.Limits{Fuel: 20_000_000}
		module := scripted(t, source)
		near, nearErr := in.Load(t.Context(), wasm.Source{Name: "p", Module: module}, limits)
		far, err := rt.Load(t.Context(), wasm.Source{Name: "p", Module: module}, limits)
		if !same(nearErr, err) {
			t.Fatalf("%s: in a worker %v, in process %v", source, err, nearErr)
		}
		if err != nil {
			continue
		}
		if far.limits != near.Limits() {
			t.Errorf("%s: limits %+v, in process %+v", source, far.limits, near.Limits())
		}
		for range 2 {
			want, used, nearErr := near.Call(t.Context(), "score", []byte(question), nil)
			got, usage, err := far.Call(t.Context(), "score", []byte(question), nil)
			if !same(err, nearErr) || !bytes.Equal(got, want) || usage.Fuel != used.Fuel || usage.PeakMemoryBytes != used.PeakMemoryBytes {
				t.Errorf("%s: in a worker %s, %+v, %v; in process %s, %+v, %v", source, got, usage, err, want, used, nearErr)
			}
		}
	}
	if canKeep() && !wasmtest.Race {
		for pattern, want := range map[string]int{"*/modules": 1, "*/" + store.File: 4} { // one interpreter; those that start
			found, err := filepath.Glob(filepath.Join(cache, storeDir, pattern))
			if err != nil || len(found) != want {
				t.Errorf("%q, %v: want %d", found, err, want)
			}
		}
	}
}

func same(a, b error) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error() && fault.Of(a) == fault.Of(b) && fault.Hint(a) == fault.Hint(b))
}

// TestLoad_RequestsTheInterpreter plays both ends.
func TestLoad_RequestsTheInterpreter(t *testing.T) {
	theirs, ours := pipe(t), pipe(t)
	find := func(_ context.Context, language string) ([]byte, error) {
		if language != "latin" {
			return nil, fault.WithHint(fault.New(fault.NotFound, "nobody speaks %s", language), "learn it")
		}
		return []byte("gallia est"), nil
	}
	l := &loader{r: &Runtime{o: Options{Interpreters: find}}, script: new(script.Script)}
	s := &server{in: newFrameReader(ours.r, mostTrusted), out: newOutbox(theirs.w), loading: newJob()}
	s.open = map[uint64]*job{0: s.loading}
	go s.read()
	go s.out.run()
	for language, want := range map[string]string{"latin": "gallia est", "greek": ""} {
		k := &conn{p: &process{in: ours.w}, in: newFrameReader(theirs.r, mostLoading)}
		done := make(chan error)
		go func() {
			_, err := l.serve(t.Context(), k, false)
			done <- err
		}()
		got, err := s.interpreter(t.Context(), language)
		if string(got) != want || fault.Is(err, fault.NotFound) == (want != "") {
			t.Errorf("%s: %q, %v", language, got, err)
		}
		s.out.send(kindLoadResponse, &loadResponse{})
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

type ends struct{ r, w *os.File }

func pipe(t *testing.T) ends {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return ends{r, w}
}
