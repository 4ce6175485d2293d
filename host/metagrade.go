package host

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/metarubric"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// MetaGrade grades a rubric of any dialect with the built-in rubric builtin:meta_rubric,
// as Grade grades an output: the row has a verdict on each of its five criteria. Two of
// them leave the score where the rubric has nothing to check: weight_distribution for a
// dialect whose weights are relative, threshold for a rubric without a pass rule; see
// metarubric.Object.
func (e *Evaluator) MetaGrade(ctx context.Context, r *rubric.Rubric) (*result.Row, error) {
	doc, err := Load(metarubric.Scheme + metarubric.Name)
	if err != nil {
		return nil, err
	}
	target, err := metarubric.Object(r)
	if err != nil {
		return nil, err
	}
	object, err := json.Marshal(map[string]any{"id": r.ID, "output": target}, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, err
	}
	c, err := Case(string(object))
	if err != nil {
		return nil, err
	}
	return e.Grade(ctx, doc, c, GradeOptions{})
}
