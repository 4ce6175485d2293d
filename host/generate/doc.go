// Package generate drafts and improves rubrics with a language model: from the
// expected outcomes of an eval file, from a task, from good and bad examples, from
// pairs of which people preferred one.
//
// A model's draft is untrusted, and so is all that it was made from. It is JSON of
// one form, read strictly; the model is asked again with what is wrong, and in the
// end there is no draft rather than a bad one. A draft is plain text for a judge:
// it cannot name files, plugins, functions, schemas or templates. It is linted
// before anybody sees it, and tried on the examples.
//
// Stability: experimental.
package generate

import (
	"context"

	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// An Asker asks a model. *host.Evaluator is one.
type Asker interface {
	Ask(ctx context.Context, q judge.Query) (rubric.How, error)
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
