package dialect

import (
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestDiagnostic_PlacesEveryElement(t *testing.T) {
	for _, f := range fixtures(t) {
		if !f.loads || f.dialect == Dataknobs && strings.Contains(f.name, "registry") {
			continue
		}
		doc := f.decode(t)
		if doc.Rubric == nil {
			continue
		}
		doc.Rubric.Walk(func(path string, c *rubric.Criterion) {
			d := doc.Diagnostic(doc.Rubric, diag.Warning, rubric.Problem{Path: path + ".weight"})
			if d.Pos.Line < 1 || d.Pos.Column < 1 || d.Path == "" {
				t.Errorf("%s: %s is at %s (%s)", f.name, path, d.Pos, d.Path)
			}
			for i := range c.Answer.Levels {
				at := document.Index(path+".levels", i) + ".score"
				if d := doc.Diagnostic(doc.Rubric, diag.Warning, rubric.Problem{Path: at}); !strings.HasSuffix(d.Path, ".score") {
					t.Errorf("%s: %s is shown as %s", f.name, at, d.Path)
				}
			}
		})
	}
	doc := &Document{File: "made"}
	if d := doc.Diagnostic(&rubric.Rubric{}, diag.Warning, rubric.Problem{Path: "criteria[0]"}); d.Pos.File != "made" || d.Path != "" {
		t.Errorf("%s %q", d.Pos, d.Path)
	}
}

// The rubric of a case has its own places: those of the case.
func TestDiagnostic_PlacesRubricsOfCases(t *testing.T) {
	doc := decoded(t, "", "evalcases:\n  - id: a\n    input: b\n    rubrics: [x]\n  - id: c\n    input: d\n    rubrics: [y, z]\n", Options{})
	for i, want := range []string{"4:15 evalcases[0].rubrics[0]", "7:15 evalcases[1].rubrics[0]"} {
		d := doc.Diagnostic(doc.Cases[i].Rubric, diag.Warning, rubric.Problem{Path: "criteria[0]"})
		if got := strings.TrimPrefix(d.Pos.String(), "input:") + " " + d.Path; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
