package judge

import (
	"cmp"
	"fmt"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func (j *judge) verdicts(s *reply) []rubric.Verdict {
	t := j.task
	out := make([]rubric.Verdict, 0, len(t.questions)+1)
	for i := range t.questions {
		v := j.verdict(s, i)
		v.Criterion = t.questions[i].id
		v.How = s.how
		if i > 0 { // usage of the calls is counted once
			v.How = unused(v.How)
		}
		out = append(out, v)
	}
	out[0].Warnings = append(out[0].Warnings, s.notes...)
	if s.answer == nil {
		return out
	}
	out[0].Warnings = append(out[0].Warnings, s.answer.warnings...)
	if n := s.answer.overall; n != nil {
		q := overallQuestion(t.rubric, false)
		out = append(out, rubric.Verdict{
			Criterion: rubric.Overall, Status: rubric.Scored, Native: rubric.NumberIs(*n), Value: q.scale.Position(*n), How: unused(s.how),
		})
	}
	return out
}

// unused returns how without the usage of the calls.
func unused(how rubric.How) rubric.How {
	how.Attempts, how.TokensIn, how.TokensOut, how.CostUSD, how.Unpriced, how.Uncounted = 0, 0, 0, 0, 0, 0
	return how
}

// gaveUp is the error of the last attempt, with the number of requests.
func (s *reply) gaveUp(attempts int) error {
	// Being busy uses up patience, not attempts; deliveries that fail after an answer are more than those.
	if fault.Is(s.err, fault.JudgeLimit) || s.how.Attempts > attempts {
		return fault.New(fault.Of(s.err), "%w (gave up after request %d)", s.err, s.how.Attempts)
	}
	return fault.New(fault.Of(s.err), "%w (attempt %d of %d)", s.err, s.how.Attempts, attempts)
}

func (j *judge) verdict(s *reply, i int) rubric.Verdict {
	q := &j.task.questions[i]
	if s.answer != nil {
		if r := s.answer.usable(i); r != nil {
			return j.scored(q, r)
		}
	}
	err := s.gaveUp(j.o.Attempts)
	if fault.Is(s.err, fault.JudgeAnswer) {
		if v, ok := j.fallback(q, err); ok {
			return v
		}
	}
	return rubric.FailedBy(q.id, err)
}

func (j *judge) scored(q *question, r *reading) rubric.Verdict {
	if r.abstained {
		v := rubric.Unable(q.id, r.reason)
		v.Reason = cmp.Or(v.Reason, "the judge cannot assess it, and gave no reason")
		v.Warnings = r.warnings
		return v
	}
	value, err := q.value(j.task.rubric, r.native)
	if err != nil { // read holds every verdict to the same rules; this is the second door
		return rubric.FailedBy(q.id, fault.As(fault.JudgeAnswer, err))
	}
	return rubric.Verdict{Status: rubric.Scored, Native: r.native, Value: value, Reason: r.reason, Warnings: r.warnings}
}

// fallback returns the verdict that the rubric names for answers that cannot be
// used, by the sign of the weight. It stands in for unusable answers only: that
// a judge cannot be reached, or refuses, says nothing that a rubric could know
// beforehand.
func (j *judge) fallback(q *question, why error) (rubric.Verdict, bool) {
	f := j.task.rubric.Fallback
	if f == nil || q.criterion == nil || q.kind != rubric.KindMet {
		return rubric.Verdict{}, false
	}
	word := f.Positive
	if q.criterion.Penalty() {
		word = f.Negative
	}
	met, ok := metWord(word)
	if !ok {
		return rubric.Verdict{}, false
	}
	native := rubric.MetIs(met)
	value, err := j.task.rubric.Value(q.criterion, native)
	if err != nil {
		return rubric.Verdict{}, false
	}
	return rubric.Verdict{
		Status: rubric.Scored, Native: native, Value: value, Fallback: true,
		Reason:   fmt.Sprintf("the rubric's fallback, %s, in place of an answer", native),
		Warnings: []string{why.Error()},
	}, true
}
