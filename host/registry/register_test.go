package registry_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
)

func TestRegister_KeepsTheDocument(t *testing.T) {
	g := newRegistry(t, "ann")
	text := strings.ReplaceAll(quiz("1.0.0", "2"), `"`, "")
	got := mustRegister(t, g, text)[0]
	if got.Action != registry.Registered || got.By != "ann" || !got.At.Equal(noon.Truncate(time.Microsecond)) || got.TargetType != "content" || got.Dialect != dialect.Native || got.Format != dialect.YAML {
		t.Errorf("%+v", got)
	}
	if diff := gocmp.Diff(text, string(got.Document)); diff != "" {
		t.Errorf("the document is kept in another form:\n%s", diff)
	}
	doc, err := g.Load(t.Context(), "quiz", "")
	if err != nil {
		t.Fatal(err)
	}
	if doc.File != "registry:quiz@1.0.0" || doc.Rubric.Digest() != got.Digest {
		t.Errorf("%s %s", doc.File, doc.Rubric.Digest())
	}
}

const two = `{"rubrics": [
  {"id": "r1", "name": "One", "description": "", "version": "1.0.0", "target_type": "notice", "pass_threshold": 0.5, "criteria": [
    {"id": "a", "name": "A", "description": "about", "weight": 1, "levels": [{"id": "no", "label": "No", "description": "", "score": 0}, {"id": "yes", "label": "Yes", "description": "", "score": 1}], "scoring_method": {"type": "deterministic", "function_ref": "lab:facts"}}]},
  {"id": "r2", "name": "Two", "description": "", "version": "3.0.0", "target_type": "letter", "pass_threshold": 0.5, "criteria": [
    {"id": "a", "name": "A", "description": "about", "weight": 1, "levels": [{"id": "no", "label": "No", "description": "", "score": 0}, {"id": "yes", "label": "Yes", "description": "", "score": 1}], "scoring_method": {"type": "deterministic", "function_ref": "lab:facts"}}]}
]}`

func TestRegister_TakesADocumentOfManyApart(t *testing.T) {
	g := newRegistry(t, "")
	list := mustRegister(t, g, two)
	if len(list) != 2 || list[0].ID != "r1" || list[1].Version != "3.0.0" || list[0].By != "system" {
		t.Fatalf("%+v", list)
	}
	for _, r := range list {
		if strings.Contains(string(r.Document), "rubrics") || !strings.Contains(string(r.Document), r.ID) {
			t.Errorf("%s is kept with others:\n%s", r.ID, r.Document)
		}
		doc, err := g.Load(t.Context(), r.ID, r.Version)
		if err != nil || doc.Rubric.Digest() != r.Digest || doc.Dialect != dialect.Dataknobs {
			t.Errorf("%s: %v", r.ID, err)
		}
	}
	one := `{"rubrics": [` + string(list[0].Document) + `]}`
	if again := mustRegister(t, g, one); again[0].Action != registry.Unchanged {
		t.Errorf("alone in a configuration it is %s", again[0].Action)
	}
}

func TestRegister_AllOrNone(t *testing.T) {
	g := newRegistry(t, "ann")
	list := mustRegister(t, g, two)
	if _, err := g.Delete(t.Context(), "r1"); err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(strings.ReplaceAll(two, `"r1"`, `"r3"`), `"letter"`, `"mail"`, 1)
	if _, err := g.Register(t.Context(), decode(t, "two.json", changed)); !fault.Is(err, fault.Conflict) {
		t.Fatalf("error %v", err)
	}
	if _, err := g.Get(t.Context(), "r3", ""); !fault.Is(err, fault.NotFound) {
		t.Errorf("one of two was registered: %v", err)
	}
	if s, err := g.Get(t.Context(), "r2", ""); err != nil || s.Digest != list[1].Digest {
		t.Errorf("%v %v", s, err)
	}
}

func TestRegister_RefusesOtherContent(t *testing.T) {
	g := newRegistry(t, "ann")
	mustRegister(t, g, quiz("1.0.0", "0.4"))
	if again := mustRegister(t, g, quiz("1.0.0", "0.4")+"# another comment\n"); again[0].Action != registry.Unchanged {
		t.Errorf("the same rubric in another formatting is %s", again[0].Action)
	}
	changed := strings.Replace(quiz("1.0.0", "0.5"), "pass: 0.7\n", "", 1)
	changed = strings.Replace(changed, "  - id: many\n    weight: 1\n    judge: There are five questions.\n", "  - id: short\n    judge: It is short.\n", 1)
	_, err := g.Register(t.Context(), decode(t, "quiz.yaml", changed))
	if !fault.Is(err, fault.Conflict) {
		t.Fatalf("error %v", err)
	}
	want := `version 1.0.0 of rubric "quiz" is registered with other content (by ann, 2026-11-23):
  pass: removed, was 0.7
  criteria[clear].weight: 0.4 -> 0.5
  criteria[many]: removed, was {"id":"many","weight":1,"judge":"There are five questions."}
  criteria[short]: added, {"id":"short","judge":"It is short."}`
	if diff := gocmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
	if fault.Hint(err) != "give the new content a new version" {
		t.Errorf("hint %q", fault.Hint(err))
	}
	if s, err := g.Get(t.Context(), "quiz", "1.0.0"); err != nil || !strings.Contains(string(s.Document), "0.4") {
		t.Errorf("the snapshot changed: %v", err)
	}
}

func TestRegister_SeveralDocuments(t *testing.T) {
	g := newRegistry(t, "ann")
	list, err := g.Register(t.Context(), decode(t, "", quiz("1", "1")), decode(t, "", two))
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	_, err = g.Register(t.Context(), decode(t, "", quiz("2", "1")), decode(t, "", quiz("2", "5")))
	if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "is given twice, with other content:\n  criteria[clear].weight: 1 -> 5") {
		t.Errorf("%v", err)
	}
	_, err = g.Register(t.Context(), decode(t, "a.yaml", "rubric: q\ncriteria: [{id: a, judge: x}]\n"), decode(t, "b.yaml", "rubric: r\ncriteria: [{id: a, judge: x}]\n"))
	if bad := diag.In(err); len(bad) != 2 || bad[1].Pos.File != "b.yaml" {
		t.Errorf("%v", err)
	}
	if _, err := g.Get(t.Context(), "quiz", "2"); !fault.Is(err, fault.NotFound) {
		t.Errorf("a part was registered: %v", err)
	}
}

func TestRegister_DifferencesAreBounded(t *testing.T) {
	long := func(c string) string {
		var b strings.Builder
		b.WriteString("rubric: many\nversion: '1'\ncriteria:\n")
		for i := range 50 {
			fmt.Fprintf(&b, "  - {id: c%d, judge: %q}\n", i, strings.Repeat(c, 500))
		}
		return b.String()
	}
	g := newRegistry(t, "ann")
	mustRegister(t, g, long("a"))
	_, err := g.Register(t.Context(), decode(t, "", long("b")))
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 12 || lines[11] != "  and 40 more" || len(err.Error()) > 3000 {
		t.Errorf("%d lines, %d bytes:\n%s", len(lines), len(err.Error()), err)
	}
}

func TestRegister_OfAnotherOrderOrDialect(t *testing.T) {
	g := newRegistry(t, "ann")
	text := "rubric: q\nversion: '1'\ncriteria:\n  - {id: a, judge: x}\n  - {id: b, judge: y}\n"
	mustRegister(t, g, text)
	_, err := g.Register(t.Context(), decode(t, "", "rubric: q\nversion: '1'\ncriteria:\n  - {id: b, judge: y}\n  - {id: a, judge: x}\n"))
	if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "criteria: other order") {
		t.Errorf("order: %v", err)
	}
	mustRegister(t, g, strings.Replace(strings.Replace(text, "rubric: q", "rubric: r2", 1), "'1'", "3.0.0", 1))
	_, err = g.Register(t.Context(), decode(t, "", two))
	if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "dialect: native -> dataknobs") || !strings.Contains(err.Error(), "criteria[b]: removed") {
		t.Errorf("dialect: %v", err)
	}
}

func TestRegister_Refuses(t *testing.T) {
	for name, of := range map[string]struct{ text, code, path, message string }{
		"no id":               {"- {weight: 1, requirement: clear}\n", "id-missing", "", "no id"},
		"no version":          {"rubric: q\ncriteria: [{id: a, judge: x}]\n", "version-missing", "", "no version"},
		"a version of blanks": {"rubric: q\nversion: ' 1'\ncriteria: [{id: a, judge: x}]\n", "version-invalid", "version", "blank"},
		"an id with @":        {"rubric: q@1\nversion: '1'\ncriteria: [{id: a, judge: x}]\n", "id-invalid", "rubric", "@"},
		"an id of tricks":     {"rubric: \"q\\u202e\"\nversion: '1'\ncriteria: [{id: a, judge: x}]\n", "id-invalid", "rubric", "invisible"},
		"a long id":           {"rubric: " + strings.Repeat("q", 201) + "\nversion: '1'\ncriteria: [{id: a, judge: x}]\n", "id-invalid", "rubric", "200 bytes"},
		"a schema file":       {"rubric: q\nversion: '1'\ncriteria: [{id: a, schema: shape.json}]\n", "reference-outside", "criteria[0].schema", `the schema "shape.json"`},
		"a plugin file":       {"rubric: q\nversion: '1'\ncriteria: [{id: g, criteria: [{id: a, metric: ./len.py}]}]\n", "reference-outside", "criteria[0].criteria[0].metric", `the plugin "./len.py"`},
		"a file of problems":  {"rubric: q\nversion: '1'\nproblems: p.jsonl\ncriteria: [{id: a, judge: x}]\n", "reference-outside", "problems", `the problems "p.jsonl"`},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRegistry(t, "ann")
			_, err := g.Register(t.Context(), decode(t, "q.yaml", of.text))
			list := diag.In(err)
			if !fault.Is(err, fault.Invalid) || len(list) == 0 {
				t.Fatalf("error %v", err)
			}
			i := slices.IndexFunc(list, func(d diag.Diagnostic) bool { return d.Code == of.code })
			if i < 0 || list[i].Path != of.path || !strings.Contains(list[i].Message, of.message) || list[i].Pos.Line == 0 {
				t.Errorf("%+v", list)
			}
			if all, err := g.List(t.Context(), registry.Filter{}); err != nil || len(all) > 0 {
				t.Errorf("%v was registered, %v", all, err)
			}
		})
	}
	g := newRegistry(t, "ann")
	cases := "rubric: q\nversion: '1'\ncriteria: [{id: a, judge: x}]\ncases: [{id: c1, output: y}]\n"
	if _, err := g.Register(t.Context(), decode(t, "q.yaml", cases)); !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "cases of its own") {
		t.Errorf("an eval file: %v", err)
	}
}

// TestRegister_TheDialectsOwnDocuments registers the documents that package dialect
// is tested with: each is kept and read back as the same rubrics, or refused for the
// parts it lacks.
func TestRegister_TheDialectsOwnDocuments(t *testing.T) {
	files, err := filepath.Glob("../dialect/testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]int{}
	for _, file := range files {
		doc, err := dialect.ReadFile(file, dialect.Options{})
		if err != nil {
			continue // a document of problems
		}
		g := newRegistry(t, "ann")
		list, err := g.Register(t.Context(), doc)
		if err != nil {
			if diag.In(err) == nil && !strings.Contains(err.Error(), "cases of its own") {
				t.Errorf("%s: %v", file, err)
			}
			continue
		}
		for i, r := range list {
			got, err := g.Load(t.Context(), r.ID, r.Version)
			if err != nil || got.Rubric.Digest() != doc.Rubrics[i].Digest() {
				t.Errorf("%s: %s is not read back: %v", file, r.ID, err)
			}
			kept[doc.Dialect]++
		}
	}
	for _, name := range []string{dialect.OpenRubricRL, dialect.Dataknobs} {
		if kept[name] == 0 {
			t.Errorf("no document of %s was kept", name)
		}
	}
	t.Log(kept)
}
