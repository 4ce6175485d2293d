package dialect

import (
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestLintPlacesWhatIsUnwise(t *testing.T) {
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
			doc, err := Decode("", []byte(tt.src), Options{})
			if err != nil {
				t.Fatal(err)
			}
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

func TestLintSaysTheSameOfTheSamePlaceOnce(t *testing.T) {
	src := "execution: {evaluators: [{name: s, type: rubric, rubrics: [Says so, Says so]}]}\nevalcases:\n"
	for range 50 {
		src += "  - {id: c" + strings.Repeat("x", strings.Count(src, "id:")) + ", input: i, expected_outcome: o, rubrics: [More]}\n"
	}
	doc, err := Decode("", []byte(src), Options{})
	if err != nil {
		t.Fatal(err)
	}
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

func TestPlaceFindsEveryElementThatTheModelNames(t *testing.T) {
	for _, f := range fixtures(t) {
		if !f.loads || f.dialect == Dataknobs && strings.Contains(f.name, "registry") {
			continue
		}
		doc := f.decode(t)
		if doc.Rubric == nil {
			continue
		}
		doc.Rubric.Walk(func(path string, c *rubric.Criterion) {
			pos, shown := doc.Place(path + ".weight")
			if pos.Line < 1 || pos.Column < 1 || shown == "" {
				t.Errorf("%s: %s is at %s (%s)", f.name, path, pos, shown)
			}
			for i := range c.Answer.Levels {
				at := document.Index(path+".levels", i) + ".score"
				if _, shown := doc.Place(at); !strings.HasSuffix(shown, ".score") {
					t.Errorf("%s: %s is shown as %s", f.name, at, shown)
				}
			}
		})
	}
	doc := &Document{File: "made"}
	if pos, shown := doc.Place("criteria[0]"); pos.File != "made" || shown != "" {
		t.Errorf("%s %q", pos, shown)
	}
}

func TestAddRubricsEditsInPlace(t *testing.T) {
	src := `# keep me
evalcases:
  - id: one # and me
    expected_outcome: Explains quicksort
    input_messages:
      - {role: user, content: "Explain quicksort?"}
  # the second
  - id: two
    expected_outcome: Other
    input_messages: []
    rubrics: []
`
	want := `# keep me
evalcases:
  - id: one # and me
    expected_outcome: Explains quicksort
    input_messages:
      - {role: user, content: 'Explain quicksort?'}
    rubrics:
      - id: divide
        expected_outcome: Mentions divide and conquer
        weight: 0.4
        required: true
      - id: clear
        expected_outcome: Is clear
        weight: 0.6
        required: false
  # the second
  - id: two
    expected_outcome: Other
    input_messages: []
    rubrics:
      - id: x
        expected_outcome: Second thoughts
        weight: 1
        required: true
`
	doc, err := Decode("f.yaml", []byte(src), Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, losses, err := AddRubrics(doc, map[string][]rubric.Criterion{
		"one": {{ID: "divide", Text: "Mentions divide and conquer", Weight: rubric.Weight{Value: 0.4}, Required: true}, {ID: "clear", Text: "Is clear", Weight: rubric.Weight{Value: 0.6}}},
		"two": {{ID: "x", Text: "Second thoughts", Weight: rubric.One, Required: true}},
	})
	if err != nil || len(losses) > 0 {
		t.Fatal(err, losses)
	}
	if string(out) != want {
		t.Errorf("got\n%s", out)
	}
	plain := []rubric.Criterion{{ID: "x", Text: "y", Weight: rubric.One}}
	again, err := Decode("f.yaml", out, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		doc   *Document
		added map[string][]rubric.Criterion
		class fault.Class
	}{
		"a case that is not there":           {doc, map[string][]rubric.Criterion{"three": plain}, fault.NotFound},
		"a case that has rubrics":            {again, map[string][]rubric.Criterion{"one": plain}, fault.Conflict},
		"a negative weight":                  {doc, map[string][]rubric.Criterion{"one": {{ID: "x", Text: "y", Weight: rubric.Weight{Value: -1}}}}, fault.Invalid},
		"a criterion that a plugin computes": {doc, map[string][]rubric.Criterion{"one": {{ID: "x", Scorer: rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: "p"}}}}}, fault.Invalid},
		"a criterion without text":           {doc, map[string][]rubric.Criterion{"one": {{ID: "x"}}}, fault.Invalid},
		"a document that is no eval file":    {documentOf(&rubric.Rubric{}), map[string][]rubric.Criterion{"one": plain}, fault.Usage},
		"two criteria of one id in one case": {doc, map[string][]rubric.Criterion{"one": append(plain, plain...)}, fault.Invalid},
	} {
		if _, _, err := AddRubrics(tt.doc, tt.added); fault.Of(err) != tt.class {
			t.Errorf("%s: %v", name, err)
		}
	}
}
