package host_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/cache"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
)

// slowScorer takes more than a million units of fuel, and says how often it was
// called in this process by nothing: state does not last.
const slowScorer = `export function score(c, config) {
  let x = 0;
  for (let i = 0; i < (config.rounds ?? 60000); i++) x = (x * 31 + i) % 1000003;
  return { score: c.output.length % 10 / 10, reason: String(x) };
}
`

// reused evaluates three cases with a store and returns the rows, and how many
// answers came from the store.
func reused(t *testing.T, dir string, mode cache.Mode, rubricText string) (rows []string, hits int) {
	t.Helper()
	home := t.TempDir()
	script := filepath.Join(dir, "slow.js")
	if err := os.WriteFile(script, []byte(slowScorer), 0o644); err != nil {
		t.Fatal(err)
	}
	store, err := cache.Open(filepath.Join(dir, "answers"), cache.Options{Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	e, err := host.New(ctx, host.Options{Cache: store, CacheDir: wasmtest.CacheDir(t), Isolate: worker.Never})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(ctx)
	doc, err := host.Parse(filepath.Join(dir, "rubric.yaml"), []byte(strings.ReplaceAll(rubricText, "SCRIPT", script)))
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(home, "cases.jsonl")
	if err := os.WriteFile(data, []byte(`{"id":"a","output":"x"}`+"\n"+`{"id":"b","output":"xyz"}`+"\n"+`{"id":"c","output":"xyz"}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ev, err := e.Evaluate(ctx, doc, host.EvaluateOptions{Dataset: dataset.Options{Paths: []string{data}}, Runs: filepath.Join(home, "runs")})
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range runner.ReadRows(ev.Dir) {
		if err != nil {
			t.Fatal(err)
		}
		b, err := result.AppendRow(nil, row)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, string(b))
	}
	return rows, store.Hits()
}

const slowRubric = `rubric: slow
criteria:
  - {id: slow, metric: SCRIPT, with: {rounds: 60000}}
  - {id: quick, metric: SCRIPT, with: {rounds: 1}}
`

func TestEvaluate_ReusesSlowPluginResults(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	dir := t.TempDir()
	first, _ := reused(t, dir, cache.On, slowRubric)
	info, err := cache.Describe(filepath.Join(dir, "answers"))
	if err != nil || info.Entries == 0 {
		t.Fatalf("nothing was kept: %+v, %v", info, err)
	}
	if info.Entries > 4 { // a marker, and two different requests of the slow criterion
		t.Errorf("%d entries: results of quick calls were kept", info.Entries)
	}
	again, hits := reused(t, dir, cache.On, slowRubric)
	if hits < 3 {
		t.Errorf("%d answers were reused, want those of 3 cases", hits)
	}
	if d := cmp.Diff(first, again); d != "" {
		t.Errorf("reused rows differ (-first +again):\n%s", d)
	}
	if _, hits := reused(t, dir, cache.Refresh, slowRubric); hits != 0 {
		t.Errorf("refresh reused %d answers", hits)
	}
	if _, hits := reused(t, dir, cache.Off, slowRubric); hits != 0 {
		t.Errorf("off reused %d answers", hits)
	}
	changed, _ := reused(t, dir, cache.On, strings.Replace(slowRubric, "60000", "60001", 1))
	if changed[0] == first[0] {
		t.Error("another configuration got the old answer")
	}
}
