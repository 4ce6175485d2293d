package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/stats"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// states are the states of cases in order of importance.
var states = []result.CaseState{result.Regressed, result.LostScore, result.Improved, result.GainedScore, result.WorseCase, result.BetterCase}

// changed is a case that changed, or a problem.
type changed struct {
	state   result.CaseState
	size    float64
	pair    pair               // of a case
	problem *result.CaseChange // nil: a case
}

// cases counts the outcomes of the cases, and lists those that changed.
func (w *work) cases() {
	var list []changed
	for _, p := range w.pairs {
		if state, delta := w.outcome(p); state != "" {
			list = append(list, changed{state, math.Abs(delta), p, nil})
		}
	}
	if w.base.judged && w.cand.judged && w.undecided == 0 {
		w.out.Regressions, w.out.Improvements = &w.regressions, &w.improvements
	}
	if len(w.out.PassAtK) > 0 && slices.ContainsFunc(w.pairs, w.byNumber) {
		list = w.problemCases()
	}
	slices.SortStableFunc(list, func(a, b changed) int {
		return cmp.Or(cmp.Compare(slices.Index(states, a.state), slices.Index(states, b.state)), -cmp.Compare(a.size, b.size))
	})
	for _, c := range list[:min(len(list), w.o.MaxCases)] {
		if c.problem != nil {
			w.out.Cases = append(w.out.Cases, *c.problem)
		} else {
			w.out.Cases = append(w.out.Cases, w.caseChange(c.state, c.pair))
		}
	}
	w.out.More = len(list) - len(w.out.Cases)
	w.out.Clusters = w.clusterCount()
}

// byNumber reports whether a pair is two different samples of a problem that only have the same number.
func (w *work) byNumber(p pair) bool {
	a, b := &w.base.cases[p.base], &w.cand.cases[p.cand]
	return b.sampleOf != "" && b.sampleOf != b.id && a.digest != b.digest
}

// problemCases counts problems in place of their samples, by the share of the samples that passes.
func (w *work) problemCases() (list []changed) {
	_, base, _ := w.base.problems()
	order, cand, _ := w.cand.problems()
	w.note("the runs have different samples: regressed, improved, worse and better are of problems, which pass if more than half of their scored samples do; lost, gained, agree and kappa pair samples by their number, by chance")
	c := w.out
	c.ByProblem, c.Paired, c.LostScore, c.GainedScore, c.Unscored = true, 0, 0, 0, 0
	c.Worse, c.Better, c.Same, w.regressions, w.improvements = 0, 0, 0, 0, 0
	for _, name := range order {
		if base[name] == nil {
			continue
		}
		a, b := base[name].cell(), cand[name].cell()
		if state, delta := w.count(a, b, false, false); state != "" {
			list = append(list, changed{state, math.Abs(delta), pair{}, &result.CaseChange{Case: name, State: state, Base: a.mean(), Candidate: b.mean()}})
		}
	}
	return list
}

// outcome counts what became of a case. The state is empty if nothing changed; delta is 0 unless
// both runs have a score.
func (w *work) outcome(p pair) (state result.CaseState, delta float64) {
	a, b := w.base.total.cell(p.base), w.cand.total.cell(p.cand)
	noA, noB := false, false
	if a.n > 0 && b.n > 0 {
		noA, noB = w.lacks(p)
		if noA || noB {
			w.unlike++
		}
	}
	return w.count(a, b, noA, noB)
}

// count counts a change from a to b; noA and noB say which lacks a criterion of the other.
func (w *work) count(a, b cell, noA, noB bool) (state result.CaseState, delta float64) {
	regressed := a.judgedWholly() && b.judgedWholly() && a.passes() && !b.passes()
	switch {
	case a.n == 0 && b.n == 0:
		w.out.Unscored++
		return "", 0
	case b.n == 0 || noB && !regressed:
		w.out.LostScore++
		return result.LostScore, 0
	case a.n == 0 || noA && !regressed:
		w.out.GainedScore++
		return result.GainedScore, 0
	}
	w.out.Paired++
	delta = *b.mean() - *a.mean()
	switch {
	case delta < -rubric.Slack:
		w.out.Worse++
		state = result.WorseCase
	case delta > rubric.Slack:
		w.out.Better++
		state = result.BetterCase
	default:
		w.out.Same++
	}
	switch {
	case a.judged == 0 && b.judged == 0:
	case !a.judgedWholly() || !b.judgedWholly():
		w.undecided++
	case regressed:
		w.regressions++
		state = result.Regressed
	case b.passes() && !a.passes():
		w.improvements++
		state = result.Improved
	}
	return state, delta
}

func (w *work) clusterCount() int {
	if w.clusters == nil {
		return 0
	}
	var s stats.Sample
	for i, p := range w.pairs {
		if w.base.total.cell(p.base).n == 0 || w.cand.total.cell(p.cand).n == 0 {
			continue
		}
		s.AddTo(w.clusters[i], 0)
	}
	return s.Clusters()
}

// maxCriteria is how many criteria of a case are listed.
const maxCriteria = 5

func (w *work) caseChange(state result.CaseState, p pair) result.CaseChange {
	out := result.CaseChange{Case: w.cand.cases[p.cand].id, State: state,
		BaseDigest: w.base.cases[p.base].digest, CandidateDigest: w.cand.cases[p.cand].digest,
		Base: w.base.total.cell(p.base).mean(), Candidate: w.cand.total.cell(p.cand).mean()}
	type one struct {
		result.CriterionChange
		size float64
	}
	var list []one
	for _, k := range w.order {
		a, b := w.base.byKey[k].cell(p.base).mean(), w.cand.byKey[k].cell(p.cand).mean()
		size := math.Inf(1) // a number that came or went is the largest change
		switch {
		case a == nil && b == nil:
			continue
		case a != nil && b != nil:
			if size = math.Abs(*b - *a); size <= rubric.Slack {
				continue
			}
		}
		list = append(list, one{result.CriterionChange{ID: k.id, Base: a, Candidate: b}, size})
	}
	slices.SortStableFunc(list, func(a, b one) int { return -cmp.Compare(a.size, b.size) })
	for _, c := range list[:min(len(list), maxCriteria)] {
		out.Criteria = append(out.Criteria, c.CriterionChange)
	}
	return out
}

// corpora compares the corpus scores, over the cases that have statistics in
// both runs.
func (w *work) corpora() {
	if w.o.Corpus == nil {
		return
	}
	for _, k := range w.order {
		score := w.o.Corpus(k.id)
		a, b := w.base.byKey[k], w.cand.byKey[k]
		if score == nil || len(a.stats) == 0 || len(b.stats) == 0 {
			continue
		}
		var x, y [][]float64
		for _, p := range w.pairs {
			if p.base < len(a.stats) && p.cand < len(b.stats) && a.stats[p.base] != nil && b.stats[p.cand] != nil {
				x, y = append(x, a.stats[p.base]), append(y, b.stats[p.cand])
			}
		}
		c := result.CorpusChange{Name: k.id, N: len(x)}
		if err := w.corpus(&c, x, y, score); err != nil {
			c.Error = result.FailureOf(err)
		}
		w.out.Corpus = append(w.out.Corpus, c)
	}
}

// fewestSwaps is the number of cases from which corpora get p-values. Both tests
// count a resample that equals the observed difference as no evidence against it,
// as sacrebleu does: of few cases most resamples are such, and p is always small.
const fewestSwaps = 10

// corpusResamples is the number of resamples and of trials of corpus scores, as in sacrebleu.
const corpusResamples = 1000

func (w *work) corpus(c *result.CorpusChange, x, y [][]float64, score stats.SetScore) error {
	if len(x) == 0 {
		return fault.New(fault.Unscored, "no case has statistics in both runs")
	}
	for i := range x {
		if len(x[i]) != len(x[0]) || len(y[i]) != len(x[0]) {
			return fault.New(fault.Incomparable, "the statistics have %d numbers in one case and others elsewhere", len(x[0]))
		}
	}
	t, err := stats.PairedBootstrap(x, y, score, corpusResamples, w.o.Seed)
	if err != nil {
		return err
	}
	c.Base, c.Candidate, c.Delta = &t.Base, &t.Candidate, new(t.Candidate-t.Base)
	c.Interval = result.IntervalOf(stats.Interval{Low: t.Low, High: t.High, Method: stats.ByBootstrap}, true)
	if t.Base == t.Candidate {
		return nil // both tests would call sets that score the same different
	}
	if len(x) < fewestSwaps {
		w.note("corpus %s has no p-values: they mean nothing below %d cases", c.Name, fewestSwaps)
		return nil
	}
	r, err := stats.ApproximateRandomization(x, y, score, corpusResamples, w.o.Seed)
	c.Bootstrap = &t.P
	if err == nil {
		c.Randomization = &r.P
	}
	return err
}

// notes lists the limits of the comparison.
func (w *work) notes() {
	c := w.out
	if id := c.Base.Run; id != "" && id == c.Candidate.Run {
		w.note("base and candidate are both run %s", diag.Plain(id))
	}
	if c.OnlyBase > 0 || c.OnlyCandidate > 0 {
		w.note("cases that only one run has are left out: %d of the base, %d of the candidate", c.OnlyBase, c.OnlyCandidate)
	}
	if n := c.LostScore + c.GainedScore + c.Unscored; n > 0 {
		w.note("%ss without a score are in no difference: %d lost theirs, %d gained one, %d have none in either run", c.Counted(), c.LostScore, c.GainedScore, c.Unscored)
	}
	if w.unlike > 0 {
		w.note("%s with a score that lacks a criterion in one of the runs only: in no difference of the score; a regression counts all the same", diag.Count(w.unlike, "case"))
	}
	switch {
	case c.Regressions != nil || c.Paired == 0:
	case w.undecided > 0:
		w.note("%s passed or failed in one run only, so no regressions to count; worse and better count changed scores", diag.Count(w.undecided, "case"))
	default:
		w.note("no pass rule, so no regressions to count; worse and better count changed scores")
	}
	switch {
	case c.Clusters > 0 && c.Clusters < stats.FewCases:
		w.note("only %s: intervals are unreliable below %d", diag.Count(c.Clusters, "independent cluster"), stats.FewCases)
	case c.Paired < stats.FewCases:
		w.note("only %s: intervals are unreliable below %d", diag.Count(c.Paired, "paired case"), stats.FewCases)
	}
	if w.moved > 0 {
		w.note("%s changed cluster; the candidate's counts", diag.Count(w.moved, "case"))
	}
	if w.base.rows > len(w.base.cases) || w.cand.rows > len(w.cand.cases) {
		w.note("repeats of a case count as their mean; a case passes if more than half of its scored repeats do")
	}
	var short []string
	for i := range c.PassAtK {
		if x := &c.PassAtK[i]; x.PassAt.N < x.Problems {
			short = append(short, fmt.Sprintf("pass@%d is over %d of %d problems", x.K, x.PassAt.N, x.Problems))
		}
	}
	if short != nil {
		w.note("%s: the others have fewer than k scored samples in one of the runs", strings.Join(short, ", "))
	}
	w.criteriaOfOne()
	w.inputs()
}

// criteriaOfOne notes criteria that only one run has.
func (w *work) criteriaOfOne() {
	only := func(name string, a, b *Run) {
		own := xslices.Filter(a.columns, func(c *column) bool { return b.byKey[c.key] == nil })
		if len(own) > 0 {
			w.note("only the %s has %s", name, fault.First(5, xslices.Map(own, func(c *column) string { return c.key.id }), ", "))
		}
	}
	only("base", w.base, w.cand)
	only("candidate", w.cand, w.base)
}

// inputs notes cases whose input changed under the same id.
func (w *work) inputs() {
	if w.o.Inputs == nil {
		return
	}
	var ids []string
	for _, p := range w.pairs {
		a, b := w.base.cases[p.base], w.cand.cases[p.cand]
		if a.digest == b.digest {
			continue
		}
		if differ, known := w.o.Inputs(a.digest, b.digest); known && differ {
			ids = append(ids, b.id)
		}
	}
	if len(ids) > 0 {
		w.note("%s with the same id and another input or reference: %s", diag.Count(len(ids), "case"), fault.First(5, ids, ", "))
	}
}

func sentence(c *result.Comparison) string {
	var parts []string
	t := &c.Total
	switch {
	case t.Delta == nil:
		parts = append(parts, "no case has a score in both runs")
	case t.Verdict == result.Identical:
		parts = append(parts, fmt.Sprintf("every score is the same (%s)", diag.Count(t.N, "case")))
	case t.Verdict == result.GotBetter || t.Verdict == result.GotWorse:
		parts = append(parts, fmt.Sprintf("%s by %s, 95 %% %s", t.Verdict, result.ScoreText(math.Abs(*t.Delta)), span(t.Interval, *t.Delta < 0)))
	case t.Interval == nil:
		parts = append(parts, fmt.Sprintf("changed by %s, too few cases for an interval", result.DeltaText(*t.Delta)))
	default:
		text := fmt.Sprintf("no detectable change: %s, 95 %% %s to %s", result.DeltaText(*t.Delta), result.DeltaText(t.Interval.Low), result.DeltaText(t.Interval.High))
		if t.Detectable != nil {
			text += " (smallest detectable change " + result.ScoreText(*t.Detectable) + ")"
		} else if t.SE != nil && *t.SE > 0 {
			text += " (too few cases to detect any change)"
		}
		parts = append(parts, text)
	}
	if c.Regressions != nil {
		parts = append(parts, fmt.Sprintf("%s regressed, %s improved", diag.Count(*c.Regressions, c.Counted()), diag.Thousands(*c.Improvements)))
	} else if c.Paired > 0 {
		parts = append(parts, fmt.Sprintf("%s got worse, %s better", diag.Count(c.Worse, c.Counted()), diag.Thousands(c.Better)))
	}
	if c.LostScore > 0 {
		parts = append(parts, fmt.Sprintf("%s lost their score", diag.Count(c.LostScore, c.Counted())))
	}
	return strings.Join(parts, "; ")
}

// span writes an interval; of a loss as the sizes of the loss.
func span(i *result.Interval, loss bool) string {
	if loss {
		return result.ScoreText(-i.High) + " to " + result.ScoreText(-i.Low)
	}
	return result.ScoreText(i.Low) + " to " + result.ScoreText(i.High)
}
