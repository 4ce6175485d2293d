// Package judge scores with a language model: it asks about one criterion,
// several in one call, or a whole rubric, reads the answer strictly, and asks
// again with the problem named when an answer cannot be used.
//
// A judge knows kinds of answers, never dialects: met, a level, a number on a scale,
// mixed as the task has them. An answer must name every criterion it was asked about
// exactly once, with a value of the right type and in range; an answer that breaks
// this is asked for again, and in the end a failed verdict, never a number. A value
// that is right for one criterion is kept when the answer is wrong for another.
//
// Case content is untrusted input. It stands between tags with a nonce that cannot
// occur in it (see message.go), and the judge is told that all of it is data. The
// tags are those of the rubric library, so that system prompts written for it find
// their tags: <criterion_type>, <criterion> (or <criteria>), <query>, <response> with
// <thinking> and <output>; beside them <context>, <reference> and, for a criterion
// with a template of its own, <task>.
//
// Stability: experimental.
package judge

import (
	"cmp"
	"context"
	"time"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// maxMessage is the longest message to a judge, in bytes. No model takes more.
const maxMessage = 8 << 20

const maxAttempts = 10

// Options say how a judge is asked. Zero fields are taken from rubric.Judge,
// and then from here.
type Options struct {
	Model string // as the endpoint calls it; empty: the rubric's, else the endpoint's

	// Attempts is the maximum number of answers asked for, until one is usable,
	// and of consecutive requests without an answer: no connection, a server
	// error. 0: the rubric's, else 3; never more than 10. An endpoint that is busy
	// (429, Retry-After) uses up none: see Patience.
	Attempts int

	Temperature *float64 // nil: the rubric's, else 0
	MaxTokens   int      // of an answer; 0: the rubric's, else not sent

	// Seed is sent with the first repeat of a case, and counted up with every
	// further one. Nil: none is sent.
	Seed *int

	// Abstain lets the judge answer that it cannot assess a criterion, which is
	// an unscored verdict with its reason. Otherwise it may do so only where the
	// rubric lets the criterion go without a verdict, and is asked again elsewhere.
	Abstain bool

	// Wait is the pause before the second attempt after a failed connection or a
	// busy endpoint; it grows by half with each, and varies by as much. 0: half
	// a second.
	Wait time.Duration

	// Templates renders the templates of criteria that have one. Package host sets
	// it.
	Templates Templates

	// Patience is how long a call waits for a busy endpoint, all its pauses
	// together. 0: five minutes.
	Patience time.Duration
}

// New returns the scorer of a task: one criterion, or several that are asked
// about in one call. The criteria are leaves of r. It returns one verdict for
// each, in their order, and one more for rubric.Overall if the task is the whole
// rubric and the judge gave a number of its own.
//
// The usage of the calls stands with the first verdict, so that a sum over all
// verdicts is the cost of judging. The error has class fault.Invalid: a template
// does not parse.
func New(ctx context.Context, r *rubric.Rubric, criteria []*rubric.Criterion, m llm.Model, o Options) (scorer.Scorer, error) {
	t, err := newTask(ctx, r, criteria, &o)
	if err != nil {
		return nil, err
	}
	return newJudge(t, m, o), nil
}

// NewHolistic returns a scorer that asks for one number for the whole rubric, on
// score.OverallScale. Its one verdict is on rubric.Overall.
func NewHolistic(r *rubric.Rubric, m llm.Model, o Options) (scorer.Scorer, error) {
	if len(r.Criteria) == 0 {
		return nil, fault.New(fault.Invalid, "judge: rubric %q has no criteria", r.ID)
	}
	return newJudge(newHolistic(r, &o), m, o), nil
}

type judge struct {
	task  *task
	model llm.Model
	o     Options
	base  llm.Request // all that does not depend on the case
}

func newJudge(t *task, m llm.Model, o Options) *judge {
	o = o.over(&t.rubric.Judge)
	return &judge{task: t, model: m, o: o, base: llm.Request{
		Model: o.Model, System: t.system, Temperature: o.Temperature, MaxTokens: o.MaxTokens,
		Schema: t.schemaText, SchemaName: "verdict",
	}}
}

// over returns the options with their defaults: those of a rubric, then ours.
func (o Options) over(r *rubric.Judge) Options {
	o.Model = cmp.Or(o.Model, r.Model)
	o.Attempts = min(cmp.Or(max(0, o.Attempts), max(0, r.Attempts), 3), maxAttempts)
	o.Temperature = cmp.Or(o.Temperature, r.Temperature, new(float64))
	o.MaxTokens = cmp.Or(max(0, o.MaxTokens), r.MaxTokens)
	o.Wait = cmp.Or(max(0, o.Wait), 500*time.Millisecond)
	o.Patience = cmp.Or(max(0, o.Patience), 5*time.Minute)
	return o
}

// Score implements scorer.Scorer. The error is not nil only if nothing can be
// said about the judge: the context is done, or a budget is used up.
func (j *judge) Score(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
	if !c.HasOutput && j.task.question == nil { // a template may ask about the case as a whole
		return j.each(func(id string) rubric.Verdict { return rubric.Unable(id, "the case has no output to grade") }), nil
	}
	m, err := j.task.message(ctx, c)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return j.each(func(id string) rubric.Verdict { return rubric.FailedBy(id, err) }), nil
	}
	req := j.base
	req.User = m.text
	req.ID = llm.CallID{Case: c.ID, CaseDigest: c.Digest(), Repeat: llm.RepeatOf(ctx), Rubric: c.Rubric, Criteria: xslices.Map(j.task.questions, func(q question) string { return q.id })}
	if j.o.Seed != nil {
		req.Seed = new(*j.o.Seed + req.ID.Repeat - 1)
	}
	said, err := j.ask(ctx, req, m)
	if err != nil {
		return nil, err
	}
	return j.verdicts(said), nil
}

func (j *judge) each(verdict func(id string) rubric.Verdict) []rubric.Verdict {
	out := make([]rubric.Verdict, len(j.task.questions))
	for i := range out {
		out[i] = verdict(j.task.questions[i].id)
		out[i].How = rubric.How{By: "judge", Judge: j.o.Model, Digest: j.task.digest}
	}
	return out
}
