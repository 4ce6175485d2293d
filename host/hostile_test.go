package host_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/stats"
)

// TestVerify_HostileRecords changes every part of a run's record, with digests that hold:
// whoever checks the run of someone else gets an error or differences, and no defect.
func TestVerify_HostileRecords(t *testing.T) {
	dir, doc, ev := evaluating(t, map[string]string{
		"rubric.yaml": `rubric: records
version: 1.0.0
pass: 0.5
criteria:
  - {id: right, weight: 3, metric: exact, min: 0.1}
  - {id: both, aggregate: min, criteria: [{id: bleu, metric: bleu}, {id: x, metric: contains, with: {text: cat}}]}
  - {id: grade, levels: [{id: valid, score: 1}, {id: not, score: 0.25}], schema: {type: string, maxLength: 20}}
`,
		"data.jsonl": `{"id":"same","output":"the cat sat","references":["the cat sat"]}
{"id":"undecided","output":"no references"}
`,
	})
	gate, err := result.ParseGate("mean>=0.1")
	must(t, err)
	done, err := ev.Evaluate(t.Context(), doc, host.EvaluateOptions{
		PlanOptions: host.PlanOptions{Repeat: 2}, Runs: filepath.Join(dir, "runs"), Slices: []string{"id"}, Gates: []result.Gate{gate},
		Dataset: dataset.Options{Paths: []string{filepath.Join(dir, "data.jsonl")}},
	})
	must(t, err)
	file := filepath.Join(done.Dir, runner.RunFile)
	text, err := os.ReadFile(file)
	must(t, err)
	var record any
	must(t, json.Unmarshal(text, &record))
	one := amount.OneIn(8)
	change := func(path string, put func(any), old any) {
		values := []any{nil, map[string]any{}, []any{}, "x", -1, 1 << 60}
		if list, ok := old.([]any); ok && len(list) > 0 {
			values = append(values, append(slices.Clone(list), list[0]), list[1:], []any{nil})
		}
		for _, v := range values {
			if !one() {
				continue
			}
			put(v)
			text, err := json.Marshal(record, json.Deterministic(true))
			must(t, err)
			must(t, os.WriteFile(file, withDigests(text), 0o600))
			err = fault.Guard(func() error {
				return useRun(t.Context(), ev, done.Dir, gate, v == nil && strings.Contains(path, "plugin"))
			})
			if fault.Is(err, fault.Internal) {
				t.Errorf("%s = %v: %v\n%v", path, v, err, fault.Trace(err))
			}
		}
		put(old)
	}
	var walk func(path string, node any)
	walk = func(path string, node any) {
		switch node := node.(type) {
		case map[string]any:
			for key, old := range node {
				change(path+"."+key, func(v any) { node[key] = v }, old)
				if key != "summary" { // figures, which nothing but a comparison reads
					walk(path+"."+key, old)
				}
			}
		case []any:
			for i, old := range node {
				change(fmt.Sprintf("%s[%d]", path, i), func(v any) { node[i] = v }, old)
				walk(fmt.Sprintf("%s[%d]", path, i), old)
			}
		}
	}
	walk("", record)
}

// withDigests gives a record the digests of its rubrics and its plan.
func withDigests(text []byte) []byte {
	var record map[string]jsontext.Value
	if json.Unmarshal(text, &record) != nil {
		return text
	}
	p, err := plan.Read(record["plan"])
	if err != nil {
		return text
	}
	for i := range p.Graders {
		if g := &p.Graders[i]; g.Rubric != nil {
			record["plan"] = jsontext.Value(strings.ReplaceAll(string(record["plan"]), g.Digest, g.Rubric.Digest()))
			g.Digest = g.Rubric.Digest()
		}
	}
	record["plan_digest"] = jsontext.Value(fmt.Sprintf("%q", p.Digest()))
	out, err := json.Marshal(record, json.Deterministic(true))
	if err != nil {
		return text
	}
	return out
}

// useRun uses a run in every way that reads its record, and returns the first defect.
// Scores of whole sets are compared if sets asks for it: that takes a tenth of a second.
func useRun(ctx context.Context, ev *host.Evaluator, dir string, gate result.Gate, sets bool) error {
	if _, err := ev.Verify(ctx, dir, nil); fault.Is(err, fault.Internal) {
		return err
	}
	o := compare.Options{Allow: compare.Differences(), Resamples: 10}
	if !sets {
		o.Corpus = func(string) stats.SetScore { return nil }
	}
	c, err := ev.Compare(ctx, dir, dir, o)
	if err != nil {
		return err
	}
	_, err = host.CheckGates(dir, c, []result.Gate{gate})
	return err
}
