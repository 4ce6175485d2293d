package metarubric

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func parsed(t testing.TB, src string) (*dialect.Document, *rubric.Rubric) {
	t.Helper()
	doc, err := dialect.Decode("rubric.yaml", []byte(src), dialect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc, doc.Rubric
}

func TestBuiltin_IsAValidRubricWithFiveEqualCriteria(t *testing.T) {
	src, ok, err := Builtin("builtin:meta_rubric")
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	doc, err := dialect.Decode("builtin:meta_rubric", src, dialect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := doc.Rubric
	if r.ID != Name || r.Version != "1.0.0" || r.TargetType != "rubric" || r.Pass.Bands[0].Min != 0.7 || doc.Dialect != dialect.Dataknobs {
		t.Errorf("%+v", r)
	}
	want := map[string]string{
		"criteria_coverage": "fail=0 pass=1", "criteria_independence": "fail=0 partial=0.5 pass=1", "weight_distribution": "fail=0 pass=1",
		"threshold": "too_low=0 too_high=0 pass=1", "level_ordering": "fail=0 pass=1",
	}
	got := map[string]string{}
	for _, c := range r.Criteria {
		levels := ""
		for _, l := range c.Answer.Levels {
			levels += " " + l.ID + "=" + rubric.FormatNumber(l.Score)
		}
		got[c.ID] = levels[1:]
		if c.Weight.Value != 0.2 {
			t.Errorf("%s weighs %v", c.ID, c.Weight)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestBuiltin_OtherReferences(t *testing.T) {
	if _, ok, err := Builtin("rubric.yaml"); ok || err != nil {
		t.Error(ok, err)
	}
	if _, ok, err := Builtin("builtin:meta-rubric"); !ok || !fault.Is(err, fault.NotFound) || fault.Hint(err) != `did you mean "meta_rubric"?` {
		t.Errorf("%v, %v, %q", ok, err, fault.Hint(err))
	}
}

func TestObject_OfEachKindOfAnswer(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"native", `
rubric: r
pass: 0.8
criteria:
  - {id: a, name: A, judge: Is it clear?}
  - {id: b, judge: How warm is it?, weight: 2, levels: [{id: cold, score: 0.2, label: Cold}, {id: warm, score: 1, description: like a bath}]}
  - {id: c, judge: How long is it?, scale: {min: 1, max: 5}}
`, `{"id":"r","criteria":[{"id":"a","name":"A","description":"Is it clear?","weight":1,"levels":[{"id":"lowest","score":0},{"id":"highest","score":1}]},` +
			`{"id":"b","description":"How warm is it?","weight":2,"levels":[{"id":"cold","label":"Cold","score":0.2},{"id":"warm","description":"like a bath","score":1}]},` +
			`{"id":"c","description":"How long is it?","weight":1,"levels":[{"id":"lowest","score":0},{"id":"highest","score":1}]}],"weights":"relative","pass_threshold":0.8}`},
		{"a group has the ends of its members, combined", `
rubric: r
pass: 0.8
criteria:
  - id: g
    criteria:
      - {id: a, judge: Is it warm?, levels: [{id: cold, score: 0.5}, {id: warm, score: 1}]}
      - {id: b, judge: Is it clear?}
`, `{"id":"r","criteria":[{"id":"g","weight":1,"levels":[{"id":"lowest","score":0.25},{"id":"highest","score":1}]}],"weights":"relative","pass_threshold":0.8}`},
		{"without a pass rule", "rubric: r\ncriteria: [{id: a, judge: Is it clear?}]",
			`{"id":"r","criteria":[{"id":"a","description":"Is it clear?","weight":1,"levels":[{"id":"lowest","score":0},{"id":"highest","score":1}]}],"weights":"relative","pass_threshold":null}`},
		{"with a penalty", "rubric: r\npass: 0.5\ncriteria: [{id: a, judge: Is it clear?, weight: -1}]",
			`{"id":"r","criteria":[{"id":"a","description":"Is it clear?","weight":-1,"levels":[{"id":"lowest","score":0},{"id":"highest","score":1}]}],"weights":"relative","pass_threshold":null}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, r := parsed(t, tt.src)
			got, err := Object(r)
			if err != nil || string(got) != tt.want {
				t.Errorf("%v\n%s\n%s", err, got, tt.want)
			}
		})
	}
}
