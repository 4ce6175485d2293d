// Package feedback holds people's notes on verdicts: whether a verdict on a criterion
// is right, and which one would be. Notes live in the run directory beside the rows
// that they are about, in feedback.jsonl.
//
// Stability: experimental.
package feedback

import "time"

// File is the name of the file in a run directory that holds its notes, one JSON
// object per line, appended whole.
const File = "feedback.jsonl"

// A Note is a person's opinion of one verdict, or of a whole row.
type Note struct {
	ID        string    `json:"id"`  // "note_" and 12 hexadecimal digits, of its content
	Run       string    `json:"run"` // id of the run
	Case      string    `json:"case"`
	Repeat    int       `json:"repeat,omitzero"`    // from 1
	Criterion string    `json:"criterion,omitzero"` // empty: the row as a whole
	Agree     *bool     `json:"agree,omitzero"`     // whether the verdict is right; nil: not said
	Label     *string   `json:"label,omitzero"`     // the right level, "met" or "unmet"
	Value     *float64  `json:"value,omitzero"`     // the right value in [0, 1]
	Comment   string    `json:"comment,omitzero"`
	By        string    `json:"by"`
	At        time.Time `json:"at"` // UTC, in whole microseconds
}
