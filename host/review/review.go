// Package review holds the life of an artifact: from draft through review to
// approved or rejected. One table lists the transitions.
//
// States, type definitions and provenance are those of dataknobs' artifacts.
//
// Stability: experimental.
package review

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// A Status is the state of an artifact.
type Status string

// The states.
const (
	Draft         Status = "draft"
	PendingReview Status = "pending_review"
	InReview      Status = "in_review"
	Approved      Status = "approved"
	NeedsRevision Status = "needs_revision"
	Rejected      Status = "rejected"
	Superseded    Status = "superseded"
	Archived      Status = "archived"
)

// An Artifact is one version of something that is reviewed.
type Artifact struct {
	ID         string         `json:"id"` // "art_" and 12 hexadecimal digits
	Type       string         `json:"type"`
	Name       string         `json:"name"`
	Version    string         `json:"version"`
	Status     Status         `json:"status"`
	Content    jsontext.Value `json:"content,omitzero"`
	Provenance jsontext.Value `json:"provenance,omitzero"` // a Provenance
	Tags       []string       `json:"tags"`
	Rubrics    []string       `json:"rubric_ids"`
	// Evaluations are the ids of stored evaluations of this version, oldest first.
	Evaluations []string       `json:"evaluation_ids"`
	Metadata    map[string]any `json:"metadata,omitzero"`
	Created     time.Time      `json:"created_at"` // UTC, in whole microseconds, as Updated
	Updated     time.Time      `json:"updated_at"`

	// Revision counts the writes of this version, from 1. A write names the revision
	// that it read; of two writers, the second one fails.
	Revision int64 `json:"revision"`
}

// A Filter selects artifacts. The zero value selects the newest versions of all.
type Filter struct {
	ID       string // one artifact; empty: all
	Type     string
	Status   Status
	Tag      string
	Versions bool // all versions, not the newest ones only
	Brief    bool // without content and provenance
}

// An Event is an entry of an artifact's history.
type Event struct {
	Seq     int64     `json:"seq"` // order of events in the store, from 1
	ID      string    `json:"id"`
	Version string    `json:"version"`
	From    Status    `json:"from"` // empty: it was created
	To      Status    `json:"to"`
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Note    string    `json:"note,omitzero"`
}

// A Store keeps artifacts and their history. Every method is atomic, safe for
// concurrent use, and durable when it returns.
type Store interface {
	// PutArtifacts writes versions with their events, all or none. Revision is 0 of a new version, else the one that
	// the store has; written versions have the next one. If another writer came first: fault.Conflict.
	PutArtifacts(ctx context.Context, written []*Artifact, events []Event) error

	// Artifact returns a version of an artifact: the one last created if version is
	// empty. The error is of class fault.NotFound if there is none.
	Artifact(ctx context.Context, id, version string) (*Artifact, error)

	// Artifacts returns artifacts in the order of their ids, versions in the order of
	// their creation.
	Artifacts(ctx context.Context, f Filter) ([]*Artifact, error)

	// ArtifactEvents returns the history of an artifact, oldest first.
	ArtifactEvents(ctx context.Context, id string) ([]Event, error)
}
