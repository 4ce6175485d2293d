package host_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

func TestMain(m *testing.M) {
	worker.Main()
	amount.Rapid(25)
	m.Run()
}

// isolatedRubric has a criterion for each of the built-in plugins that needs no
// configuration.
const isolatedRubric = `rubric: isolated
version: 1.0.0
criteria:
  - {id: bleu, metric: bleu}
  - {id: rouge, metric: rouge}
  - {id: exact, metric: exact}
  - {id: readability, metric: readability}
  - {id: own, metric: ./own.wasm}
`

// TestIsolate_ChangesNoScore evaluates the same cases behind each wall, with compiled
// plugins and with stored ones.
func TestIsolate_ChangesNoScore(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	dir := t.TempDir()
	own, err := os.ReadFile("../cmd/rubric-host/testdata/plugins/half.wasm")
	must(t, err)
	own = append(own, 0, 0x85, 0x80, 0x02, 4) // a custom section of 32 KiB: large modules are stored differently
	own = append(append(own, "much"...), make([]byte, 32<<10)...)
	cache := filepath.Join(dir, "cache")
	var data strings.Builder
	for range 100 {
		data.WriteString(`{"output":"The cat sat on the mat. It was a good cat.","references":["The cat sat on a mat; a good cat."]}` + "\n")
	}
	for name, text := range map[string]string{"rubric.yaml": isolatedRubric, "own.wasm": string(own), "data.jsonl": data.String()} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	doc, err := host.Load(filepath.Join(dir, "rubric.yaml"))
	must(t, err)
	var first []string
	for _, tt := range []struct {
		isolate      worker.Isolation
		builtin, own result.Wall
	}{
		{worker.Never, result.Process, result.Process},
		{worker.Never, result.Process, result.Process}, // kept
		{"", result.Process, result.Worker},
		{worker.Always, result.Worker, result.Worker},
	} {
		ev, err := host.New(t.Context(), host.Options{Isolate: tt.isolate, CacheDir: cache})
		must(t, err)
		var rows []string // observed as they finish
		done, err := ev.Evaluate(t.Context(), doc, host.EvaluateOptions{
			Dataset: dataset.Options{Paths: []string{filepath.Join(dir, "data.jsonl")}},
			Observe: func(r *result.Row) {
				b, err := json.Marshal(r, json.Deterministic(true))
				if err != nil {
					t.Error(err)
				}
				rows = append(rows, string(b))
			},
		})
		must(t, err)
		for _, p := range done.Run.Plugins {
			want := tt.builtin
			if p.Source != "builtin" {
				want = tt.own
			}
			if p.Wall != want {
				t.Errorf("isolate %q: %s ran behind %q, want %q", tt.isolate, p.Name, p.Wall, want)
			}
		}
		if err := ev.Close(t.Context()); err != nil {
			t.Error(err)
		}
		slices.Sort(rows)
		if first == nil {
			first = rows
		} else if d := cmp.Diff(first, rows); d != "" {
			t.Errorf("isolate %q: rows differ (-want +got):\n%s", tt.isolate, d[:min(2000, len(d))])
		}
	}
}

func TestIsolate_HasThreeKinds(t *testing.T) {
	if _, err := host.New(t.Context(), host.Options{Isolate: "maybe"}); !fault.Is(err, fault.Usage) {
		t.Error(err)
	}
}
