// Package generate drafts and improves rubrics with a language model: from the
// expected outcomes of an eval file, from a task, from good and bad examples, from
// pairs of which people preferred one.
//
// A model's draft is untrusted, and so are all its sources. It is JSON of one form,
// read strictly; the model is asked again with the errors, and a draft that stays
// invalid is discarded. A draft is plain text for a judge: it cannot name files,
// plugins, functions, schemas or templates. It is linted, and tried on the
// examples.
//
// Stability: experimental.
package generate

import (
	"context"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A Meta is a draft's result by the built-in rubric that grades rubrics,
// builtin:meta_rubric.
type Meta struct {
	Score *float64 `json:"score"` // nil: it could not be scored
	Below []string `json:"below"` // ids of its criteria that the draft does not meet wholly
}

func metaOf(ctx context.Context, ev *host.Evaluator, r *rubric.Rubric) (*Meta, error) {
	row, err := ev.MetaGrade(ctx, r)
	if err != nil {
		return nil, err
	}
	m := &Meta{Score: row.Score, Below: []string{}}
	for i := range row.Criteria {
		if v := row.Criteria[i].Value; v != nil && *v < 1 {
			m.Below = append(m.Below, row.Criteria[i].ID)
		}
	}
	return m, nil
}

// Bounds on a draft.
const (
	fewest = 3 // criteria, as AgentV's generator asks for
	most   = 7

	maxID    = 48  // bytes
	maxText  = 600 // bytes of the text of a criterion
	maxLevel = 300 // bytes of the description of a level

	maxWeight = 10.0

	fewestLevels = 2
	mostLevels   = 6

	maxProblems = 6 // that the model is told at once
)

// maxInput is how much of one text goes into a prompt, in bytes.
const maxInput = 32 << 10
