package generate

import (
	"context"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/schema"
)

// A Reference says how a case's own expected output scores by the rubrics that were
// drafted for it. A draft that it does not satisfy asks for something else.
type Reference struct {
	Score *float64 `json:"score"` // nil: it could not be scored
	Unmet []string `json:"unmet"` // ids of criteria that it does not meet
	Error string   `json:"error,omitzero"`
}

// TryReferences grades the expected outputs of the cases that have drafts and one.
// The error says why grading stopped.
func (f *EvalFile) TryReferences(ctx context.Context, ev *host.Evaluator, file string) error {
	doc, err := dialect.Decode(file, f.Text, dialect.Options{Dialect: f.Dialect, Schema: schema.Check, Undrafted: true})
	if err != nil {
		return err
	}
	at, outputs := map[string]*Filled{}, &dataset.Outputs{Name: "expected outputs"}
	selected := map[string]bool{}
	for i := range f.Cases {
		if f.Cases[i].Status != Drafted {
			continue
		}
		c, err := dataset.FromJSON(doc.Cases[i].Fields, diag.Pos{File: file, Line: doc.Cases[i].Line})
		if err != nil || len(c.References) == 0 {
			continue
		}
		outputs.Set(c.ID, c.References[0])
		at[c.ID], selected[c.ID] = &f.Cases[i], true
	}
	if len(at) == 0 {
		return nil
	}
	_, err = ev.Evaluate(ctx, doc.Drafted(), host.EvaluateOptions{
		Dataset:     dataset.Options{Outputs: outputs, Select: dataset.Selection{IDs: selected}},
		MaxUnscored: result.Share{Percent: 100, IsPart: true},
		Observe: func(row *result.Row) {
			if c := at[row.Case]; c != nil {
				c.Reference = referenceOf(row, c)
			}
		},
	})
	return err
}

func referenceOf(row *result.Row, c *Filled) *Reference {
	r := &Reference{Score: row.Score, Unmet: []string{}}
	if row.Score == nil {
		r.Error = row.Reason
	}
	for i := range c.Criteria {
		if v := valueOf(row, c.Criteria[i].ID); v != nil && *v == 0 {
			r.Unmet = append(r.Unmet, c.Criteria[i].ID)
		}
	}
	return r
}
