package script_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// mathVerify is the script of examples/script/math-verify with the packages of its
// requirements.txt, which are in the directory RUBRIC_HOST_MATH_VERIFY.
func mathVerify(t testing.TB, example string) []byte {
	t.Helper()
	packages := wasmtest.Wheel(t, "RUBRIC_HOST_MATH_VERIFY", "CI_REQUIRE_PYTHON_SCI")
	l, _ := script.Find(script.PythonSci)
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: "score.py", Files: map[string]string{}}
	add := func(name, path string) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s.Files[name] = string(b)
	}
	add("score.py", filepath.Join(example, "score.py"))
	for _, name := range []string{"math_verify", "latex2sympy2_extended", "antlr4"} {
		root := filepath.Join(packages, name)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".py") {
				below, _ := filepath.Rel(packages, path)
				add(filepath.ToSlash(below), path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	b, err := s.Module()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPythonSci_MathVerify compares the example with the scores of math-verify 0.9.0 in CPython,
// and gives it answers that do not end there.
func TestPythonSci_MathVerify(t *testing.T) {
	example := filepath.Join("..", "..", "examples", "script", "math-verify")
	limits := patient
	limits.Fuel, limits.MemoryPages, limits.Deadline = 3_000_000_000, 4_096, 10*time.Minute
	m, err := sci(t).Load(t.Context(), wasm.Source{Name: "math-verify", Module: mathVerify(t, example)}, limits)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(context.Background())
	rows, err := os.ReadFile(filepath.Join(example, "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(rows) {
		var row struct {
			Name   string
			Case   map[string]any
			Config map[string]any
			Expect struct {
				Score    *float64
				Unscored string
			}
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		answer := ask(t, m, "score", requestOf(t, row.Case, row.Config))
		var got struct {
			Score    *float64
			Unscored string
		}
		err := json.Unmarshal([]byte(answer), &got)
		if err != nil || (got.Score == nil) != (row.Expect.Score == nil) || got.Score != nil && *got.Score != *row.Expect.Score || got.Unscored != row.Expect.Unscored {
			t.Errorf("%s: %s, want %s", row.Name, answer, line)
		}
	}
	for _, endless := range []string{`9^{9^{9^9}}`, `10000000!`, `\binom{10^{9}}{5\cdot 10^8}`, `(x+y+z)^{2000}`, `\sum_{k=1}^{10^9} \frac{1}{k}`} {
		if answer := ask(t, m, "score", requestOf(t, map[string]any{"output": `\boxed{` + endless + `}`, "references": []string{"$5$"}}, nil)); !strings.HasPrefix(answer, "fuel: ") {
			t.Errorf("%s: %s", endless, answer)
		}
	}
}

func requestOf(t testing.TB, row, config map[string]any) string {
	t.Helper()
	if config == nil {
		config = map[string]any{}
	}
	b, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "case": row, "config": config})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
