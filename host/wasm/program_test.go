package wasm_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"pgregory.net/rapid"
)

// recall is testdata/program as plain go build makes it.
var recall = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "recall")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "recall.wasm")
	cmd := exec.Command("go", "build", "-o", out, "recall.go", "probe.go")
	cmd.Dir = "testdata/program"
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		os.Stderr.Write(text)
		return nil, err
	}
	return os.ReadFile(out)
})

func program(t testing.TB) []byte {
	t.Helper()
	b, err := recall()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func probing(what string) []byte {
	return []byte(`{"contract":1,"kind":"metric","case":{},"config":{"probe":"` + what + `"}}`)
}

func TestAProgramOfGoIsAScorer(t *testing.T) {
	m := load(t, runtimes(t)["compiler"], "recall", program(t), wasm.Limits{Fuel: 100_000_000})
	if m.ABI() != wasm.Command || !slices.Equal(m.Exports(), []string{wasm.CommandExport}) || !m.Keeps() {
		t.Errorf("ABI %q, exports %q, keeps %v", m.ABI(), m.Exports(), m.Keeps())
	}
	tests := []struct {
		name, request, answer string
		class                 fault.Class
		says                  string
	}{
		{"a score", `{"contract":1,"case":{"output":"the cat sat","references":["The cat SLEPT here"]}}`,
			`{"details":{"found":2,"words":4},"score":0.5}`, "", ""},
		{"no score", `{"contract":1,"case":{"output":"a"}}`, `{"unscored":"the case has no references"}`, "", ""},
		{"another contract", `{"contract":2}`, `{"error":"contract 2 is not known, only 1"}`, "", ""},
		{"a request that it cannot read", `{"contract":`, "", fault.PluginError, `exit code 3; it printed: "cannot read the request: unexpected EOF"`},
		{"an exit", string(probing("exit")), "", fault.PluginError, `exit code 4; it printed: "cannot find the model of the language"`},
		{"exits that wait for each other", string(probing("exit in a loop")), "", fault.PluginError, "exit code 5"},
		{"a panic", string(probing("panic")), "", fault.PluginError, `panic: runtime error: index out of range`},
		{"no end", string(probing("spin")), "", fault.Fuel, "used 1"},
		{"no end of its answer", string(probing("flood")), "", fault.Output, "1048576 allowed"},
		{"no end of its memory", string(probing("memory")), "", fault.Memory, "of 67108864 bytes"},
		{"an input that is too large", strings.Repeat(" ", 5<<20), "", fault.Input, "5242880 bytes, 4194304 allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 {
				got, _, err := m.Call(context.Background(), "score", []byte(tt.request), nil)
				if strings.TrimSpace(string(got)) != tt.answer || fault.Of(err) != tt.class {
					t.Fatalf("answer %s, error %v of class %q", got, err, fault.Of(err))
				}
				if err != nil && (!strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\n") || fault.Hint(err) == "") {
					t.Errorf("error %q, hint %q; want %q", err, fault.Hint(err), tt.says)
				}
			}
		})
	}
}

// TestAProgramSeesTheSameEmptyWorldEachTime runs a probe beside others, and with
// variables in the host's environment.
func TestAProgramSeesTheSameEmptyWorldEachTime(t *testing.T) {
	t.Setenv("RUBRIC_HOST_CANARY", "1")
	m := load(t, runtimes(t)["compiler"], "recall", program(t), wasm.Limits{})
	want, usage, err := m.Call(context.Background(), "score", probing("world"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"args":0`, `"env":0`, `"file":true`, `"dir":true`, `"rest":0`, `"end":true`, `"year":2022`, `"slept":true`, `"calls":1`} {
		if !bytes.Contains(want, []byte(part)) {
			t.Errorf("the world is %s, want %s in it", want, part)
		}
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				got, u, err := m.Call(context.Background(), "score", probing("world"), nil)
				if err != nil || !bytes.Equal(got, want) || u.Fuel != usage.Fuel {
					t.Errorf("answer %s for %d fuel, error %v; want %s for %d", got, u.Fuel, err, want, usage.Fuel)
				}
				if _, _, err := m.Call(context.Background(), "score", probing("panic"), nil); err == nil {
					t.Error("a panic is no error")
				}
			}
		})
	}
	all.Wait()
}

// TestTheSameScorerWrittenFourWaysGivesTheSameScore asks a program in Go and one
// in C, and a plugin of each Extism kit, for the recall of any words.
func TestTheSameScorerWrittenFourWaysGivesTheSameScore(t *testing.T) {
	rt := runtimes(t)["compiler"]
	ways := map[string]*wasm.Module{
		"program in Go": load(t, rt, "go", program(t), wasm.Limits{}),
		"program in C":  load(t, rt, "c", fixture(t, "c/recall.wasm"), wasm.Limits{}),
		"kit for Go":    load(t, rt, "kit-go", fixture(t, "extism/recall-go.wasm"), wasm.Limits{}),
		"kit for Rust":  load(t, rt, "kit-rust", fixture(t, "extism/recall-rust.wasm"), wasm.Limits{}),
	}
	word := rapid.SampledFrom([]string{"a", "A", "the", "The", "cat", "sat", "x1", "over-all"})
	rapid.Check(t, func(t *rapid.T) {
		output := rapid.SliceOfN(word, 0, 40).Draw(t, "output")
		reference := rapid.SliceOfN(word, 1, 40).Draw(t, "reference")
		found := 0
		for _, w := range reference {
			if slices.ContainsFunc(output, func(o string) bool { return strings.EqualFold(o, w) }) {
				found++
			}
		}
		request := fmt.Appendf(nil, `{"contract":1,"kind":"metric","config":{"fold":true},"case":{"output":%q,"references":[%q]}}`,
			strings.Join(output, " "), strings.Join(reference, " "))
		for name, m := range ways {
			answer, _, err := m.Call(context.Background(), m.Exports()[0], request, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var got struct {
				Score   float64
				Details struct{ Found, Words int }
			}
			if err := json.Unmarshal(answer, &got, json.MatchCaseInsensitiveNames(true)); err != nil {
				t.Fatalf("%s: %s: %v", name, answer, err)
			}
			if got.Score != float64(found)/float64(len(reference)) || got.Details.Found != found || got.Details.Words != len(reference) {
				t.Fatalf("%s: %s, want %d of %d words", name, answer, found, len(reference))
			}
		}
	})
}

// BenchmarkABIs calls the same scorer by each way in which it is written.
func BenchmarkABIs(b *testing.B) {
	rt := runtimes(b)["compiler"]
	request := []byte(`{"contract":1,"config":{"fold":true},"case":{"output":"the cat sat","references":["The cat SLEPT here"]}}`)
	for name, module := range map[string][]byte{
		"program-go": program(b), "program-c": fixture(b, "c/recall.wasm"),
		"extism-go": fixture(b, "extism/recall-go.wasm"), "extism-rust": fixture(b, "extism/recall-rust.wasm"),
	} {
		m := load(b, rt, name, module, wasm.Limits{})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var answer []byte
			for b.Loop() {
				var err error
				if answer, _, err = m.Call(context.Background(), m.Exports()[0], request, answer); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
