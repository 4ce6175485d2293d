package result

import (
	"cmp"
	"slices"

	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/stats"
)

type tally struct {
	key     figureKey
	figure  Figure
	rule    PassRule
	penalty bool
	mixed   bool // rows differ in weight
	open    bool // values may lie outside [0, 1]

	sample   stats.Sample
	hist     stats.Histogram
	passes   stats.Sample
	passed   int
	unscored int
	failed   int
	fallback int
	refuted  int          // rows that passed although the scorer answered that they do not
	zeros    []sameReason // of scores of 0 from a metric
}

// A sameReason counts the scores that a metric explains with the same words.
type sameReason struct {
	reason string
	count  int
}

// maxReasons bounds the reasons that a figure keeps: those of most metrics differ from row to row.
const maxReasons = 4

// zero notes why a metric gave 0.
func (t *tally) zero(reason string) {
	if z := among(&t.zeros, maxReasons, func(have sameReason) bool { return have.reason == reason }, sameReason{reason: reason}); z != nil {
		z.count++
	}
}

func (t *tally) seen() int { return t.sample.N() + t.unscored + t.failed }

// add takes in the value of one row; x nil: there is none. passed is nil if nothing
// says which values pass.
func (t *tally) add(row *Row, cluster int, x *float64, passed *bool) {
	if x == nil {
		t.unscored++
		return
	}
	if !t.sample.AddTo(cluster, *x) {
		return
	}
	t.hist.Add(*x)
	if passed == nil {
		if !t.open && !rubric.AtLeast(t.goodness(*x), 1) {
			t.low(Low{Case: row.Case, Repeat: row.Repeat, Value: *x})
		}
		return
	}
	if *passed {
		t.passed++
		t.passes.AddTo(cluster, 1)
		return
	}
	t.passes.AddTo(cluster, 0)
	t.low(Low{Case: row.Case, Repeat: row.Repeat, Value: *x})
}

func (t *tally) criterion(row *Row, cluster int, c *Criterion) {
	f := &t.figure
	if t.seen() == 0 && f.Weight == nil {
		w := c.Weight
		f.Weight, t.penalty = &w, w < 0
	} else if !t.mixed && f.Weight != nil && *f.Weight != c.Weight {
		t.mixed = true
	}
	if f.By == "" && c.How != nil {
		f.By, f.Scorer = c.How.By, cmp.Or(c.How.Plugin, c.How.Judge)
	}
	if c.Status == rubric.Failed {
		t.failed++
		return
	}
	if c.Fallback {
		t.fallback++
	}
	if c.Value == nil || c.Status != rubric.Scored {
		t.unscored++
		return
	}
	if *c.Value == 0 && c.Reason != "" && f.By == "metric" {
		t.zero(c.Reason)
	}
	rule := t.rule
	if !rule.Decides() && c.Native != nil && c.Native.Met != nil {
		rule.Mark = new(1.0)
	}
	var passed *bool
	if rule.Decides() {
		passed = new(rule.Passes(t.goodness(*c.Value)))
	}
	t.add(row, cluster, c.Value, passed)
}

// goodness is the value, or its complement for a penalty.
func (t *tally) goodness(value float64) float64 {
	if t.penalty {
		return 1 - value
	}
	return value
}

// low keeps the row if it is among the worst; of equals the first stays.
func (t *tally) low(l Low) {
	list := t.figure.Worst
	i, _ := slices.BinarySearchFunc(list, l, func(have, l Low) int {
		if t.goodness(have.Value) <= t.goodness(l.Value) {
			return -1
		}
		return 1
	})
	if i == maxWorst {
		return
	}
	list = slices.Insert(list, i, l)
	t.figure.Worst = list[:min(len(list), maxWorst)]
}

func (t *tally) finish() Figure {
	f := t.figure
	if t.mixed {
		f.Weight = nil
	}
	f.Worst = slices.Clone(f.Worst)
	f.N, f.Unscored, f.Failed, f.Fallback = t.sample.N(), t.unscored, t.failed, t.fallback
	if t.sample.HasClusters() {
		f.Clusters = t.sample.Clusters()
	}
	f.Mean = stats.OrNil(t.sample.Mean())
	f.SD = stats.OrNil(t.sample.SD())
	f.SE = stats.OrNil(t.sample.SE())
	f.Interval = IntervalOf(t.sample.Interval())
	if low, high, ok := t.sample.Range(); ok {
		f.Min, f.Max = &low, &high
		if i := f.Interval; i != nil && !t.open && low >= 0 && high <= 1 { // the mean cannot lie outside
			i.Low, i.High = max(0, i.Low), min(1, i.High)
		}
	}
	f.P10, f.Median, f.P90 = stats.OrNil(t.hist.Quantile(0.1)), stats.OrNil(t.hist.Quantile(0.5)), stats.OrNil(t.hist.Quantile(0.9))
	f.Histogram = t.hist.Counts(bins)
	if t.passes.N() > 0 {
		f.Pass = &Rate{Passed: t.passed, Of: t.passes.N(), Rate: stats.OrNil(t.passes.Mean()), Interval: IntervalOf(t.passes.Interval()), Mark: t.rule.Mark}
	}
	return f
}
