package feedback_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/feedback"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
)

var notice = &rubric.Rubric{ID: "notice", Criteria: []rubric.Criterion{
	{ID: "polite", Weight: rubric.One},
	{ID: "tone", Weight: rubric.One, Answer: rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "cold"}, {ID: "neutral", Score: 0.5}, {ID: "warm", Score: 1}}}},
	{ID: "clear", Weight: rubric.One, Answer: rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "no"}, {ID: "yes", Score: 1}}}},
	{ID: "depth", Weight: rubric.One, Answer: rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Max: 10}}},
}}

// rowOf is a row with the verdicts met, neutral, yes and 7 of 10.
func rowOf(caseID string) *result.Row {
	met, neutral, yes, seven := true, "neutral", "yes", 7.0
	at := func(x float64) *float64 { return &x }
	return &result.Row{Case: caseID, Criteria: []result.Criterion{
		{ID: "polite", Status: rubric.Scored, Value: at(1), Native: &result.Native{Met: &met}},
		{ID: "tone", Status: rubric.Scored, Value: at(0.5), Native: &result.Native{Level: &neutral}},
		{ID: "clear", Status: rubric.Scored, Value: at(1), Native: &result.Native{Level: &yes}},
		{ID: "depth", Status: rubric.Scored, Value: at(0.7), Native: &result.Native{Number: &seven}},
	}}
}

func lookUp(n *feedback.Note) (*result.Row, *rubric.Rubric) {
	if n.Case == "gone" {
		return nil, nil
	}
	return rowOf(n.Case), notice
}

func TestOpinions_AreGivenVerdicts(t *testing.T) {
	warm, third := "warm", 0.3
	yes, no := new(true), new(false)
	for name, of := range map[string]struct {
		notes []feedback.Note
		want  string
	}{
		"agrees on met":            {[]feedback.Note{{Case: "c", Criterion: "polite", By: "ann", Agree: yes}}, `{"case":"c","criterion":"polite","met":true}`},
		"disagrees on met":         {[]feedback.Note{{Case: "c", Criterion: "polite", By: "ann", Agree: no}}, `{"case":"c","criterion":"polite","met":false}`},
		"agrees on a level":        {[]feedback.Note{{Case: "c", Criterion: "tone", By: "ann", Agree: yes}}, `{"case":"c","criterion":"tone","level":"neutral"}`},
		"disagrees, three levels":  {[]feedback.Note{{Case: "c", Criterion: "tone", By: "ann", Agree: no}}, ``},
		"disagrees, two levels":    {[]feedback.Note{{Case: "c", Criterion: "clear", By: "ann", Agree: no}}, `{"case":"c","criterion":"clear","level":"no"}`},
		"another level":            {[]feedback.Note{{Case: "c", Criterion: "tone", By: "ann", Label: &warm, Comment: "kind"}}, `{"case":"c","criterion":"tone","level":"warm","reason":"ann: kind"}`},
		"agrees on a number":       {[]feedback.Note{{Case: "c", Criterion: "depth", By: "ann", Agree: yes}}, `{"case":"c","criterion":"depth","number":7}`},
		"another number":           {[]feedback.Note{{Case: "c", Criterion: "depth", By: "ann", Value: &third}}, `{"case":"c","criterion":"depth","value":0.3}`},
		"a comment alone":          {[]feedback.Note{{Case: "c", Criterion: "tone", By: "ann", Comment: "hm"}}, ``},
		"the last one counts":      {[]feedback.Note{{Case: "c", Criterion: "polite", By: "ann", Agree: no}, {Case: "c", Criterion: "polite", By: "ann", Agree: yes}}, `{"case":"c","criterion":"polite","met":true}`},
		"two people agree":         {[]feedback.Note{{Case: "c", Criterion: "tone", By: "ann", Label: &warm}, {Case: "c", Criterion: "tone", By: "bob", Label: &warm}}, `{"case":"c","criterion":"tone","level":"warm"}`},
		"two people differ":        {[]feedback.Note{{Case: "c", Criterion: "tone", By: "ann", Label: &warm}, {Case: "c", Criterion: "tone", By: "bob", Agree: yes}}, `{"case":"c","criterion":"tone","unscored":"people differ: ann warm, bob neutral"}`},
		"the row as a whole":       {[]feedback.Note{{Case: "c", By: "ann", Agree: yes}}, ``},
		"a case that is not there": {[]feedback.Note{{Case: "gone", Criterion: "polite", By: "ann", Agree: yes}}, ``},
		"one verdict in two repeats": {[]feedback.Note{{Case: "c", Repeat: 1, Criterion: "tone", By: "ann", Agree: yes}, {Case: "c", Repeat: 2, Criterion: "tone", By: "ann", Label: &warm}},
			`{"case":"c","criterion":"tone","level":"warm"}`},
	} {
		t.Run(name, func(t *testing.T) {
			var text []byte
			for _, o := range feedback.Opinions(of.notes, "", lookUp) {
				if line, ok := o.Line(); ok {
					b, err := json.Marshal(line)
					must(t, err)
					text = append(text, b...)
				}
			}
			if string(text) != of.want {
				t.Fatalf("got  %s\nwant %s", text, of.want)
			}
			if of.want == "" {
				return
			}
			given, warnings, err := scorer.ReadGiven("exported", bytes.NewReader(text))
			if err != nil || len(warnings) > 0 {
				t.Fatal(err, warnings)
			}
			if err := given.Check([]*rubric.Rubric{notice}); err != nil {
				t.Errorf("the rubric does not take its own verdict: %v", err)
			}
		})
	}
}

func TestOpinions_OfOnePerson(t *testing.T) {
	notes := []feedback.Note{{Case: "c", Criterion: "polite", By: "ann", Agree: new(true)}, {Case: "c", Criterion: "polite", By: "bob", Agree: new(false)}}
	all := feedback.Opinions(notes, "bob", lookUp)
	if len(all) != 1 || len(all[0].Said) != 1 {
		t.Fatalf("%+v", all)
	}
	if line, ok := all[0].Line(); !ok || *line.Met {
		t.Errorf("%+v", line)
	}
}

func TestOpinions_OnTheWhole(t *testing.T) {
	half, quarter := 0.5, 0.25
	whole := &result.Row{Case: "c", Criteria: []result.Criterion{{ID: result.OverallID, Status: rubric.Scored, Value: &half}}}
	look := func(*feedback.Note) (*result.Row, *rubric.Rubric) { return whole, notice }
	line, ok := feedback.Opinions([]feedback.Note{{Case: "c", By: "ann", Value: &quarter}}, "", look)[0].Line()
	if want := (scorer.Line{Case: "c", Overall: new(25.0)}); !ok || cmp.Diff(want, line) != "" {
		t.Errorf("%+v", line)
	}
	if line, ok = feedback.Opinions([]feedback.Note{{Case: "c", By: "ann", Agree: new(true)}}, "", look)[0].Line(); !ok || *line.Overall != 50 {
		t.Errorf("%+v", line)
	}
	if line, ok = feedback.Opinions([]feedback.Note{{Case: "c", By: "ann", Value: &quarter}, {Case: "c", By: "bob", Value: &half}}, "", look)[0].Line(); ok {
		t.Errorf("people who differ give %+v", line)
	}
}

func TestCheckVerdict_RefusesWhatTheRubricDoesNotHave(t *testing.T) {
	good := []feedback.Note{
		{Criterion: "tone", Label: new("warm")}, {Criterion: "polite", Label: new("unmet")}, {Criterion: "depth", Value: new(1.0)}, {Agree: new(true)}, {Value: new(0.0)},
	}
	for _, n := range good {
		if err := n.CheckVerdict(notice, rowOf("c")); err != nil {
			t.Errorf("%+v: %v", n, err)
		}
	}
	for hint, n := range map[string]feedback.Note{
		"did you mean \"tone\"?":                      {Criterion: "tome", Agree: new(true)},
		"it has: cold, neutral, warm":                 {Criterion: "tone", Label: new("hot")},
		"it has: met, unmet":                          {Criterion: "polite", Label: new("yes")},
		"give a value in 0..1":                        {Criterion: "depth", Label: new("deep")},
		"name the criterion, or give a value in 0..1": {Label: new("warm")},
	} {
		err := n.CheckVerdict(notice, rowOf("c"))
		if !fault.Is(err, fault.Invalid, fault.NotFound) || fault.Hint(err) != hint {
			t.Errorf("%+v: %v; hint %q, want %q", n, err, fault.Hint(err), hint)
		}
	}
}
