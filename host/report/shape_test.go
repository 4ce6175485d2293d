package report_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/store"
)

// TestShape_EveryRubricHasEveryShape writes the results of every document that the
// dialects are tested with in every form: scored, unscored, and as a whole.
func TestShape_EveryRubricHasEveryShape(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	seen := map[string]int{}
	for _, name := range dialect.Names() {
		files, err := filepath.Glob(filepath.Join("..", "dialect", "testdata", name, "*"))
		must(t, err)
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				continue // a directory
			}
			doc, err := dialect.Decode(file, src, dialect.Options{Dialect: name})
			if err != nil {
				continue // a document that is refused
			}
			for _, r := range rubricsOf(doc) {
				for how, row := range rowsOf(r) {
					for _, form := range report.Shapes() {
						shape, err := report.Shape(form, r, row, &result.Run{Started: at})
						must(t, err)
						b, err := json.Marshal(shape)
						if err != nil || len(b) < 20 || b[0] != '{' {
							t.Errorf("%s, %s, as %s: %s, %v", file, how, form, b, err)
						}
						seen[name+" as "+form]++
					}
				}
			}
		}
	}
	if want := len(dialect.Names()) * len(report.Shapes()); len(seen) != want {
		t.Errorf("%d of %d pairs were written: %v", len(seen), want, seen)
	}
}

func rubricsOf(doc *dialect.Document) []*rubric.Rubric {
	list := append([]*rubric.Rubric{}, doc.Rubrics...)
	for _, c := range doc.Cases {
		list = append(list, c.Rubric)
	}
	return list
}

// rowsOf makes a row in which every criterion is met, one in which none is
// scored, and one of the rubric as a whole.
func rowsOf(r *rubric.Rubric) map[string]*result.Row {
	how := rubric.How{By: "judge", Judge: "m", PromptHash: "0011223344556677", ResponseHash: "8899aabbccddeeff", TokensIn: 1}
	var met, none []rubric.Verdict
	for _, c := range r.Leaves() {
		v := rubric.Verdict{Criterion: c.ID, Status: rubric.Scored, Value: 1, Reason: "r", How: how}
		if n, ok := r.NativeOf(c, 1); ok {
			v.Native = n
		}
		met = append(met, v)
		none = append(none, rubric.Unable(c.ID, "it cannot be told"))
	}
	scale := score.OverallScale(r)
	whole := []rubric.Verdict{{Criterion: rubric.Overall, Status: rubric.Scored, Value: 1, Native: rubric.NumberIs(scale.Max), How: how}}
	rows := map[string]*result.Row{}
	for name, list := range map[string][]rubric.Verdict{"met": met, "none": none, "whole": whole} {
		rows[name] = result.NewRow(r, score.Combine(r, list, score.Options{}))
		rows[name].Case = "c1"
	}
	return rows
}

// TestShape_DataknobsHasATimestamp holds the invocation record to the document:
// model, prompt hash, response hash, timestamp, usage.
func TestShape_DataknobsHasATimestamp(t *testing.T) {
	r := &rubric.Rubric{ID: "r", Criteria: []rubric.Criterion{{ID: "c", Text: "Is it?", Weight: rubric.One}}}
	shape, err := report.Shape(dialect.Dataknobs, r, rowsOf(r)["met"], &result.Run{Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), By: "user:jane"})
	must(t, err)
	b, err := json.Marshal(shape)
	must(t, err)
	var got struct {
		EvaluatedAt string `json:"evaluated_at"`
		EvaluatedBy string `json:"evaluated_by"`
		Results     []struct {
			Invocation map[string]any `json:"llm_invocation"`
		} `json:"criterion_results"`
	}
	must(t, json.Unmarshal(b, &got))
	in := got.Results[0].Invocation
	if got.EvaluatedAt != "2026-01-02T03:04:05Z" || got.EvaluatedBy != "user:jane" || in["timestamp"] != got.EvaluatedAt || in["prompt_hash"] != "0011223344556677" || in["response_hash"] != "8899aabbccddeeff" || in["model"] != "m" || in["usage"] == nil {
		t.Errorf("%s", b)
	}
}

// TestShape_DataknobsIDIsThatOfTheIndex compares with the index of runs, for a row of a run
// and one of none.
func TestShape_DataknobsIDIsThatOfTheIndex(t *testing.T) {
	r := &rubric.Rubric{ID: "r", Criteria: []rubric.Criterion{{ID: "c", Text: "Is it?", Weight: rubric.One}}}
	row := rowsOf(r)["met"]
	row.Repeat = 2
	id := func(run string) string {
		shape, err := report.Shape(dialect.Dataknobs, r, row, &result.Run{ID: run})
		must(t, err)
		b, err := json.Marshal(shape)
		must(t, err)
		var got struct {
			ID string `json:"id"`
		}
		must(t, json.Unmarshal(b, &got))
		return got.ID
	}
	if got, want := id("run1"), store.EvaluationID("run1", "c1", 2); got != want {
		t.Errorf("id %s, want %s", got, want)
	}
	if got := id(""); len(got) != len("eval_")+12 || got == store.EvaluationID("", "c1", 2) {
		t.Errorf("id of a row without a run: %s", got)
	}
}
