package database_test

import (
	"context"
	"slices"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/store/database"
)

func artifact(id, version string) *review.Artifact {
	return &review.Artifact{
		ID: id, Type: "answer", Name: "Name of " + id, Version: version, Status: review.Draft,
		Content: []byte(`{"b": 1, "a" : [1.50]}`), Provenance: []byte(`{"source":"test"}`), Tags: []string{"t1"}, Rubrics: []string{"r"}, Evaluations: []string{},
		Metadata: map[string]any{"k": "v"}, Created: moment, Updated: moment,
	}
}

func artifactsAreKept(t *testing.T, open opener) {
	s := opened(t, open)
	var want []*review.Artifact
	for _, text := range odd {
		a := artifact(text, text)
		a.Name, a.Type, a.Tags, a.Status, a.Metadata = text, text, []string{text, "common"}, review.InReview, map[string]any{text: text}
		must(t, s.PutArtifacts(t.Context(), []*review.Artifact{a}, []review.Event{{ID: text, Version: text, To: review.InReview, By: text, At: moment, Note: text}}))
		if a.Revision != 1 {
			t.Errorf("%q: revision %d", text, a.Revision)
		}
		want = append(want, a)
	}
	large := artifact("large", "1")
	large.Content = append(append([]byte(`"`), slices.Repeat([]byte("x"), 1<<20)...), '"')
	must(t, s.PutArtifacts(t.Context(), []*review.Artifact{large}, nil))
	want = append(want, large)
	s = reopened(t, s, open)
	for _, w := range want {
		same(t, "newest "+w.ID, got(s.Artifact(t.Context(), w.ID, ""))(t), w)
		same(t, "version "+w.ID, got(s.Artifact(t.Context(), w.ID, w.Version))(t), w)
	}
	same(t, "events", got(s.ArtifactEvents(t.Context(), "a:b"))(t), []review.Event{{Seq: 1, ID: "a:b", Version: "a:b", To: review.InReview, By: "a:b", At: moment, Note: "a:b"}})
	_, err := s.Artifact(t.Context(), "none", "")
	fails(t, "an unknown id", err, fault.NotFound)
	_, err = s.Artifact(t.Context(), "a", "none")
	fails(t, "an unknown version", err, fault.NotFound)
}

func artifactsConflict(t *testing.T, open opener) {
	s := opened(t, open)
	a := artifact("a", "1")
	put := func(a *review.Artifact) error { return s.PutArtifacts(t.Context(), []*review.Artifact{a}, nil) }
	must(t, put(a))
	fails(t, "the same version as a new one", put(artifact("a", "1")), fault.Conflict)
	twice := artifact("c", "1")
	fails(t, "one version twice", s.PutArtifacts(t.Context(), []*review.Artifact{twice, twice}, nil), fault.Conflict)
	stale := *a
	a.Status, a.Tags = review.PendingReview, []string{"t2"}
	must(t, put(a))
	if a.Revision != 2 {
		t.Errorf("revision %d", a.Revision)
	}
	stale.Status = review.Rejected
	fails(t, "an old revision", put(&stale), fault.Conflict)
	if stale.Revision != 1 {
		t.Errorf("a refused write changed the revision to %d", stale.Revision)
	}
	ghost := artifact("ghost", "1")
	ghost.Revision = 3
	fails(t, "a change of a version that is not there", put(ghost), fault.NotFound)
	same(t, "the winner", got(s.Artifact(t.Context(), "a", ""))(t), a)
	if n := len(got(s.Artifacts(t.Context(), review.Filter{Tag: "t1"}))(t)); n != 0 {
		t.Error("it is found by a tag that it has no more")
	}
}

func artifactsAreListed(t *testing.T, open opener) {
	s := opened(t, open)
	for i, id := range []string{"c", "a", "b", "d"} {
		for _, version := range []string{"2", "10", "1"} { // creation in another order
			a := artifact(id, version)
			a.Type = []string{"answer", "question"}[i%2]
			a.Tags = []string{"of " + id, "v" + version}
			if version == "1" {
				a.Status = review.Approved
			}
			must(t, s.PutArtifacts(t.Context(), []*review.Artifact{a}, nil))
		}
	}
	list := func(f review.Filter) (out []string) {
		for _, a := range got(s.Artifacts(t.Context(), f))(t) {
			out = append(out, a.ID+a.Version)
		}
		return out
	}
	for _, c := range []struct {
		name   string
		filter review.Filter
		want   []string
	}{
		{"the newest", review.Filter{}, []string{"a1", "b1", "c1", "d1"}},
		{"of a type", review.Filter{Type: "question"}, []string{"a1", "d1"}},
		{"of a status that only old versions have", review.Filter{Status: review.Draft}, nil},
		{"old ones too", review.Filter{Status: review.Draft, Versions: true}, []string{"a2", "a10", "b2", "b10", "c2", "c10", "d2", "d10"}},
		{"by tag", review.Filter{Tag: "of b"}, []string{"b1"}},
		{"by a tag of an old version", review.Filter{Tag: "v10"}, nil},
		{"by a tag, old ones too", review.Filter{Tag: "v10", Versions: true}, []string{"a10", "b10", "c10", "d10"}},
		{"one", review.Filter{ID: "c"}, []string{"c1"}},
		{"all versions of one", review.Filter{ID: "c", Versions: true, Brief: true}, []string{"c2", "c10", "c1"}},
		{"none of that id", review.Filter{ID: "C"}, nil},
	} {
		same(t, c.name, list(c.filter), c.want)
	}
	brief, whole := got(s.Artifacts(t.Context(), review.Filter{ID: "c", Brief: true}))(t)[0], got(s.Artifact(t.Context(), "c", ""))(t)
	whole.Content, whole.Provenance = nil, nil
	same(t, "without content", brief, whole)
}

func artifactsRace(t *testing.T, open opener) {
	a, b := opened(t, open), opened(t, open)
	must(t, a.PutArtifacts(t.Context(), []*review.Artifact{artifact("x", "1")}, nil))
	for round := range 5 {
		errs := race(8, func(i int) error {
			s := []*database.DB{a, b}[i%2]
			mine := artifact("x", "1")
			mine.Revision = int64(round + 1)
			return s.PutArtifacts(context.Background(), []*review.Artifact{mine}, []review.Event{{ID: "x", Version: "1", To: review.InReview, At: moment}})
		})
		oneWins(t, errs)
	}
	if n := len(got(a.ArtifactEvents(t.Context(), "x"))(t)); n != 5 {
		t.Errorf("%d events of 5 changes", n)
	}
}
