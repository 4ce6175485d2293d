package generate

import (
	"math"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/stats"
)

// prove compares the rows of the held-out cases before and after the edits.
func (m *improver) prove(before map[string]*result.Row, edited *rubric.Rubric, after map[string]*result.Row, held []*dataset.Case) {
	p := &m.out.Proof
	p.After = m.agreement(edited, after, held)
	var diffs stats.Sample
	var sums []float64 // of each cluster
	numbers := stats.Numbers{}
	for _, c := range held {
		for _, s := range subjects(m.doc.Rubric) {
			label, ok := m.label(m.doc.Rubric, s, c.ID)
			was, is := verdictIn(before[c.ID], s), verdictIn(after[c.ID], s)
			if ok && was != nil && is != nil {
				d := math.Abs(*was-label.Value) - math.Abs(*is-label.Value)
				i := numbers.Of(unit(c))
				if i == len(sums) {
					sums = append(sums, 0)
				}
				diffs.AddTo(i, d)
				sums[i] += d
			}
		}
	}
	p.N = diffs.N()
	mean, ok := diffs.Mean()
	if !ok {
		return
	}
	i, ok := diffs.TInterval()
	if !ok {
		return
	}
	chance, _ := stats.SignFlip(sums, flips, uint64(m.o.Seed)) //nolint:gosec // any number will do
	p.Difference, p.P = &Share{mean, max(-1, i.Low), min(1, i.High)}, &chance
	p.Better = i.Low > 0 && chance <= 1-stats.Confidence+rubric.Slack && p.After.Unscored <= p.Before.Unscored
}

// flips is the number of random signs of the test, beyond 13 clusters that changed.
const flips = 10_000
