package scan_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/store"
	"github.com/rubric-host/rubric-host/host/store/database"
	"github.com/rubric-host/rubric-host/host/store/scan"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

// benched is the number of evaluations in the benchmarks.
const benched = 100_000

// largeRuns writes runs with benched rows of 1.6 kB together: five criteria by a judge, with
// reasons. One in ten is unscored, one in five did not pass.
func largeRuns(b *testing.B, runs int) string {
	b.Helper()
	root := b.TempDir()
	how := &rubric.How{By: "judge", Judge: "model", Digest: "sha256:" + string(bytes.Repeat([]byte("0"), 64)), PromptHash: "0011223344556677", ResponseHash: "8899aabbccddeeff", TokensIn: 1000, TokensOut: 100, Attempts: 1}
	for run := range runs {
		id := fmt.Sprintf("20260102-030405-%04x", run)
		writeRun(b, root, id, began.Add(time.Duration(run)*time.Minute))
		var text []byte
		for i := range benched / runs {
			r := row(fmt.Sprintf("case-%06d", i), 1, float64(i%5)/4+0.25)
			if i%10 == 0 {
				r = unscored(fmt.Sprintf("case-%06d", i), 1)
			}
			for c := range 5 {
				value := 0.5
				r.Criteria = append(r.Criteria, result.Criterion{ID: fmt.Sprint("criterion-", c), Status: rubric.Scored, Value: &value, Weight: 1, Reason: "The answer names the reason and says what to do next.", How: how})
			}
			var err error
			text, err = result.AppendRow(text, r)
			must(b, err)
			text = append(text, '\n')
		}
		writeFile(b, filepath.Join(root, id, "rows.jsonl"), string(text))
	}
	return root
}

func benchIndex(b *testing.B) *database.DB {
	b.Helper()
	db, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "index.db"))
	must(b, err)
	b.Cleanup(func() { must(b, db.Close()) })
	return db
}

// BenchmarkDirectory indexes 100,000 rows in 100 runs, and looks at them again when none has
// changed.
func BenchmarkDirectory(b *testing.B) {
	root := largeRuns(b, 100)
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			db := benchIndex(b)
			b.StartTimer()
			r, err := scan.Directory(b.Context(), db, "", root)
			must(b, err)
			must(b, db.Close()) // it writes what waits in the log
			if r.Evaluations != benched {
				b.Fatal(r)
			}
		}
		b.ReportMetric(float64(b.N)*benched/b.Elapsed().Seconds(), "rows/s")
	})
	b.Run("unchanged", func(b *testing.B) {
		db := benchIndex(b)
		_, err := scan.Directory(b.Context(), db, "", root)
		must(b, err)
		b.ResetTimer()
		for b.Loop() {
			if r, err := scan.Directory(b.Context(), db, "", root); err != nil || r.Read != 0 {
				b.Fatal(r, err)
			}
		}
	})
}

// BenchmarkEvaluations lists and filters 100,000 evaluations. p99-ms is the time that one
// query in a hundred takes longer than.
func BenchmarkEvaluations(b *testing.B) {
	for _, runs := range []int{1, 100} {
		root := largeRuns(b, runs)
		db := benchIndex(b)
		_, err := scan.Directory(b.Context(), db, "", root)
		must(b, err)
		must(b, os.RemoveAll(root))
		yes, no := true, false
		for _, q := range []struct {
			name   string
			filter store.Filter
		}{
			{"list", store.Filter{}},
			{"case", store.Filter{Case: "case-000007"}},
			{"rubric", store.Filter{Rubric: "tone"}},
			{"norubric", store.Filter{Rubric: "none"}},
			{"run", store.Filter{Run: "20260102-030405-0000"}},
			{"passed", store.Filter{Passed: &yes}},
			{"failed", store.Filter{Passed: &no}},
			{"unscored", store.Filter{Status: rubric.Unscored}},
			{"rubric-failed", store.Filter{Rubric: "tone", Passed: &no}},
			{"since", store.Filter{Since: began.Add(20 * time.Minute)}},
		} {
			b.Run(fmt.Sprintf("%d/%s", runs, q.name), func(b *testing.B) {
				q.filter.Limit = 50
				var took []time.Duration
				for b.Loop() {
					start := time.Now()
					_, err := db.Evaluations(b.Context(), q.filter)
					took = append(took, time.Since(start))
					must(b, err)
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			})
		}
	}
}

// BenchmarkPutRun writes 100,000 evaluations, a thousand in a transaction.
func BenchmarkPutRun(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		db := benchIndex(b)
		b.StartTimer()
		for run := range 100 {
			r := store.Run{ID: fmt.Sprint("run", run), Started: began.Add(time.Duration(run) * time.Minute)}
			must(b, db.PutRun(b.Context(), r, func(yield func(store.Evaluation, error) bool) {
				for i := range benched / 100 {
					id := fmt.Sprintf("case-%06d", i)
					score := 0.5
					if !yield(store.Evaluation{ID: store.EvaluationID(r.ID, id, 1), Case: id, Repeat: 1, Rubric: "tone", RubricVersion: "1", Status: rubric.Scored, Score: &score, By: "system"}, nil) {
						return
					}
				}
			}))
		}
		must(b, db.Close())
	}
	b.ReportMetric(float64(b.N)*benched/b.Elapsed().Seconds(), "rows/s")
}
