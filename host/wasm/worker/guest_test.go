package worker

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// hostile returns a module of the hostile corpus.
func hostile(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../testdata/hostile", name+".wat"))
	if err != nil {
		t.Fatal(err)
	}
	return wasmtest.Assemble(string(text))
}

// endless returns a module whose scorer never ends.
func endless(t testing.TB) []byte { return hostile(t, "loop") }
