package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// comparedFigures count cases by their change since the baseline.
var comparedFigures = []figure{"regressions", "improvements", "worse", "better"}

// deltaFigures are the figures that have a difference from the baseline.
var deltaFigures = []figure{"mean", "pass_rate"}

// deltas may follow such a figure.
var deltas = []string{"delta", "delta.low", "delta.high"}

// compares reports whether the gate needs a baseline.
func (g *Gate) compares() bool {
	return g.change != "" || g.about == aboutRun && slices.Contains(comparedFigures, g.figure)
}

// change reads delta, delta.low or delta.high behind a figure.
func (p *gateParser) change(word string, column int) {
	switch {
	case !slices.Contains(deltas, word):
		p.fail("figure-unknown", column, diag.DidYouMean(word, deltas), "unknown figure %q", string(p.g.figure)+"."+word)
	case !slices.Contains(deltaFigures, p.g.figure) && p.g.k == 0:
		p.fail("figure-unknown", column, "write mean.delta, pass_rate.delta or pass@1.delta", "%s has no %s", p.g.figure, word)
	default:
		p.g.change = figure(word)
	}
}

// NoBaseline is why a gate has no figure where the run has no comparison.
const NoBaseline = "no baseline"

func paired(s *Summary, count func(*Comparison) *int) (*float64, string) {
	c := s.Baseline
	switch {
	case c == nil:
		return nil, NoBaseline
	case c.Paired == 0:
		return nil, "no " + c.Counted() + " has a score in both runs"
	}
	n := count(c)
	if n == nil {
		return nil, "no pass rule in both runs"
	}
	why := "of " + diag.Thousands(c.Paired) + " paired " + c.Counted() + "s"
	if c.LostScore > 0 {
		why += fmt.Sprintf("; %d more lost their score", c.LostScore)
	}
	return number(*n), why
}

func (g *Gate) delta(s *Summary) (value *float64, why string) {
	c := s.Baseline
	if c == nil {
		return nil, NoBaseline
	}
	delta, i, n := c.difference(g)
	over := "over " + diag.Thousands(n) + " paired cases"
	if g.k > 0 {
		over = "over " + diag.Thousands(n) + " paired problems"
	}
	switch {
	case delta == nil && g.k > 0:
		return nil, fmt.Sprintf("the comparison has no pass@%d: no problem has %[1]d scored samples in both runs, %[1]d is not in pass_at of the rubric, or one run graded listed cases only", g.k)
	case delta == nil && g.about == aboutRun:
		return nil, "no case has it in both runs"
	case delta == nil:
		return nil, fmt.Sprintf("no case has the %s %q in both runs", g.about, g.of)
	}
	if g.change == "delta" {
		if i != nil {
			over = fmt.Sprintf("95%% %s to %s, %s", DeltaText(i.Low), DeltaText(i.High), over)
		}
		return delta, over
	}
	if i == nil {
		return nil, "the difference has no interval"
	}
	if strings.HasSuffix(string(g.change), "low") {
		return &i.Low, over
	}
	return &i.High, over
}

// difference finds the subject of a delta gate; delta is nil without one.
func (c *Comparison) difference(g *Gate) (delta *float64, i *Interval, n int) {
	if g.about == aboutCorpus {
		if x := xslices.Find(c.Corpus, func(x *CorpusChange) bool { return x.Name == g.of }); x != nil {
			return x.Delta, x.Interval, x.N
		}
		return nil, nil, 0
	}
	if g.k > 0 {
		return c.passAt(g.k, g.all)
	}
	x := &c.Total
	if g.about != aboutRun {
		x = named(g.about, c.Criteria, c.Metrics, func(x *Change) bool { return x.ID == g.of })
	}
	switch {
	case x == nil:
		return nil, nil, 0
	case g.figure != "pass_rate":
		return x.Delta, x.Interval, x.N
	case x.Pass == nil:
		return nil, nil, 0
	}
	return x.Pass.Delta, x.Pass.Interval, x.N
}

// passAt finds the difference of pass@k, or of pass^k if all is true.
func (c *Comparison) passAt(k int, all bool) (delta *float64, i *Interval, n int) {
	p := xslices.Find(c.PassAtK, func(p *PassAtChange) bool { return p.K == k })
	switch {
	case p == nil:
		return nil, nil, 0
	case all:
		return p.PassHat.Delta, p.PassHat.Interval, p.PassHat.N
	}
	return p.PassAt.Delta, p.PassAt.Interval, p.PassAt.N
}
