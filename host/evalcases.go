package host

import (
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// casesOf returns the cases that the eval file of a run brought: the file is
// read again, and compared with the rubrics of the run.
func casesOf(run *result.Run) ([]dataset.Given, error) {
	doc, err := load(run.Rubric.File, run.Rubric.Dialect)
	if err != nil {
		return nil, fault.WithHint(err, "the run took its cases from this file")
	}
	return givenOf(doc, func(r *rubric.Rubric) string {
		if d := r.Digest(); d != run.Rubric.Digest {
			return d
		}
		return ""
	}), nil
}

// givenOf turns the cases of an eval file into rows of a dataset. key names the
// rubric of a case.
func givenOf(doc *dialect.Document, key func(*rubric.Rubric) string) []dataset.Given {
	keys := map[*rubric.Rubric]string{}
	var out []dataset.Given
	for i := range doc.Cases {
		c := &doc.Cases[i]
		k, ok := keys[c.Rubric]
		if !ok {
			k = key(c.Rubric)
			keys[c.Rubric] = k
		}
		out = append(out, dataset.Given{Value: c.Fields, Pos: diag.Pos{File: doc.File, Line: c.Line}, Rubric: k})
	}
	return out
}

// EvalCase returns the case of an eval file with an id, or its only case for the empty id,
// and the digest of its rubric in the plan, which was made with these options.
func (o PlanOptions) EvalCase(doc *dialect.Document, p *plan.Plan, id string) (*dialect.EvalCase, string, error) {
	if id == "" && len(doc.Cases) != 1 {
		return nil, "", fault.WithHint(fault.New(fault.Usage, "%s has %d cases, and the input does not say which one it belongs to", doc.File, len(doc.Cases)),
			"add the field id, such as %q", doc.Cases[0].ID)
	}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		if id != "" && c.ID != id {
			continue
		}
		r, err := adjust(c.Rubric, o)
		if err != nil {
			return nil, "", err
		}
		key := r.Digest()
		if p.Grader(key) == nil {
			return nil, "", fault.New(fault.Internal, "case %q: its rubric is not in the plan", c.ID)
		}
		return c, key, nil
	}
	return nil, "", fault.New(fault.NotFound, "%s has no case %q", doc.File, id)
}
