package database_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/registry"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/store/database"
)

// isAsItsModel compares a store with maps in memory: after any operations both return the same
// results, errors of the same class, and have the same content.
func isAsItsModel(t *testing.T, fresh func(t testing.TB) opener) {
	rapid.Check(t, func(rt *rapid.T) {
		s := fresh(t)(t)
		defer s.Close()
		m := &model{t: t, rt: rt, s: s, versions: map[string]map[string]registry.Snapshot{}, latest: map[string]string{}, artifacts: map[string][]*review.Artifact{}}
		for i := range rapid.IntRange(5, 25).Draw(rt, "operations") {
			m.now = moment.Add(time.Duration(i) * time.Second)
			rapid.SampledFrom([]func(){m.register, m.register, m.remove, m.write, m.write, m.write}).Draw(rt, "operation")()
		}
		m.compare()
	})
}

// model is the expected content of a store.
type model struct {
	t   testing.TB
	rt  *rapid.T
	s   *database.DB
	now time.Time

	versions  map[string]map[string]registry.Snapshot
	latest    map[string]string
	events    []registry.Event
	artifacts map[string][]*review.Artifact // versions in the order of their creation
	history   []review.Event
}

var (
	modelIDs      = []string{"a", "b", "a:b", "\x00", "Ä"}
	modelVersions = []string{"1", "2", "10"}
)

func (m *model) pick(from []string, what string) string {
	return rapid.SampledFrom(from).Draw(m.rt, what)
}

func (m *model) equal(what string, got, want any) {
	m.t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		m.rt.Fatalf("%s (-want +got):\n%s", what, d)
	}
}

func (m *model) class(what string, err error, want fault.Class) bool {
	if fault.Of(err) != want {
		m.rt.Fatalf("%s: %v (%s), want class %q", what, err, fault.Of(err), want)
	}
	return err == nil
}

func (m *model) register() {
	var list []registry.Snapshot
	for range rapid.IntRange(1, 3).Draw(m.rt, "rubrics") {
		sn := snapshot(m.pick(modelIDs, "id"), m.pick(modelVersions, "version"), m.pick([]string{"x", "x", "y"}, "digest"))
		sn.TargetType, sn.At = m.pick([]string{"answer", "code"}, "target type"), m.now
		list = append(list, sn)
	}
	versions, latest, events := map[string]map[string]registry.Snapshot{}, maps.Clone(m.latest), slices.Clone(m.events)
	for id, of := range m.versions {
		versions[id] = maps.Clone(of)
	}
	var want []registry.Action
	class := fault.None
	for _, sn := range list {
		old, known := versions[sn.ID][sn.Version]
		action := registry.Registered
		switch {
		case known && old.Digest != sn.Digest:
			class = fault.Conflict
			continue
		case known && latest[sn.ID] == sn.Version:
			want = append(want, registry.Unchanged)
			continue
		case known:
			action = registry.Selected
		default:
			if versions[sn.ID] == nil {
				versions[sn.ID] = map[string]registry.Snapshot{}
			}
			versions[sn.ID][sn.Version] = sn
		}
		latest[sn.ID] = sn.Version
		events = append(events, registry.Event{Seq: int64(len(events) + 1), ID: sn.ID, Version: sn.Version, Action: action, By: sn.By, At: sn.At})
		want = append(want, action)
	}
	got, err := m.s.PutRubrics(m.t.Context(), list)
	if m.class("registering", err, class) {
		m.equal("actions", got, want)
		m.versions, m.latest, m.events = versions, latest, events
	}
}

func (m *model) remove() {
	id := m.pick(modelIDs, "id")
	version, there := m.latest[id]
	got, err := m.s.DeleteRubric(m.t.Context(), id, "bob", m.now)
	m.class("deleting", err, fault.None)
	m.equal("whether it was there", got, there)
	if there {
		delete(m.latest, id)
		m.events = append(m.events, registry.Event{Seq: int64(len(m.events) + 1), ID: id, Version: version, Action: registry.Deleted, By: "bob", At: m.now})
	}
}

// find returns the place of a version of an artifact, or -1.
func (m *model) find(id, version string) int {
	return slices.IndexFunc(m.artifacts[id], func(a *review.Artifact) bool { return a.Version == version })
}

func (m *model) write() {
	var list []*review.Artifact
	var events []review.Event
	seen := map[string]bool{}
	class := fault.None
	for range rapid.IntRange(1, 2).Draw(m.rt, "artifacts") {
		a := artifact(m.pick(modelIDs, "id"), m.pick(modelVersions, "version"))
		if seen[a.ID+"\x00"+a.Version] {
			continue
		}
		seen[a.ID+"\x00"+a.Version] = true
		a.Status = rapid.SampledFrom([]review.Status{review.Draft, review.InReview, review.Approved}).Draw(m.rt, "status")
		a.Tags = rapid.SampledFrom([][]string{{}, {"t1"}, {"t2", "t1"}}).Draw(m.rt, "tags")
		i, stored := m.find(a.ID, a.Version), int64(0)
		if i >= 0 {
			stored = m.artifacts[a.ID][i].Revision
		}
		a.Revision = stored
		if rapid.IntRange(0, 4).Draw(m.rt, "stale") == 0 {
			a.Revision = int64(rapid.IntRange(0, 3).Draw(m.rt, "revision"))
		}
		switch {
		case class != fault.None || a.Revision == stored:
		case i < 0:
			class = fault.NotFound
		default:
			class = fault.Conflict
		}
		list = append(list, a)
		events = append(events, review.Event{ID: a.ID, Version: a.Version, To: a.Status, By: "ann", At: m.now})
	}
	if !m.class("writing", m.s.PutArtifacts(m.t.Context(), list, events), class) {
		return
	}
	for _, a := range list {
		if i := m.find(a.ID, a.Version); i >= 0 {
			m.artifacts[a.ID][i] = a
		} else {
			m.artifacts[a.ID] = append(m.artifacts[a.ID], a)
		}
	}
	for _, e := range events {
		e.Seq = int64(len(m.history) + 1)
		m.history = append(m.history, e)
	}
}

// compare reads everything in every way.
func (m *model) compare() {
	ctx := m.t.Context()
	for _, id := range modelIDs {
		for _, version := range append(modelVersions, "") {
			at := fmt.Sprintf("%q version %q", id, version)
			want, there := m.versions[id][version]
			if version == "" {
				want, there = m.versions[id][m.latest[id]]
			}
			got, err := m.s.Rubric(ctx, id, version)
			if m.class("rubric "+at, err, map[bool]fault.Class{false: fault.NotFound}[there]) {
				m.equal("rubric "+at, got, want)
			}
			list, i := m.artifacts[id], m.find(id, version)
			if version == "" {
				i = len(list) - 1
			}
			a, err := m.s.Artifact(ctx, id, version)
			if m.class("artifact "+at, err, map[bool]fault.Class{false: fault.NotFound}[i >= 0]) {
				m.equal("artifact "+at, a, list[i])
			}
		}
		var events []registry.Event
		for _, e := range m.events {
			if e.ID == id {
				events = append(events, e)
			}
		}
		got, err := m.s.RubricEvents(ctx, id)
		m.class("events", err, fault.None)
		m.equal("events of rubric "+id, got, events)
		var history []review.Event
		for _, e := range m.history {
			if e.ID == id {
				history = append(history, e)
			}
		}
		gone, err := m.s.ArtifactEvents(ctx, id)
		m.class("events", err, fault.None)
		m.equal("events of artifact "+id, gone, history)
	}
	m.compareLists()
}

func (m *model) compareLists() {
	for _, f := range []registry.Filter{{}, {TargetType: "code"}} {
		var want []registry.Snapshot
		for _, id := range slices.Sorted(maps.Keys(m.latest)) {
			sn := m.versions[id][m.latest[id]]
			if f.TargetType == "" || f.TargetType == sn.TargetType {
				want = append(want, sn)
			}
		}
		got, err := m.s.Rubrics(m.t.Context(), f)
		m.class("rubrics", err, fault.None)
		m.equal(fmt.Sprintf("rubrics by %+v", f), got, want)
	}
	for _, f := range []review.Filter{{}, {Status: review.Draft}, {Tag: "t1"}, {Tag: "t2", Versions: true}, {Versions: true, Status: review.Approved}} {
		var want []*review.Artifact
		for _, id := range slices.Sorted(maps.Keys(m.artifacts)) {
			for i, a := range m.artifacts[id] {
				newest := i == len(m.artifacts[id])-1
				if (newest || f.Versions) && (f.Status == "" || f.Status == a.Status) && (f.Tag == "" || slices.Contains(a.Tags, f.Tag)) {
					want = append(want, a)
				}
			}
		}
		got, err := m.s.Artifacts(m.t.Context(), f)
		m.class("artifacts", err, fault.None)
		m.equal(fmt.Sprintf("artifacts by %+v", f), got, want)
	}
}
