package registry_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
)

// memory is a registry.Store for tests of the layers above one.
type memory struct {
	mu       sync.Mutex
	versions map[string]map[string]registry.Snapshot
	latest   map[string]string
	events   []registry.Event
}

func newMemory() *memory {
	return &memory{versions: map[string]map[string]registry.Snapshot{}, latest: map[string]string{}}
}

func (m *memory) PutRubrics(_ context.Context, list []registry.Snapshot) (actions []registry.Action, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range list {
		if old, ok := m.versions[s.ID][s.Version]; ok && old.Digest != s.Digest {
			return nil, fault.New(fault.Conflict, "taken")
		}
	}
	for _, s := range list {
		action := registry.Registered
		_, known := m.versions[s.ID][s.Version]
		latest, ok := m.latest[s.ID]
		switch {
		case known && ok && latest == s.Version:
			actions = append(actions, registry.Unchanged)
			continue
		case known:
			action = registry.Selected
		case m.versions[s.ID] == nil:
			m.versions[s.ID] = map[string]registry.Snapshot{}
		}
		if !known {
			m.versions[s.ID][s.Version] = s
		}
		m.latest[s.ID] = s.Version
		m.events = append(m.events, registry.Event{Seq: int64(len(m.events) + 1), ID: s.ID, Version: s.Version, Action: action, By: s.By, At: s.At})
		actions = append(actions, action)
	}
	return actions, nil
}

func (m *memory) Rubric(_ context.Context, id, version string) (registry.Snapshot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if version == "" {
		version = m.latest[id]
	}
	if s, ok := m.versions[id][version]; ok && version != "" {
		return s, nil
	}
	return registry.Snapshot{}, fault.New(fault.NotFound, "none")
}

func (m *memory) Rubrics(_ context.Context, f registry.Filter) (out []registry.Snapshot, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(m.latest)) {
		s := m.versions[id][m.latest[id]]
		if (f.TargetType == "" || s.TargetType == f.TargetType) && id > f.After && (f.Limit == 0 || len(out) < f.Limit) {
			out = append(out, s)
		}
	}
	return out, nil
}

func (m *memory) RubricEvents(_ context.Context, id string) (out []registry.Event, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.events {
		if e.ID == id {
			out = append(out, e)
		}
	}
	return out, nil
}

func (m *memory) DeleteRubric(_ context.Context, id, by string, at time.Time) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	version, ok := m.latest[id]
	if ok {
		delete(m.latest, id)
		m.events = append(m.events, registry.Event{Seq: int64(len(m.events) + 1), ID: id, Version: version, Action: registry.Deleted, By: by, At: at})
	}
	return ok, nil
}

var noon = time.Date(2026, 11, 23, 12, 0, 0, 123456789, time.UTC)

func newRegistry(by string) *registry.Registry {
	return registry.New(newMemory(), registry.Options{By: by, Now: func() time.Time { return noon }})
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
	g := newRegistry("ann")
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

func TestList_FindsTargetsOfLatestSnapshots(t *testing.T) {
	g := newRegistry("")
	mustRegister(t, g, quiz("1", "1"))
	mustRegister(t, g, strings.Replace(quiz("2", "1"), "content", "letter", 1))
	for target, want := range map[string]int{"content": 0, "letter": 1, "other": 0} {
		if list, err := g.List(t.Context(), registry.Filter{TargetType: target}); err != nil || len(list) != want {
			t.Errorf("%s: %d, %v", target, len(list), err)
		}
	}
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
			m := newMemory()
			g := registry.New(m, registry.Options{})
			mustRegister(t, g, quiz("1.0.0", "1"))
			s := m.versions["quiz"]["1.0.0"]
			change(&s)
			m.versions["quiz"]["1.0.0"] = s
			if _, err := g.Load(t.Context(), "quiz", ""); !fault.Is(err, fault.Mismatch) {
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

// TestRegistry_IsLikeAModel holds the registry to two maps and a list.
func TestRegistry_IsLikeAModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ctx := context.Background()
		g := newRegistry("ann")
		type key struct{ id, version string }
		weights, latest := map[key]string{}, map[string]string{} // of each version; the latest one
		var history []string
		id := rapid.SampledFrom([]string{"a", "b", "a:1"})
		version := rapid.SampledFrom([]string{"1", "2", "b"})
		document := func(k key, weight string) *dialect.Document {
			text := strings.Replace(quiz(k.version, weight), "rubric: quiz", "rubric: "+k.id, 1)
			doc, err := dialect.Decode("", []byte(text), dialect.Options{})
			if err != nil {
				rt.Fatal(err)
			}
			return doc
		}
		rt.Repeat(map[string]func(*rapid.T){
			"register": func(rt *rapid.T) {
				k, weight := key{id.Draw(rt, "id"), version.Draw(rt, "version")}, rapid.SampledFrom([]string{"1", "2"}).Draw(rt, "weight")
				update := rapid.Bool().Draw(rt, "update")
				put := g.Register
				if update {
					put = g.Update
				}
				list, err := put(ctx, document(k, weight))
				old, known := weights[k]
				current, there := latest[k.id]
				switch {
				case update && !there:
					if !fault.Is(err, fault.NotFound) {
						rt.Fatalf("update of nothing: %v", err)
					}
					return
				case known && old != weight:
					if !fault.Is(err, fault.Conflict) {
						rt.Fatalf("other content: %v", err)
					}
					return
				case err != nil:
					rt.Fatal(err)
				}
				want := registry.Registered
				if known {
					want = registry.Selected
				}
				if known && there && current == k.version {
					want = registry.Unchanged
				} else {
					history = append(history, fmt.Sprint(k.id, " ", k.version, " ", want))
				}
				if list[0].Action != want {
					rt.Fatalf("%v: %s, want %s", k, list[0].Action, want)
				}
				weights[k], latest[k.id] = weight, k.version
			},
			"delete": func(rt *rapid.T) {
				id := id.Draw(rt, "id")
				there, err := g.Delete(ctx, id)
				current, want := latest[id]
				if err != nil || there != want {
					rt.Fatalf("%v, want %v: %v", there, want, err)
				}
				if there {
					history = append(history, fmt.Sprint(id, " ", current, " ", registry.Deleted))
					delete(latest, id)
				}
			},
			"": func(rt *rapid.T) {
				var listed []string
				all, err := g.List(ctx, registry.Filter{})
				if err != nil {
					rt.Fatal(err)
				}
				for _, s := range all {
					listed = append(listed, s.ID+" "+s.Version)
				}
				var want []string
				for _, id := range slices.Sorted(maps.Keys(latest)) {
					want = append(want, id+" "+latest[id])
				}
				if !slices.Equal(listed, want) {
					rt.Fatalf("listed %q, want %q", listed, want)
				}
				k := key{id.Draw(rt, "id"), version.Draw(rt, "version")}
				doc, err := g.Load(ctx, k.id, k.version)
				if weight, known := weights[k]; known != (err == nil) || known && doc.Rubric.Criteria[0].Weight.Literal != weight {
					rt.Fatalf("%v: %v", k, err)
				}
				var events []registry.Event
				for _, id := range []string{"a", "b", "a:1"} {
					if list, err := g.History(ctx, id); err == nil {
						events = append(events, list...)
					} else if !fault.Is(err, fault.NotFound) {
						rt.Fatal(err)
					}
				}
				slices.SortFunc(events, func(a, b registry.Event) int { return cmp.Compare(a.Seq, b.Seq) })
				var said []string
				for _, e := range events {
					said = append(said, fmt.Sprint(e.ID, " ", e.Version, " ", e.Action))
				}
				if !slices.Equal(said, history) {
					rt.Fatalf("history %q, want %q", said, history)
				}
			},
		})
	})
}
