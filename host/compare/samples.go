package compare

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/stats"
)

// tried is the samples of one problem: the repeats of a case, and cases that say
// which problem they are a sample of.
type tried struct {
	n, passed int // scored samples
	all       int // scored or not
	cluster   string
}

// cell is the samples of a problem as the repeats of a case.
func (t *tried) cell() cell {
	n, passed := int32(t.n), int32(t.passed) //nolint:gosec // rows of a run
	return cell{n: n, sum: float64(passed), judged: n, passed: passed}
}

// problems returns the problems in order, and their samples. ok is false where
// something has a score and no pass rule.
func (r *Run) problems() (order []string, by map[string]*tried, ok bool) {
	by, ok = map[string]*tried{}, r.judged
	for i := range r.cases {
		c, of := &r.cases[i], r.total.cell(i)
		ok = ok && of.n == of.judged
		name := cmp.Or(c.sampleOf, c.id)
		t := by[name]
		if t == nil {
			t = &tried{}
			if c.cluster != name {
				t.cluster = c.cluster
			}
			by[name] = t
			order = append(order, name)
		}
		t.n, t.passed, t.all = t.n+int(of.n), t.passed+int(of.passed), t.all+int(c.rows)
	}
	return order, by, ok
}

func (w *work) sampled() bool { return w.base.sampled() || w.cand.sampled() }

// sampled reports whether a problem of the run may have several samples.
func (r *Run) sampled() bool {
	return r.rows > len(r.cases) || r.Rubric != nil && len(r.Rubric.PassAt) > 0 ||
		slices.ContainsFunc(r.cases, func(c oneCase) bool { return c.sampleOf != "" })
}

// regraded reports whether samples that differ were graded several times each: they are no further samples.
func (r *Run) regraded(by map[string]*tried) bool {
	return r.rows > len(r.cases) && len(by) < len(r.cases)
}

// coverage counts the cases of a run that are in both, or the problems where cases
// are samples: runs may have different numbers of them.
func (w *work) coverage(run *Run) (common, all int, of string) {
	if !w.sampled() {
		return len(w.pairs), len(run.cases), "cases"
	}
	_, base, _ := w.base.problems()
	_, cand, _ := w.cand.problems()
	for name := range base {
		if cand[name] != nil {
			common++
		}
	}
	if run == w.base {
		return common, len(base), "problems"
	}
	return common, len(cand), "problems"
}

// samples compares pass@k and pass^k over the problems that both runs have.
func (w *work) samples() {
	if !w.sampled() {
		return
	}
	if w.base.Listed != w.cand.Listed {
		w.note("no pass@k: one of the runs graded listed cases only, such as those that failed, and not all samples of their problems")
		return
	}
	_, base, known := w.base.problems()
	order, cand, ok := w.cand.problems()
	if !known || !ok {
		return
	}
	order = slices.DeleteFunc(order, func(name string) bool { return base[name] == nil })
	ks := w.ks(order, base, cand)
	if w.base.regraded(base) || w.cand.regraded(cand) {
		w.note("pass@1 alone: a run graded several samples of a problem more than once, which makes them no further samples")
		ks = []int{1}
	}
	for _, k := range ks {
		c := result.PassAtChange{K: k, Problems: len(order)}
		c.PassAt.ID, c.PassHat.ID = fmt.Sprintf("pass@%d", k), fmt.Sprintf("pass^%d", k)
		w.sample(&c.PassAt, order, base, cand, k, stats.PassAtK)
		w.sample(&c.PassHat, order, base, cand, k, stats.PassHatK)
		w.out.PassAtK = append(w.out.PassAtK, c)
	}
}

// ks returns the k of the rubric, or else those that a run of the smaller number of
// samples reports.
func (w *work) ks(order []string, base, cand map[string]*tried) (ks []int) {
	if r := w.cand.Rubric; r != nil {
		ks = r.PassAt
	}
	least := 0
	for _, name := range order {
		a, b := base[name], cand[name]
		if all := min(a.all, b.all); a.n > 0 && b.n > 0 && (least == 0 || all < least) {
			least = all
		}
	}
	return result.PassAtOf(ks, least)
}

func (w *work) sample(out *result.Change, order []string, base, cand map[string]*tried, k int, figure func(n, passed, k int) float64) {
	diffs := units{shares: true}
	var a, b stats.Sample
	numbers := stats.Numbers{}
	for _, name := range order {
		x, y := base[name], cand[name]
		switch {
		case x.n < k && y.n < k:
			continue
		case y.n < k:
			out.LostScore++
			continue
		case x.n < k:
			out.GainedScore++
			continue
		}
		cluster := -1
		if c := cmp.Or(y.cluster, x.cluster); c != "" {
			cluster = numbers.Of(c)
		}
		before, now := figure(x.n, x.passed, k), figure(y.n, y.passed, k)
		a.Add(before)
		b.Add(now)
		diffs.add(cluster, now-before)
	}
	w.figure(out, &diffs, &a, &b, false)
}
