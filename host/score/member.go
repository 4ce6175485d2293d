package score

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// A member is a criterion with its outcome.
type member struct {
	c       *rubric.Criterion
	verdict *rubric.Verdict // as it was given; of a group the aggregate of its members
	members []member        // of a group
	counts  bool            // the value enters the aggregate
	blocks  bool            // without a value the case has no score
}

// members pairs each criterion of list with its verdict, groups depth first.
func (b *book) members(list []rubric.Criterion) []member {
	out := make([]member, len(list))
	for i := range list {
		m := &out[i]
		m.c = &list[i]
		if m.c.Group() {
			m.members = b.members(m.c.Criteria)
			m.verdict = new(b.groupVerdict(m))
		} else {
			m.verdict = b.leafVerdict(m.c)
		}
		m.counts = m.verdict.Status == rubric.Scored
		if !m.counts {
			b.withoutNumber(m)
		}
	}
	return out
}

func (b *book) leafVerdict(c *rubric.Criterion) *rubric.Verdict {
	if v := b.given[c.ID]; v != nil {
		return v
	}
	return &rubric.Verdict{Criterion: c.ID, Status: rubric.Failed, Message: "no verdict was given"}
}

func (b *book) groupVerdict(m *member) rubric.Verdict {
	v := rubric.Verdict{Criterion: m.c.ID, How: rubric.How{By: "group"}}
	for i := range m.members {
		if m.members[i].blocks {
			v.Status, v.Reason = rubric.Unscored, "a member has no score: "+m.members[i].c.ID
			return v
		}
	}
	how := b.aggregateOf(m.c.Aggregate, m.c.Criteria)
	value, _, err := b.aggregate(how, m.c.ID, m.members)
	if _, ok := how.Go(); ok {
		v.How.Plugin = string(how)
		if errors.As(err, new(callerError)) {
			failed := rubric.FailedBy(m.c.ID, err)
			failed.How = v.How
			return failed
		}
	}
	if err != nil {
		v.Status, v.Reason = rubric.Unscored, err.Error()
		if !weighted(m.c.Criteria) {
			v.Reason = "every criterion in it has weight 0"
		}
		return v
	}
	v.Status, v.Value = rubric.Scored, value
	return v
}

// withoutNumber treats a criterion that has no number.
func (b *book) withoutNumber(m *member) {
	switch {
	case b.optional(m.c):
		return
	case m.c.Group() && m.leftOut():
		return
	}
	switch b.opts.Unscored {
	case Worst:
		m.counts = true
		m.verdict = new(*m.verdict) // the given one stays as it is
		m.verdict.Value = 0
		if m.c.Penalty() {
			m.verdict.Value = 1
		}
		b.warn("criterion %q has no score and counts as its worst: %s", m.c.ID, why(m.verdict))
	case Drop:
		b.warn("criterion %q has no score and is left out: %s", m.c.ID, why(m.verdict))
	default:
		m.blocks = true
	}
}

// leftOut reports whether a group has no value because each of its members may
// lack one. A group whose weights give no value, as weights of 0 do, is not left
// out: it is unscored.
func (m *member) leftOut() bool {
	if m.verdict.Status == rubric.Failed || !weighted(m.c.Criteria) {
		return false
	}
	for i := range m.members {
		if m.members[i].blocks || m.members[i].counts {
			return false
		}
	}
	return true
}

func weighted(list []rubric.Criterion) bool {
	w := weigh(list)
	return w.positive > 0 || w.negative > 0
}

// optional reports whether c may lack a verdict: it has neither weight nor
// gate, or the dialect lets criteria that are not required go without.
func (b *book) optional(c *rubric.Criterion) bool {
	weightless := c.Weight.Value == 0 || b.r.Policy.Required == rubric.RequiredEvaluated
	return weightless && !b.demanded(c)
}

// demanded reports whether c needs a verdict whatever its weight.
func (b *book) demanded(c *rubric.Criterion) bool {
	if b.r.Policy.Required == rubric.RequiredEvaluated {
		return c.Required
	}
	return b.r.Gated(c)
}

// collect appends the verdicts of members to the total in Walk order.
func (b *book) collect(members []member) {
	for i := range members {
		b.total.Verdicts = append(b.total.Verdicts, *members[i].verdict)
		b.collect(members[i].members)
	}
}

// blocked reports whether a criterion leaves the case without a score, and notes the
// reasons: criteria with the same reason together.
func (b *book) blocked(lists ...[]member) bool {
	var gaps []gap
	for _, list := range lists {
		gaps = b.appendGaps(gaps, list, false)
	}
	b.missing = nil
	for _, g := range gaps {
		noun := "criterion"
		if len(g.ids) > 1 {
			noun = "criteria"
		}
		b.missing = append(b.missing, fmt.Sprintf("%s %s %s: %s", noun, strings.Join(g.ids, ", "), g.status, g.why))
	}
	return len(gaps) > 0
}

// A gap is criteria that leave a case without a score for the same reason.
type gap struct {
	status rubric.Status
	why    string
	ids    []string
}

// appendGaps appends the gaps of list. Members of a group whose own value the case can
// do without are idle: only those that the rubric demands leave the case without a score.
func (b *book) appendGaps(gaps []gap, list []member, idle bool) []gap {
	for i := range list {
		m := &list[i]
		needed := m.blocks && (!idle || b.demanded(m.c))
		if m.c.Group() {
			gaps = b.appendGaps(gaps, m.members, !needed)
			if slices.ContainsFunc(m.members, func(in member) bool { return in.blocks }) {
				continue // the members say why
			}
		}
		if !needed {
			continue
		}
		g := gap{m.verdict.Status, why(m.verdict), []string{strconv.Quote(m.c.ID)}}
		at := slices.IndexFunc(gaps, func(o gap) bool { return o.status == g.status && o.why == g.why })
		if at < 0 {
			gaps = append(gaps, g)
		} else {
			gaps[at].ids = append(gaps[at].ids, g.ids...)
		}
	}
	return gaps
}

// why says in words why a verdict has no number.
func why(v *rubric.Verdict) string {
	switch {
	case v.Message != "" && v.Class != "":
		return fmt.Sprintf("%s (%s)", v.Message, v.Class)
	case v.Message != "":
		return v.Message
	case v.Reason != "":
		return v.Reason
	}
	return "no reason was given"
}

// partial computes the score over the scored criteria, for a case that has none.
func (b *book) partial() {
	p := &book{r: b.r, opts: Options{Unscored: Drop, Length: b.opts.Length, Aggregate: b.opts.Aggregate}, given: b.given}
	members, metrics := p.members(b.r.Criteria), p.members(b.r.Metrics)
	mean, raw, err := p.reckon(b.r.Criteria, members)
	if err != nil {
		return
	}
	p.total.Raw = raw
	p.setScore(mean, metrics)
	b.total.Partial = p.total.Score
}
