package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
)

// compiled returns the schema of a dialect as another maker's validator has it.
func compiled(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	src, err := Schema(name)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.LoadURL = nil // nothing is fetched
	if err := c.AddResource("schema.json", bytes.NewReader(src)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// plainJSON is a tree as encoding/json reads it.
func plainJSON(t testing.TB, n *node) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(document.Compact(n)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSchema_AcceptsWhatDecodeAccepts(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for _, name := range Names() {
		schemas[name] = compiled(t, name)
	}
	check := func(name, dialect string, src []byte, format string) {
		if err := schemas[dialect].Validate(plainJSON(t, treeOf(t, src, format))); err != nil {
			t.Errorf("%s: %v", name, fmt.Sprintf("%#v", err))
		}
	}
	for _, f := range fixtures(t) {
		if f.loads {
			check(f.name, f.dialect, f.src, f.format)
		}
	}
	for _, s := range spellings {
		check(s.src, s.dialect, []byte(s.src), "")
	}
}

// beyond are rules that JSON Schema cannot express: sums, order and uniqueness. By
// the beginning of the vectors' own words for the error.
var beyond = []string{
	"an empty scale", "a scale upside down", "metric weights over 1", "weights that sum", "two criteria of one", "two rubrics of one", "a bare yes",
}

func TestSchema_RefusesWhatDecodeRefuses(t *testing.T) {
	for _, f := range fixtures(t) {
		if f.loads || slices.ContainsFunc(beyond, func(s string) bool { return strings.HasPrefix(f.why, s) }) {
			continue
		}
		d := newDecoder("", f.src)
		n, _ := d.read(f.format)
		if n == nil || len(d.Errors) > 0 {
			continue // not even a document
		}
		if err := compiled(t, f.dialect).Validate(plainJSON(t, n)); err == nil {
			t.Errorf("%s passes the schema, with %s", f.name, f.why)
		}
	}
}

// TestSchema_RefusesChangedDocumentsAsDecodeDoes changes documents in every place: a
// key is misspelt, removed, or given a value of another type. The schema must accept
// the documents that the decoder accepts, and refuse those that the decoder refuses
// for their form. One change in four, others in each run; make full tries all.
func TestSchema_RefusesChangedDocumentsAsDecodeDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	others := []*node{{Kind: document.Number, Value: "-7.5"}, textOf(""), textOf("other words"), {Kind: document.Boolean, Value: "true"}, listOf(nil), newObject()}
	agreed, chosen := 0, amount.OneIn(10)
	for _, f := range fixtures(t) {
		folder, name, inFolder := strings.Cut(f.name, "/")
		if !inFolder || !strings.HasPrefix(name, "everything") && !slices.Contains([]string{"sections.yaml", "wrapped.json", "registry.json", "cases-only.yaml"}, name) {
			continue
		}
		schema := compiled(t, folder)
		tree := treeOf(t, f.src, f.format)
		try := func(change string) {
			if !chosen() {
				return
			}
			src, err := document.Write(tree, JSON)
			if err != nil {
				t.Fatal(err)
			}
			_, loading := Decode("", src, Options{Dialect: f.dialect, Format: JSON})
			validating := schema.Validate(plainJSON(t, treeOf(t, src, JSON)))
			switch {
			case loading == nil && validating != nil:
				t.Errorf("%s, %s: loads, and the schema refuses it: %s", f.name, change, deepest(validating))
			case loading != nil && validating == nil && !onlyDecoder(loading):
				t.Errorf("%s, %s: the schema takes it, and loading it fails: %.300v", f.name, change, loading)
			default:
				agreed++
			}
		}
		keyPaths(tree, "", false, func(owner *node, i int, path string) {
			m := owner.Members[i]
			owner.Members[i].Key = "q" + m.Key
			try(path + " misspelt")
			owner.Members[i] = m
			whole := owner.Members
			owner.Members = slices.Delete(slices.Clone(whole), i, i+1)
			try(path + " removed")
			owner.Members = whole
			for _, other := range others {
				owner.Members[i].Value = other
				try(path + " as " + strict.Shown(other))
			}
			owner.Members[i] = m
		})
	}
	if agreed < amount.Of(100, 2000) {
		t.Errorf("only %d documents were compared", agreed)
	}
}

// deepest returns the innermost part of a validation error.
func deepest(err error) string {
	lines := strings.Split(strings.TrimSpace(fmt.Sprintf("%#v", err)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// onlyDecoder reports whether every problem is of a kind that a JSON Schema
// cannot see, or that ours leaves to the program on purpose: evaluators take
// settings of many makers.
func onlyDecoder(err error) bool {
	for _, line := range strings.Split(err.Error(), "\n") {
		if !strings.Contains(line, ": error: ") {
			continue
		}
		known := false
		for _, code := range []string{
			"weight-sum", "metric-share", "id-duplicate", "id-case", "case-duplicate", "scale-empty", "scale-missing", "bands-order", "band-order", "length-range", "length-not-finite",
			"outcome-missing", "rubric-missing", "range-gap", "text-missing", "criteria-empty", "said-twice", "answer-kind", "function-ref", "pass-missing",
		} {
			known = known || strings.Contains(line, "["+code+"]")
		}
		if !known && !strings.Contains(line, "evaluator") && !strings.Contains(line, "assert") && !strings.Contains(line, "config.") {
			return false
		}
	}
	return true
}

// TestSchema_KnowsTheKeysOfDecode compares the words of the two.
func TestSchema_KnowsTheKeysOfDecode(t *testing.T) {
	// Where in each schema the decoder's kinds of objects are.
	places := map[string]map[string]string{
		Native: {"rubric": "", "criterion": "definitions/criterion", "level": "definitions/level", "range": "definitions/range", "example": "definitions/example",
			"subcriterion": "definitions/subcriterion", "scale": "properties/scale", "judge": "properties/judge", "length penalty": "properties/length_penalty",
			"fallback": "properties/fallback", "case": "definitions/case", "case rubric": "definitions/case/properties/rubric"},
		OpenRubricRL: {"rubric": "", "criterion": "definitions/criterion", "example": "definitions/example", "subcriterion": "definitions/subcriterion", "metric": "definitions/metric", "scale": "properties/scale"},
		RubricList:   {"criterion": "definitions/criterion", "section": "definitions/section"},
		Dataknobs:    {"rubric": "definitions/rubric", "criterion": "definitions/criterion", "level": "definitions/level", "scoring method": "definitions/scoring_method"},
		AgentEvals:   {"eval file": "", "case": "definitions/case", "rubric": "definitions/rubric", "execution": "properties/execution"},
		AgentV:       {"eval file": "", "case": "definitions/case", "rubric": "definitions/rubric", "execution": "properties/execution", "range": "definitions/range"},
	}
	for name, kinds := range places {
		src, err := Schema(name)
		if err != nil {
			t.Fatal(err)
		}
		root := treeOf(t, src, JSON)
		words := vocabularyOf(t, name)
		for what, place := range kinds {
			n := root
			for _, key := range strings.Fields(strings.ReplaceAll(place, "/", " ")) {
				n = n.Get(key)
			}
			keys := map[string]bool{}
			collect(n, keys)
			v := words[what]
			if v == nil {
				t.Errorf("%s: the decoder has no objects of kind %q", name, what)
				continue
			}
			for key := range v.asked {
				if !keys[key] {
					t.Errorf("%s: the schema does not know %q in an object of kind %q", name, key, what)
				}
			}
			for key := range keys {
				if !v.asked[key] {
					t.Errorf("%s: the decoder does not know %q in an object of kind %q", name, key, what)
				}
			}
		}
	}
}

// collect gathers the properties of a schema and of its alternatives.
func collect(n *node, keys map[string]bool) {
	if p := n.Get("properties"); p != nil {
		for _, m := range p.Members {
			keys[m.Key] = true
		}
	}
	if one := n.Get("oneOf"); one.Is(document.List) {
		for _, item := range one.Items {
			collect(item, keys)
		}
	}
}

func TestSchema_DescribesEveryKey(t *testing.T) {
	for _, name := range Names() {
		src, err := Schema(name)
		if err != nil {
			t.Fatal(err)
		}
		root := treeOf(t, src, JSON)
		if id := root.Get("$id"); id == nil || id.Value != "urn:rubric-host:schema:"+name {
			t.Errorf("%s: $id is %v", name, id)
		}
		if draft := root.Get("$schema"); draft == nil || !strings.Contains(draft.Value, "draft-07") {
			t.Errorf("%s: $schema is %v", name, draft)
		}
		for _, m := range orNone(root.Get("properties")) {
			if !m.Value.Has("description", "$ref") {
				t.Errorf("%s: %q has no description", name, m.Key)
			}
		}
	}
	if _, err := Schema("nativ"); err == nil {
		t.Error("a schema that does not exist")
	}
}

func orNone(n *node) []member {
	if n == nil {
		return nil
	}
	return n.Members
}
