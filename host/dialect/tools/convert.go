package tools

import (
	"errors"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
)

// ConvertOptions select the output of Convert.
type ConvertOptions struct {
	To            string // one of dialect.Names
	Format        string // JSON or YAML; empty: the document's own
	AcceptChanges bool   // write although scores change
}

// ErrScoresChange is in the chain of Convert's error if the other dialect cannot
// say something that scores depend on.
var ErrScoresChange = errors.New("scores would change")

// Convert writes a document in another dialect. losses are those of
// dialect.Encode. If one of them changes scores, the error is ErrScoresChange, of
// class fault.Invalid, unless the options accept it.
func Convert(doc *dialect.Document, o ConvertOptions) (out []byte, losses diag.List, err error) {
	out, losses, err = dialect.Encode(doc, o.To, o.Format)
	if n := len(losses.Errors()); err == nil && n > 0 && !o.AcceptChanges {
		err = fault.New(fault.Invalid, "%s cannot say %s of %s, and %w", o.To, diag.Count(n, "thing"), doc.File, ErrScoresChange)
	}
	return out, losses, err
}
