package script_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
)

// TestKeptFilesThatAreNotAsTheyShouldBeAreNotThere changes every kept file in
// turn; the answer stays.
func TestKeptFilesThatAreNotAsTheyShouldBeAreNotThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	score := func() string {
		rt := openRuntime(t, dir)
		return scoreWith(t, rt, bundle(t, "score.js", f1JS), request)
	}
	want := score()
	kept, err := filepath.Glob(filepath.Join(dir, "scripts-*", "*.[dfi]*")) // data, form, image
	if err != nil || len(kept) != 3 {
		t.Fatalf("%q, %v: an interpreter, its memory and an image", kept, err)
	}
	for _, path := range kept {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(whole)
		binary.LittleEndian.PutUint64(changed[len(changed)/2:], 0x0123456789abcdef)
		for name, b := range map[string][]byte{"changed": changed, "cut": whole[:len(whole)-100], "empty": nil, "longer": append(bytes.Clone(whole), 0)} {
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			if got := score(); got != want {
				t.Errorf("%s %s: %s, want %s", filepath.Base(path), name, got, want)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) {
				t.Errorf("%s %s: it is not written again as it was (%v)", filepath.Base(path), name, err)
			}
		}
	}
}

// TestMachineCodeOfAnInterpreterThatIsNotThereIsMadeAnew takes away or spoils what
// the functions of a hollow interpreter are.
func TestMachineCodeOfAnInterpreterThatIsNotThereIsMadeAnew(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	score := func() string {
		rt := openRuntime(t, dir)
		return scoreWith(t, rt, bundle(t, "score.js", f1JS), request)
	}
	want := score()
	code, err := filepath.Glob(filepath.Join(dir, "scripts-*", "*.code", "*", "*"))
	if err != nil || len(code) != 1 {
		t.Fatalf("%q, %v: the code of an interpreter", code, err)
	}
	whole, err := os.ReadFile(code[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		spoil func() error
	}{
		{"it is gone", func() error { return os.Remove(code[0]) }},
		{"it is that of the hollow functions", func() error {
			return os.WriteFile(code[0], hollowCode(t, dir, code[0]), 0o600)
		}},
	} {
		if err := tt.spoil(); err != nil {
			t.Fatal(err)
		}
		if got := score(); got != want {
			t.Errorf("%s: %s, want %s", tt.name, got, want)
		}
		if now, err := os.ReadFile(code[0]); err != nil || !bytes.Equal(now, whole) {
			t.Errorf("%s: it is not made anew (%v)", tt.name, err)
		}
		if got := score(); got != want {
			t.Errorf("%s, again: %s, want %s", tt.name, got, want)
		}
	}
}

// hollowCode returns the machine code of the hollow form of the one interpreter
// that is kept in a directory.
func hollowCode(t *testing.T, dir, code string) []byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "scripts-*", "*.form"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	module := b[4+binary.LittleEndian.Uint32(b) : len(b)-sha256.Size]
	apart := filepath.Join(t.TempDir(), "hollow")
	cache, err := wazero.NewCompilationCacheWithDir(apart)
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close(context.Background())
	rt := wazero.NewRuntimeWithConfig(context.Background(), wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache).WithDebugInfoEnabled(false).WithMemoryLimitPages(4096))
	defer rt.Close(context.Background())
	if _, err := rt.CompileModule(context.Background(), module); err != nil {
		t.Fatal(err)
	}
	b, err = os.ReadFile(filepath.Join(apart, filepath.Base(filepath.Dir(code)), filepath.Base(code)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestWhatIsReadWithPythonMayBeMissing takes away or spoils one of what is
// read side by side of CPython: its machine code, and its image.
func TestWhatIsReadWithPythonMayBeMissing(t *testing.T) {
	h := pythonHome(t)
	h.cache = filepath.Join(t.TempDir(), "cache")
	score := func() string { return scoreWith(t, h.here(t), bundle(t, "score.py", f1Py), request) }
	want := score()
	largest := func(pattern string) (path string) {
		files, err := filepath.Glob(filepath.Join(h.cache, pattern))
		if err != nil {
			t.Fatal(err)
		}
		most := int64(0)
		for _, f := range files {
			if info, err := os.Stat(f); err == nil && info.Size() > most {
				path, most = f, info.Size()
			}
		}
		return path
	}
	image, code := largest("scripts-*/*.image"), largest("scripts-*/*.code/*/*")
	if image == "" || code == "" {
		t.Fatalf("%q %q", image, code)
	}
	for name, spoil := range map[string]func() error{
		"no image":        func() error { return os.Remove(image) },
		"half an image":   func() error { return os.Truncate(image, 1<<20) },
		"no machine code": func() error { return os.Remove(code) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if got := score(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		for _, path := range []string{image, code} {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: it is not made anew: %v", name, err)
			}
		}
	}
}
