package host_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

// TestAResumedRunCountsOnlyWhatIsInTheDataset stops a run over good outputs, puts
// bad ones in their place, and goes on: no row of the good ones counts.
func TestAResumedRunCountsOnlyWhatIsInTheDataset(t *testing.T) {
	lines := func(n int, output string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"id":"c%04d","output":%q,"references":["yes"]}`+"\n", i, output)
		}
		return b.String()
	}
	dir, doc, ev := evaluating(t, map[string]string{
		"rubric.yaml": "rubric: r\nversion: 1.0.0\npass: 0.5\ncriteria:\n  - {id: right, metric: exact}\n",
		"data.jsonl":  lines(2000, "yes"),
	})
	file := filepath.Join(dir, "data.jsonl")
	gate, err := result.ParseGate("mean>=0.2")
	if err != nil {
		t.Fatal(err)
	}
	o := host.EvaluateOptions{Runs: filepath.Join(dir, "runs"), Gates: []result.Gate{gate}, Dataset: dataset.Options{Paths: []string{file}}}
	ctx, cancel := context.WithCancelCause(t.Context())
	seen := 0
	o.Observe = func(*result.Row) {
		if seen++; seen == 900 {
			cancel(fault.New(fault.Interrupted, "stopped"))
		}
	}
	first, err := ev.Evaluate(ctx, doc, o)
	if fault.Of(err) != fault.Interrupted || first.Run.Counts.Rows < 900 {
		t.Fatalf("%v, %+v", err, first.Run.Counts)
	}
	if err := os.WriteFile(file, []byte(lines(1000, "no")), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Observe = nil
	second, err := ev.Evaluate(t.Context(), doc, o)
	if err != nil || second.Dir != first.Dir {
		t.Fatal(err)
	}
	if c := second.Run.Counts; c.Rows != 1000 || *second.Run.Summary.Total.Mean != 0 || fault.Of(second.Err()) != fault.Gate {
		t.Errorf("counts %+v, mean %v, %v", c, *second.Run.Summary.Total.Mean, second.Err())
	}
	if second.Dropped != first.Run.Counts.Rows || !strings.Contains(strings.Join(second.Run.Summary.Warnings, "\n"), "were dropped") {
		t.Errorf("%d of %d rows dropped; warnings %q", second.Dropped, first.Run.Counts.Rows, second.Run.Summary.Warnings)
	}
	if v, err := ev.Verify(t.Context(), second.Dir, nil); err != nil || v.Err() != nil || v.Rows != 1000 {
		t.Errorf("%+v, %v", v, err)
	}
}
