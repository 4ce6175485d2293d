package host_test

import (
	"bytes"
	"context"
	"encoding/hex"
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

// slowScorer takes more than a million units of fuel by default.
const slowScorer = `export function score(c, config) {
  let x = 0;
  for (let i = 0; i < (config.rounds ?? 60000); i++) x = (x * 31 + i) % 1000003;
  return { score: c.output.length % 10 / 10, reason: String(x) };
}
`

// reused evaluates three cases with a store and returns the rows.
func reused(t *testing.T, dir string, mode cache.Mode, rubricText string) (rows []string) {
	t.Helper()
	home := t.TempDir()
	script := filepath.Join(dir, "slow.js")
	must(t, os.WriteFile(script, []byte(slowScorer), 0o644))
	store, err := cache.Open(filepath.Join(dir, "answers"), cache.Options{Mode: mode})
	must(t, err)
	ctx := context.Background()
	e, err := host.New(ctx, host.Options{Cache: store, CacheDir: wasmtest.CacheDir(t), Isolate: worker.Never})
	must(t, err)
	defer e.Close(ctx)
	doc, err := host.Parse(filepath.Join(dir, "rubric.yaml"), []byte(strings.ReplaceAll(rubricText, "SCRIPT", script)))
	must(t, err)
	data := filepath.Join(home, "cases.jsonl")
	must(t, os.WriteFile(data, []byte(`{"id":"a","output":"x"}`+"\n"+`{"id":"b","output":"xyz"}`+"\n"+`{"id":"c","output":"xyz"}`+"\n"), 0o644))
	ev, err := e.Evaluate(ctx, doc, host.EvaluateOptions{Dataset: dataset.Options{Paths: []string{data}}, Runs: filepath.Join(home, "runs")})
	must(t, err)
	for row, err := range runner.ReadRows(ev.Dir) {
		must(t, err)
		b, err := result.AppendRow(nil, row)
		must(t, err)
		rows = append(rows, string(b))
	}
	return rows
}

// plant replaces the answers of a store by others, to see where they come from.
func plant(t *testing.T, dir string) {
	t.Helper()
	store, err := cache.Open(dir, cache.Options{})
	must(t, err)
	files, err := filepath.Glob(filepath.Join(dir, "*", "*", "*"))
	must(t, err)
	for _, f := range files {
		var k cache.Key
		if _, err := hex.Decode(k[:], []byte(filepath.Base(filepath.Dir(f))+filepath.Base(f))); err != nil {
			t.Fatal(err)
		}
		answer, ok := store.Get(k)
		if !ok {
			t.Fatalf("%s is not an entry", f)
		}
		must(t, store.Put(k, bytes.Replace(answer, []byte(`"reason":"`), []byte(`"reason":"planted `), 1)))
	}
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
	first := reused(t, dir, cache.On, slowRubric)
	info, err := cache.Describe(filepath.Join(dir, "answers"))
	if err != nil || info.Entries == 0 {
		t.Fatalf("nothing was kept: %+v, %v", info, err)
	}
	if info.Entries > 4 { // a marker, and two different requests of the slow criterion
		t.Errorf("%d entries: results of quick calls were kept", info.Entries)
	}
	if d := cmp.Diff(first, reused(t, dir, cache.On, slowRubric)); d != "" {
		t.Errorf("reused rows differ (-first +again):\n%s", d)
	}
	plant(t, filepath.Join(dir, "answers"))
	for i, row := range reused(t, dir, cache.On, slowRubric) {
		if !strings.Contains(row, "planted") {
			t.Errorf("row %d does not have the answer of the store: %s", i, row)
		}
	}
	for _, mode := range []cache.Mode{cache.Off, cache.Refresh} { // in this order: one that refreshes replaces what is planted
		if d := cmp.Diff(first, reused(t, dir, mode, slowRubric)); d != "" {
			t.Errorf("%s (-first +again):\n%s", mode, d)
		}
	}
	changed := reused(t, dir, cache.On, strings.Replace(slowRubric, "60000", "60001", 1))
	if changed[0] == first[0] {
		t.Error("another configuration got the old answer")
	}
}
