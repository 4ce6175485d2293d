package report

import (
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// shapes is the table of result forms: the dialect whose own system writes it, and
// its function.
var shapes = []struct {
	dialect string
	of      func(r *rubric.Rubric, row *result.Row, run *result.Run) any
}{
	{dialect.Native, func(_ *rubric.Rubric, row *result.Row, _ *result.Run) any { return row }},
	{dialect.OpenRubricRL, shapeOpenRubricRL},
	{dialect.AgentEvals, func(r *rubric.Rubric, row *result.Row, _ *result.Run) any { return shapeLine(r, row, "rubric") }},
	{dialect.RubricList, shapeEvaluationReport},
	{dialect.AgentV, func(r *rubric.Rubric, row *result.Row, _ *result.Run) any {
		return shapeLine(r, row, "llm_judge")
	}},
	{dialect.Dataknobs, shapeEvaluation},
}

// Shapes returns the dialects in whose own form a result can be written.
func Shapes() []string {
	names := make([]string, len(shapes))
	for i, s := range shapes {
		names[i] = s.dialect
	}
	return names
}

// Shape returns a row in the form that the system of a dialect gives its results, as far as it can express
// them. Numbers that the row does not have are null, but for the score 0 that dataknobs documents for a
// criterion without one. An error has class fault.Usage.
func Shape(name string, r *rubric.Rubric, row *result.Row, run *result.Run) (any, error) {
	for _, s := range shapes {
		if s.dialect == name {
			return s.of(r, row, run), nil
		}
	}
	return nil, fault.WithHint(fault.New(fault.Usage, "no results are written in the form of %q", name), "%s", diag.DidYouMean(name, Shapes()))
}

// answered is a leaf of a rubric with its verdict in a row.
type answered struct {
	*rubric.Criterion
	verdict *result.Criterion // nil: the row says nothing
}

// answers pairs the leaves of list with the verdicts of a row, in document
// order.
func answers(list []rubric.Criterion, verdicts []result.Criterion) []answered {
	var out []answered
	for i := range list {
		c := &list[i]
		if c.Group() {
			out = append(out, answers(c.Criteria, verdicts)...)
			continue
		}
		out = append(out, answered{c, verdictOn(c.ID, verdicts)})
	}
	return out
}

func verdictOn(id string, verdicts []result.Criterion) *result.Criterion {
	return xslices.Find(verdicts, func(v *result.Criterion) bool { return v.ID == id })
}

// value is the criterion's value in [0, 1], nil if it has none.
func (a answered) value() *float64 {
	if a.verdict == nil {
		return nil
	}
	return a.verdict.Value
}

// reason is why the criterion has its value, or none.
func (a answered) reason() string { return reasonOf(a.verdict) }

func reasonOf(v *result.Criterion) string {
	switch {
	case v == nil:
		return ""
	case v.Error != nil:
		return v.Error.Message
	}
	return v.Reason
}

// overall returns the verdict on the whole rubric, if the row holds that in
// place of verdicts on the criteria; nil if not.
func overall(r *rubric.Rubric, row *result.Row) *result.Criterion {
	if len(row.Criteria) != 1 || row.Criteria[0].ID != result.OverallID {
		return nil
	}
	if r.Find(result.OverallID) != nil && len(answers(r.Criteria, nil)) == 1 {
		return nil // a rubric of one criterion that is called so
	}
	return &row.Criteria[0]
}

// reasons joins the reasons of criteria, a line each.
func reasons(list []answered) string {
	var lines []string
	for _, a := range list {
		if why := strings.TrimSpace(a.reason()); why != "" {
			lines = append(lines, a.ID+": "+why)
		}
	}
	return strings.Join(lines, "\n")
}

// withoutScore says why a row has no score; empty if it has one.
func withoutScore(row *result.Row) string {
	switch {
	case row.Score != nil:
		return ""
	case row.Error != nil:
		return row.Error.Message
	case row.Reason != "":
		return row.Reason
	}
	return "the case has no score"
}
