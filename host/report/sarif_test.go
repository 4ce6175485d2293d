package report_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// sarif has the members that the test reads back; unknown members are errors.
type sarif struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name    string           `json:"name"`
				Version string           `json:"version"`
				URI     string           `json:"informationUri"`
				Rules   []map[string]any `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		ColumnKind  string           `json:"columnKind"`
		Invocations []map[string]any `json:"invocations"`
		Results     []struct {
			RuleID    string            `json:"ruleId"`
			Level     string            `json:"level"`
			Message   map[string]string `json:"message"`
			Locations []struct {
				Physical *struct {
					Artifact map[string]string `json:"artifactLocation"`
					Region   map[string]int    `json:"region"`
				} `json:"physicalLocation"`
				Logical []map[string]string `json:"logicalLocations"`
			} `json:"locations"`
		} `json:"results"`
	} `json:"runs"`
}

// checkSARIF validates a report by the schema of SARIF 2.1.0.
func checkSARIF(t tester, out string) {
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	var s sarif
	if err := d.Decode(&s); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if s.Version != "2.1.0" || len(s.Runs) != 1 || s.Runs[0].Tool.Driver.Name == "" || s.Runs[0].Results == nil {
		t.Errorf("a member is missing:\n%s", out)
	}
	for _, r := range s.Runs[0].Results {
		if r.RuleID == "" || r.Message["text"] == "" || len(r.Locations) != 1 || !slices.Contains([]string{"error", "warning"}, r.Level) {
			t.Errorf("result %+v", r)
		}
		if p := r.Locations[0].Physical; p != nil && (p.Artifact["uri"] == "" || strings.ContainsAny(p.Artifact["uri"], " \x00\n\"<>\\")) {
			t.Errorf("uri %q", p.Artifact["uri"])
		}
	}
}

// TestSARIF_HasEveryFindingAtItsPlace: in the case's own file, or at the case's line.
func TestSARIF_HasEveryFindingAtItsPlace(t *testing.T) {
	const output = "import os\r\nx = 1\n# 😀 é\neval(\"😀\", eval(x))\nx = 1\n"
	cite := func(start, end int, text string) []rubric.Evidence {
		return []rubric.Evidence{{Field: "output", Start: start, End: end, Text: text}}
	}
	checks := append(cite(33, 40, "4:11: forbid-calls: call of eval"), cite(42, 47, "5:1: naming: a name")...)
	checks = append(checks, cite(-3, 1e9, "9:9: own-rule: out of the text")...)
	rows := []*result.Row{
		{Case: "a", Status: rubric.Scored, Criteria: []result.Criterion{{ID: "code", Evidence: checks, Details: []byte(`{"findings":132}`)}}},
		{Case: "b", Status: rubric.Scored, Metrics: []result.Criterion{{ID: "code", Details: []byte(`{"valid":false}`), Evidence: append(cite(1, 2, "1:2: target: unexpected \"(\""), rubric.Evidence{Text: "9:9: x: not of the output"})}}},
		{Case: "c", Criteria: []result.Criterion{{ID: "fact", Evidence: cite(0, 1, "14 days"), Details: []byte(`{"findings":7}`)}}},
	}
	path := `"my src/../src/./ü.py"`
	d := report.Doc{Run: &result.Run{ID: "r"}, Rows: seq(rows), Case: func(row *result.Row) (*dataset.Case, error) {
		c := &dataset.Case{ID: row.Case, Output: output, File: "/my data.jsonl", Line: 12}
		if row.Case == "a" {
			c.Fields = []dataset.Field{{Name: "path", Value: []byte(path)}}
		}
		return c, nil
	}}
	out := render(t, report.SARIF, d, report.Options{})
	checkSARIF(t, out)
	var s sarif
	must(t, json.Unmarshal([]byte(out), &s))
	got := make([]string, 0, len(rows))
	for _, r := range s.Runs[0].Results {
		p := r.Locations[0].Physical
		b, err := json.Marshal([]any{r.RuleID, r.Level, r.Message["text"], p.Artifact["uri"], p.Region, r.Locations[0].Logical[0]["name"]})
		must(t, err)
		got = append(got, string(b))
	}
	want := []string{
		`["forbid-calls","warning","call of eval","src/%C3%BC.py",{"endColumn":19,"endLine":4,"startColumn":12,"startLine":4},"a"]`,
		`["naming","warning","a name","src/%C3%BC.py",{"endColumn":6,"endLine":5,"startColumn":1,"startLine":5},"a"]`,
		`["own-rule","warning","out of the text","src/%C3%BC.py",{"endColumn":1,"endLine":6,"startColumn":1,"startLine":1},"a"]`,
		`["target","error","b, line 1, column 2: unexpected \"(\"","file:///my%20data.jsonl",{"startLine":12},"b"]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	notes, err := json.Marshal(s.Runs[0].Invocations[0]["toolExecutionNotifications"])
	if want := `[{"message":{"text":"129 more findings left out: a plugin cites up to 100 of a case"}},{"message":{"text":"1 row without a score: findings may be missing"}}]`; err != nil || string(notes) != want {
		t.Errorf("notifications %s %v, want %s", notes, err, want)
	}
}
