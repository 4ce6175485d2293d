package script_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// TestLoad_ScriptArtifactsAreUntrusted changes each artifact in turn; the answer stays.
func TestLoad_ScriptArtifactsAreUntrusted(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	score := func() string {
		rt := openRuntime(t, dir)
		return scoreWith(t, rt, bundle(t, "score.js", f1JS), request)
	}
	want := score()
	kept, err := filepath.Glob(filepath.Join(dir, "modules", "*", "*"))
	if err != nil || len(kept) != 2 {
		t.Fatalf("%q, %v: an interpreter and an image", kept, err)
	}
	for _, path := range kept {
		path, interpreter := fileIn(t, path)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(whole)
		binary.LittleEndian.PutUint64(changed[len(changed)/2:], 0x0123456789abcdef)
		for name, b := range map[string][]byte{"changed": changed, "cut": whole[:len(whole)-100], "empty": nil, "longer": append(bytes.Clone(whole), 0)} {
			if interpreter && name != "changed" { // it takes seconds to compile
				continue
			}
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

// fileIn returns the file of an artifact, and whether it is that of an interpreter.
func fileIn(t *testing.T, path string) (file string, interpreter bool) {
	t.Helper()
	if inner, err := filepath.Glob(filepath.Join(path, "*")); err == nil && len(inner) == 1 {
		return inner[0], true
	}
	return path, false
}

// TestLoad_PythonArtifactMayBeMissing removes or cuts the artifact of CPython, or its
// image, which are read side by side.
func TestLoad_PythonArtifactMayBeMissing(t *testing.T) {
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
	image, code := largest("modules/*/artifact"), largest("modules/*/*/*")
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
