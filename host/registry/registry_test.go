package registry_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/store/database"
	"github.com/rubric-host/rubric-host/host/store/sqlite"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 123456789, time.UTC)

func newStore(t testing.TB) *database.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "rubrics.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func newRegistry(t testing.TB, by string) *registry.Registry {
	t.Helper()
	return registry.New(newStore(t), registry.Options{By: by, Now: func() time.Time { return noon }})
}

func decode(t testing.TB, file, text string) *dialect.Document {
	t.Helper()
	doc, err := dialect.Decode(file, []byte(text), dialect.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return doc
}

// quiz is a native rubric of a version, with a comment.
func quiz(version, weight string) string {
	return fmt.Sprintf(`# who: the quiz team
rubric: quiz
version: %q
target_type: content
pass: 0.7
criteria:
  - id: clear # to a child
    weight: %s
    judge: Every question is clear.
  - id: many
    weight: 1
    judge: There are five questions.
`, version, weight)
}

func mustRegister(t testing.TB, g *registry.Registry, text string) []registry.Registration {
	t.Helper()
	list, err := g.Register(t.Context(), decode(t, "quiz.yaml", text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestGet_SaysWhatThereIsInstead(t *testing.T) {
	g := newRegistry(t, "ann")
	get := func(id, version string) (string, string) {
		_, err := g.Get(t.Context(), id, version)
		if !fault.Is(err, fault.NotFound) {
			t.Fatalf("%s@%s: %v", id, version, err)
		}
		return err.Error(), fault.Hint(err)
	}
	if _, hint := get("quiz", ""); hint != "no rubric is registered" {
		t.Errorf("empty: %q", hint)
	}
	mustRegister(t, g, quiz("1.0.0", "1"))
	mustRegister(t, g, quiz("2024-b", "1"))
	if _, hint := get("quizz", ""); hint != `did you mean "quiz"?` {
		t.Errorf("near: %q", hint)
	}
	if _, hint := get("unlike", "1"); hint != "known: quiz" {
		t.Errorf("far: %q", hint)
	}
	if _, hint := get("quiz", "7"); hint != "known: 2024-b, 1.0.0" {
		t.Errorf("version: %q", hint)
	}
	if _, hint := get("quiz", "1.0.1"); hint != `did you mean "1.0.0"?` {
		t.Errorf("near version: %q", hint)
	}
	if there, err := g.Delete(t.Context(), "quiz"); !there || err != nil {
		t.Fatal(there, err)
	}
	if message, hint := get("quiz", ""); message != `rubric "quiz" was deleted by ann on 2026-11-23` || hint != "its versions remain: registry:quiz@2024-b" {
		t.Errorf("deleted: %s; %s", message, hint)
	}
	if _, err := g.Load(t.Context(), "quiz", "1.0.0"); err != nil {
		t.Errorf("a version of a deleted rubric: %v", err)
	}
	if there, err := g.Delete(t.Context(), "quiz"); there || err != nil {
		t.Errorf("deleted twice: %v, %v", there, err)
	}
	if _, err := g.History(t.Context(), "never"); !fault.Is(err, fault.NotFound) {
		t.Errorf("history: %v", err)
	}
	if _, err := g.Update(t.Context(), decode(t, "", quiz("3", "1"))); !fault.Is(err, fault.NotFound) {
		t.Errorf("update of a deleted rubric: %v", err)
	}
}

// altered is a store whose rubrics someone has changed.
type altered struct {
	registry.Store
	change func(*registry.Snapshot)
}

func (a altered) Rubric(ctx context.Context, id, version string) (registry.Snapshot, error) {
	s, err := a.Store.Rubric(ctx, id, version)
	a.change(&s)
	return s, err
}

// TestLoad_NoticesAlteredSnapshots: a database may be another's.
func TestLoad_NoticesAlteredSnapshots(t *testing.T) {
	for name, change := range map[string]func(*registry.Snapshot){
		"other content": func(s *registry.Snapshot) { s.Document = []byte(quiz("1.0.0", "9")) },
		"no document":   func(s *registry.Snapshot) { s.Document = nil },
		"no rubric":     func(s *registry.Snapshot) { s.Document = []byte("{") },
		"a file": func(s *registry.Snapshot) {
			text := "rubric: q\nversion: '1'\ncriteria: [{id: a, metric: ./x.wasm}]\n"
			doc, err := dialect.Decode("", []byte(text), dialect.Options{})
			if err != nil {
				panic(err)
			}
			s.Document, s.Digest = []byte(text), doc.Rubric.Digest()
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore(t)
			mustRegister(t, registry.New(store, registry.Options{}), quiz("1.0.0", "1"))
			if _, err := registry.New(altered{store, change}, registry.Options{}).Load(t.Context(), "quiz", ""); !fault.Is(err, fault.Mismatch) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestParseRef(t *testing.T) {
	for ref, want := range map[string][2]string{"registry:a": {"a", ""}, "registry:a@1": {"a", "1"}, "registry:a:b@1@2": {"a:b", "1@2"}, "registry:": {"", ""}, "registry:a@": {"a@", ""}} {
		id, version, ok := registry.ParseRef(ref)
		if !ok || id != want[0] || version != want[1] {
			t.Errorf("%s: %q %q %v", ref, id, version, ok)
		}
		if registry.Ref(id, version) != ref {
			t.Errorf("%s is not what it was", ref)
		}
	}
	for _, file := range []string{"rubric.yaml", "./registry:a", "Registry:a", ""} {
		if _, _, ok := registry.ParseRef(file); ok {
			t.Errorf("%q is a reference", file)
		}
	}
}
