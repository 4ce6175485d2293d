package report_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// TestWrite_ShowsTheGradedContent looks for a word of an output in every report that
// lists cases, and for nothing but a note where the content is not kept.
func TestWrite_ShowsTheGradedContent(t *testing.T) {
	for _, f := range []report.Format{report.CSV, report.Markdown, report.JUnit, report.JSON, report.JSONL} {
		if out := render(t, f, sample(), report.Options{Content: true}); !strings.Contains(out, "I have looked at your order") {
			t.Errorf("%s does not show the output:\n%s", f, out)
		}
	}
	if out := unpacked(t, render(t, report.HTML, sample(), report.Options{})); !strings.Contains(out, "I have looked at your order") {
		t.Error("html does not show the output")
	}
	if out := render(t, report.JSONL, sample(), report.Options{}); strings.Contains(out, "I have looked at your order") {
		t.Error("jsonl shows the output unasked")
	}
	var b strings.Builder
	if err := report.Failures(&b, sample(), "q-0193", report.Options{}); err != nil || !strings.Contains(b.String(), "I have looked at your order") || !strings.Contains(b.String(), "Within 14 days.") {
		t.Errorf("failures: %v\n%s", err, b.String())
	}
	bare := sample()
	bare.Run.Dataset.NoContent = true
	bare.Case = func(row *result.Row) (*dataset.Case, error) {
		return &dataset.Case{ID: row.Case, File: "d.jsonl", Line: 3}, nil
	}
	for _, f := range []report.Format{report.Text, report.Markdown, report.JUnit, report.HTML, report.GitHub} {
		if out := render(t, f, bare, report.Options{}); !strings.Contains(out, "content not kept") {
			t.Errorf("%s does not say that the content is not kept", f)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(render(t, report.CSV, bare, report.Options{}))).ReadAll()
	if err != nil || strings.Contains(strings.Join(rows[0], " "), "output") {
		t.Errorf("csv: %v, %v", rows[0], err)
	}
	if out := render(t, report.GitHub, bare, report.Options{}); !strings.Contains(out, "::error file=d.jsonl,line=3,title=case q-0193") {
		t.Errorf("no place of the case:\n%s", out)
	}
}

// TestWrite_ContentIsAMemberOfRows reads the rows with content back.
func TestWrite_ContentIsAMemberOfRows(t *testing.T) {
	out := render(t, report.JSONL, sample(), report.Options{Content: true})
	var row struct {
		Case    string         `json:"case"`
		Content map[string]any `json:"content"`
	}
	first, _, _ := strings.Cut(out, "\n")
	if err := json.Unmarshal([]byte(first), &row); err != nil || row.Case != "q-0001" || row.Content["output"] != answers {
		t.Errorf("%+v, %v", row, err)
	}
}

func TestWrite_ReportsUnreadableContent(t *testing.T) {
	d := sample()
	d.Case = func(*result.Row) (*dataset.Case, error) { return nil, errors.New("line 3 is torn") }
	var b strings.Builder
	if err := report.Write(&b, report.CSV, d, report.Options{}); err == nil || !strings.Contains(err.Error(), "torn") || !strings.Contains(b.String(), "q-0193") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

// TestWrite_QuotesEvidenceFromTheCase counts code points, as plugins do, and takes
// the scorer's word where the offsets are not in the text.
func TestWrite_QuotesEvidenceFromTheCase(t *testing.T) {
	for _, tt := range []struct {
		e    rubric.Evidence
		want string
	}{
		{rubric.Evidence{Field: "output", Start: 2, End: 5}, "output:2-5 é€«😀ab»c"},
		{rubric.Evidence{Field: "output", Start: 0, End: 6}, "output:0-6 «é€😀abc»"},
		{rubric.Evidence{Field: "metadata.x", Start: 1, End: 2}, "metadata.x:1-2 p«q»"},
		{rubric.Evidence{Field: "output", Start: 3, End: 7, Text: "said"}, `output:3-7 "said"`},
		{rubric.Evidence{Field: "output", Start: 9, End: 12}, "output:9-12"},
		{rubric.Evidence{Field: "output", Start: -4, End: 2, Text: "said"}, `output "said"`},
		{rubric.Evidence{Field: "nothing", Start: 0, End: 1, Text: "said"}, `nothing:0-1 "said"`},
		{rubric.Evidence{Text: "said"}, `"said"`},
	} {
		row := supportRow("q-1", true, "warm", false, 0.5)
		row.Criteria[0].Evidence = []rubric.Evidence{tt.e}
		d := docOf([]*result.Row{row})
		d.Case = func(*result.Row) (*dataset.Case, error) {
			return dataset.Restore([]byte(`{"output":"é€😀abc","metadata":{"x":"pq"}}`), "q-1", diag.Pos{})
		}
		var b strings.Builder
		if err := report.Failures(&b, d, "q-1", report.Options{Width: 200}); err != nil || !strings.Contains(b.String(), "cites    "+tt.want+"\n") {
			t.Errorf("%+v: want %s, got %v\n%s", tt.e, tt.want, err, b.String())
		}
	}
}
