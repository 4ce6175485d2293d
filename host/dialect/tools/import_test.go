package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/fault"
)

func importText(text, source string, o tools.ImportOptions) (*tools.Imported, error) {
	o.Source = source
	return tools.Import(dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), StdinName: "rows.jsonl", Format: "jsonl"}, o)
}

// weights returns the ids and weights of a case's criteria.
func weights(t *testing.T, out *tools.Imported, i int) (list []string) {
	t.Helper()
	doc, err := dialect.Decode("x.yaml", out.Text, dialect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range doc.Cases[i].Rubric.Leaves() {
		list = append(list, fmt.Sprintf("%s %s", c.ID, c.Weight.Literal))
	}
	return list
}

const rarRow = `{"question": "What is shown?", "reference_answer": "A stone.", "question_source": "s", "rubric": [
 {"title": "Names the stone", "description": "Essential Criteria: Says that it is a stone.", "weight": 5},
 {"title": "Names the stone", "description": "Optional Criteria: Says where it is.", "weight": 1},
 {"title": "No guessing", "description": "Pitfall Criteria: Avoids guesses about its size.", "weight": -1}], "rubric_list": ["x"], "rubric_count": 3}`

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", "") + "\n" }

func TestImport_PitfallsMeanWhatTheCallerSays(t *testing.T) {
	out, err := importText(oneLine(rarRow), "rar", tools.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(weights(t, out, 0), ", "); got != "names-the-stone 5, names-the-stone-2 1, no-guessing -1" {
		t.Error(got)
	}
	if w := out.Problems.Warnings(); len(w) != 1 || !strings.Contains(w[0].Message, "1 of 1 pitfalls read as things to avoid") {
		t.Errorf("%v", out.Problems)
	}
	if !strings.Contains(string(out.Text), "judge: Says that it is a stone.") || !strings.Contains(string(out.Text), "category: essential") {
		t.Errorf("%s", out.Text)
	}
	out, err = importText(oneLine(rarRow), "rar", tools.ImportOptions{Pitfalls: tools.PitfallsAvoided})
	if err != nil || len(out.Problems) != 0 {
		t.Fatalf("%v, %v", err, out.Problems)
	}
	if got := strings.Join(weights(t, out, 0), ", "); got != "names-the-stone 5, names-the-stone-2 1, no-guessing 1" {
		t.Error(got)
	}
}

// The weights of sentences with a category alone are those of RaR-Explicit in section 4.4
// of arXiv 2507.17746v2: {"Essential": 1.0, "Important": 0.7, "Optional": 0.3, "Pitfall": 0.9}.
// The sign of pitfalls is ours: the test holds our table, and runs no code of the authors.
func TestImport_CategoriesHaveThePapersWeights(t *testing.T) {
	rows := `{"question": "q", "rubric": null, "rubric_list": ["Essential Criteria: A.", "Important: B.", "optional criteria: C.", "Pitfall Criteria: D."]}
{"question": "q", "rubric": [{"description": "Essential Criteria: A.", "weight": null}, {"description": "B.", "category": "important"}, {"description": "Optional: C.", "weight": null, "title": null}, {"description": "D.", "category": "Pitfall", "weight": null}]}
`
	out, err := importText(rows, "rar", tools.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if got := strings.Join(weights(t, out, i), ", "); got != "essential 1.0, important 0.7, optional 0.3, pitfall -0.9" {
			t.Errorf("row %d: %s", i, got)
		}
	}
}

func TestImport_ResearchRubrics(t *testing.T) {
	rows := `{"prompt": "Write a report.", "sample_id": "s1", "domain": "AI", "conceptual_breadth": "high", "logical_nesting": "low", "exploration": "x", "rubrics": [{"criterion": "Cites sources.", "weight": 4.0, "axis": "Explicit Criteria"}, {"criterion": "Names a date.", "weight": -2.5, "axis": "Explicit Criteria"}]}
{"task_name": "t2", "prompt": "Another.", "rubrics": "[{\"title\": \"Data Sources\", \"weight\": 1.0, \"category\": \"Accuracy\", \"row_index\": 1}]", "rubrics_count": 1}
`
	out, err := importText(rows, "researchrubrics", tools.ImportOptions{Format: "json", ID: "reports"})
	if err != nil || out.Cases != 2 || out.Criteria != 3 || len(out.Problems) != 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	doc, err := dialect.Decode("x.json", out.Text, dialect.Options{})
	if err != nil || doc.Cases[0].Rubric.ID != "reports" || doc.Cases[1].ID != "t2" {
		t.Fatalf("%v\n%s", err, out.Text)
	}
	list := doc.Cases[0].Rubric.Leaves()
	if list[0].ID != "explicit-criteria" || list[1].ID != "explicit-criteria-2" || list[1].Weight.Value != -2.5 {
		t.Errorf("%+v", list)
	}
}

// A row that cannot be used is a diagnostic with its line; the others are imported.
func TestImport_ReportsBadRows(t *testing.T) {
	good := `{"prompt_id": "p%d", "prompt": [{"role": "user", "content": "Hi"}], "rubrics": [{"criterion": "Greets.", "points": 5, "tags": []}]}`
	for name, c := range map[string]struct{ row, problem string }{
		"not JSON":         {`{"prompt_id": `, "ends in the middle"},
		"not an object":    {`[1]`, "object"},
		"no prompt":        {`{"prompt_id": "x", "rubrics": [{"criterion": "a", "points": 1}]}`, "no prompt"},
		"no rubrics":       {`{"prompt_id": "x", "prompt": "p"}`, "no criteria"},
		"empty rubrics":    {`{"prompt_id": "x", "prompt": "p", "rubrics": []}`, "no criteria"},
		"rubrics is text":  {`{"prompt_id": "x", "prompt": "p", "rubrics": "five"}`, "not a list of criteria"},
		"no points":        {`{"prompt_id": "x", "prompt": "p", "rubrics": [{"criterion": "a"}]}`, "no weight that is a finite number, but none"},
		"points are text":  {`{"prompt_id": "x", "prompt": "p", "rubrics": [{"criterion": "a", "points": "5"}]}`, `but "5"`},
		"points too large": {`{"prompt_id": "x", "prompt": "p", "rubrics": [{"criterion": "a", "points": 1e999}]}`, "beyond what a float64 holds"},
		"no criterion":     {`{"prompt_id": "x", "prompt": "p", "rubrics": [{"points": 5}]}`, "no text"},
		"the id again":     {fmt.Sprintf(good, 1), `"p1" is that of line 1`},
		"not UTF-8":        {"{\"prompt_id\": \"\xff\"}", "UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := importText(fmt.Sprintf(good, 1)+"\n"+c.row+"\n"+fmt.Sprintf(good, 2)+"\n", "healthbench", tools.ImportOptions{})
			if err != nil || out.Cases != 2 {
				t.Fatalf("%+v, %v", out, err)
			}
			bad := out.Problems.Errors()
			if len(bad) == 0 || bad[0].Pos.Line != 2 || !strings.Contains(bad[0].Message, c.problem) {
				t.Errorf("%v", out.Problems)
			}
			if _, err := importText(c.row+"\n", "healthbench", tools.ImportOptions{}); name != "the id again" && err == nil {
				t.Error("a set of bad rows only is imported")
			}
		})
	}
}

func TestImport_IsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, `{"prompt_id": "p%d", "prompt": %q, "rubrics": [{"criterion": "Greets.", "points": 5}]}`+"\n", i, strings.Repeat("x", 500_000))
	}
	if _, err := importText(b.String(), "healthbench", tools.ImportOptions{}); fault.Of(err) != fault.Invalid || !strings.Contains(fault.Hint(err), "a part of the rows") {
		t.Errorf("err = %v", err)
	}
	if _, err := importText("", "healthbenc", tools.ImportOptions{}); fault.Of(err) != fault.Usage || !strings.Contains(fault.Hint(err), "healthbench") {
		t.Errorf("err = %v", err)
	}
}

// FuzzImport holds rows of any form to two ends: a diagnostic, or a document that
// reads back with the cases and criteria that are counted.
func FuzzImport(f *testing.F) {
	f.Add(`{"prompt_id": "p", "prompt": "Hi", "rubrics": [{"criterion": "Greets.", "points": 5, "tags": ["axis:a"]}]}`)
	f.Add(`{"question": "q", "rubric": [{"title": "t", "description": "Pitfall Criteria: Avoids x.", "weight": -1}, {"title": "t", "description": "y", "weight": 2}]}`)
	f.Add(`{"sample_id": "s", "prompt": [{"role": "user", "content": "- a: b"}], "rubrics": "[{\"title\": \"x\", \"weight\": 1}]"}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, source := range tools.ImportSources() {
			rows := dataset.Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Format: "jsonl"}
			out, err := tools.Import(rows, tools.ImportOptions{Source: source.Name})
			if err != nil {
				continue
			}
			doc, err := dialect.Decode("x.yaml", out.Text, dialect.Options{})
			if err != nil {
				t.Fatalf("%v\n%s", err, out.Text)
			}
			criteria := 0
			for i := range doc.Cases {
				criteria += len(doc.Cases[i].Rubric.Leaves())
			}
			if len(doc.Cases) != out.Cases || criteria != out.Criteria {
				t.Fatalf("%d cases with %d criteria, not %d with %d", len(doc.Cases), criteria, out.Cases, out.Criteria)
			}
		}
	})
}
