package script_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
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
	kept, err := filepath.Glob(filepath.Join(dir, "scripts-*", "*"))
	if err != nil || len(kept) != 2 {
		t.Fatalf("%q, %v: an interpreter and an image", kept, err)
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
