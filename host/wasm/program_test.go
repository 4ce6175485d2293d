package wasm_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// lasting returns a runtime for all tests with large guests, so that each is
// compiled once. It lives as long as the process.
func lasting(t testing.TB) *wasm.Runtime {
	t.Helper()
	dir := wasmtest.CacheDir(t)
	lastingOnce.Do(func() { lastingRuntime, errLasting = wasm.New(context.Background(), wasm.Options{CacheDir: dir}) })
	rt, err := lastingRuntime, errLasting
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

var (
	lastingOnce    sync.Once
	lastingRuntime *wasm.Runtime
	errLasting     error
)

// TestProgram_InC runs it from several goroutines at once: each call is
// a new process.
func TestProgram_InC(t *testing.T) {
	m := load(t, lasting(t), "recall", fixture(t, "c/recall.wasm"), wasm.Limits{})
	if m.ABI() != wasm.Command || !slices.Equal(m.Exports(), []string{wasm.CommandExport}) || !m.Keeps() {
		t.Errorf("ABI %q, exports %q, keeps %v", m.ABI(), m.Exports(), m.Keeps())
	}
	long := strings.Repeat("word ", 50_000)
	tests := []struct {
		request, answer string
		class           fault.Class
		says            string
	}{
		{`{"contract":1,"case":{"output":"the cat sat","references":["The cat SLEPT here"]}}`, `{"score":0.5,"details":{"found":2,"words":4}}`, "", ""},
		{`{"contract":1,"case":{"output":"word","references":["` + long + `"]}}`, `{"score":1,"details":{"found":50000,"words":50000}}`, "", ""},
		{`{"contract":1,"case":{"output":"a"}}`, `{"unscored":"the case has no references"}`, "", ""},
		{`{"contract":2}`, "", fault.PluginError, `exit code 3; it printed: "only contract 1 is known"`},
		{``, "", fault.PluginError, `exit code 3`},
	}
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for k := range 3 * len(tests) {
				tt := tests[(g+k)%len(tests)]
				got, _, err := m.Call(context.Background(), "score", []byte(tt.request), nil)
				if string(bytes.TrimSpace(got)) != tt.answer || fault.Of(err) != tt.class || err != nil && !strings.Contains(err.Error(), tt.says) {
					t.Errorf("%.80s: answer %s, error %v", tt.request, got, err)
				}
			}
		})
	}
	all.Wait()
}

// TestABIs_GiveTheSameScore asks a program in Go and one
// in C, and a plugin of each Extism kit, for the recall of any words.
func TestABIs_GiveTheSameScore(t *testing.T) {
	loaded := map[string]*wasm.Module{}
	for name, module := range ways(t) {
		loaded[name] = load(t, lasting(t), name, module, wasm.Limits{})
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
		for name, m := range loaded {
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
	rt := lasting(b)
	request := []byte(`{"contract":1,"config":{"fold":true},"case":{"output":"the cat sat","references":["The cat SLEPT here"]}}`)
	for name, module := range ways(b) {
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
