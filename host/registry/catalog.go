package registry

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Registry registers rubric documents in a store, and finds them again. It is safe for
// concurrent use, by several programs too.
type Registry struct {
	store Store
	o     Options
}

// Options are the settings of a Registry. The zero value is valid.
type Options struct {
	By  string           // who registers and deletes; empty: "system"
	Now func() time.Time // nil: time.Now
}

// New returns a registry over a store, which the caller closes.
func New(store Store, o Options) *Registry {
	o.By = cmp.Or(o.By, "system")
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Registry{store, o}
}

// A Registration is the outcome of one rubric of a document.
type Registration struct {
	Snapshot
	Action Action `json:"action"`
}

// Register registers every rubric of documents as a document of its own, all or none. A version that is
// registered already becomes the latest one again if it means the same, else the error (fault.Conflict) shows
// the differences. Others are a diag.List: a rubric without id or version, or that refers to files.
func (g *Registry) Register(ctx context.Context, docs ...*dialect.Document) ([]Registration, error) {
	var list []Snapshot
	var problems diag.List
	for _, doc := range docs {
		more, err := snapshots(doc)
		if bad := diag.In(err); bad != nil {
			problems = append(problems, bad...)
		} else if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if err := unlike(list); err != nil {
		return nil, err
	}
	at := g.o.Now().UTC().Truncate(time.Microsecond)
	for i := range list {
		list[i].By, list[i].At = g.o.By, at
	}
	actions, err := g.store.PutRubrics(ctx, list)
	if err != nil {
		return nil, g.conflict(ctx, list, err)
	}
	out := make([]Registration, len(list))
	for i := range list {
		out[i] = Registration{list[i], actions[i]}
		if actions[i] != Registered { // who registered it first, and when
			if out[i].Snapshot, err = g.store.Rubric(ctx, list[i].ID, list[i].Version); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// Update is Register for rubrics that the registry has: one that it does not have, or no
// longer, is an error of class fault.NotFound. Callers give the new content a new version;
// that it is a higher one is not checked.
func (g *Registry) Update(ctx context.Context, docs ...*dialect.Document) ([]Registration, error) {
	for _, doc := range docs {
		for _, r := range doc.Rubrics {
			if _, err := g.Get(ctx, r.ID, ""); err != nil {
				return nil, err
			}
		}
	}
	return g.Register(ctx, docs...)
}

// Get returns the snapshot of a version, or of the latest one if it is empty. A deleted rubric has versions, but
// no latest one. The error, fault.NotFound, names similar ids or the versions.
func (g *Registry) Get(ctx context.Context, id, version string) (Snapshot, error) {
	s, err := g.store.Rubric(ctx, id, version)
	if fault.Is(err, fault.NotFound) {
		return s, g.missing(ctx, id, version)
	}
	return s, err
}

// Load returns the document of a snapshot, as Get finds it. Its file is Ref of the
// snapshot. The error has class fault.Mismatch if the store holds another rubric than was
// registered.
func (g *Registry) Load(ctx context.Context, id, version string) (*dialect.Document, error) {
	s, err := g.Get(ctx, id, version)
	if err != nil {
		return nil, err
	}
	return s.Decode()
}

// List returns the latest snapshots that a filter takes, in the order of their ids.
func (g *Registry) List(ctx context.Context, f Filter) ([]Snapshot, error) {
	return g.store.Rubrics(ctx, f)
}

// Delete removes the latest pointer of a rubric, and says whether there was one. Snapshots and history stay.
func (g *Registry) Delete(ctx context.Context, id string) (bool, error) {
	return g.store.DeleteRubric(ctx, id, g.o.By, g.o.Now().UTC().Truncate(time.Microsecond))
}

// History returns the events of a rubric, oldest first. An id that never was
// registered is an error of class fault.NotFound.
func (g *Registry) History(ctx context.Context, id string) ([]Event, error) {
	events, err := g.store.RubricEvents(ctx, id)
	if err == nil && len(events) == 0 {
		return nil, g.missing(ctx, id, "")
	}
	return events, err
}

// unlike refuses a list that has two contents for a version.
func unlike(list []Snapshot) error {
	for i := range list {
		for j := range list[:i] {
			a, b := &list[j], &list[i]
			if a.ID != b.ID || a.Version != b.Version || a.Digest == b.Digest {
				continue
			}
			err := fault.New(fault.Conflict, "version %s of rubric %q is given twice, with other content:\n%s", a.Version, a.ID, strings.Join(difference(a, b), "\n"))
			return fault.WithHint(err, "give one of the two another version")
		}
	}
	return nil
}

// conflict adds the differences to an error of PutRubrics.
func (g *Registry) conflict(ctx context.Context, list []Snapshot, err error) error {
	if !fault.Is(err, fault.Conflict) {
		return err
	}
	for i := range list {
		old, problem := g.store.Rubric(ctx, list[i].ID, list[i].Version)
		if problem != nil || old.Digest == list[i].Digest {
			continue
		}
		lines := difference(&old, &list[i])
		err = fault.New(fault.Conflict, "version %s of rubric %q is registered with other content (by %s, %s):\n%s", old.Version, old.ID, old.By, old.At.Format("2006-01-02"), strings.Join(lines, "\n"))
		return fault.WithHint(err, "give the new content a new version")
	}
	return err
}

// missing returns the alternatives to a rubric that the registry does not have.
func (g *Registry) missing(ctx context.Context, id, version string) error {
	events, err := g.store.RubricEvents(ctx, id)
	if err != nil {
		return err
	}
	added := xslices.Filter(events, func(e Event) bool { return e.Action == Registered })
	versions := xslices.Map(added, func(e Event) string { return e.Version })
	switch {
	case len(versions) > 0 && version != "":
		slices.Reverse(versions)
		return fault.WithHint(fault.New(fault.NotFound, "the registry has no version %q of rubric %q", fault.Clip(version, 60), id), "%s", diag.DidYouMean(version, versions))
	case len(versions) > 0:
		last := events[len(events)-1]
		err := fault.New(fault.NotFound, "rubric %q was deleted by %s on %s", id, last.By, last.At.Format("2006-01-02"))
		return fault.WithHint(err, "its versions remain: %s", Ref(id, last.Version))
	}
	err = fault.New(fault.NotFound, "the registry has no rubric %q", fault.Clip(id, 60))
	all, problem := g.store.Rubrics(ctx, Filter{})
	if problem != nil {
		return problem
	}
	ids := xslices.Map(all, func(s Snapshot) string { return s.ID })
	near := diag.DidYouMean(id, ids)
	if len(ids) == 0 {
		near = "no rubric is registered"
	}
	return fault.WithHint(err, "%s", near)
}
