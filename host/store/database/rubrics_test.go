package database_test

import (
	"context"
	"slices"
	"testing"

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
