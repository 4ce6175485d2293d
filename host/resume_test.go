package host_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

// TestEvaluate_ResumeCountsOnlyTheDataset stops a run over good outputs, puts
// bad ones in their place, and goes on: no row of the good ones counts.
func TestEvaluate_ResumeCountsOnlyTheDataset(t *testing.T) {
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
	must(t, err)
	o := host.EvaluateOptions{Runs: filepath.Join(dir, "runs"), By: "ann", Gates: []result.Gate{gate}, Dataset: dataset.Options{Paths: []string{file}}}
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
	must(t, os.WriteFile(file, []byte(lines(1000, "no")), 0o600))
	o.Observe, o.By = nil, "bob"
	second, err := ev.Evaluate(t.Context(), doc, o)
	if err != nil || second.Dir != first.Dir {
		t.Fatal(err)
	}
	if second.Run.By != "ann" {
		t.Errorf("by %q, but ann started it", second.Run.By)
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

// TestEvaluate_LeavesRunsThatOthersFinish starts the same run several times at once: one that
// waits for the directory of another finds it finished, and makes a run of its own.
func TestEvaluate_LeavesRunsThatOthersFinish(t *testing.T) {
	dir, doc, ev := evaluating(t, map[string]string{
		"rubric.yaml": "rubric: r\nversion: 1.0.0\ncriteria:\n  - {id: right, metric: exact}\n",
		"data.jsonl":  `{"id":"a","output":"x","references":["x"]}` + "\n",
	})
	o := host.EvaluateOptions{Runs: filepath.Join(dir, "runs"), Dataset: dataset.Options{Paths: []string{filepath.Join(dir, "data.jsonl")}}}
	var runs sync.Map
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 8 {
				run, err := ev.Evaluate(t.Context(), doc, o)
				if fault.Is(err, fault.Conflict) {
					continue // the other one took long
				}
				if err != nil {
					t.Error(err)
					return
				}
				if _, had := runs.LoadOrStore(run.Dir, true); had || run.Resumed > 0 {
					t.Errorf("%s twice", run.Dir)
				}
			}
		})
	}
	all.Wait()
}

// TestEvaluate_ShardsMakeUpTheWhole evaluates a dataset with unusable rows as a whole and in
// shards, each of which is stopped and resumed: every row is in exactly one shard.
func TestEvaluate_ShardsMakeUpTheWhole(t *testing.T) {
	dir, doc, ev := evaluating(t, map[string]string{
		"rubric.yaml": "rubric: r\nversion: 1.0.0\ncriteria:\n  - {id: right, metric: exact}\n",
		"a.jsonl": `{"id":"a","output":"x","references":["x"]}
not JSON
{"id":"b","output":"x","references":["y"]}
{"id":"a","output":"taken"}
{"id":"c"}
{"output":"x","references":["x"]}
`,
		"b.jsonl": "not JSON\n" + strings.Repeat(`{"output":"x","references":["x"]}`+"\n", 5) + "{\n{\n",
	})
	o := host.EvaluateOptions{PlanOptions: host.PlanOptions{Repeat: 2}, InFlight: 1, Dataset: dataset.Options{Paths: []string{filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")}}}
	rows := func(dir string) (lines []string) {
		text, err := os.ReadFile(filepath.Join(dir, "rows.jsonl"))
		must(t, err)
		return slices.Collect(strings.Lines(string(text)))
	}
	o.Runs = filepath.Join(dir, "whole")
	whole, err := ev.Evaluate(t.Context(), doc, o)
	if err != nil || whole.Run.Counts.Rows != 8*2+6 {
		t.Fatalf("%v, %+v", err, whole.Run.Counts)
	}
	var union []string
	for shard := range 3 {
		o.Runs = filepath.Join(dir, fmt.Sprint(shard))
		o.Dataset.Select = dataset.Selection{Shard: shard + 1, Shards: 3}
		ctx, cancel := context.WithCancelCause(t.Context())
		o.Observe = func(*result.Row) { cancel(fault.New(fault.Interrupted, "stopped")) }
		first, err := ev.Evaluate(ctx, doc, o)
		if fault.Of(err) != fault.Interrupted {
			t.Fatal(err)
		}
		o.Observe = nil
		second, err := ev.Evaluate(t.Context(), doc, o)
		if err != nil || second.Dir != first.Dir || second.Resumed == 0 {
			t.Fatalf("%v: resumed %d", err, second.Resumed)
		}
		union = append(union, rows(second.Dir)...)
	}
	want := rows(whole.Dir)
	slices.Sort(union)
	slices.Sort(want)
	if !slices.Equal(union, want) {
		t.Errorf("the shards have %d rows:\n%s\nwant %d:\n%s", len(union), strings.Join(union, ""), len(want), strings.Join(want, ""))
	}
}
