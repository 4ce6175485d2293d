package dialect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
)

// An outcome is the result of a conversion: the written document, and the losses.
type outcome struct{ out, losses string }

// A converter converts a tree as it is at the time. It keeps the decoded document: a
// change is tried for every dialect.
type converter struct {
	tree *node
	from string
	docs map[string]*Document // by source; nil: it is invalid
}

// convert returns the outcome of a conversion; ok is false if the tree is not a
// valid document of the dialect.
func (c *converter) convert(to string) (o outcome, ok bool) {
	src, err := document.Write(c.tree, JSON)
	if err != nil {
		return o, false
	}
	doc, known := c.docs[string(src)]
	if !known {
		if doc, err = Decode("", src, Options{Dialect: c.from, Format: JSON}); err != nil {
			doc = nil
		}
		c.docs[string(src)] = doc
	}
	if doc == nil {
		return o, false
	}
	out, losses, err := rewrite(doc, find(to), JSON)
	o.out = string(out)
	for _, l := range losses {
		o.losses += l.Path + ": " + l.Message + "\n"
	}
	return o, err == nil // a refusal names the field itself
}

// A field is a value in a tree, with its surroundings.
type field struct {
	path    string
	at      *node
	parent  *field
	without func() (undo func()) // takes it out
}

// fieldsOf lists every value below n.
func fieldsOf(n *node, path string, parent *field) []*field {
	var out []*field
	add := func(path string, v *node, without func() func()) {
		f := &field{path: path, at: v, parent: parent, without: without}
		out = append(append(out, f), fieldsOf(v, path, f)...)
	}
	for i := range n.Members {
		add(document.Join(path, n.Members[i].Key), n.Members[i].Value, func() func() {
			all := n.Members
			n.Members = slices.Delete(slices.Clone(all), i, i+1)
			return func() { n.Members = all }
		})
	}
	for i := range n.Items {
		add(document.Index(path, i), n.Items[i], func() func() {
			all := n.Items
			n.Items = slices.Delete(slices.Clone(all), i, i+1)
			return func() { n.Items = all }
		})
	}
	return out
}

// others are values that a scalar may have instead.
func (f *field) others() []string {
	v := f.at.Value
	switch f.at.Kind {
	case document.Boolean:
		return []string{map[string]string{"true": "false", "false": "true"}[v]}
	case document.Text:
		return []string{v + "x", "x" + v, strings.ToUpper(v), v + " {{ input }}", "agentv", "discrete", "min", "evaluated", "9.9.9", "2031-01-01T00:00:00Z"}
	case document.Number:
		return []string{v + "1", "0", "1", "2", "0.5", "0.25", "0.75", "3", "7"}
	}
	return nil
}

// told reports whether a conversion reports a field: with another value, or none, the
// result or the losses change; or the field belongs to a part that is a loss as a
// whole.
func (f *field) told(c *converter, to string, was outcome) bool {
	tried := false
	undo := f.without()
	o, ok := c.convert(to)
	undo()
	if ok && o != was {
		return true
	}
	tried = tried || ok
	had := f.at.Value
	defer func() { f.at.Value = had }()
	for _, v := range f.others() {
		if v == had {
			continue
		}
		f.at.Value = v
		if o, ok := c.convert(to); ok {
			if o != was {
				return true
			}
			tried = true
		}
	}
	f.at.Value = had
	if covered(was.losses, f.path) {
		return true
	}
	for up := f.parent; up != nil; up = up.parent {
		undo := up.without()
		o, ok := c.convert(to)
		undo()
		if ok && o.out == was.out && o.losses != was.losses {
			return true
		}
	}
	return !tried
}

// wholes are the parts of a rubric that a loss lists by their name alone, and
// the keys that documents have for them.
var wholes = map[string][]string{
	"levels":  {"levels"},
	"prompt":  {"prompt", "output_schema", "decode_prompt", "decode_output_schema"},
	"overall": {"overall"},
	"scale":   {"scale", "levels"},
	"ranges":  {"ranges", "score_ranges"},
	"metric":  {"export", "kind", "reference", "with", "args", "config"},
	"schema":  {"schema"},
}

// covered reports whether losses list a whole that a field is part of.
func covered(losses, path string) bool {
	keys := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' })
	for _, loss := range strings.Split(losses, "\n") {
		at, _, _ := strings.Cut(loss, ":")
		for _, key := range wholes[at[strings.LastIndexByte(at, '.')+1:]] {
			if slices.Contains(keys, key) {
				return true
			}
		}
	}
	return false
}

// TestEncode_WritesEveryFieldOrListsIt changes and removes every sixth field (make full:
// every field) of every
// document that ships with the tests, and converts it to every dialect.
func TestEncode_WritesEveryFieldOrListsIt(t *testing.T) {
	for i, f := range fixtures(t) {
		if vector := !strings.Contains(f.name, "/"); !f.loads || vector && i%7 != 0 || testing.Short() && i%7 != 0 {
			continue // vectors differ in little
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			doc := f.decode(t)
			c := &converter{tree: treeOf(t, f.src, doc.Format), from: f.dialect, docs: map[string]*Document{}}
			was := map[string]outcome{}
			for _, to := range Names() {
				if o, ok := c.convert(to); ok {
					was[to] = o
				}
			}
			chosen := amount.OneIn(6)
			for _, field := range fieldsOf(c.tree, "", nil) {
				if !chosen() || field.at.Kind == document.Null || field.at.Kind == document.List || field.at.Kind == document.Object || field.path == "$schema" {
					continue
				}
				clear(c.docs)
				for to, o := range was {
					if !field.told(c, to, o) {
						t.Errorf("to %s: %s is dropped in silence", to, field.path)
					}
				}
			}
		})
	}
}

// TestEncode_OutputIsDetected converts every document to every dialect: the result is
// detected as that dialect.
func TestEncode_OutputIsDetected(t *testing.T) {
	count := map[string]int{}
	for _, f := range fixtures(t) {
		if !f.loads {
			continue
		}
		doc := f.decode(t)
		for _, to := range Names() {
			for _, format := range formatsOf {
				out, _, err := rewrite(doc, find(to), format)
				if err != nil {
					continue
				}
				count[to]++
				if found, err := detectIn(out); err != nil || found.Dialect != to {
					t.Errorf("%s to %s is taken for %q, %s (%v)\n%s", f.name, to, found.Dialect, found.Reason, err, out)
				}
			}
		}
	}
	for _, to := range Names() {
		if count[to] < 50 {
			t.Errorf("%d documents were written as %s", count[to], to)
		}
	}
}

func TestDetect_TakesTheDialectOfSchema(t *testing.T) {
	body := "evalcases: [{id: a, input: i, rubrics: [x]}]\n"
	for schema, want := range map[string]string{
		"urn:rubric-host:schema:agentv":     AgentV,
		"urn:rubric-host:schema:agentevals": AgentEvals,
		"agentv-eval-v2":                    AgentV,     // AgentV's own
		"eval.schema.json":                  AgentEvals, // where a schema lies says nothing: the structure does
		"urn:rubric-host:schema:nothing":    AgentEvals,
	} {
		found, err := detectIn([]byte("$schema: " + schema + "\n" + body))
		if err != nil || found.Dialect != want {
			t.Errorf("%s: %+v, %v; want %s", schema, found, err, want)
		}
	}
}

// TestEncode_SaysWhatMeansNothingWhereItStands: a setting of cases that a file has for all of them.
func TestEncode_SaysWhatMeansNothingWhereItStands(t *testing.T) {
	doc := decoded(t, "", "execution: {skip_defaults: true}\nevalcases: [{id: a, input: i, rubrics: [x]}]\n", Options{Dialect: AgentV})
	_, losses, err := rewrite(doc, find(Native), YAML)
	if err != nil || !slices.ContainsFunc(losses, func(d diag.Diagnostic) bool { return d.Message == "execution.skip_defaults is not carried over" }) {
		t.Errorf("%v, %v", losses, err)
	}
}

// TestEncode_KeepsTheNameOfAnEvaluator holds conversions to the names that a document
// gives its only evaluator.
func TestEncode_KeepsTheNameOfAnEvaluator(t *testing.T) {
	unnamed := "execution: {evaluators: [{name: doc_quality, type: rubric, weight: 3, rubrics: [{id: a, expected_outcome: A}]}]}\nevalcases: [{id: x, expected_outcome: y, input: z}]\n"
	for src, want := range map[string]struct{ id, evaluator string }{
		unnamed:                         {"doc_quality", "doc_quality"},
		"name: review\n" + unnamed:      {"review", "doc_quality"},
		"name: doc_quality\n" + unnamed: {"doc_quality", "doc_quality"},
	} {
		doc := decoded(t, "", src, Options{Dialect: AgentEvals})
		if doc.Rubric.ID != want.id || EvaluatorName(doc.Rubric) != want.evaluator {
			t.Errorf("%q by %q, want %v", doc.Rubric.ID, EvaluatorName(doc.Rubric), want)
		}
		for _, to := range []string{Native, AgentEvals, AgentV} {
			out, losses, err := rewrite(doc, find(to), YAML)
			if err != nil {
				t.Fatal(err)
			}
			if l := losses.Err(); !strings.Contains(fmt.Sprint(losses), "evaluators[0].weight is not carried over") {
				t.Errorf("%s says nothing of the weight: %v", to, l)
			}
			again, err := Decode("", out, Options{})
			if err != nil || again.Rubric.ID != want.id || EvaluatorName(again.Rubric) != want.evaluator {
				t.Errorf("%s (%v)\n%s", to, err, out)
			}
		}
		for _, to := range []string{OpenRubricRL, RubricList, Dataknobs} {
			out, losses, err := rewrite(doc, find(to), JSON)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(out)+fmt.Sprint(losses), "doc_quality") {
				t.Errorf("%s drops the name in silence: %v\n%s", to, losses, out)
			}
		}
	}
}
