package host_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// BenchmarkCompare compares two files of 100,000 rows with three criteria, with
// 10,000 resamples.
func BenchmarkCompare(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	paths := [2]string{}
	for i := range paths {
		paths[i] = filepath.Join(b.TempDir(), "rows.jsonl")
		f, err := os.Create(paths[i])
		if err != nil {
			b.Fatal(err)
		}
		w := bufio.NewWriter(f)
		for n := range 100_000 {
			score, met := rng.Float64(), rng.IntN(3) > 0
			row := &result.Row{Schema: 1, Case: fmt.Sprintf("q-%06d", n), CaseDigest: fmt.Sprintf("sha256:%064d", n), Repeat: 1, Status: rubric.Scored, Score: &score, Passed: &met,
				GateFailures: []string{}, Warnings: []string{}, Metrics: []result.Criterion{}}
			for _, id := range []string{"rouge", "accuracy", "tone"} {
				x := rng.Float64()
				row.Criteria = append(row.Criteria, result.Criterion{ID: id, Status: rubric.Scored, Value: &x, Weight: 1,
					Reason: "Every claim in the answer is supported by the policy text that the prompt quotes.",
					How:    &rubric.How{By: "metric", Plugin: id, Export: id, Digest: fmt.Sprintf("sha256:%064d", 7), Fuel: 12345}})
			}
			line, err := result.AppendRow(nil, row)
			if err != nil {
				b.Fatal(err)
			}
			w.Write(append(line, '\n'))
		}
		if err := w.Flush(); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
	ev, err := host.New(b.Context(), host.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer ev.Close(b.Context())
	for b.Loop() {
		if _, err := ev.Compare(b.Context(), paths[0], paths[1], compare.Options{Resamples: 10_000}); err != nil {
			b.Fatal(err)
		}
	}
}
