package worker

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/plugins"
)

// large returns a scorer that is worth keeping.
func large(t testing.TB) []byte {
	t.Helper()
	catalog, err := plugins.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	b := catalog.Plugin("exact").Module()
	if len(b) < worthKeeping {
		t.Fatalf("%d bytes", len(b))
	}
	return b
}

const question = `{"contract":1,"kind":"metric","config":{},"case":{"output":"a","references":["a"]}}`

// files lists the files below a directory.
func files(t testing.TB, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			list = append(list, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestLoad_ArtifactIsForTheWorkersOfItsModule(t *testing.T) {
	wasmtest.NeedsKernel(t, canKeep(), "Landlock (Linux 5.13 or later)")
	dir := filepath.Join(t.TempDir(), "cache")
	o := Options{CacheDir: dir}
	m := load(t, isolated(t, o), "exact", large(t), wasm.Limits{})
	want, _, err := m.Call(t.Context(), "exact", []byte(question), nil)
	if err != nil {
		t.Fatal(err)
	}
	first := files(t, dir)
	if len(first) != 1 || !strings.HasPrefix(first[0], filepath.Join(dir, storeDir, m.owner.l.entryKey)) || m.Workers() != 1 {
		t.Fatalf("%q, %d workers", first, m.Workers())
	}
	again := load(t, isolated(t, o), "exact", large(t), wasm.Limits{})
	if again.owner.l.entryDir != m.owner.l.entryDir || len(files(t, dir)) != 1 {
		t.Errorf("%q, %q", again.owner.l.entryDir, files(t, dir))
	}
	load(t, isolated(t, o), "exact", large(t), wasm.Limits{Depth: 77})
	load(t, isolated(t, o), "bleu", bleu(t), wasm.Limits{})
	if n := len(files(t, dir)); n != 2 {
		t.Errorf("%d files: what is small is not kept, other limits make other code", n)
	}
	for _, file := range first { // A damaged entry is compiled again, and stored again by the next process.
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("WAZERO"), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			broken := load(t, isolated(t, o), "exact", large(t), wasm.Limits{})
			if got, _, err := broken.Call(t.Context(), "exact", []byte(question), nil); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, %v", got, err)
			}
		}
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("%s is not kept anew: %v", filepath.Base(file), err)
		}
	}
}

func TestLoad_KeepsNoFailedCompilation(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	_, err := isolated(t, Options{CacheDir: dir}).Load(t.Context(), wasm.Source{Name: "text", Module: bytes.Repeat([]byte("text"), worthKeeping)}, wasm.Limits{})
	if !fault.Is(err, fault.Refused) || !strings.Contains(err.Error(), "plugin text: ") {
		t.Error(err)
	}
	if list := files(t, dir); len(list) > 0 {
		t.Errorf("%q", list)
	}
	if left, err := os.ReadDir(filepath.Join(dir, storeDir)); err == nil && len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func TestNew_RefusesCacheThatOthersCanWrite(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Options{CacheDir: dir}); canKeep() && !fault.Is(err, fault.Invalid) {
		t.Error(err)
	}
}

// TestEntryKey_DependsOnTheProgram compares keys of programs that do not know the
// sources they were built from.
func TestEntryKey_DependsOnTheProgram(t *testing.T) {
	if what := program(); what[0] != wasm.CacheVersion() || what[1] != wasm.Compiler() {
		t.Errorf("%q", what)
	}
}

// TestLoad_RemovedEntryIsFilledAgain uses the entry of a module, and removes it under a
// worker that lives.
func TestLoad_RemovedEntryIsFilledAgain(t *testing.T) {
	wasmtest.NeedsKernel(t, canKeep(), "Landlock (Linux 5.13 or later)")
	o := Options{CacheDir: filepath.Join(t.TempDir(), "cache")}
	first := load(t, isolated(t, o), "bleu", padded(t), wasm.Limits{})
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(first.owner.l.entryDir, long, long); err != nil {
		t.Fatal(err)
	}
	rt := isolated(t, o)
	m := load(t, rt, "bleu", padded(t), wasm.Limits{})
	if info, err := os.Stat(m.owner.l.entryDir); err != nil || time.Since(info.ModTime()) > time.Minute {
		t.Errorf("it was used, and looks as if it was not: %v", err)
	}
	calls := func(m *Module) {
		t.Helper()
		if _, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil {
			t.Error(err)
		}
	}
	rt.store.Remove(m.owner.l.entryKey) // as another process may
	calls(m)
	processOf(m).close()
	calls(m)
	// The worker has made a directory, which is empty: it is filled again.
	again := load(t, isolated(t, o), "bleu", padded(t), wasm.Limits{})
	calls(again)
	if again.owner.l.entryDir == "" || !rt.store.Has(again.owner.l.entryKey) {
		t.Error("it is not filled")
	}
}

// padded returns a scorer that is worth keeping, and quick to compile.
func padded(t testing.TB) []byte {
	t.Helper()
	const size = worthKeeping
	b := append(bleu(t), 0, size&0x7f|0x80, size>>7&0x7f|0x80, size>>14)
	return append(b, make([]byte, size)...)
}
