// Package store defines how a database keeps evaluations: an index of the run
// directories, which stay the truth. A lost index is made again by a scan, with the
// same content.
//
// Drivers are store/sqlite and store/postgres. Both also keep rubrics
// (registry.Store) and artifacts (review.Store), of which the database is the truth.
//
// Stability: experimental.
package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"time"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// An Evaluation is the index entry of one row of a run. The row itself is in
// rows.jsonl, at Offset.
type Evaluation struct {
	ID            string        `json:"id"`  // "eval_" and 12 hexadecimal digits
	Run           string        `json:"run"` // id of the run
	Case          string        `json:"case"`
	Repeat        int           `json:"repeat"` // from 1
	Rubric        string        `json:"rubric_id"`
	RubricVersion string        `json:"rubric_version"`
	RubricDigest  string        `json:"rubric_digest"`
	TargetType    string        `json:"target_type,omitzero"`
	Status        rubric.Status `json:"status"`
	Score         *float64      `json:"score"`        // nil: unscored
	Passed        *bool         `json:"passed"`       // nil: the rubric has no pass rule
	At            time.Time     `json:"evaluated_at"` // the start of the run; PutRun takes it from the Run
	By            string        `json:"evaluated_by"` // who started the run, else result.System

	Offset int64 `json:"-"` // of the row in rows.jsonl, in bytes
	Length int64 `json:"-"` // of the row in bytes, without its line feed
}

// MaxID is the largest size of an id or version of a run, rubric or artifact, in bytes.
const MaxID = 500

// A Run is the entry of a run directory in the index. A scan reads a run again when
// Size or Changed of its rows differs.
type Run struct {
	ID      string    `json:"id"`
	Host    string    `json:"host"` // whose directory it is; empty: the only one that has this database
	Dir     string    `json:"dir"`  // absolute
	Rubric  string    `json:"rubric_id"`
	Version string    `json:"rubric_version"`
	Plan    string    `json:"plan_digest"`
	Started time.Time `json:"started"`
	Size    int64     `json:"-"` // of run.json and rows.jsonl together, in bytes
	Changed time.Time `json:"-"` // of the one changed last, in whole microseconds as Started
}

// A Filter selects evaluations. The zero value selects all.
type Filter struct {
	Run, Rubric, Case string
	Status            rubric.Status
	Passed            *bool
	Since             time.Time // zero: no limit
	Limit             int       // 0: no limit
}

// Runs indexes run directories. Every method is atomic, safe for concurrent use,
// and durable when it returns.
type Runs interface {
	// PutRun replaces the entry of a run, evaluations included. An error in the
	// sequence leaves the index unchanged.
	PutRun(ctx context.Context, r Run, rows iter.Seq2[Evaluation, error]) error

	// Run returns a run. The error is of class fault.NotFound if there is none.
	Run(ctx context.Context, id string) (Run, error)

	// Runs returns all runs, newest first.
	Runs(ctx context.Context) ([]Run, error)

	// DropRun removes a run from the index, and says whether it was there.
	DropRun(ctx context.Context, id string) (bool, error)

	// Evaluation returns an evaluation. The error is of class fault.NotFound if there
	// is none.
	Evaluation(ctx context.Context, id string) (Evaluation, error)

	// Evaluations returns evaluations, newest run first, in the order of their rows. The
	// error is of class fault.Usage if the filter has a version without a rubric.
	Evaluations(ctx context.Context, f Filter) ([]Evaluation, error)
}

// A Backup counts the content of a copy of rubrics and artifacts.
type Backup struct {
	At        time.Time `json:"made_at"`
	Rubrics   int       `json:"rubrics"`   // versions
	Artifacts int       `json:"artifacts"` // versions
}

// EvaluationID returns the id of the evaluation of a case in a run: "eval_" and 12
// hexadecimal digits. It depends on nothing else, so that every scan gives the same.
// repeat counts from 1.
func EvaluationID(run, caseID string, repeat int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s%d:%s%d", len(run), run, len(caseID), caseID, repeat))
	return "eval_" + hex.EncodeToString(sum[:6])
}
