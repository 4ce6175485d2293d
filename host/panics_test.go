package host_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
)

// Go code of the library's user that panics fails a verdict or a total, of class
// internal. It neither ends the process nor gives a number.
func TestScorer_PanicsAreFailures(t *testing.T) {
	for name, text := range map[string]string{
		"a scorer":     "rubric: r\ncriteria: [{id: a, metric: panics}, {id: b, metric: fine}]\n",
		"an aggregate": "rubric: r\naggregate: go:panics\ncriteria: [{id: a, metric: fine}, {id: b, metric: fine}]\n",
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := host.Parse("r.yaml", []byte(text))
			must(t, err)
			ev, err := host.New(t.Context(), host.Options{
				CPU: 1,
				Scorers: map[string]host.Scorer{
					"panics": func(context.Context, host.Question) (host.Answer, error) { panic("a scorer in Go") },
					"fine":   func(context.Context, host.Question) (host.Answer, error) { return host.Score(1), nil },
				},
				Aggregates: map[string]host.Aggregate{"panics": func(context.Context, []host.Part) (float64, error) { panic("an aggregate in Go") }},
			})
			must(t, err)
			t.Cleanup(func() { _ = ev.Close(context.Background()) })
			dir := t.TempDir()
			data := filepath.Join(dir, "data.jsonl")
			must(t, os.WriteFile(data, []byte(`{"id": "1", "output": "x"}`+"\n"+`{"id": "2", "output": "y"}`+"\n"), 0o600))
			run, err := ev.Evaluate(t.Context(), doc, host.EvaluateOptions{Runs: filepath.Join(dir, "runs"), Dataset: dataset.Options{Paths: []string{data}}})
			must(t, err)
			n := 0
			for row, err := range runner.ReadRows(run.Dir) {
				must(t, err)
				n++
				if row.Status == rubric.Scored || row.Score != nil {
					t.Errorf("%s: %s %v", row.Case, row.Status, row.Score)
				}
				if name == "a scorer" && (row.Criteria[0].Value != nil || row.Criteria[0].Error.Class != fault.Internal || row.Criteria[1].Value == nil) {
					t.Errorf("%s: %+v", row.Case, row.Criteria)
				}
			}
			if n != 2 {
				t.Errorf("%d rows", n)
			}
		})
	}
}
