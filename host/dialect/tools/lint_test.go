package tools

import (
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
)

func TestLint_PlacesWarnings(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"levels that rise and fall", "rubric: a\ncriteria:\n  - id: b\n    judge: Does it say so?\n    levels: [{id: x, score: 0}, {id: y, score: 1}, {id: z, score: 0.5}]\n", "5:13 levels-order criteria[0].levels"},
		{"a threshold that nobody reaches", "rubric: a\npass: 0.9\ncriteria:\n  - id: b\n    judge: Does it say so?\n    levels: [{id: x, score: 0}, {id: y, score: 0.5}]\n", "2:7 threshold-unreachable pass"},
		{"a band that everybody reaches", "rubric: a\nbands: {good: 0.5, fair: 0}\ncriteria:\n  - id: b\n    judge: Does it say so?\n    levels: [{id: x, score: 0.5}, {id: y, score: 1}]\n", "2:8 threshold-trivial bands"},
		{"a criterion that weighs nothing", "rubric: a\ncriteria: [{id: b, judge: Does it say so?, weight: 0}]\n", "2:52 weight-zero criteria[0].weight"},
		{"the same twice", "rubric: a\ncriteria:\n  - {id: b, judge: Names the pier}\n  - {id: c, judge: names  the pier}\n", "4:5 text-duplicate criteria[1]"},
		{"an OpenRubricRL rubric without examples", `{"name": "n", "version": "1.0.0", "scale": {"min": 0, "max": 1}, "criteria": [{"name": "a", "description": "d e", "weight": 1}]}`, "1:78 examples-missing criteria"},
		{"a case of its own, at its place", "evalcases:\n  - id: a\n    input: b\n    rubrics:\n      - {id: x, expected_outcome: Names the pier, weight: 0}\n      - y z\n      - {id: w, expected_outcome: names the pier}\n", "7:9 text-duplicate evalcases[0].rubrics[2]"},
		{"a case without input", "evalcases:\n  - id: a\n    rubrics: [Names the pier]\n", "2:5 input-missing evalcases[0]"},
		{"a file name against the specification", "name: My Eval\nevalcases:\n  - {id: a, input: b, expected_outcome: c}\n", "1:7 name-form name"},
		{"a warning of reading", "rubric: a\nname:\ncriteria: [{id: a, judge: Names the pier}]\n", "2:1 value-missing name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := dialect.Decode("", []byte(tt.src), dialect.Options{})
			must(t, err)
			var all []string
			for _, d := range Lint(doc) {
				if d.Severity == diag.Error {
					t.Errorf("severity %q", d.Severity)
				}
				all = append(all, strings.TrimPrefix(d.Pos.String(), "input:")+" "+d.Code+" "+d.Path)
			}
			if !strings.Contains("\n"+strings.Join(all, "\n")+"\n", "\n"+tt.want+"\n") {
				t.Errorf("no %q in\n%s", tt.want, strings.Join(all, "\n"))
			}
		})
	}
}

func TestLint_WarnsOncePerPlace(t *testing.T) {
	src := "execution: {evaluators: [{name: s, type: rubric, rubrics: [Says so, Says so]}]}\nevalcases:\n"
	for range 50 {
		src += "  - {id: c" + strings.Repeat("x", strings.Count(src, "id:")) + ", input: i, expected_outcome: o, rubrics: [More]}\n"
	}
	doc, err := dialect.Decode("", []byte(src), dialect.Options{})
	must(t, err)
	n := 0
	for _, d := range Lint(doc) {
		if d.Code == "text-duplicate" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("said %d times", n)
	}
}
