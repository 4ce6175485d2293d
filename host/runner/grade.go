// Package runner carries out a plan: it grades cases with bounded concurrency,
// keeps their order, resumes interrupted runs, and stops when it must. It is the
// only room that starts goroutines per case.
//
// Stability: experimental.
package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/scorer"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Grader is a rubric with the scorers that grade a case by it: the assembled
// form of a plan.Grader. It is safe for concurrent use.
type Grader struct {
	Rubric *rubric.Rubric
	Tasks  []Task
	Given  *scorer.Given // verdicts that stand in for scorers; nil: none

	// Aggregate combines criteria of a rubric whose aggregate is go:NAME. Nil: the
	// rubric has none.
	Aggregate func(ctx context.Context, name string, parts []score.Part) (float64, error)

	// Feedback completes a row with feedback. An error ends the run. Nil: rows have none.
	Feedback func(context.Context, *result.Row) error
}

// A Task is one scorer and the criteria it answers.
type Task struct {
	Criteria []string // ids; rubric.Overall alone for a holistic judge
	Scorer   scorer.Scorer

	// Waits says that the scorer waits rather than computes: it runs beside the
	// other tasks of its case, and takes no processor slot.
	Waits bool

	// Judged says that the task asks a judge; a given overall verdict stands in
	// for all such tasks.
	Judged bool

	// Part returns a scorer of fewer criteria, for a case that has given verdicts
	// on the others. Nil: the task has a single criterion.
	Part func(criteria []string) (scorer.Scorer, error)
}

// GradeOptions say how one case is graded. The zero value is valid.
type GradeOptions struct {
	Unscored score.Unscored
	Timeout  time.Duration // per case; 0: none
	CPU      chan struct{} // slots of tasks that compute; nil: no bound
}

// Grade grades one case. The row has everything but its repeat. The error is not nil
// only if the run must stop, and then there is not a row: an exhausted budget or an
// interrupt is not the case's fault.
func Grade(ctx context.Context, s *Grader, c *dataset.Case, o GradeOptions) (*result.Row, error) {
	g := grading{grader: s, c: c, o: o}
	if s.Given != nil {
		g.criteria = s.Rubric.Index()
	}
	caseCtx := ctx
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		caseCtx, cancel = context.WithTimeoutCause(ctx, o.Timeout,
			fault.New(fault.Deadline, "the case took longer than %s", o.Timeout))
		defer cancel()
	}
	g.run(caseCtx)
	switch {
	case ctx.Err() != nil:
		return nil, cause(ctx, ctx.Err())
	case g.halt != nil:
		return nil, g.halt
	}
	opts := score.Options{Unscored: o.Unscored}
	if l := s.Rubric.LengthPenalty; l != nil {
		if thinking, output, ok := c.Reasoned(); ok {
			opts.Length = score.WordsOf(l, thinking, output)
		} else {
			opts.Length = score.Words(l, c.Output)
		}
	}
	if s.Aggregate != nil {
		opts.Aggregate = func(name string, parts []score.Part) (float64, error) {
			var x float64
			err := fault.Guard(func() (err error) {
				x, err = s.Aggregate(caseCtx, name, parts)
				return err
			})
			return x, cause(caseCtx, err)
		}
	}
	row := result.NewRow(s.Rubric, score.Combine(s.Rubric, g.verdicts, opts))
	row.Case, row.CaseDigest, row.Cluster, row.Rubric = c.ID, c.Digest(), c.Cluster, c.Rubric
	row.SampleOf, row.SameAs, row.Probe = c.SampleOf, c.SameAs, c.Probe
	for i := range g.verdicts {
		row.Judge.Add(result.UsageOf(&g.verdicts[i]))
	}
	if s.Feedback != nil {
		if err := fault.Guard(func() error { return s.Feedback(caseCtx, row) }); err != nil {
			return nil, cause(ctx, err)
		}
		if err := ctx.Err(); err != nil { // it may lack for that
			return nil, cause(ctx, err)
		}
	}
	if s.Aggregate != nil && ctx.Err() != nil {
		return nil, cause(ctx, ctx.Err()) // it may have failed for that
	}
	return row, nil
}

// grading is the work on one case.
type grading struct {
	grader   *Grader
	c        *dataset.Case
	o        GradeOptions
	criteria map[string]*rubric.Criterion // of the rubric, if verdicts are given
	verdicts []rubric.Verdict

	mu   sync.Mutex
	halt error // why the run must stop; nil: it need not
}

// run collects the verdicts of every task, in the order of the tasks.
func (g *grading) run(ctx context.Context) {
	overall := g.givenOverall()
	answers := make([][]rubric.Verdict, len(g.grader.Tasks))
	var waiting sync.WaitGroup
	for i := range g.grader.Tasks {
		t := &g.grader.Tasks[i]
		switch {
		case t.Judged && overall:
		case t.Waits:
			waiting.Go(func() { answers[i] = g.task(ctx, t) })
		default:
			answers[i] = g.compute(ctx, t)
		}
	}
	waiting.Wait()
	g.verdicts = slices.Grow(g.verdicts, len(answers))
	for _, a := range answers {
		g.verdicts = append(g.verdicts, a...)
	}
}

// givenOverall adds a given verdict on the whole rubric, and reports whether it
// stands in for the judge: that is so unless criteria have verdicts too.
func (g *grading) givenOverall() bool {
	v, ok := g.grader.Given.Overall(g.grader.Rubric, g.c.ID)
	if !ok {
		return false
	}
	g.verdicts = append(g.verdicts, v)
	for _, t := range g.grader.Tasks {
		for _, id := range t.Criteria {
			if c := g.criteria[id]; t.Judged && c != nil {
				if _, given := g.grader.Given.Verdict(g.grader.Rubric, c, g.c.ID); given {
					return false
				}
			}
		}
	}
	return true
}

// compute runs a task in a processor slot.
func (g *grading) compute(ctx context.Context, t *Task) []rubric.Verdict {
	if g.o.CPU != nil {
		select {
		case g.o.CPU <- struct{}{}:
			defer func() { <-g.o.CPU }()
		case <-ctx.Done():
		}
	}
	return g.task(ctx, t)
}

// task returns one verdict per criterion of t: those that are given, and the
// scorer's on the others.
func (g *grading) task(ctx context.Context, t *Task) []rubric.Verdict {
	if g.grader.Given == nil {
		return g.ask(ctx, t.Scorer, t.Criteria)
	}
	var out []rubric.Verdict
	var open []string
	for _, id := range t.Criteria {
		if c := g.criteria[id]; c != nil {
			if v, ok := g.grader.Given.Verdict(g.grader.Rubric, c, g.c.ID); ok {
				out = append(out, v)
				continue
			}
		}
		open = append(open, id)
	}
	if len(open) == 0 {
		return out
	}
	s := t.Scorer
	if len(open) < len(t.Criteria) && t.Part != nil {
		err := fault.Guard(func() (err error) {
			s, err = t.Part(open)
			return err
		})
		if err != nil {
			return append(out, failed(open, err)...)
		}
	}
	return append(out, g.ask(ctx, s, open)...)
}

// ask calls a scorer, and turns an error or a panic into failed verdicts.
func (g *grading) ask(ctx context.Context, s scorer.Scorer, criteria []string) []rubric.Verdict {
	if err := ctx.Err(); err != nil {
		return failed(criteria, cause(ctx, err))
	}
	var verdicts []rubric.Verdict
	err := fault.Guard(func() (err error) {
		verdicts, err = s.Score(ctx, g.c)
		return err
	})
	if err != nil {
		if llm.Stops(err) {
			g.mu.Lock()
			g.halt = err
			g.mu.Unlock()
		}
		return failed(criteria, cause(ctx, err))
	}
	return verdicts
}

// cause replaces a bare context error by the reason why the context ended.
func cause(ctx context.Context, err error) error {
	if ctx.Err() == nil || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if why := context.Cause(ctx); why != nil {
		return why
	}
	return err
}

func failed(criteria []string, err error) []rubric.Verdict {
	return xslices.Map(criteria, func(id string) rubric.Verdict { return rubric.FailedBy(id, err) })
}

// BadRow returns the row of something in a dataset that could not be read. By the pass
// rule of s, if it has one, the row has not passed, as any other without a score; nil:
// there is no rubric.
func BadRow(s *Grader, err error) *result.Row {
	var passed *bool
	if s != nil && s.Rubric.Decides() {
		passed = new(bool)
	}
	return &result.Row{
		Passed: passed,
		Schema: result.SchemaVersion, Status: rubric.Unscored, Verdict: new(score.UnscoredLabel), Reason: err.Error(),
		GateFailures: []string{}, Criteria: []result.Criterion{}, Metrics: []result.Criterion{}, Warnings: []string{},
		Error: result.FailureOf(err),
	}
}

// Unbound returns a scorer that fails every case: it stands where a plan has no
// scorer and verdicts are given instead.
func Unbound(err error) scorer.Scorer {
	return scorer.Func(func(context.Context, *dataset.Case) ([]rubric.Verdict, error) {
		return nil, fmt.Errorf("no verdict is given, and %w", err)
	})
}
