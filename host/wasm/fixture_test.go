package wasm_test

import (
	"os"
	"path/filepath"
	"testing"
)

// pair is a request of usual size for the scorers in testdata/bleu.
var pair = []byte(`{"candidate":"the model answers that Paris is the capital of France and that the Seine flows through it which a system evaluates as a translation of quality with a score","reference":"The model answered that the capital of France is Paris and that the river Seine flows through it which the system evaluates as a translation of high quality with the score"}`)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
