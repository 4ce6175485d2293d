package host_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
)

// TestEvaluate_CorpusIntervalIsThatOfSacrebleu evaluates the texts of sacrebleu's vectors
// that have 1,000 resamples. Tolerance: its sums are float32.
func TestEvaluate_CorpusIntervalIsThatOfSacrebleu(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	f, err := os.Open("../testdata/vectors/significance.jsonl.gz")
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 16<<20)
	run := 0
	for lines.Scan() {
		var l struct {
			ID, Metric string
			Config     map[string]any
			Candidate  any
			References [][]string
			Expected   struct {
				Score float64
				Mean  float64 `json:"bootstrap_mean"`
				CI    float64 `json:"bootstrap_ci"`
			}
		}
		must(t, json.Unmarshal(lines.Bytes(), &l, json.MatchCaseInsensitiveNames(true)))
		if l.Config["n_bootstrap"] != 1000.0 {
			continue
		}
		delete(l.Config, "n_bootstrap")
		delete(l.Config, "level")
		config, err := json.Marshal(l.Config)
		must(t, err)
		var data strings.Builder
		for i, output := range l.Candidate.([]any) {
			row, err := json.Marshal(map[string]any{"id": fmt.Sprint(i), "output": output, "references": l.References[i]})
			must(t, err)
			fmt.Fprintf(&data, "%s\n", row)
		}
		dir, doc, _ := evaluating(t, map[string]string{
			"rubric.yaml": fmt.Sprintf("rubric: r\nversion: 1.0.0\ncriteria:\n  - {id: m, metric: %s, with: %s}\n", l.Metric, config), "data.jsonl": data.String()})
		ev := evaluator(t)
		done, err := ev.Evaluate(t.Context(), doc, host.EvaluateOptions{
			Runs: filepath.Join(dir, "runs"), Dataset: dataset.Options{Paths: []string{filepath.Join(dir, "data.jsonl")}}})
		must(t, err)
		got := done.Run.Summary.Corpus[0]
		if got.Score == nil || got.Bootstrap == nil {
			t.Fatalf("%s: %+v", l.ID, got)
		}
		for _, x := range []struct {
			what           string
			got, want, tol float64
		}{
			{"score", *got.Score, l.Expected.Score, 1e-9},
			{"mean", got.Bootstrap.Mean, l.Expected.Mean, 1e-4},
			{"interval", got.Bootstrap.Half, l.Expected.CI, 1e-4},
		} {
			if math.Abs(x.got-x.want) > x.tol {
				t.Errorf("%s %s: %v, want %v", l.ID, x.what, x.got, x.want)
			}
		}
		run++
	}
	must(t, lines.Err())
	if run != 16 {
		t.Errorf("%d lines, want 16", run)
	}
}
