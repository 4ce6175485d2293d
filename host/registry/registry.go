// Package registry keeps rubrics by id and version. Snapshots are append-only: a
// version never changes its content, and deleting a rubric keeps its snapshots
// for audit.
//
// The operations are those of dataknobs' RubricRegistry.
//
// Stability: experimental.
package registry

import (
	"context"
	"time"
)

// A Snapshot is one version of a rubric, as it was registered.
type Snapshot struct {
	ID         string    `json:"id"`
	Version    string    `json:"version"`
	Name       string    `json:"name,omitzero"`
	TargetType string    `json:"target_type,omitzero"`
	Dialect    string    `json:"dialect"`
	Digest     string    `json:"digest"` // of the rubric's meaning, "sha256:<hex>"
	Document   []byte    `json:"-"`      // a document with this rubric alone, in its dialect
	Format     string    `json:"format"` // of Document: "json" or "yaml"
	By         string    `json:"by"`     // who registered it
	At         time.Time `json:"at"`     // UTC, in whole microseconds
}

// An Action is an event of a rubric.
type Action string

// The actions.
const (
	Registered Action = "registered" // a new version, which became the latest
	Selected   Action = "selected"   // a known version was registered again, and became the latest
	Deleted    Action = "deleted"    // the pointer to the latest version was removed

	Unchanged Action = "unchanged" // a known version was registered that is the latest already: no event
)

// An Event is an entry of a rubric's history.
type Event struct {
	Seq     int64     `json:"seq"` // order of events in the store, from 1
	ID      string    `json:"id"`
	Version string    `json:"version"`
	Action  Action    `json:"action"`
	By      string    `json:"by"`
	At      time.Time `json:"at"`
}

// A Filter selects rubrics. The zero value selects all.
type Filter struct{ TargetType string }

// A Store keeps snapshots, the pointers to the latest versions, and the history.
// Every method is atomic, safe for concurrent use, and durable when it returns.
type Store interface {
	// PutRubrics registers snapshots in their order, all or none: appends new versions, makes each the latest, and
	// adds an event unless it was. It returns Registered, Selected or Unchanged for each. If a version exists with
	// another digest, nothing changes, and the error is of class fault.Conflict.
	PutRubrics(ctx context.Context, list []Snapshot) ([]Action, error)

	// Rubric returns a snapshot: of the version, or of the latest one if version is
	// empty. The error is of class fault.NotFound if there is none.
	Rubric(ctx context.Context, id, version string) (Snapshot, error)

	// Rubrics returns the latest snapshots in the order of their ids.
	Rubrics(ctx context.Context, f Filter) ([]Snapshot, error)

	// RubricEvents returns the history of an id, oldest first; empty if it never was
	// registered. Deleted rubrics keep theirs.
	RubricEvents(ctx context.Context, id string) ([]Event, error)

	// DeleteRubric removes the pointer to the latest version of an id, and says
	// whether there was one. Snapshots and history stay.
	DeleteRubric(ctx context.Context, id, by string, at time.Time) (bool, error)
}
