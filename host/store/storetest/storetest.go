// Package storetest is the conformance suite of stores: what every driver keeps, and
// how. Each driver's tests run it.
//
// Stability: experimental.
package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/feedback"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/store"
)

// A Store is all that a driver implements.
type Store interface {
	store.Driver
	registry.Store
	review.Store
	feedback.Store
}

// An Opener opens the same database each time it is called. It fails the test if it
// cannot.
type Opener func(t testing.TB) Store

// Run checks a driver. fresh returns the opener of a new, empty database.
func Run(t *testing.T, fresh func(t testing.TB) Opener) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, open Opener)
	}{
		{"RubricsAreKept", rubricsAreKept},
		{"RubricVersionsNeverChange", rubricVersionsNeverChange},
		{"RubricsAreRegisteredTogetherOrNotAtAll", rubricsAllOrNone},
		{"RubricsAreDeletedAndFoundAgain", rubricsAreDeleted},
		{"RubricsAreListed", rubricsAreListed},
		{"RubricsRace", rubricsRace},
		{"ArtifactsAreKept", artifactsAreKept},
		{"ArtifactsConflict", artifactsConflict},
		{"ArtifactsAreWrittenTogetherOrNotAtAll", artifactsAllOrNone},
		{"ArtifactsAreListed", artifactsAreListed},
		{"ArtifactsRace", artifactsRace},
		{"NotesAreKept", notesAreKept},
		{"RunsAreKept", runsAreKept},
		{"RunsAreReplacedWhole", runsAreReplacedWhole},
		{"EvaluationsAreFiltered", evaluationsAreFiltered},
		{"EvaluationsArePaged", evaluationsArePaged},
		{"IDsAreBounded", idsAreBounded},
		{"Check", checks},
		{"Backup", backups},
		{"BackupWhileInUse", backupsWhileInUse},
		{"RestoreRefuses", restoreRefuses},
		{"StopsWithItsContext", stops},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, fresh(t)) })
	}
}

// opened opens a database for a test, and closes it with the test.
func opened(t testing.TB, open Opener) Store {
	t.Helper()
	s := open(t)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// reopened returns a store as another process sees it, after the first one has gone.
func reopened(t testing.TB, s Store, open Opener) Store {
	t.Helper()
	must(t, s.Close())
	return opened(t, open)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func got[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return v
	}
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if reflect.DeepEqual(want, got) { // of large documents, a difference takes seconds
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func fails(t testing.TB, what string, err error, class fault.Class) {
	t.Helper()
	if !fault.Is(err, class) {
		t.Errorf("%s: %v (%s), want an error of class %s", what, err, fault.Of(err), class)
	}
}

// odd are texts that databases are known to get wrong.
var odd = []string{
	"a:b", "a", "b", "A", "it's", `"quoted"`, `back\slash`, "%", "_", "a%b", "$1", "?", "; DROP TABLE rubrics; --", " lead", "trail ", "tab\there", "line\nbreak",
	"ümläut", "u\u0308mlaut", "日本語", "🦊", "\u202e", "\ufeff", "\uffff", "nul\x00inside", "\x00", "\x00\x00", "\x01", "\x01\x01", "\x00\x01", "\x01\x00", "\x02", "null", "0", "1.0", "1e3", "true", "0x10", "\u007f",
}

// moment is a time as stores keep it.
var moment = time.Date(2026, 3, 4, 5, 6, 7, 8_009_000, time.UTC)

func snapshot(id, version, digest string) registry.Snapshot {
	return registry.Snapshot{
		ID: id, Version: version, Name: "Name of " + id, TargetType: "answer", Dialect: "rubric-host", Digest: digest,
		Document: []byte("rubric: " + id), Format: "yaml", By: "ann", At: moment,
	}
}

func artifact(id, version string) *review.Artifact {
	return &review.Artifact{
		ID: id, Type: "answer", Name: "Name of " + id, Version: version, Status: review.Draft,
		Content: []byte(`{"b": 1, "a" : [1.50]}`), Provenance: []byte(`{"source":"test"}`), Tags: []string{"t1"}, Rubrics: []string{"r"}, Evaluations: []string{},
		Metadata: map[string]any{"k": "v"}, Created: moment, Updated: moment,
	}
}

func sequence(list []store.Evaluation) iter.Seq2[store.Evaluation, error] {
	return func(yield func(store.Evaluation, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func ptr[T any](v T) *T { return &v }

// evaluation returns an evaluation as the store returns it.
func evaluation(run store.Run, id, caseID string) store.Evaluation {
	return store.Evaluation{
		ID: id, Run: run.ID, Case: caseID, Repeat: 1, Rubric: run.Rubric, RubricVersion: run.Version, RubricDigest: "sha256:1", TargetType: "answer",
		Status: rubric.Scored, Score: ptr(0.1), Passed: ptr(true), At: run.Started, By: "system", Offset: 1, Length: 2,
	}
}

func runOf(id string, started time.Time) store.Run {
	return store.Run{ID: id, Dir: "/runs/" + id, Rubric: "r", Version: "1", Plan: "sha256:p", Started: started, Size: 12, Changed: moment.Add(time.Hour)}
}

// register registers one snapshot.
func register(t testing.TB, s Store, sn registry.Snapshot) registry.Action {
	t.Helper()
	return got(s.PutRubrics(t.Context(), []registry.Snapshot{sn}))(t)[0]
}

func rubricsAreKept(t *testing.T, open Opener) {
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
	fails(t, "an id that is no UTF-8", err, fault.Invalid)
}

func rubricVersionsNeverChange(t *testing.T, open Opener) {
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

func rubricsAllOrNone(t *testing.T, open Opener) {
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

func rubricsAreDeleted(t *testing.T, open Opener) {
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

func rubricsAreListed(t *testing.T, open Opener) {
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

// race runs n goroutines at the same time, and returns their errors.
func race(n int, work func(i int) error) []error {
	var wg sync.WaitGroup
	start := make(chan struct{})
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = work(i)
		})
	}
	close(start)
	wg.Wait()
	return errs
}

func rubricsRace(t *testing.T, open Opener) {
	a, b := opened(t, open), opened(t, open) // two processes
	for round := range 5 {
		version := string(rune('a' + round))
		errs := race(8, func(i int) error {
			_, err := []Store{a, b}[i%2].PutRubrics(context.Background(), []registry.Snapshot{snapshot("r", version, "sha256:"+string(rune('a'+i)))})
			return err
		})
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				fails(t, "a loser", err, fault.Conflict)
			}
		}
		if won != 1 {
			t.Fatalf("%d of 8 writers with different content succeeded: %v", won, errs)
		}
	}
	for i, e := range got(a.RubricEvents(t.Context(), "r"))(t) {
		if e.Seq != int64(i+1) {
			t.Errorf("event %d has the number %d", i+1, e.Seq)
		}
	}
}

func artifactsAreKept(t *testing.T, open Opener) {
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

func artifactsConflict(t *testing.T, open Opener) {
	s := opened(t, open)
	a := artifact("a", "1")
	put := func(a *review.Artifact) error { return s.PutArtifacts(t.Context(), []*review.Artifact{a}, nil) }
	must(t, put(a))
	fails(t, "the same version as a new one", put(artifact("a", "1")), fault.Conflict)
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

func artifactsAllOrNone(t *testing.T, open Opener) {
	s := opened(t, open)
	old := artifact("a", "1")
	must(t, s.PutArtifacts(t.Context(), []*review.Artifact{old}, nil))
	stale := *old
	stale.Revision = 7
	err := s.PutArtifacts(t.Context(), []*review.Artifact{artifact("b", "1"), &stale}, []review.Event{{ID: "b", Version: "1", To: review.Draft, At: moment}})
	fails(t, "one of two", err, fault.Conflict)
	_, err = s.Artifact(t.Context(), "b", "")
	fails(t, "the other of two", err, fault.NotFound)
	if events := got(s.ArtifactEvents(t.Context(), "b"))(t); len(events) != 0 {
		t.Errorf("events are left: %v", events)
	}
	twice := artifact("c", "1")
	fails(t, "one version twice", s.PutArtifacts(t.Context(), []*review.Artifact{twice, twice}, nil), fault.Conflict)
}

func artifactsAreListed(t *testing.T, open Opener) {
	s := opened(t, open)
	for i, id := range []string{"c", "a", "b", "d"} {
		for _, version := range []string{"2", "10", "1"} { // the order of creation is no other one
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
		{"a page", review.Filter{Limit: 2}, []string{"a1", "b1"}},
		{"the next page", review.Filter{Limit: 2, After: "b"}, []string{"c1", "d1"}},
		{"a page of all versions", review.Filter{Limit: 1, Versions: true, After: "a"}, []string{"b2", "b10", "b1"}},
		{"a page by tag", review.Filter{Limit: 1, Versions: true, Tag: "v10", After: "b"}, []string{"c10"}},
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

func artifactsRace(t *testing.T, open Opener) {
	a, b := opened(t, open), opened(t, open)
	must(t, a.PutArtifacts(t.Context(), []*review.Artifact{artifact("x", "1")}, nil))
	for round := range 5 {
		errs := race(8, func(i int) error {
			s := []Store{a, b}[i%2]
			mine := artifact("x", "1")
			mine.Revision = int64(round + 1)
			return s.PutArtifacts(context.Background(), []*review.Artifact{mine}, []review.Event{{ID: "x", Version: "1", To: review.InReview, At: moment}})
		})
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				fails(t, "a loser", err, fault.Conflict)
			}
		}
		if won != 1 {
			t.Fatalf("round %d: %d of 8 writers of one revision succeeded: %v", round, won, errs)
		}
	}
	if n := len(got(a.ArtifactEvents(t.Context(), "x"))(t)); n != 5 {
		t.Errorf("%d events of 5 changes", n)
	}
}

func notesAreKept(t *testing.T, open Opener) {
	s := opened(t, open)
	var want []feedback.Note
	for i, text := range odd {
		n := feedback.Note{ID: "note_" + text, Run: "run", Case: text, Repeat: i, Criterion: text, Comment: text, By: text, At: moment}
		if i%2 == 0 {
			n.Agree, n.Label, n.Value = ptr(i%4 == 0), ptr(text), ptr(0.1)
		}
		want = append(want, n)
	}
	if n := got(s.PutNotes(t.Context(), "run", append(want, want...)))(t); n != len(want) {
		t.Errorf("%d added of %d", n, len(want))
	}
	if n := got(s.PutNotes(t.Context(), "run", want))(t); n != 0 {
		t.Errorf("%d added twice", n)
	}
	other := feedback.Note{ID: "note_1", Run: "other", Case: "c", Criterion: "k", By: "bob", At: moment}
	got(s.PutNotes(t.Context(), "other", []feedback.Note{other}))(t)
	s = reopened(t, s, open)
	list := func(f feedback.Filter) (out []feedback.Note) {
		for _, k := range got(s.Notes(t.Context(), f))(t) {
			out = append(out, k.Note)
		}
		return out
	}
	same(t, "all", list(feedback.Filter{}), append(slices.Clone(want), other))
	same(t, "of a run", list(feedback.Filter{Run: "other"}), []feedback.Note{other})
	same(t, "of a case", list(feedback.Filter{Case: "\x00"}), want[slices.Index(odd, "\x00"):][:1])
	same(t, "of a person on a criterion", list(feedback.Filter{By: "bob", Criterion: "k"}), []feedback.Note{other})
	var paged []feedback.Note
	for after := int64(0); ; {
		page := got(s.Notes(t.Context(), feedback.Filter{Limit: 5, After: after}))(t)
		if len(page) == 0 {
			break
		}
		for _, k := range page {
			paged = append(paged, k.Note)
			after = k.Seq
		}
	}
	same(t, "pages", paged, append(slices.Clone(want), other))
	got(s.PutNotes(t.Context(), "run", want[1:3]))(t)
	same(t, "after some were removed", list(feedback.Filter{}), append(slices.Clone(want[1:3]), other))
	must(t, s.PutRun(t.Context(), runOf("other", moment), sequence(nil)))
	if there := got(s.DropRun(t.Context(), "other"))(t); !there {
		t.Error("the run was there")
	}
	same(t, "after its run was dropped", list(feedback.Filter{}), want[1:3])
}

func runsAreKept(t *testing.T, open Opener) {
	s := opened(t, open)
	var runs []store.Run
	for i, text := range odd {
		r := runOf(text, moment.Add(time.Duration(i/2)*time.Second))
		r.Rubric, r.Version, r.Dir, r.Plan = text, text, text, text
		e := evaluation(r, "eval_"+text, text)
		e.TargetType, e.By, e.RubricDigest = text, text, text
		must(t, s.PutRun(t.Context(), r, sequence([]store.Evaluation{e})))
		runs = append(runs, r)
	}
	s = reopened(t, s, open)
	for _, r := range runs {
		same(t, "run "+r.ID, got(s.Run(t.Context(), r.ID))(t), r)
		e := evaluation(r, "eval_"+r.ID, r.ID)
		e.TargetType, e.By, e.RubricDigest = r.ID, r.ID, r.ID
		same(t, "evaluation of "+r.ID, got(s.Evaluation(t.Context(), e.ID))(t), e)
		for _, f := range []store.Filter{{Run: r.ID}, {Case: r.ID}, {Rubric: r.ID}, {Version: r.ID}, {TargetType: r.ID}} {
			same(t, "evaluations of "+r.ID, got(s.Evaluations(t.Context(), f))(t), []store.Evaluation{e})
		}
	}
	slices.SortFunc(runs, func(a, b store.Run) int {
		if c := b.Started.Compare(a.Started); c != 0 {
			return c
		}
		if a.ID > b.ID {
			return -1
		}
		return 1
	})
	same(t, "all", got(s.Runs(t.Context()))(t), runs)
	_, err := s.Run(t.Context(), "none")
	fails(t, "an unknown run", err, fault.NotFound)
	_, err = s.Evaluation(t.Context(), "none")
	fails(t, "an unknown evaluation", err, fault.NotFound)
	if there := got(s.DropRun(t.Context(), "none"))(t); there {
		t.Error("an unknown run was there")
	}
}

func runsAreReplacedWhole(t *testing.T, open Opener) {
	s := opened(t, open)
	r := runOf("run", moment)
	var list []store.Evaluation
	for i := range 501 { // more than a batch
		e := evaluation(r, "eval_"+string(rune('a'+i)), "c")
		e.Repeat = i
		list = append(list, e)
	}
	must(t, s.PutRun(t.Context(), r, sequence(list)))
	same(t, "evaluations", got(s.Evaluations(t.Context(), store.Filter{}))(t), list)
	broken := errors.New("the file ends")
	later := r
	later.Started = moment.Add(time.Hour)
	err := s.PutRun(t.Context(), later, func(yield func(store.Evaluation, error) bool) {
		for i := range 300 {
			if !yield(evaluation(r, "new", string(rune('a'+i))), nil) {
				return
			}
		}
		yield(store.Evaluation{}, fault.As(fault.Invalid, broken))
	})
	if !errors.Is(err, broken) || !fault.Is(err, fault.Invalid) {
		t.Errorf("the error of the sequence: %v", err)
	}
	same(t, "after an error", got(s.Evaluations(t.Context(), store.Filter{}))(t), list)
	same(t, "run after an error", got(s.Run(t.Context(), "run"))(t), r)
	must(t, s.PutRun(t.Context(), later, sequence(list[:3])))
	if n := len(got(s.Evaluations(t.Context(), store.Filter{}))(t)); n != 3 {
		t.Errorf("%d evaluations after they were replaced by 3", n)
	}
	must(t, s.PutRun(t.Context(), later, sequence(nil)))
	if there := got(s.DropRun(t.Context(), "run"))(t); !there {
		t.Error("it was there")
	}
	if n := len(got(s.Evaluations(t.Context(), store.Filter{}))(t)); n != 0 {
		t.Errorf("%d evaluations of a run that was dropped", n)
	}
}

func evaluationsAreFiltered(t *testing.T, open Opener) {
	s := opened(t, open)
	old, young := runOf("old", moment), runOf("young", moment.Add(time.Hour))
	list := []store.Evaluation{
		evaluation(old, "e1", "c1"), evaluation(old, "e2", "c2"), evaluation(young, "e3", "c1"), evaluation(young, "e4", "c2"), evaluation(young, "e5", "c3"),
	}
	list[1].Passed = ptr(false)
	list[2].Passed, list[2].Score, list[2].Status = nil, nil, rubric.Unscored
	list[3].Rubric, list[3].RubricVersion, list[3].TargetType = "other", "2", "code"
	list[4].Score = ptr(0.0)
	must(t, s.PutRun(t.Context(), old, sequence(list[:2])))
	must(t, s.PutRun(t.Context(), young, sequence(list[2:])))
	for _, c := range []struct {
		name   string
		filter store.Filter
		want   []string
	}{
		{"all", store.Filter{}, []string{"e3", "e4", "e5", "e1", "e2"}},
		{"run", store.Filter{Run: "old"}, []string{"e1", "e2"}},
		{"unknown run", store.Filter{Run: "none"}, nil},
		{"rubric", store.Filter{Rubric: "other"}, []string{"e4"}},
		{"version", store.Filter{Rubric: "r", Version: "1"}, []string{"e3", "e5", "e1", "e2"}},
		{"other version", store.Filter{Rubric: "r", Version: "2"}, nil},
		{"case", store.Filter{Case: "c1"}, []string{"e3", "e1"}},
		{"target type", store.Filter{TargetType: "code"}, []string{"e4"}},
		{"status", store.Filter{Status: rubric.Unscored}, []string{"e3"}},
		{"passed", store.Filter{Passed: ptr(true)}, []string{"e4", "e5", "e1"}},
		{"failed", store.Filter{Passed: ptr(false)}, []string{"e2"}},
		{"since", store.Filter{Since: young.Started}, []string{"e3", "e4", "e5"}},
		{"since a nanosecond later", store.Filter{Since: young.Started.Add(1)}, nil},
		{"until", store.Filter{Until: old.Started}, []string{"e1", "e2"}},
		{"until a nanosecond before", store.Filter{Until: old.Started.Add(-1)}, nil},
		{"in another zone", store.Filter{Until: old.Started.In(time.FixedZone("x", 7200))}, []string{"e1", "e2"}},
		{"limit", store.Filter{Limit: 4}, []string{"e3", "e4", "e5", "e1"}},
		{"after", store.Filter{After: "e4"}, []string{"e5", "e1", "e2"}},
		{"after and limit", store.Filter{After: "e4", Limit: 2}, []string{"e5", "e1"}},
		{"everything", store.Filter{Run: "young", Rubric: "other", Version: "2", Case: "c2", TargetType: "code", Status: rubric.Scored, Passed: ptr(true), Since: old.Started, Until: young.Started, Limit: 1, After: "e3"}, []string{"e4"}},
	} {
		var ids []string
		for _, e := range got(s.Evaluations(t.Context(), c.filter))(t) {
			ids = append(ids, e.ID)
		}
		same(t, c.name, ids, c.want)
	}
	_, err := s.Evaluations(t.Context(), store.Filter{After: "none"})
	fails(t, "after an unknown one", err, fault.NotFound)
	must(t, s.PutRun(t.Context(), runOf("twin", moment), sequence([]store.Evaluation{evaluation(old, "e1", "c9")})))
	_, err = s.Evaluation(t.Context(), "e1")
	fails(t, "an id of two evaluations", err, fault.Conflict)
}

func evaluationsArePaged(t *testing.T, open Opener) {
	s := opened(t, open)
	var want []string
	for run := range 7 {
		r := runOf(string(rune('a'+run)), moment.Add(-time.Duration(run/2)*time.Second)) // two begin together
		var list []store.Evaluation
		for i := range 5 {
			list = append(list, evaluation(r, r.ID+string(rune('0'+i)), "c"))
		}
		must(t, s.PutRun(t.Context(), r, sequence(list)))
	}
	for _, run := range []string{"b", "a", "d", "c", "f", "e", "g"} {
		for _, i := range "01234" {
			want = append(want, run+string(i))
		}
	}
	for limit := 1; limit < 12; limit++ {
		var ids []string
		for after := ""; ; {
			page := got(s.Evaluations(t.Context(), store.Filter{Limit: limit, After: after}))(t)
			for _, e := range page {
				ids = append(ids, e.ID)
				after = e.ID
			}
			if len(page) < limit {
				break
			}
		}
		same(t, "pages", ids, want)
	}
}

func idsAreBounded(t *testing.T, open Opener) {
	s := opened(t, open)
	long := string(slices.Repeat([]byte("ä"), 250))
	register(t, s, snapshot(long, long, "d"))
	must(t, s.PutArtifacts(t.Context(), []*review.Artifact{artifact(long, long)}, nil))
	for _, id := range []string{"", long + "x"} {
		_, err := s.PutRubrics(t.Context(), []registry.Snapshot{snapshot(id, "1", "d")})
		fails(t, "id of a rubric", err, fault.Invalid)
		_, err = s.PutRubrics(t.Context(), []registry.Snapshot{snapshot("r", id, "d")})
		fails(t, "version of a rubric", err, fault.Invalid)
		fails(t, "id of an artifact", s.PutArtifacts(t.Context(), []*review.Artifact{artifact(id, "1")}, nil), fault.Invalid)
		fails(t, "id of a run", s.PutRun(t.Context(), runOf(id, moment), sequence(nil)), fault.Invalid)
	}
	huge := string(slices.Repeat([]byte("x"), 1<<20)) // names of cases and rubrics in runs are anyone's
	r := runOf("r", moment)
	r.Rubric = huge
	e := evaluation(r, "e", huge)
	e.TargetType = huge
	must(t, s.PutRun(t.Context(), r, sequence([]store.Evaluation{e})))
	if n := len(got(s.Evaluations(t.Context(), store.Filter{Case: huge, Rubric: huge, TargetType: huge}))(t)); n != 1 {
		t.Errorf("%d evaluations of a huge case", n)
	}
}

func checks(t *testing.T, open Opener) {
	s := opened(t, open)
	must(t, s.Check(t.Context()))
	register(t, s, snapshot("r", "1", "d"))
	must(t, s.PutArtifacts(t.Context(), []*review.Artifact{artifact("a", "1")}, nil))
	must(t, s.Check(t.Context()))
}

func stops(t *testing.T, open Opener) {
	s := opened(t, open)
	ctx, cancel := context.WithCancel(t.Context())
	r := runOf("r", moment)
	err := s.PutRun(ctx, r, func(yield func(store.Evaluation, error) bool) {
		for i := 0; ; i++ {
			if i == 1000 {
				cancel()
			}
			if !yield(evaluation(r, "e", "c"), nil) {
				return
			}
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled write: %v", err)
	}
	if n := len(got(s.Runs(t.Context()))(t)); n != 0 {
		t.Error("it left a run")
	}
	_, err = s.PutRubrics(ctx, []registry.Snapshot{snapshot("r", "1", "d")})
	if err == nil {
		t.Error("a write with a context that has ended")
	}
}

// Fill writes the same rubrics and artifacts to every store, with texts that databases are
// known to get wrong.
func Fill(t testing.TB, s Store) {
	t.Helper()
	var list []registry.Snapshot
	var written []*review.Artifact
	var events []review.Event
	for i, text := range odd {
		sn := snapshot(text, "1", "d")
		sn.Document = []byte(text + "\x00\xff")
		list = append(list, sn)
		a := artifact(text, "1")
		a.Tags, a.Content = []string{text}, fmt.Appendf(nil, "{ \"n\" :%d.50\n}", i)
		written = append(written, a)
		events = append(events, review.Event{ID: text, Version: "1", To: review.Draft, By: text, At: moment, Note: text})
	}
	got(s.PutRubrics(t.Context(), list))(t)
	got(s.DeleteRubric(t.Context(), odd[3], "ann", moment))(t)
	must(t, s.PutArtifacts(t.Context(), written, events))
	written[2].Status = review.Approved
	must(t, s.PutArtifacts(t.Context(), written[2:3], nil))
}

// Content returns all that a store has of what Fill writes.
func Content(t testing.TB, s Store) (list []any) {
	t.Helper()
	list = append(list, got(s.Rubrics(t.Context(), registry.Filter{}))(t), got(s.Artifacts(t.Context(), review.Filter{Versions: true}))(t))
	for _, text := range odd {
		list = append(list, got(s.RubricEvents(t.Context(), text))(t), got(s.ArtifactEvents(t.Context(), text))(t))
		if sn, err := s.Rubric(t.Context(), text, "1"); err == nil {
			list = append(list, sn)
		}
		list = append(list, got(s.Artifacts(t.Context(), review.Filter{Tag: text}))(t))
	}
	return list
}

func backups(t *testing.T, open Opener) {
	s := opened(t, open)
	var nothing, whole bytes.Buffer
	got(s.Backup(t.Context(), &nothing))(t)
	Fill(t, s)
	r := runOf("run", moment)
	must(t, s.PutRun(t.Context(), r, sequence([]store.Evaluation{evaluation(r, "e1", "c")})))
	done := got(s.Backup(t.Context(), &whole))(t)
	if done.Rubrics != len(odd) || done.Artifacts != len(odd) {
		t.Errorf("%+v", done)
	}
	want := Content(t, s)
	_, err := s.Restore(t.Context(), bytes.NewReader(nothing.Bytes()), false)
	fails(t, "in place of what is there", err, fault.Conflict)
	same(t, "after a refusal", Content(t, s), want)
	got(s.Restore(t.Context(), &nothing, true))(t)
	if n := len(got(s.Artifacts(t.Context(), review.Filter{}))(t)); n != 0 {
		t.Errorf("%d artifacts after an empty backup", n)
	}
	again := got(s.Restore(t.Context(), bytes.NewReader(whole.Bytes()), false))(t)
	if again != done {
		t.Errorf("restored %+v, want %+v", again, done)
	}
	s = reopened(t, s, open)
	same(t, "after the backup", Content(t, s), want)
	must(t, s.Check(t.Context()))
	if n := len(got(s.Evaluations(t.Context(), store.Filter{}))(t)); n != 1 {
		t.Error("the index has changed")
	}
	fails(t, "a taken version after a restore", s.PutArtifacts(t.Context(), []*review.Artifact{artifact("a", "1")}, nil), fault.Conflict)
}

// backupsWhileInUse makes backups while artifacts are written in pairs: each backup has
// both of a pair or none.
func backupsWhileInUse(t *testing.T, open Opener) {
	s, other := opened(t, open), opened(t, open)
	done := make(chan error)
	go func() {
		var err error
		for i := 0; i < 30 && err == nil; i++ {
			id := fmt.Sprint(i)
			err = s.PutArtifacts(context.Background(), []*review.Artifact{artifact("left"+id, "1"), artifact("right"+id, "1")}, []review.Event{{ID: "left" + id, Version: "1", To: review.Draft, At: moment}})
		}
		done <- err
	}()
	for i := range 10 {
		var b bytes.Buffer
		n := got(other.Backup(t.Context(), &b))(t).Artifacts
		if lines := bytes.Count(b.Bytes(), []byte("\n")); n%2 != 0 || lines != 2+n+n+n/2 { // artifacts, their tags, events
			t.Errorf("backup %d has %d artifacts in %d lines", i, n, lines)
		}
	}
	must(t, <-done)
}

func restoreRefuses(t *testing.T, open Opener) {
	s := opened(t, open)
	Fill(t, s)
	want := Content(t, s)
	var b bytes.Buffer
	got(s.Backup(t.Context(), &b))(t)
	lines := bytes.SplitAfter(b.Bytes(), []byte("\n"))
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	body := join(lines[1 : len(lines)-2]...)
	end := lines[len(lines)-2]
	// signed ends lines as a backup does: somebody may make one
	signed := func(parts ...[]byte) []byte {
		text := join(parts...)
		return join(text, fmt.Appendf(nil, "{\"end\":%d,\"sum\":\"%x\"}\n", bytes.Count(text, []byte("\n")), sha256.Sum256(text)))
	}
	for name, text := range map[string][]byte{
		"nothing":              nil,
		"something else":       []byte("{}\n"),
		"no JSON":              []byte("\x00\xff\n"),
		"no end":               join(lines[0], body),
		"half of the end":      join(lines[0], body, end[:len(end)/2]),
		"no line break":        bytes.TrimSuffix(b.Bytes(), []byte("\n")),
		"a line less":          join(lines[0], join(lines[2:]...)),
		"a line twice":         join(lines[0], lines[1], body, end),
		"a changed byte":       bytes.Replace(b.Bytes(), []byte("answer"), []byte("Answer"), 1),
		"a newer schema":       signed(bytes.Replace(lines[0], []byte(`"schema":`), []byte(`"schema":9`), 1)),
		"another format":       signed(bytes.Replace(lines[0], []byte(`"format":1`), []byte(`"format":2`), 1)),
		"a line twice, signed": signed(lines[0], lines[1], body),
		"another table":        signed(lines[0], []byte("{\"runs\":[\"x\"]}\n")),
		"too few values":       signed(lines[0], []byte("{\"latest_rubrics\":[\"x\"]}\n")),
		"a wrong type":         signed(lines[0], []byte("{\"latest_rubrics\":[\"x\",1]}\n")),
		"no such rubric":       signed(lines[0], []byte("{\"latest_rubrics\":[\"x\",\"1\"]}\n")),
		"a wrong sum":          signed(lines[0], bytes.Replace(lines[1], []byte("answer"), []byte("Answer"), 1)),
		"no row":               signed(lines[0], []byte("[]\n")),
	} {
		_, err := s.Restore(t.Context(), bytes.NewReader(text), true)
		fails(t, name, err, fault.Invalid)
		if t.Failed() {
			t.Fatalf("%s: %v", name, err)
		}
	}
	same(t, "after all that", Content(t, s), want)
	got(s.Restore(t.Context(), bytes.NewReader(signed(lines[0], body)), true))(t)
}
