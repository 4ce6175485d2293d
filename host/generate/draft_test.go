package generate

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/schema"
)

// FuzzRead checks that a draft is text for a judge, within the bounds, that every
// dialect writes and reads, whatever the model writes.
func FuzzRead(f *testing.F) {
	f.Add(`{"criteria": [{"id": "a", "text": "Names a season.", "weight": 1, "required": true}, {"id": "b", "text": "Has three lines.", "weight": 2, "required": false, "fault": true}, {"id": "c", "text": "How warm is it?", "weight": 1, "required": false, "levels": [{"id": "no", "description": "not", "score": 0}, {"id": "yes", "description": "very", "score": 1}]}]}`)
	f.Add(`{"criteria": [{"id": "a"}, {}, {"text": "{{x}}"}]}`)
	f.Add(`{"criteria": [{"id": "a", "text": "yes", "weight": 0.001}, {"id": "null", "text": "null", "weight": 10}, {"id": "1", "text": "- a: b # c", "weight": 3}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range dialect.Names() {
			of := formOf(name)
			list, problem := of.read(jsontext.Value(text))
			if problem != "" {
				if list != nil || len(problem) > 2000 {
					t.Fatalf("%d criteria beside a problem of %d bytes", len(list), len(problem))
				}
				continue
			}
			for i := range list {
				c := &list[i]
				if len(c.ID) > maxID || len(c.Text) > maxText || c.Scorer.Metric != nil || c.Scorer.Prompt != nil || c.Scorer.Schema != nil || strings.ContainsFunc(c.Text, hidden) {
					t.Fatalf("criterion %+v", c)
				}
			}
			out := &Rubric{}
			if err := out.write(&Request{ID: "draft", Dialect: name, Format: dialect.YAML}, list); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if _, err := dialect.Decode("draft.yaml", out.Text, dialect.Options{Schema: schema.Check}); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out.Text)
			}
		}
	})
}

func TestDraft_IsWrittenInEveryDialect(t *testing.T) {
	all := `{"criteria": [{"id": "lines", "text": "Has exactly three lines.", "weight": 2, "required": true}, {"id": "syllables", "text": "Counts five, seven and five syllables.", "weight": 1, "required": false}, {"id": "season", "text": "Names a season: spring #1.", "weight": 0.5, "required": false}]}`
	for _, name := range dialect.Names() {
		text := all
		if !formOf(name).gates {
			text = strings.ReplaceAll(all, `"required": true`, `"required": false`)
		}
		list, problem := formOf(name).read(jsontext.Value(text))
		if problem != "" {
			t.Fatal(problem)
		}
		out := &Rubric{}
		if err := out.write(&Request{ID: "haiku", Dialect: name, Format: dialect.YAML}, list); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if doc, err := host.Parse("x.yaml", out.Text); err != nil || doc.Dialect != name || len(doc.Rubric.Leaves()) != 3 {
			t.Errorf("%s: %v\n%s", name, err, out.Text)
		}
		t.Logf("%s: %v %v\n%s", name, out.Losses, out.Lint, out.Text)
	}
}
