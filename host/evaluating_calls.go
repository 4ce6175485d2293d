package host

import (
	"cmp"
	"errors"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// recordCalls lets the judge's calls be kept in the run directory, and plays those
// of an earlier execution of the same run: an answer that was paid for is not
// asked for again. done ends both, and is never nil.
func (w *evaluating) recordCalls() (done func(), err error) {
	a := w.e.judge
	if a == nil || !w.ev.Plan.Asks() {
		return func() {}, nil
	}
	a.begin(llm.Usage{})
	a.arm(true)
	done = func() { a.arm(false) }
	if w.dir == nil || a.recorder == nil || w.o.NoContent && a.judge.Record != nil { // that recording has texts
		return done, nil
	}
	f, err := w.dir.Calls()
	if err != nil {
		return done, err
	}
	inner, err := w.reuse(a.inner)
	if err != nil {
		return done, err
	}
	before, err := llm.Continue(inner, f, f.Name(), func(id llm.CallID) bool { return !w.dir.Has(id.Case, id.Repeat, id.CaseDigest) })
	if err == nil {
		err = fault.As(fault.Storage, f.Truncate(before.End))
	}
	if err != nil {
		return done, err
	}
	a.begin(before.Spent)
	a.recorder.Begin(f, before.Round+1, w.o.NoContent)
	a.model.set(before)
	done = func() {
		a.model.set(a.inner)
		a.recorder.Begin(nil, 0, false)
		a.arm(false)
	}
	if w.retry == nil {
		return done, nil
	}
	for _, r := range w.retry.redo {
		before.Redo(r.id, r.model)
		err = errors.Join(err, a.recorder.Redo(r.id, r.model))
	}
	return done, err
}

// spent returns the judge's usage for this run, all executions together. ok is
// false if that is not known better than from the rows.
func (w *evaluating) spent() (u result.Usage, ok bool) {
	if w.usage != nil {
		return *w.usage, true
	}
	a := w.e.judge
	if a == nil || a.meter == nil || !w.ev.Plan.Asks() {
		return u, false
	}
	return a.spent(), true
}

// A redo is a question that a model gets again.
type redo struct {
	id    llm.CallID
	model string // as requests name it
}

// askedAnew returns the judge's calls about a row that brought no number.
func (w *evaluating) askedAnew(row *result.Row) (out []redo) {
	grader := w.graders[row.Rubric]
	if grader == nil {
		return nil
	}
	scored := map[string]bool{}
	for c := range row.All() {
		scored[c.ID] = c.Value != nil
	}
	for i := range grader.Tasks {
		t := &grader.Tasks[i]
		if !t.Judged {
			continue
		}
		for _, id := range t.Criteria {
			if id == rubric.Overall {
				id = result.OverallID
			}
			if !scored[id] {
				id := llm.CallID{Case: row.Case, CaseDigest: row.CaseDigest, Repeat: row.Repeat, Rubric: row.Rubric, Criteria: t.Criteria}
				out = append(out, redo{id, cmp.Or(w.e.judge.judge.Options.Model, grader.Rubric.Judge.Model)})
				break
			}
		}
	}
	return out
}
