package dialect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// formatsOf are the formats that a dialect's documents come in.
var formatsOf = []string{JSON, YAML}

// TestEncode_WritesADocumentAsItWasRead compares trees; the seeds of the fuzz targets are the same documents,
// read again.
func TestEncode_WritesADocumentAsItWasRead(t *testing.T) {
	for _, f := range fixtures(t) {
		if !f.loads {
			continue
		}
		doc := f.decode(t)
		want := plainValue(treeOf(t, f.src, doc.Format))
		for _, format := range formatsOf {
			out, losses, err := Encode(doc, "", format)
			if err != nil || len(losses) > 0 {
				t.Errorf("%s as %s: %v %v", f.name, format, err, losses)
				continue
			}
			if d := cmp.Diff(want, plainValue(treeOf(t, out, format))); d != "" {
				t.Errorf("%s as %s (-read +written)\n%s", f.name, format, d)
			}
		}
	}
}

// rubricsOf are all rubrics of a document in essence, those of cases with their
// fields.
func rubricsOf(doc *Document) []any {
	var out []any
	for _, r := range doc.Rubrics {
		out = append(out, essence(r))
	}
	for _, c := range doc.Cases {
		out = append(out, c.ID, string(c.Fields), essence(c.Rubric))
	}
	return out
}

func TestEncode_KeepsCommentsAndOrder(t *testing.T) {
	src := `# Two lines
# at the top
version: 2.1.0
rubric: a # the id
# before the criteria
criteria:
  # before the first
  - judge: b
    id: x # after
  - {id: z, judge: c}
# at the end
`
	doc := decoded(t, "", src, Options{})
	out, _, err := Encode(doc, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != src {
		t.Errorf("got\n%s", out)
	}
}

// TestEncode_ModelHoldsEverything writes documents from their rubrics alone, as
// happens once a rubric is changed.
func TestEncode_ModelHoldsEverything(t *testing.T) {
	for _, f := range fixtures(t) {
		if !f.loads {
			continue
		}
		doc := f.decode(t)
		for _, format := range formatsOf {
			out, losses, err := rewrite(doc, find(f.dialect), format)
			if err != nil || len(unkept(losses)) > 0 {
				t.Errorf("%s as %s: %v %v", f.name, format, err, losses)
				continue
			}
			again, err := Decode("", out, Options{Dialect: f.dialect, Format: format})
			if err != nil {
				t.Errorf("%s as %s does not load again: %v\n%s", f.name, format, err, out)
				continue
			}
			if d := cmp.Diff(looked(f, rubricsOf(doc)), looked(f, rubricsOf(again))); d != "" {
				t.Errorf("%s as %s means something else (-first +again)\n%s", f.name, format, d)
			}
			if f.dialect == AgentV || f.dialect == AgentEvals {
				continue // their structure is free; their meaning is compared above
			}
			want, got := plainValue(treeOf(t, f.src, doc.Format)), plainValue(treeOf(t, out, format))
			withDefaults(want)
			withDefaults(got)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s as %s (-read +written)\n%s", f.name, format, d)
			}
		}
	}
}

// looked leaves the fields of cases out for AgentV, which writes an input of
// text as the message that it stands for.
func looked(f fixture, list []any) []any {
	if f.dialect != AgentV && f.dialect != AgentEvals {
		return list
	}
	var out []any
	for i, v := range list {
		if s, ok := v.(string); ok && strings.HasPrefix(s, "{") {
			continue
		}
		if _, ok := v.(*rubric.Rubric); ok && i == 0 && len(list) > 1 {
			continue // of the rubrics, those of the cases: shared ones may be written into each
		}
		out = append(out, v)
	}
	return out
}

// unkept leaves out the losses of settings that the model does not hold, and of the
// place of shared parts.
func unkept(losses diag.List) diag.List {
	var out diag.List
	for _, l := range losses {
		if !strings.Contains(l.Message, "is not carried over") && !strings.Contains(l.Message, "are written into each case") {
			out = append(out, l)
		}
	}
	return out
}

// withDefaults writes out, or removes, optional parts of a document.
func withDefaults(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			withDefaults(e)
		}
	case map[string]any:
		delete(v, "$schema")
		if scale, ok := v["scale"].(map[string]any); ok && scale["type"] == "continuous" {
			delete(scale, "type")
		}
		for _, key := range []string{"scale", "overall"} {
			if scale, ok := v[key].(map[string]any); ok && scale["discrete"] == "false" {
				delete(scale, "discrete")
			}
		}
		if v["metric"] == "stars" { // a plugin on the rubric's scale says it in two ways
			delete(v, "answer")
			delete(v, "scale")
		}
		for _, e := range v {
			withDefaults(e)
		}
	}
}

func TestEncode_ConvertsToNativeWithoutLoss(t *testing.T) {
	for _, f := range fixtures(t) {
		if !f.loads || f.name == "dataknobs/registry.json" {
			continue
		}
		doc := f.decode(t)
		for _, format := range formatsOf {
			out, losses, err := Encode(doc, Native, format)
			if err != nil || len(unkept(losses)) > 0 && f.dialect != Native {
				t.Errorf("%s: %v %v", f.name, err, losses)
				continue
			}
			again, err := Decode("", out, Options{Format: format})
			if err != nil || again.Dialect != Native {
				t.Errorf("%s: %v\n%s", f.name, err, out)
				continue
			}
			if d := cmp.Diff(rubricsOf(doc), rubricsOf(again)); d != "" {
				t.Errorf("%s means something else (-first +native)\n%s", f.name, d)
			}
		}
	}
}

func TestEncode_WritesChangedRubricsFromTheModel(t *testing.T) {
	for _, f := range fixtures(t) {
		if !f.loads || !strings.Contains(f.name, "/") {
			continue
		}
		doc := f.decode(t)
		if doc.Rubric == nil || len(doc.Cases) > 0 && doc.Cases[0].Rubric != doc.Rubric {
			continue
		}
		changed := *doc.Rubric
		changed.Criteria = append([]rubric.Criterion{}, changed.Criteria...)
		changed.Criteria[0].Weight = rubric.Weight{Value: changed.Criteria[0].Weight.Value}
		first := &changed.Criteria[0]
		for first.Group() {
			first.Criteria = append([]rubric.Criterion{}, first.Criteria...)
			first = &first.Criteria[0]
		}
		first.Text = "A text that was changed"
		for i := range doc.Cases {
			if doc.Cases[i].Rubric == doc.Rubric {
				doc.Cases[i].Rubric = &changed
			}
		}
		doc.Rubric, doc.Rubrics = &changed, []*rubric.Rubric{&changed}
		out, _, err := Encode(doc, "", "")
		if err != nil || !strings.Contains(string(out), "A text that was changed") {
			t.Errorf("%s: %v\n%s", f.name, err, out)
		}
	}
}

func TestEncode_RefusesARegistryAsOneRubric(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.name != "dataknobs/registry.json" {
			continue
		}
		doc := f.decode(t)
		for _, to := range []string{Native, OpenRubricRL, RubricList, AgentV, AgentEvals} {
			if out, losses, err := Encode(doc, to, ""); err == nil || len(losses.Errors()) == 0 {
				t.Errorf("as %s: %v\n%s", to, losses, out)
			}
		}
	}
}

func TestEncode_ListsSettingsOfACase(t *testing.T) {
	doc := decoded(t, "", "evalcases: [{id: a, input: i, rubrics: [x]}, {id: b, input: i, rubrics: [y]}]", Options{})
	own := *doc.Cases[1].Rubric
	own.LengthPenalty = &rubric.LengthPenalty{Free: 1, Cap: 2, AtCap: 1, Exponent: 1}
	doc.Cases[1].Rubric = &own
	for _, to := range []string{AgentEvals, AgentV, Native} {
		_, losses, err := Encode(doc, to, "")
		if err != nil || len(losses.Errors()) == 0 {
			t.Errorf("%s: %v %v", to, err, losses)
		}
	}
}
