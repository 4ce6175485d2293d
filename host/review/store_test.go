package review_test

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/review"
)

// A memory is a review.Store that keeps everything in maps.
type memory struct {
	mu       sync.Mutex
	versions map[string][]*review.Artifact // by id, oldest first
	events   map[string][]review.Event
	seq      int64
}

func newMemory() *memory {
	return &memory{versions: map[string][]*review.Artifact{}, events: map[string][]review.Event{}}
}

func (m *memory) find(id, version string) *review.Artifact {
	list := m.versions[id]
	for i, a := range slices.Backward(list) {
		if version == "" || a.Version == version {
			return list[i]
		}
	}
	return nil
}

func (m *memory) PutArtifacts(ctx context.Context, written []*review.Artifact, events []review.Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, a := range written {
		old := m.find(a.ID, a.Version)
		if old == nil && a.Revision != 0 || old != nil && old.Revision != a.Revision {
			return fault.New(fault.Conflict, "artifact %s %s: another writer came first", a.ID, a.Version)
		}
	}
	for _, a := range written {
		a.Revision++
		c := *a
		if old := m.find(a.ID, a.Version); old != nil {
			*old = c
		} else {
			m.versions[a.ID] = append(m.versions[a.ID], &c)
		}
	}
	for _, e := range events {
		m.seq++
		e.Seq = m.seq
		m.events[e.ID] = append(m.events[e.ID], e)
	}
	return nil
}

func (m *memory) Artifact(_ context.Context, id, version string) (*review.Artifact, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.find(id, version)
	if a == nil {
		return nil, fault.New(fault.NotFound, "no artifact %s %s", id, version)
	}
	c := *a
	return &c, nil
}

func (m *memory) Artifacts(_ context.Context, f review.Filter) ([]*review.Artifact, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []*review.Artifact
	for _, list := range m.versions {
		if !f.Versions {
			list = list[len(list)-1:]
		}
		for _, a := range list {
			if (f.Type == "" || a.Type == f.Type) && (f.Status == "" || a.Status == f.Status) && (f.Tag == "" || slices.Contains(a.Tags, f.Tag)) && (f.ID == "" || a.ID == f.ID) {
				c := *a
				if f.Brief {
					c.Content, c.Provenance = nil, nil
				}
				out = append(out, &c)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *review.Artifact) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}

func (m *memory) ArtifactEvents(_ context.Context, id string) ([]review.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.events[id]), nil
}
