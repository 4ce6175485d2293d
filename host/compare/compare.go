package compare

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/stats"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Options say how runs are compared. The zero value is valid.
type Options struct {
	Allow     []Difference // differences that would refuse the comparison
	Resamples int          // of bootstraps and permutation tests; 0: DefaultResamples
	Seed      uint64       // of all random numbers; 0: DefaultSeed
	MaxCases  int          // cases that are listed; 0: 100

	// Inputs reports whether two cases with the same id and different content
	// have different inputs or references. Nil: that is not known.
	Inputs func(base, candidate string) (differ, known bool)

	// Corpus returns the function that scores whole sets by the summed statistics of a
	// criterion, or nil. Nil: corpus scores are not compared.
	Corpus func(criterion string) stats.SetScore

	// Slices are fields of cases by whose values the score is compared, too, and
	// Labels returns the values of the case with a digest. Nil: there are none.
	Slices []string
	Labels func(digest, field string) []string
}

// The defaults. The seed is sacrebleu's.
const (
	DefaultResamples = 10_000
	DefaultSeed      = 12345
)

// A Difference is something in which two runs may differ so that their numbers
// do not mean the same.
type Difference string

// The differences that refuse a comparison unless they are allowed.
const (
	Rubrics Difference = "rubric"  // another rubric
	Scorers Difference = "scorers" // other modules, judges, prompts or settings
	Partial Difference = "partial" // less than half of the cases of a run are in both
)

// Differences lists them.
func Differences() []Difference { return []Difference{Rubrics, Scorers, Partial} }

// Compare compares two runs. Cases are paired by id. It is a fault of class
// Incomparable if no case has a score in both, or if the runs differ in anything that
// Options.Allow does not name.
func Compare(base, candidate *Run, o Options) (*result.Comparison, error) {
	o.Resamples, o.Seed = cmp.Or(o.Resamples, DefaultResamples), cmp.Or(o.Seed, DefaultSeed)
	o.MaxCases = cmp.Or(o.MaxCases, 100)
	w := &work{o: o, base: base, cand: candidate, out: &result.Comparison{
		Schema: result.SchemaVersion, Base: base.side(), Candidate: candidate.side(), Resamples: o.Resamples, Seed: o.Seed,
		Criteria: []result.Change{}, Metrics: []result.Change{}, Corpus: []result.CorpusChange{}, Cases: []result.CaseChange{}, Notes: []string{},
	}}
	w.pair()
	if err := w.comparable(); err != nil {
		return nil, err
	}
	w.order = w.criteria()
	w.figures()
	w.samples()
	w.slices()
	w.cases()
	w.corpora()
	w.notes()
	w.out.Sentence = sentence(w.out)
	return w.out, nil
}

// work is one run of Compare.
type work struct {
	o                         Options
	base, cand                *Run
	out                       *result.Comparison
	pairs                     []pair // cases in both runs, in the candidate's order
	clusters                  []int  // by pair; nil: none
	order                     []key  // criteria that both runs have
	moved                     int    // cases that changed their cluster
	unlike                    int    // cases whose scores are of other criteria
	undecided                 int    // paired cases that passed or failed in one run only
	regressions, improvements int    // cases that stopped or began to pass
}

// pair is the places of a case in both runs.
type pair struct{ base, cand int }

func (w *work) pair() {
	numbers := stats.Numbers{}
	for k, c := range w.cand.cases {
		i, ok := w.base.byID[c.id]
		if !ok {
			w.out.OnlyCandidate++
			continue
		}
		b := w.base.cases[i]
		name := cmp.Or(c.cluster, b.cluster)
		if c.cluster != b.cluster && c.cluster != "" && b.cluster != "" {
			w.moved++
		}
		number := -1
		if name != "" {
			number = numbers.Of(name)
		}
		w.pairs = append(w.pairs, pair{i, k})
		w.clusters = append(w.clusters, number)
	}
	if len(numbers) == 0 {
		w.clusters = nil
	}
	w.out.Common = len(w.pairs)
	w.out.OnlyBase = len(w.base.cases) - len(w.pairs)
}

// comparable says why the runs do not allow a comparison, all reasons at once.
func (w *work) comparable() error {
	if len(w.pairs) == 0 {
		return fault.WithHint(fault.New(fault.Incomparable, "no case of %s is in %s: their ids have nothing in common", name(w.cand), name(w.base)),
			"compare runs of the same dataset; cases are paired by id")
	}
	r := refusal{allow: w.o.Allow, note: w.note}
	r.unlike(w.base, w.cand)
	for _, run := range []*Run{w.base, w.cand} {
		if common, all, of := w.coverage(run); 2*common < all {
			r.refuse(Partial, "only %d of the %d %s of %s are in both runs", common, all, of, name(run))
		}
	}
	return r.err()
}

// Check says whether two runs differ in rubric or scorers, before there are
// rows: nil, or a fault of class Incomparable.
func Check(base, candidate *Run, allow []Difference) error {
	r := refusal{allow: allow, note: func(string, ...any) {}}
	r.unlike(base, candidate)
	return r.err()
}

type refusal struct {
	allow            []Difference
	note             func(format string, args ...any) // notes a difference that Options.Allow allows
	reasons, options []string
	partial          bool // a reason is Partial
}

func (r *refusal) unlike(base, cand *Run) {
	if a, b := base.Side.Rubric, cand.Side.Rubric; a != b && a != "" && b != "" {
		r.refuse(Rubrics, "the rubrics differ: %s and %s", rubricName(base), rubricName(cand))
	}
	if diff := scorers(base, cand); len(diff) > 0 {
		r.refuse(Scorers, "the scorers differ: %s", strings.Join(diff, "; "))
	}
}

func (r *refusal) refuse(d Difference, format string, args ...any) {
	if slices.Contains(r.allow, d) {
		r.note(format, args...)
		return
	}
	r.reasons, r.partial = append(r.reasons, fmt.Sprintf(format, args...)), r.partial || d == Partial
	if option := fault.OptionDifferences + " " + string(d); !slices.Contains(r.options, option) {
		r.options = append(r.options, option)
	}
}

func (r *refusal) err() error {
	if len(r.reasons) == 0 {
		return nil
	}
	hint := "to compare them anyway: " + strings.Join(r.options, " ")
	if r.partial {
		hint = "name runs of the same cases (" + fault.OptionListRuns + " shows their rows); " + hint
	}
	return fault.WithHint(fault.New(fault.Incomparable, "the runs do not allow a comparison: %s", strings.Join(r.reasons, "; ")), "%s", hint)
}

// scorers lists the scorers that both runs have and that are not the same.
func scorers(base, cand *Run) []string {
	var out []string
	for _, what := range slices.Sorted(maps.Keys(base.Scorers)) {
		a := base.Scorers[what]
		if b, ok := cand.Scorers[what]; ok && a != b {
			out = append(out, fmt.Sprintf("%s (%s)", what, apart(a, b)))
		}
	}
	return out
}

func (w *work) note(format string, args ...any) {
	w.out.Notes = append(w.out.Notes, fmt.Sprintf(format, args...))
}

func name(r *Run) string { return cmp.Or(r.Side.Name(), "the run") }

func rubricName(r *Run) string {
	if r.Rubric == nil {
		return short(r.Side.Rubric)
	}
	return strings.TrimSpace(r.Rubric.ID+" "+r.Rubric.Version) + " (" + short(r.Side.Rubric) + ")"
}

// apart shows two descriptions from the setting on in which they first differ.
func apart(a, b string) string {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	same = 1 + strings.LastIndexAny(a[:same], ",{") // or 0
	return short(a[same:]) + ", " + short(b[same:])
}

// short shows enough of a digest or a description.
func short(s string) string {
	if d, ok := strings.CutPrefix(s, "sha256:"); ok {
		return d[:min(12, len(d))]
	}
	return diag.Fit(s, 60)
}

// figures compares the score and every criterion, on all cores.
func (w *work) figures() {
	var jobs []job
	w.out.Criteria, w.out.Metrics, jobs = w.plan(&w.out.Total)
	run(jobs)
	adjust(slices.Concat(xslices.Pointers(w.out.Criteria), xslices.Pointers(w.out.Metrics)))
}

// job is one quantity to be compared over the pairs of w.
type job struct {
	w          *work
	out        *result.Change
	base, cand *column
}

// plan returns the comparisons: the score, into total, and each criterion and metric.
func (w *work) plan(total *result.Change) (criteria, metrics []result.Change, jobs []job) {
	criteria, metrics = make([]result.Change, 0, len(w.order)), make([]result.Change, 0, len(w.order))
	jobs = append(jobs, job{w, total, &w.base.total, &w.cand.total})
	for _, k := range w.order {
		c := result.Change{ID: k.id}
		if r := w.cand.Rubric; r != nil && k.rubric == "" {
			if known := r.Find(k.id); known != nil {
				c.Name = known.Name
			}
		}
		list := &criteria
		if k.metric {
			list = &metrics
		}
		*list = append(*list, c) // within its capacity: the pointers of jobs stay valid
		jobs = append(jobs, job{w, &(*list)[len(*list)-1], w.base.byKey[k], w.cand.byKey[k]})
	}
	return criteria, metrics, jobs
}

// run does jobs on all cores. A panic of a job is one of the caller, who may recover from it.
func run(jobs []job) {
	stats.Parallel(len(jobs), runtime.GOMAXPROCS(0), func(i int) func() {
		j := jobs[i]
		return func() { j.w.change(j.out, j.base, j.cand) }
	})
}

// criteria lists the criteria that both runs have: in the rubric's order, then as
// they came. Criteria of one run only are notes.
func (w *work) criteria() []key {
	var out []key
	have := map[key]bool{}
	add := func(k key) {
		if !have[k] && w.base.byKey[k] != nil && w.cand.byKey[k] != nil {
			have[k] = true
			out = append(out, k)
		}
	}
	if r := w.cand.Rubric; r != nil {
		r.Walk(func(path string, c *rubric.Criterion) { add(key{metric: strings.HasPrefix(path, "metrics"), id: c.ID}) })
	}
	for _, c := range w.cand.columns {
		add(c.key)
	}
	return out
}

// adjust fills in q over a family of changes. Differences that are all the same
// have no t-test; their permutation test stands in.
func adjust(family []*result.Change) {
	var p []float64
	var tested []*result.Change
	for _, c := range family {
		switch {
		case c.P != nil:
			p = append(p, *c.P)
		case c.SE != nil && c.Better+c.Worse > 0:
			p = append(p, *c.Permutation)
		default:
			continue
		}
		tested = append(tested, c)
	}
	for i, q := range stats.BenjaminiHochberg(p) {
		tested[i].Q = &q
	}
}

// change compares a quantity that both runs have.
func (w *work) change(out *result.Change, base, cand *column) {
	var diffs units
	passes := passUnits{units: units{shares: true}}
	var a, b stats.Sample
	gated := base.gated || cand.gated
	diffs.open = cand == &w.cand.total && w.cand.Rubric != nil && w.cand.Rubric.Policy.RawAsScore
	for i, p := range w.pairs {
		x, y := base.gate(p.base, gated), cand.gate(p.cand, gated)
		if cand == &w.cand.total && x.n > 0 && y.n > 0 {
			switch noX, noY := w.lacks(p); {
			case noY:
				y = cell{}
			case noX:
				x = cell{}
			}
		}
		switch {
		case x.n == 0 && y.n == 0:
			continue
		case y.n == 0:
			out.LostScore++
			continue
		case x.n == 0:
			out.GainedScore++
			continue
		}
		cluster := -1
		if w.clusters != nil {
			cluster = w.clusters[i]
		}
		mx, my := *x.mean(), *y.mean()
		a.Add(mx)
		b.Add(my)
		diffs.open = diffs.open || min(mx, my) < 0 || max(mx, my) > 1
		diffs.add(cluster, my-mx)
		passes.add(cluster, x, y)
	}
	diffs.shares = !diffs.open && !base.graded && !cand.graded
	w.figure(out, &diffs, &a, &b, cand.penalty)
	if passes.sample.N() > 0 && !passes.undecided {
		out.Pass = w.passChange(&passes)
	}
}

// figure fills in the change from a to b, whose differences are d.
func (w *work) figure(out *result.Change, d *units, a, b *stats.Sample, penalty bool) {
	if out.N = d.sample.N(); out.N == 0 {
		out.Verdict = result.TooFew
		return
	}
	out.Base, out.Candidate, out.Delta = stats.OrNil(a.Mean()), stats.OrNil(b.Mean()), stats.OrNil(d.sample.Mean())
	out.Better, out.Worse = d.above, d.below
	if penalty {
		out.Better, out.Worse = out.Worse, out.Better
	}
	w.test(out, d)
	out.Verdict = verdict(out, penalty)
}

func (w *work) test(out *result.Change, d *units) {
	out.Interval, out.SE, out.P = d.interval()
	if se := out.SE; se != nil && *se > 0 {
		if least := stats.Detectable(*se, d.sample.Clusters()); d.open || least < 1 {
			out.Detectable = &least
		}
	}
	list := d.list()
	if len(list) > 1 {
		out.Bootstrap = result.IntervalOf(stats.Bootstrap(list, w.o.Resamples, w.o.Seed), true)
	}
	below, above := 0, 0
	for _, u := range list {
		if u.Sum < -rubric.Slack {
			below++
		} else if u.Sum > rubric.Slack {
			above++
		}
	}
	out.Permutation, out.Sign = w.signFlip(list), new(stats.SignTest(below, above))
}

func (w *work) signFlip(list []stats.Unit) *float64 {
	p, _ := stats.SignFlip(xslices.Map(list, func(u stats.Unit) float64 { return u.Sum }), w.o.Resamples, w.o.Seed)
	return &p
}

// passUnits are the changes of pass and fail, -1, 0 or 1 for a case.
type passUnits struct {
	units
	base, cand float64 // cases that passed
	undecided  bool    // of some case nothing says whether it passed
}

// add takes a case in that has a number in both runs.
func (p *passUnits) add(cluster int, x, y cell) {
	switch {
	case x.judged == 0 && y.judged == 0:
	case !x.judgedWholly() || !y.judgedWholly():
		p.undecided = true
	default:
		px, py := truth(x.passes()), truth(y.passes())
		p.base, p.cand = p.base+px, p.cand+py
		p.units.add(cluster, py-px)
	}
}

func (w *work) passChange(d *passUnits) *result.PassChange {
	n := float64(d.sample.N())
	p := &result.PassChange{N: d.sample.N(), Base: new(d.base / n), Candidate: new(d.cand / n), Delta: stats.OrNil(d.sample.Mean())}
	p.Interval, _, _ = d.interval()
	p.Regressions, p.Improvements = d.below, d.above
	p.Agreement, p.Kappa = agreement(n, d.base, d.cand, float64(p.Regressions+p.Improvements))
	if w.clusters == nil {
		p.McNemar = new(stats.McNemarTest(p.Regressions, p.Improvements))
		p.Permutation = &p.McNemar.Exact // with single cases the sign-flip test is the exact test
	} else {
		p.Permutation = w.signFlip(d.list())
	}
	return p
}

// agreement returns the share of n cases that two runs agree about, and Cohen's kappa. a and b cases
// pass in each; of differ, one run says that they pass.
func agreement(n, a, b, differ float64) (observed, kappa *float64) {
	observed = new(1 - differ/n)
	if chance := (a*b + (n-a)*(n-b)) / (n * n); chance < 1 {
		kappa = new((*observed - chance) / (1 - chance))
	}
	return observed, kappa
}

func verdict(c *result.Change, penalty bool) result.ChangeVerdict {
	switch {
	case c.Better == 0 && c.Worse == 0:
		return result.Identical
	case c.Interval == nil:
		return result.TooFew
	case c.Interval.Low <= 0 && c.Interval.High >= 0:
		return result.NoChange
	case (c.Interval.Low > 0) != penalty:
		return result.GotBetter
	}
	return result.GotWorse
}

// units are differences: one by one in a Sample, and summed by cluster.
type units struct {
	sample       stats.Sample
	clusters     []stats.Unit
	singles      []stats.Unit
	below, above int
	open         bool // some value lies outside [0, 1], or might
	shares       bool // of zeros and ones, or of means of them
}

// interval is that of the mean difference, with its standard error and the p-value of 0.
// Differences of values in [0, 1] lie between -1 and 1, and so do its ends.
func (u *units) interval() (in *result.Interval, se, p *float64) {
	if u.shares {
		c, ok := u.sample.ShareChange()
		if !ok {
			return nil, nil, nil
		}
		return result.IntervalOf(c.Interval, true), &c.SE, stats.OrNil(c.P, u.below+u.above > 0)
	}
	in = result.IntervalOf(u.sample.TInterval())
	if in != nil && !u.open {
		in.Low, in.High = max(-1, in.Low), min(1, in.High)
	}
	return in, stats.OrNil(u.sample.SE()), stats.OrNil(u.sample.TTest())
}

func (u *units) add(cluster int, d float64) {
	if d < -rubric.Slack {
		u.below++
	} else if d > rubric.Slack {
		u.above++
	}
	u.sample.AddTo(cluster, d)
	if cluster < 0 {
		u.singles = append(u.singles, stats.Unit{Sum: d, N: 1})
		return
	}
	u.clusters = grow(u.clusters, cluster+1)
	u.clusters[cluster].Sum += d
	u.clusters[cluster].N++
}

// list returns the units of resampling: clusters with values, and single cases.
func (u *units) list() []stats.Unit {
	if len(u.clusters) == 0 {
		return u.singles
	}
	return slices.Concat(u.singles, xslices.Filter(u.clusters, func(c stats.Unit) bool { return c.N > 0 }))
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
