package score

import (
	"fmt"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// GateMark returns the goodness from which the gate of c holds; above: any above 0
// does.
func GateMark(r *rubric.Rubric, c *rubric.Criterion) (mark float64, above bool) {
	switch {
	case c.Min != nil:
		return *c.Min, false
	case r.Policy.Required == rubric.RequiredMet && !c.Group() && c.Answer.KindOrMet() == rubric.KindMet:
		return 1, false
	}
	return 0, true
}

// holds reports whether the gate of c lets a value pass.
func holds(r *rubric.Rubric, c *rubric.Criterion, value float64) bool {
	good := Goodness(c, value)
	mark, above := GateMark(r, c)
	if above {
		return good > rubric.Slack
	}
	return rubric.AtLeast(good, mark)
}

// gates notes every criterion whose gate does not hold. One that has no number
// fails its gate only where the run continues without it (Worst, Drop): a case
// must not pass because a gate was never looked at.
func (b *book) gates() {
	var byID map[string]*rubric.Verdict // made for the first gate
	for c := range b.r.All() {
		if !b.r.Gated(c) {
			continue
		}
		if byID == nil {
			byID = make(map[string]*rubric.Verdict, len(b.total.Verdicts))
			for i := range b.total.Verdicts {
				byID[b.total.Verdicts[i].Criterion] = &b.total.Verdicts[i]
			}
		}
		v := byID[c.ID]
		switch {
		case v != nil && v.Status == rubric.Scored:
			if !holds(b.r, c, v.Value) {
				b.total.GateFailures = append(b.total.GateFailures, c.ID)
			}
		case b.opts.Unscored == Worst || b.opts.Unscored == Drop:
			b.total.GateFailures = append(b.total.GateFailures, c.ID)
			b.warn("the gate %q was not evaluated and does not hold", c.ID)
		case v == nil && b.total.Score != nil:
			b.unscored(fmt.Sprintf("the gate %q was not evaluated: there is one number for the whole rubric only", c.ID))
		}
	}
}
