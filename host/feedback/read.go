package feedback

import (
	"cmp"
	"io"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// An opinion is a line that is imported: a note, of this program or written by others, or a
// given verdict.
type opinion struct {
	Note           // ID is made again, and the run that it is imported to counts
	Level  *string `json:"level"`
	Met    *bool   `json:"met"`
	Reason string  `json:"reason"`
}

var opinionForm = scorer.LineForm{
	Keys: map[string]string{
		"id": "text", "run": "text", "case": "text", "repeat": "a whole number", "criterion": "text", "agree": "true or false",
		"label": "text", "level": "text", "met": "true or false", "value": "a number", "comment": "text", "reason": "text", "by": "text", "at": "a time",
	},
	Hint: `write {"case": ID, "criterion": ID, "agree": true}, or label, value`,
}

// Import reads notes of a run, or verdicts as scorer.ReadGiven does, a JSON object a line. by and at stand in
// where a line does not say who and when. The error is a diag.List with every line that is wrong.
func Import(name string, r io.Reader, run, by string, at time.Time) ([]Note, error) {
	var notes []Note
	problems := scorer.EachLine(name, r, func(_ int, text []byte) *diag.Diagnostic {
		var o opinion
		if bad := opinionForm.Read(text, &o); bad != nil {
			return bad
		}
		n, err := o.note(run, by, at)
		if err != nil {
			return &diag.Diagnostic{Code: "note-invalid", Message: err.Error(), Hint: fault.OwnHint(err)}
		}
		notes = append(notes, n)
		return nil
	})
	if len(notes) == 0 && len(problems) == 0 {
		problems.Add(diag.Diagnostic{Code: "notes-empty", Pos: diag.Pos{File: name}, Message: "the file holds no note"})
	}
	return notes, problems.Err()
}

// note returns the note of a line.
func (o *opinion) note(run, by string, at time.Time) (Note, error) {
	n := o.Note
	n.ID, n.Run, n.Comment, n.By = "", run, cmp.Or(n.Comment, o.Reason), cmp.Or(n.By, by)
	if n.At.IsZero() {
		n.At = at
	}
	said := 0
	for _, label := range []*string{o.Label, o.Level} {
		if label != nil {
			n.Label = label
			said++
		}
	}
	if o.Met != nil {
		label := map[bool]string{true: "met", false: "unmet"}[*o.Met]
		n.Label = &label
		said++
	}
	if said > 1 {
		return n, fault.WithHint(fault.New(fault.Invalid, "the line gives several of label, level and met"), "keep one of them")
	}
	return n, n.Check()
}
