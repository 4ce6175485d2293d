package database_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/store/database"
)

func snapshot(id, version, digest string) registry.Snapshot {
	return registry.Snapshot{
		ID: id, Version: version, Name: "Name of " + id, TargetType: "answer", Dialect: "rubric-host", Digest: digest,
		Document: []byte("rubric: " + id), Format: "yaml", By: "ann", At: moment,
	}
}

// register registers one snapshot.
func register(t testing.TB, s *database.DB, sn registry.Snapshot) registry.Action {
	t.Helper()
	return got(s.PutRubrics(t.Context(), []registry.Snapshot{sn}))(t)[0]
}

func rubricsAreKept(t *testing.T, open opener) {
	s := opened(t, open)
	var want []registry.Snapshot
	for i, id := range odd {
		sn := snapshot(id, odd[len(odd)-1-i], "sha256:"+id)
		sn.Name, sn.TargetType, sn.By = id, id, id
		sn.Document = []byte(id + "\x00\xff")
		if i == 0 {
			sn.Document = make([]byte, 1<<20)
			for j := range sn.Document {
				sn.Document[j] = byte(j * 7)
			}
		}
		if a := register(t, s, sn); a != registry.Registered {
			t.Errorf("%q: %s", id, a)
		}
		want = append(want, sn)
	}
	s = reopened(t, s, open)
	for _, w := range want {
		same(t, "latest "+w.ID, got(s.Rubric(t.Context(), w.ID, ""))(t), w)
		same(t, "version "+w.ID, got(s.Rubric(t.Context(), w.ID, w.Version))(t), w)
		events := got(s.RubricEvents(t.Context(), w.ID))(t)
		if len(events) != 1 || events[0].By != w.By || !events[0].At.Equal(w.At) || events[0].Action != registry.Registered {
			t.Errorf("events of %q: %+v", w.ID, events)
		}
	}
	_, err := s.Rubric(t.Context(), "none", "")
	fails(t, "an unknown id", err, fault.NotFound)
	_, err = s.Rubric(t.Context(), "a", "none")
	fails(t, "an unknown version", err, fault.NotFound)
	_, err = s.PutRubrics(t.Context(), []registry.Snapshot{snapshot("bad \xff", "1", "x")})
	fails(t, "an id that is not UTF-8", err, fault.Invalid)
}

func rubricVersionsNeverChange(t *testing.T, open opener) {
	s := opened(t, open)
	one, two := snapshot("r", "1", "sha256:a"), snapshot("r", "2", "sha256:b")
	register(t, s, one)
	register(t, s, two)
	other := snapshot("r", "1", "sha256:c")
	other.Document = []byte("other")
	_, err := s.PutRubrics(t.Context(), []registry.Snapshot{other})
	fails(t, "other content", err, fault.Conflict)
	again := one
	again.By, again.At, again.Document = "bob", moment.Add(time.Minute), []byte("same meaning in other words")
	if a := register(t, s, again); a != registry.Selected {
		t.Errorf("the same version again: %s", a)
	}
	if a := register(t, s, again); a != registry.Unchanged {
		t.Errorf("the latest version again: %s", a)
	}
	same(t, "the latest", got(s.Rubric(t.Context(), "r", ""))(t), one)
	same(t, "version 2", got(s.Rubric(t.Context(), "r", "2"))(t), two)
	events := got(s.RubricEvents(t.Context(), "r"))(t)
	same(t, "events", events, []registry.Event{
		{Seq: 1, ID: "r", Version: "1", Action: registry.Registered, By: "ann", At: moment},
		{Seq: 2, ID: "r", Version: "2", Action: registry.Registered, By: "ann", At: moment},
		{Seq: 3, ID: "r", Version: "1", Action: registry.Selected, By: "bob", At: moment.Add(time.Minute)},
	})
}

func rubricsAllOrNone(t *testing.T, open opener) {
	s := opened(t, open)
	register(t, s, snapshot("a", "1", "d"))
	_, err := s.PutRubrics(t.Context(), []registry.Snapshot{snapshot("b", "1", "d"), snapshot("a", "2", "d"), snapshot("a", "1", "other")})
	fails(t, "one of three", err, fault.Conflict)
	_, err = s.Rubric(t.Context(), "b", "")
	fails(t, "the first of three", err, fault.NotFound)
	same(t, "the latest", got(s.Rubric(t.Context(), "a", ""))(t), snapshot("a", "1", "d"))
	actions := got(s.PutRubrics(t.Context(), []registry.Snapshot{snapshot("b", "1", "d"), snapshot("b", "1", "d"), snapshot("a", "1", "d"), snapshot("b", "2", "d"), snapshot("b", "1", "d")}))(t)
	same(t, "actions", actions, []registry.Action{registry.Registered, registry.Unchanged, registry.Unchanged, registry.Registered, registry.Selected})
	_, err = s.PutRubrics(t.Context(), []registry.Snapshot{snapshot("c", "1", "d"), snapshot("c", "1", "other")})
	fails(t, "one version with two contents", err, fault.Conflict)
	if n := len(got(s.PutRubrics(t.Context(), nil))(t)); n != 0 {
		t.Errorf("%d actions of nothing", n)
	}
}

func rubricsAreDeleted(t *testing.T, open opener) {
	s := opened(t, open)
	if there := got(s.DeleteRubric(t.Context(), "r", "bob", moment))(t); there {
		t.Error("a rubric that never was is deleted")
	}
	register(t, s, snapshot("r", "1", "d"))
	if there := got(s.DeleteRubric(t.Context(), "r", "bob", moment))(t); !there {
		t.Error("it was there")
	}
	if there := got(s.DeleteRubric(t.Context(), "r", "bob", moment))(t); there {
		t.Error("it is deleted twice")
	}
	_, err := s.Rubric(t.Context(), "r", "")
	fails(t, "the latest of a deleted rubric", err, fault.NotFound)
	same(t, "its snapshot", got(s.Rubric(t.Context(), "r", "1"))(t), snapshot("r", "1", "d"))
	if list := got(s.Rubrics(t.Context(), registry.Filter{}))(t); len(list) != 0 {
		t.Errorf("it is listed: %v", list)
	}
	_, err = s.PutRubrics(t.Context(), []registry.Snapshot{snapshot("r", "1", "other")})
	fails(t, "other content under a deleted version", err, fault.Conflict)
	if a := register(t, s, snapshot("r", "1", "d")); a != registry.Selected {
		t.Errorf("after deletion: %s", a)
	}
	var actions []registry.Action
	for _, e := range got(s.RubricEvents(t.Context(), "r"))(t) {
		actions = append(actions, e.Action)
	}
	same(t, "history", actions, []registry.Action{registry.Registered, registry.Deleted, registry.Selected})
}

func rubricsAreListed(t *testing.T, open opener) {
	s := opened(t, open)
	ids := slices.Clone(odd)
	for i, id := range ids {
		sn := snapshot(id, "1", "d")
		sn.TargetType = []string{"even", "odd"}[i%2]
		register(t, s, sn)
		sn.Version = "2"
		register(t, s, sn)
	}
	slices.Sort(ids)
	list := func(f registry.Filter) (out []string) {
		for _, r := range got(s.Rubrics(t.Context(), f))(t) {
			if r.Version != "2" {
				t.Errorf("%q: version %s is listed", r.ID, r.Version)
			}
			out = append(out, r.ID)
		}
		return out
	}
	same(t, "all", list(registry.Filter{}), ids)
	if n, m := len(list(registry.Filter{TargetType: "even"})), len(list(registry.Filter{TargetType: "odd"})); n+m != len(ids) || n < m {
		t.Errorf("%d even and %d odd of %d", n, m, len(ids))
	}
	var paged []string
	for after := ""; ; {
		page := list(registry.Filter{Limit: 7, After: after})
		if len(page) == 0 {
			break
		}
		paged = append(paged, page...)
		after = page[len(page)-1]
	}
	same(t, "pages", paged, ids)
}

func rubricsRace(t *testing.T, open opener) {
	a, b := opened(t, open), opened(t, open) // two processes
	for round := range 5 {
		version := string(rune('a' + round))
		errs := race(8, func(i int) error {
			_, err := []*database.DB{a, b}[i%2].PutRubrics(context.Background(), []registry.Snapshot{snapshot("r", version, "sha256:"+string(rune('a'+i)))})
			return err
		})
		oneWins(t, errs)
	}
	for i, e := range got(a.RubricEvents(t.Context(), "r"))(t) {
		if e.Seq != int64(i+1) {
			t.Errorf("event %d has the number %d", i+1, e.Seq)
		}
	}
}
