package dialect

import (
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/rubric"
)

const rangedAgentV = `rubrics:
  - id: depth
    weight: 2
    score_ranges: {0: Empty., 5: Shallow., 9: Deep.}
  - id: style
    score_ranges: {0: Poor., 6: Good.}
`

// TestEncode_OpenRubricRLKeepsRanges converts criteria that are scored 0..10: the
// scale and the descriptions of its scores are in the result.
func TestEncode_OpenRubricRLKeepsRanges(t *testing.T) {
	doc := decoded(t, "range.yaml", rangedAgentV, Options{Dialect: AgentV})
	out, losses, err := Encode(doc, OpenRubricRL, YAML)
	if err != nil {
		t.Fatal(err, losses)
	}
	for _, l := range losses {
		if strings.Contains(l.Path, "scale") || strings.Contains(l.Message, "numbers on a scale") {
			t.Errorf("the scale is lost: %s", l.Message)
		}
	}
	again := decoded(t, "again.yaml", string(out), Options{})
	want := rubric.Scale{Min: 0, Max: 10, Discrete: true}
	if r := again.Rubric; *r.Scale != want || r.ScaleOf(&r.Criteria[0]) != want {
		t.Errorf("scale %v, want %v", *r.Scale, want)
	}
	if got, want := again.Rubric.Criteria[0].Text, "depth\n0-4: Empty.\n5-8: Shallow.\n9-10: Deep."; got != want {
		t.Errorf("description %q, want %q", got, want)
	}
}

// TestDecode_OpenRubricRLOverallScale: the mean of 4, 3, 3 and 4 is 3.5, which the overall
// number of a judge must be able to say.
func TestDecode_OpenRubricRLOverallScale(t *testing.T) {
	doc, err := Decode("d.yaml", []byte("name: d\nversion: 1.0.0\nscale: {min: 0, max: 5, type: discrete}\n"+
		"criteria:\n  - {name: a, description: A, weight: 0.5}\n  - {name: b, description: B, weight: 0.5}\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if o := doc.Rubric.Policy.Overall; *o != (rubric.Scale{Max: 5}) {
		t.Errorf("overall %v, want 0..5 with fractions", *o)
	}
	if !doc.Rubric.Scale.Discrete {
		t.Error("criteria are no longer answered with whole numbers")
	}
}
