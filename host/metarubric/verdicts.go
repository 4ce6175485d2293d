package metarubric

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/stats"
)

// Bounds on the findings about verdicts.
const (
	FewestRows     = stats.FewCases // independent outputs; of fewer nothing is said
	together       = 0.8            // verdicts overlap if the interval of |ρ| begins here
	longer         = 0.3            // a score depends on the length from this |ρ| on
	longerOne      = 0.5            // the value of one criterion
	mostColumns    = 50             // criteria whose verdicts are compared with each other
	fewestExamples = 5              // good ones, and bad ones
)

// verdicts looks at the graded outputs: criteria that never vary, that always agree,
// and scores that follow the length of the output.
func (b *reviewer) verdicts() {
	t := b.Run
	if t == nil {
		b.lacks(NeedsOutputs, "verdict-constant, verdict-overlap, length-bias", "needs graded outputs")
		return
	}
	b.out.Run = t.rows()
	if t.left > 0 {
		b.skip("verdict-constant, verdict-overlap, length-bias", nil, "%d rows beyond the first %d are left out", t.left, t.N())
	}
	if n := len(t.numbers); n < FewestRows {
		b.skip("verdict-constant, verdict-overlap, length-bias", nil, "%d independent outputs are graded; of fewer than %d nothing can be said", n, FewestRows)
		return
	}
	var vary []int
	var few []string
	for k, id := range t.ids {
		list := present(t.values[k])
		n := t.independent(t.values[k])
		switch {
		case n < FewestRows:
			few = append(few, id)
		case slices.Max(list) > slices.Min(list):
			vary = append(vary, k)
		default:
			high := stats.Wilson(0, float64(n)).High
			low := 0.0
			b.of(Finding{Severity: diag.Warning, Code: "verdict-constant", Figure: &Figure{Name: "share", Value: 0, N: n, Low: &low, High: &high},
				Message: fmt.Sprintf("criterion %s is worth %s for each of %d outputs; another value has at most %.1f %% (95 %%)", b.quoted([]string{id}), number(list[0]), n, 100*high),
				Hint:    "a criterion that never varies tells outputs not apart: make it harder or easier, or remove it"}, id)
		}
	}
	if len(few) > 0 {
		b.skip("verdict-constant, verdict-overlap", few, "fewer than %d independent outputs have a verdict of %s", FewestRows, b.quoted(few))
	}
	b.agreement(vary)
	b.lengthBias(vary)
}

// agreement finds pairs of criteria whose verdicts say the same.
func (b *reviewer) agreement(vary []int) {
	t := b.Run
	if len(vary) > mostColumns {
		b.skip("verdict-overlap", nil, "only the first %d of %d criteria are compared", mostColumns, len(vary))
		vary = vary[:mostColumns]
	}
	type overlap struct {
		ids    []string
		figure *Figure
	}
	var all []overlap
	for i, k := range vary {
		for _, l := range vary[:i] {
			if figure := t.agreement(k, l); figure != nil {
				all = append(all, overlap{[]string{t.ids[l], t.ids[k]}, figure})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y overlap) int { return cmp.Compare(math.Abs(y.figure.Value), math.Abs(x.figure.Value)) })
	for _, o := range all {
		what, hint := "get nearly the same verdicts", "merge them, or keep the one that is cheaper: together they count one thing twice"
		if o.figure.Value < 0 {
			what, hint = "get nearly opposite verdicts", "keep one of them: what one gives the other takes"
		}
		b.of(Finding{Severity: diag.Warning, Code: "verdict-overlap", Figure: o.figure, Hint: hint,
			Message: fmt.Sprintf("criteria %s %s (%s)", b.quoted(o.ids), what, o.figure)}, o.ids...)
	}
}

// agreement returns the correlation of two columns, or nil if they do not say the same for certain.
func (t *Table) agreement(k, l int) *Figure {
	a, b := t.values[k], t.values[l]
	n := t.independent(a, b)
	rho, ok := stats.Spearman(both(a, b))
	if !ok || n < FewestRows || math.Abs(rho) < together {
		return nil
	}
	f := correlation(rho, n)
	if f.Low != nil && math.Min(math.Abs(*f.Low), math.Abs(*f.High)) < together {
		return nil
	}
	return f
}

// correlation makes the figure of a rank correlation of n independent pairs; of two columns of two values it is φ.
func correlation(rho float64, n int) *Figure {
	f := &Figure{Name: "spearman", Value: rho, N: n}
	if i, ok := stats.SpearmanInterval(rho, n); ok {
		f.Low, f.High = &i.Low, &i.High
	}
	return f
}

// lengthBias finds scores that follow the length of the output.
func (b *reviewer) lengthBias(vary []int) {
	t := b.Run
	if t.independent(t.lengths) < FewestRows {
		b.skip("length-bias", nil, "the run does not hold the outputs")
		return
	}
	look := func(column []float64, least float64) *Figure {
		n := t.independent(column, t.lengths)
		if n < FewestRows {
			return nil
		}
		rho, ok := stats.Spearman(both(column, t.lengths))
		if !ok {
			return nil
		}
		f := correlation(rho, n)
		if math.Abs(rho) < least || f.Low != nil && *f.Low <= 0 && *f.High >= 0 {
			return nil
		}
		return f
	}
	way := func(f *Figure) string {
		if f.Value < 0 {
			return "shorter"
		}
		return "longer"
	}
	if f := look(t.scores, longer); f != nil {
		b.find(Finding{Severity: diag.Warning, Code: "length-bias", Figure: f,
			Message: fmt.Sprintf("%s outputs score higher (%s)", way(f), f),
			Hint:    "look whether they are better, or only " + way(f) + ": say in the criteria that length does not count, or add a length penalty"}, "criteria")
	}
	for _, k := range vary {
		if f := look(t.values[k], longerOne); f != nil {
			b.of(Finding{Severity: diag.Note, Code: "length-bias", Figure: f,
				Message: fmt.Sprintf("%s outputs get more of criterion %s (%s)", way(f), b.quoted([]string{t.ids[k]}), f),
				Hint:    "say in the criterion that length does not count"}, t.ids[k])
		}
	}
}

// separation looks whether good outputs are told from bad ones.
func (b *reviewer) separation() {
	const check = "separation"
	if b.Good == nil || b.Bad == nil {
		b.lacks(NeedsExamples, check, "needs outputs known to be good and bad")
		return
	}
	b.out.Good, b.out.Bad = b.Good.rows(), b.Bad.rows()
	auc := func(good, bad []float64) (*Figure, stats.Interval) {
		g, d := b.Good.means(good), b.Bad.means(bad)
		if len(g) < fewestExamples || len(d) < fewestExamples {
			return nil, stats.Interval{}
		}
		value, i, ok := stats.AUC(g, d)
		if !ok {
			return nil, stats.Interval{}
		}
		return &Figure{Name: "auc", Value: value, N: len(g) + len(d), Low: &i.Low, High: &i.High}, i
	}
	var few []string
	for k, id := range b.Good.ids {
		c := b.Rubric.Find(id)
		goodness := func(column []float64) []float64 {
			out := slices.Clone(column)
			for i := range out {
				out[i] = score.Goodness(c, out[i])
			}
			return out
		}
		f, i := auc(goodness(b.Good.values[k]), goodness(b.Bad.values[k]))
		switch {
		case f == nil:
			few = append(few, id)
		case i.High < 0.5:
			b.of(Finding{Severity: diag.Warning, Code: "separation-inverted", Figure: f, Hint: "turn the criterion around, or remove it",
				Message: fmt.Sprintf("criterion %s is worth more in bad outputs than in good ones (%s)", b.quoted([]string{id}), f)}, id)
		case i.Low <= 0.5:
			b.of(Finding{Severity: diag.Note, Code: "separation-none", Figure: f, Hint: "give more examples if the interval is wide; else sharpen the criterion, or remove it",
				Message: fmt.Sprintf("criterion %s does not tell good outputs from bad ones (%s)", b.quoted([]string{id}), f)}, id)
		}
	}
	f, i := auc(b.Good.scores, b.Bad.scores)
	switch {
	case f == nil:
		b.skip(check, nil, "fewer than %d good, or bad, outputs have a score", fewestExamples)
	case i.High < 0.5:
		b.find(Finding{Severity: diag.Error, Code: "separation-inverted", Figure: f, Hint: "look at the criteria that are worth more in bad outputs",
			Message: fmt.Sprintf("bad outputs score higher than good ones (%s)", f)}, "criteria")
	case i.Low <= 0.5:
		b.find(Finding{Severity: diag.Warning, Code: "separation-none", Figure: f, Hint: "give more examples if the interval is wide; else the rubric does not see what makes them good",
			Message: fmt.Sprintf("the score does not tell good outputs from bad ones (%s)", f)}, "criteria")
	}
	if len(few) > 0 {
		b.skip(check, few, "fewer than %d good, or bad, outputs have a verdict of %s", fewestExamples, b.quoted(few))
	}
}
