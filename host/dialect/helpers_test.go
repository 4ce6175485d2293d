package dialect

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A fixture is a document of testdata.
type fixture struct {
	name    string
	dialect string
	format  string
	loads   bool
	why     string
	src     []byte
}

// fixtures returns every document of the folders, and those of vectors.jsonl.
func fixtures(t testing.TB) []fixture {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.*")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var out []fixture
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.ToSlash(strings.TrimPrefix(filepath.ToSlash(f), "testdata/"))
		if strings.HasPrefix(name, "fuzz/") {
			continue
		}
		out = append(out, fixture{name: name, dialect: filepath.Base(filepath.Dir(f)), loads: true, src: src})
	}
	return append(out, vectors(t)...)
}

func vectors(t testing.TB) []fixture {
	t.Helper()
	src, err := os.ReadFile("testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []fixture
	lines := bufio.NewScanner(bytes.NewReader(src))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v struct {
			ID, Dialect, Format, Doc, Why string
			Loads                         bool
		}
		if err := json.Unmarshal(lines.Bytes(), &v, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		out = append(out, fixture{name: v.ID, dialect: v.Dialect, format: v.Format, loads: v.Loads, why: v.Why, src: []byte(v.Doc)})
	}
	return out
}

// decode reads a fixture in its own dialect, or fails the test.
func (f fixture) decode(t testing.TB) *Document {
	t.Helper()
	doc, err := Decode(f.name, f.src, Options{Dialect: f.dialect, Format: f.format})
	if err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	return doc
}

// decoded reads a document, or fails the test.
func decoded(t testing.TB, file, src string, o Options) *Document {
	t.Helper()
	doc, err := Decode(file, []byte(src), o)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// plainValue is a tree without formatting: keys unordered, numbers by value,
// members that are null left out.
func plainValue(n *node) any {
	switch n.Kind {
	case document.Number:
		x, ok := document.Rational(n.Value)
		if !ok {
			return exactNumber(n.Value)
		}
		return exactNumber(x.RatString())
	case document.List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = plainValue(item)
		}
		return out
	case document.Object:
		out := map[string]any{}
		for _, m := range n.Members {
			if m.Value.Kind != document.Null {
				out[m.Key] = plainValue(m.Value)
			}
		}
		return out
	case document.Null:
		return nil
	}
	return n.Value
}

// exactNumber is a number without its formatting; no text is equal to it.
type exactNumber string

// treeOf reads a tree, or fails the test.
func treeOf(t testing.TB, src []byte, format string) *node {
	t.Helper()
	d := newDecoder("", src)
	n, _ := d.read(format)
	if n == nil {
		t.Fatalf("%v\n%s", d.Err(), src)
	}
	return n
}

// detectIn says which dialect a document is written in.
func detectIn(src []byte) (Detection, error) {
	d := newDecoder("", src)
	tree, _ := d.read("")
	if tree == nil {
		return Detection{}, d.Err()
	}
	return Detect(tree), nil
}

// essence is the meaning of a rubric, whatever the spelling of its document.
func essence(r *rubric.Rubric) *rubric.Rubric {
	if r == nil {
		return nil
	}
	c := *r
	if needsAll(&c) {
		r, c = askedOfAll(&c), *askedOfAll(&c)
	}
	c.Source, c.Made = rubric.Source{}, false
	c.Pass.Form = ""
	c.Policy = effective(r, r.Policy)
	c.Judge.Strategy = r.Strategy()
	c.Criteria, c.Metrics = essences(r, r.Criteria), essences(r, r.Metrics)
	c.Metadata, c.Ext = noneIfEmpty(r.Metadata), noneIfEmpty(r.Ext)
	if slices.ContainsFunc(r.Criteria, func(c rubric.Criterion) bool { return c.Group() }) {
		c.Ext = withoutEvaluator(c.Ext) // the groups are the evaluators
	}
	return &c
}

func essences(r *rubric.Rubric, list []rubric.Criterion) []rubric.Criterion {
	var out []rubric.Criterion
	for i := range list {
		c := list[i]
		c.Made, c.TextKey, c.RequiredSet, c.Weight.Literal = false, "", false, ""
		c.Answer.Form = ""
		if c.Answer.Kind = c.Answer.KindOrMet(); c.Answer.Kind == rubric.KindNumber {
			s := r.ScaleOf(&c)
			c.Answer.Scale = &s
		}
		if c.Group() { // its answer is that of its members
			c.Answer, c.Scorer, c.Examples, c.Subcriteria = rubric.Answer{}, rubric.Binding{}, nil, nil
		}
		c.Scorer.Way = c.Scorer.WayOrJudge()
		if m := c.Scorer.Metric; m != nil {
			same := *m
			same.Type, same.Spelling, same.Kind, same.Config = "", nil, contractKind(m), noneIfEmpty(m.Config)
			c.Scorer.Metric = &same
		}
		c.Aggregate = orMean(r, &c)
		c.Criteria = essences(r, c.Criteria)
		c.Metadata, c.Ext = noneIfEmpty(c.Metadata), noneIfEmpty(c.Ext)
		c.Examples, c.Subcriteria = slices.Clip(c.Examples), slices.Clip(c.Subcriteria)
		if len(c.Examples) == 0 {
			c.Examples = nil
		}
		if len(c.Subcriteria) == 0 {
			c.Subcriteria = nil
		}
		out = append(out, c)
	}
	return out
}

// orMean is the aggregate of a group in effect.
func orMean(r *rubric.Rubric, c *rubric.Criterion) rubric.Aggregate {
	if !c.Group() {
		return ""
	}
	a := c.Aggregate
	if a == "" {
		a = r.Policy.Aggregate
	}
	inner := rubric.Rubric{Criteria: c.Criteria}
	return effective(&inner, rubric.Policy{Aggregate: a}).Aggregate
}

func noneIfEmpty(m map[string]any) map[string]any {
	if len(m) == 0 {
		return nil
	}
	return m
}

// needsAll reports whether a rubric requires that each criterion with a weight is
// evaluated, and no other: the rule of every rubric without gates.
func needsAll(r *rubric.Rubric) bool {
	all := r.Policy.Required == rubric.RequiredEvaluated
	for i := range r.Criteria {
		c := &r.Criteria[i]
		all = all && !c.Group() && c.Required == (c.Weight.Value != 0)
	}
	return all
}

// askedOfAll says it the other way.
func askedOfAll(r *rubric.Rubric) *rubric.Rubric {
	c := *r
	c.Policy.Required = rubric.RequiredIgnored
	c.Criteria = slices.Clone(r.Criteria)
	for i := range c.Criteria {
		c.Criteria[i].Required = false
	}
	return &c
}
