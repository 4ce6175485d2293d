package rubric_test

import (
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestEvidence_HasBothOffsetsOrNone(t *testing.T) {
	for want, e := range map[string]rubric.Evidence{
		`{"field":"output","start":0,"end":1,"text":"a"}`: {Field: "output", End: 1, Text: "a"},
		`{"start":4,"end":7}`:                             {Start: 4, End: 7},
		`{"field":"output","text":"a line"}`:              {Field: "output", Text: "a line"},
		`{}`:                                              {},
	} {
		got, err := json.Marshal([]rubric.Evidence{e}, json.Deterministic(true))
		if err != nil || string(got) != "["+want+"]" {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
		var back []rubric.Evidence
		if err := json.Unmarshal(got, &back, json.RejectUnknownMembers(true)); err != nil || back[0] != e {
			t.Errorf("%+v, %v; want %+v", back, err, e)
		}
	}
	var old rubric.Evidence // as rows of earlier versions have it
	if err := json.Unmarshal([]byte(`{"field":"output","end":1}`), &old); err != nil || old != (rubric.Evidence{Field: "output", End: 1}) {
		t.Errorf("%+v, %v", old, err)
	}
}
