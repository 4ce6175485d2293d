package host_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metarubric"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

func reviewer(t *testing.T) *host.Evaluator {
	t.Helper()
	ev, err := host.New(t.Context(), host.Options{CacheDir: wasmtest.CacheDir(t)})
	must(t, err)
	t.Cleanup(func() {
		if err := ev.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return ev
}

// TestMetaGrade_OfARubricBuiltInGo: two equal criteria are not independent, and a
// criterion without a rule is unscored and leaves the score.
func TestMetaGrade_OfARubricBuiltInGo(t *testing.T) {
	c := rubric.Criterion{ID: "a", Name: "Clear", Text: "It is clear.", Weight: rubric.One}
	twin := c
	twin.ID = "b"
	r := &rubric.Rubric{ID: "r", Criteria: []rubric.Criterion{c, twin}}
	row, err := reviewer(t).MetaGrade(t.Context(), r)
	must(t, err)
	got := map[string]string{}
	for _, c := range row.Criteria {
		got[c.ID] = string(c.Status)
		if c.Native != nil {
			got[c.ID] = *c.Native.Level
		}
	}
	want := map[string]string{"criteria_coverage": "pass", "criteria_independence": "fail", "weight_distribution": "unscored", "threshold": "unscored", "level_ordering": "pass"}
	for id, level := range want {
		if got[id] != level {
			t.Errorf("%s: %s, want %s", id, got[id], level)
		}
	}
	if row.Score == nil || *row.Score < 0.66 || *row.Score > 0.67 || row.Passed == nil || *row.Passed {
		t.Errorf("%v, %v", row.Score, row.Passed)
	}
}

const contains = `
rubric: r
pass: 0.5
criteria: [{id: good, metric: exact, export: contains, with: {text: good}}]
`

// TestReviewRubric_LeavesTheCasesOfAnEvalFileOut: only the given outputs are graded.
func TestReviewRubric_LeavesTheCasesOfAnEvalFileOut(t *testing.T) {
	doc, err := host.Parse("rubric.yaml", []byte(contains+"cases: [{id: own, output: neither}]\n"))
	must(t, err)
	dir := t.TempDir()
	write := func(name, word string) *dataset.Options {
		path := filepath.Join(dir, name)
		text := strings.Repeat(`{"output": "`+word+`"}`+"\n", 6)
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return &dataset.Options{Paths: []string{path}}
	}
	ev := reviewer(t)
	r, err := ev.ReviewRubric(t.Context(), doc, host.RubricReview{Good: write("good.jsonl", "good"), Bad: write("bad.jsonl", "poor")})
	must(t, err)
	if r.Good.Rows != 6 || r.Bad.Rows != 6 || len(r.Findings) != 0 || r.Meta == nil || r.Meta.Score == nil {
		t.Errorf("%+v %+v %+v", r.Good, r.Bad, r.Findings)
	}
	if _, err := ev.ReviewRubric(t.Context(), doc, host.RubricReview{Wording: true}); err != nil {
		t.Errorf("no criterion is judged, and still a judge is needed: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ev.ReviewRubric(ctx, doc, host.RubricReview{Good: write("good.jsonl", "good"), Bad: write("bad.jsonl", "poor")}); err == nil {
		t.Error("a review that was cancelled has no error")
	}
}

// TestReviewRubric_RowsAreUntrusted: a verdict that the rubric does not have is not
// counted, and an invalid row is an error.
func TestReviewRubric_RowsAreUntrusted(t *testing.T) {
	doc, err := host.Parse("rubric.yaml", []byte(contains))
	must(t, err)
	ev := reviewer(t)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "run.json"), []byte(`{"schema":1,"id":"r","status":"finished"}`), 0o600))
	review := func(line string) (*metarubric.Review, error) {
		must(t, os.WriteFile(filepath.Join(dir, "rows.jsonl"), []byte(strings.Repeat(line+"\n", 40)), 0o600))
		return ev.ReviewRubric(t.Context(), doc, host.RubricReview{Run: dir})
	}
	for _, line := range []string{
		`{"schema":1,"case":"a","status":"scored","score":1,"criteria":[{"id":"good","status":"scored","value":7,"weight":1}]}`,
		`{"schema":1,"case":"a","status":"scored","score":1,"criteria":[{"id":"other\u001b","status":"scored","value":1,"weight":1}]}`,
		`{"schema":1,"case":"a","status":"unscored","score":null,"criteria":[{"id":"good","status":"failed","value":1,"weight":1}]}`,
	} {
		r, err := review(line)
		if err != nil || len(r.Findings) > 0 || r.Run.Rows != 40 || r.Run.Clusters != 1 {
			t.Errorf("%s: %+v, %v", line, r, err)
		}
	}
	for _, line := range []string{`{"schema":1,"criteria":`, `[]`, `{"score": 1e999}`, "\x00"} {
		if r, err := review(line); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %+v, %v", line, r, err)
		}
	}
	if _, err := ev.ReviewRubric(t.Context(), doc, host.RubricReview{Run: filepath.Join(t.TempDir(), "none")}); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// TestReviewRubric_CountsRowsOfAnUnfinishedRunOnce: a row that was graded again replaces
// its first one, and rows that a run has counted and lost are an error.
func TestReviewRubric_CountsRowsOfAnUnfinishedRunOnce(t *testing.T) {
	doc, err := host.Parse("rubric.yaml", []byte(contains))
	must(t, err)
	dir := t.TempDir()
	const row = `{"schema":1,"case":"a","case_digest":"sha256:a","repeat":1,"status":"unscored","score":null}` + "\n"
	review := func(run string) (*metarubric.Review, error) {
		for name, text := range map[string]string{"run.json": run, "rows.jsonl": row + row + strings.ReplaceAll(row, `"a"`, `"b"`)} {
			must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		return reviewer(t).ReviewRubric(t.Context(), doc, host.RubricReview{Run: dir})
	}
	if r, err := review(`{"schema":1,"id":"r","status":"interrupted"}`); err != nil || r.Run.Rows != 2 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := review(`{"schema":1,"id":"r","status":"interrupted","counts":{"rows":9}}`); !fault.Is(err, fault.Invalid) {
		t.Errorf("%+v, %v", r, err)
	}
}
