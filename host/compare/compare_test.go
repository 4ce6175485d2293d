package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "github.com/rubric-host/rubric-host/host/amount" // less garbage collection
	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/stats"
)

// row makes a row that passes from 0.6 on; NaN: it has no score.
func row(id string, repeat int, score float64, met bool) *result.Row {
	r := &result.Row{Schema: 1, Case: id, Repeat: repeat, Status: rubric.Unscored}
	if !math.IsNaN(score) {
		passed := score >= 0.6
		r.Status, r.Score, r.Passed = rubric.Scored, &score, &passed
		value := 0.0
		if met {
			value = 1
		}
		r.Criteria = []result.Criterion{
			{ID: "right", Status: rubric.Scored, Value: &value, Native: &result.Native{Met: &met}, Weight: 1},
			{ID: "level", Status: rubric.Scored, Value: &score, Weight: 1},
			{ID: "blames", Status: rubric.Scored, Value: &score, Weight: -1},
		}
	}
	return r
}

func run(rows ...*result.Row) *compare.Run {
	r := compare.NewRun()
	for _, x := range rows {
		r.Add(x)
	}
	return r
}

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || !(math.Abs(*got-want) <= 1e-12) {
		t.Errorf("%s = %v, want %g", what, got, want)
	}
}

var nan = math.NaN()

// TestCompare_StatesOfCases: each case has the state that it should, unscored ones are
// in no difference, and cases of one run only are counted.
func TestCompare_StatesOfCases(t *testing.T) {
	base := run(row("regressed", 1, 0.9, true), row("improved", 1, 0.2, false), row("worse", 1, 0.5, false), row("better", 1, 0.7, true), row("same", 1, 0.6, true),
		row("lost", 1, 1, true), row("gained", 1, nan, false), row("neither", 1, nan, false), row("gone", 1, 0.1, true))
	cand := run(row("new", 1, 1, true), row("neither", 1, nan, false), row("gained", 1, 0.3, false), row("lost", 1, nan, false),
		row("same", 1, 0.6, true), row("better", 1, 0.8, true), row("worse", 1, 0.4, false), row("improved", 1, 0.7, true), row("regressed", 1, 0.1, false))
	c := compared(t, base, cand, compare.Options{})
	got := map[string]result.CaseState{}
	for _, x := range c.Cases {
		got[x.Case] = x.State
	}
	want := map[string]result.CaseState{"regressed": result.Regressed, "improved": result.Improved, "worse": result.WorseCase, "better": result.BetterCase,
		"lost": result.LostScore, "gained": result.GainedScore}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if c.Cases[0].Case != "regressed" || c.Cases[1].Case != "lost" {
		t.Errorf("the most important is not first: %v", c.Cases)
	}
	counts := []int{c.Common, c.Paired, c.OnlyBase, c.OnlyCandidate, c.LostScore, c.GainedScore, c.Unscored, *c.Regressions, *c.Improvements, c.Worse, c.Better, c.Same}
	if diff := cmp.Diff([]int{8, 5, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1}, counts); diff != "" {
		t.Error(diff)
	}
	// (0.1-0.9) + (0.7-0.2) + (0.4-0.5) + (0.8-0.7) + 0, over the five paired ones.
	near(t, "delta", c.Total.Delta, -0.3/5)
	near(t, "base", c.Total.Base, 2.9/5)
	if p := c.Total.Pass; p.Regressions != 1 || p.Improvements != 1 || p.McNemar.Exact != 1 {
		t.Errorf("pass %+v", p)
	}
	right, blames := c.Criteria[0], c.Criteria[2]
	if right.ID != "right" || right.Pass == nil || right.Pass.Regressions != 1 || right.LostScore != 1 {
		t.Errorf("right %+v", right)
	}
	if blames.Better != 2 || blames.Worse != 2 {
		t.Errorf("a penalty that rises is worse: %+v", blames)
	}
	if c.Criteria[1].Pass != nil {
		t.Error("no pass rule for a level without a mark")
	}
	if !strings.Contains(c.Sentence, "1 case regressed, 1 improved; 1 case lost their score") {
		t.Errorf("sentence %q", c.Sentence)
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{"1 of the base, 1 of the candidate", "1 lost theirs, 1 gained one, 1 have none", "only 5 paired cases"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q lack %q", notes, want)
		}
	}
}

// TestCompare_APassRuleInOneRun: a case that passed or failed in one run only has neither
// regressed nor not, and no count is made without it.
func TestCompare_APassRuleInOneRun(t *testing.T) {
	open := row("open", 1, 1, true)
	open.Passed = nil
	neither := row("neither", 1, 1, true)
	neither.Passed = nil
	base := run(open, neither, row("a", 1, 0, false))
	c := compared(t, base, run(row("open", 1, 0, false), neither, row("a", 1, 1, true)), compare.Options{})
	if c.Regressions != nil || c.Total.Pass != nil || !strings.Contains(strings.Join(c.Notes, "\n"), "1 case passed or failed in one run only") {
		t.Errorf("%v regressions, pass %v, notes %q", c.Regressions, c.Total.Pass, c.Notes)
	}
	if c = compared(t, base, run(open, neither, row("a", 1, 1, true)), compare.Options{}); *c.Regressions != 0 || *c.Improvements != 1 {
		t.Errorf("%+v", c)
	}
}

// TestCompare_ScoresOfOtherCriteria: a score without a criterion that the other run has is no
// better or worse one. A case that does not pass any more has regressed all the same.
func TestCompare_ScoresOfOtherCriteria(t *testing.T) {
	without := func(id string, score float64) *result.Row {
		r := row(id, 1, score, true)
		r.Criteria[0] = result.Criterion{ID: "right", Status: rubric.Failed, Weight: 1, Error: &result.Failure{Class: fault.JudgeServer}}
		return r
	}
	full := func() *compare.Run {
		return run(row("a", 1, 0.1, false), row("b", 1, 0.2, false), row("c", 1, 0.9, true), row("d", 1, 0.5, true))
	}
	part := run(without("a", 1), without("b", 1), without("c", 0.1), row("d", 1, 0.5, true))
	c := compared(t, full(), part, compare.Options{})
	if c.Total.N != 1 || c.Total.LostScore != 3 || c.Total.Verdict != result.Identical || c.LostScore != 2 || *c.Regressions != 1 || *c.Improvements != 0 || c.Better != 0 {
		t.Errorf("%+v, lost %d, %d regressed, %d improved", c.Total, c.LostScore, *c.Regressions, *c.Improvements)
	}
	if !strings.Contains(strings.Join(c.Notes, "\n"), "3 cases with a score that lacks a criterion") {
		t.Errorf("notes %q", c.Notes)
	}
	if c = compared(t, part, full(), compare.Options{}); c.Total.N != 1 || c.Total.GainedScore != 3 || c.Better != 0 {
		t.Errorf("%+v", c)
	}
	if c = compared(t, part, part, compare.Options{}); c.Total.N != 4 {
		t.Errorf("%+v", c)
	}
	worst := compare.NewRun()
	worst.Unscored = score.Worst
	for _, r := range []*result.Row{without("a", 0.1), without("b", 0.1), without("c", 0.1)} {
		worst.Add(r)
	}
	if c = compared(t, full(), worst, compare.Options{}); c.Total.N != 3 {
		t.Errorf("what counts as the worst is a score of all criteria: %+v", c)
	}
}

// TestCompare_GatesOfFilesOfRows: a file of rows has no rubric; the gates that failed say which
// criteria are gates, and which rows pass them.
func TestCompare_GatesOfFilesOfRows(t *testing.T) {
	metric := func(id string, score float64) *result.Row {
		r := row(id, 1, score, true)
		r.Criteria = []result.Criterion{{ID: "same", Status: rubric.Scored, Value: &score, Weight: 1}}
		if score == 0 {
			r.GateFailures = []string{"same"}
		}
		return r
	}
	good := run(metric("a", 1), metric("b", 1), metric("c", 1))
	mixed := run(metric("a", 0), metric("b", 1), metric("c", 0))
	known := compare.NewRun()
	known.Rubric = &rubric.Rubric{ID: "r", Policy: rubric.Policy{Required: rubric.RequiredMet}, Criteria: []rubric.Criterion{
		{ID: "same", Required: true, Answer: rubric.Answer{Kind: rubric.KindNumber}, Scorer: rubric.Binding{Way: rubric.ByMetric}}}}
	for _, r := range []*result.Row{metric("a", 1), metric("b", 1), metric("c", 1)} {
		known.Add(r)
	}
	for name, base := range map[string]*compare.Run{"a file": good, "a run": known} {
		c := compared(t, base, mixed, compare.Options{})
		if p := c.Criteria[0].Pass; p == nil || p.Regressions != 2 || p.Improvements != 0 || p.N != 3 {
			t.Errorf("%s: %+v", name, p)
		}
		if c = compared(t, mixed, base, compare.Options{}); c.Criteria[0].Pass == nil || c.Criteria[0].Pass.Improvements != 2 {
			t.Errorf("%s: %+v", name, c.Criteria[0].Pass)
		}
	}
	if c, err := compare.Compare(good, good, compare.Options{}); err != nil || c.Criteria[0].Pass != nil {
		t.Errorf("nothing says that it is a gate: %+v, %v", c, err)
	}
}

// TestCompare_RepeatsCountAsTheirMean: rows of one case are one observation, whatever
// their number on either side, and an unscored repeat is not 0.
func TestCompare_RepeatsCountAsTheirMean(t *testing.T) {
	base := run(row("a", 1, 0.8, true), row("a", 2, 0.4, true), row("a", 3, nan, false), row("b", 1, 0.5, true))
	cand := run(row("a", 1, 0.9, true), row("b", 1, 0.5, true), row("b", 2, 0.7, true), row("b", 3, 0.9, true))
	c := compared(t, base, cand, compare.Options{})
	if c.Paired != 2 || c.Total.N != 2 {
		t.Errorf("paired %d", c.Paired)
	}
	near(t, "base", c.Total.Base, (0.6+0.5)/2)
	near(t, "candidate", c.Total.Candidate, (0.9+0.7)/2)
	// a: one of two passed, which is not more than half; b: two of three.
	if *c.Improvements != 2 || *c.Regressions != 0 {
		t.Errorf("%d regressions, %d improvements", *c.Regressions, *c.Improvements)
	}
}

func TestCompare_Verdicts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	two := func(shift, noise float64) *result.Comparison {
		var a, b []*result.Row
		for i := range 400 {
			x := rng.Float64()
			a, b = append(a, row(fmt.Sprint(i), 1, x, true)), append(b, row(fmt.Sprint(i), 1, x+shift+noise*rng.NormFloat64(), true))
		}
		c := compared(t, run(a...), run(b...), compare.Options{})
		return c
	}
	for _, tt := range []struct {
		shift, noise float64
		level, blame result.ChangeVerdict
		says         string
	}{
		{0.05, 0.1, result.GotBetter, result.GotWorse, "better by 0.0"},
		{-0.05, 0.1, result.GotWorse, result.GotBetter, "worse by 0.0"},
		{0, 0, result.Identical, result.Identical, "every score is the same (400 cases)"},
	} {
		c := two(tt.shift, tt.noise)
		if c.Criteria[1].Verdict != tt.level || c.Criteria[2].Verdict != tt.blame || !strings.Contains(c.Sentence, tt.says) {
			t.Errorf("shift %g: %s, %s, %q", tt.shift, c.Criteria[1].Verdict, c.Criteria[2].Verdict, c.Sentence)
		}
	}
}

// TestCompare_NoiseIsNoChange: of comparisons of two runs that differ by noise only, one
// in twenty is called better or worse.
func TestCompare_NoiseIsNoChange(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	rng := rand.New(rand.NewPCG(5, 5))
	called := 0
	const trials = 500
	for range trials {
		a, b := compare.NewRun(), compare.NewRun()
		for i := range 50 {
			x := rng.Float64()
			a.Add(row(fmt.Sprint(i), 1, x+0.1*rng.NormFloat64(), true))
			b.Add(row(fmt.Sprint(i), 1, x+0.1*rng.NormFloat64(), true))
		}
		c := compared(t, a, b, compare.Options{Resamples: 100})
		if c.Total.Verdict != result.NoChange {
			called++
		}
	}
	if called < 4 || called > 46 { // 25 ± 4.3 standard deviations
		t.Errorf("%d of %d comparisons of noise find a change", called, trials)
	}
}

// TestCompare_OneOfFewChanged: one change of zeros and ones has a p-value, none has not.
func TestCompare_OneOfFewChanged(t *testing.T) {
	with := func(last float64) *compare.Run {
		return run(row("a", 1, 1, true), row("b", 1, 0, true), row("c", 1, 1, true), row("d", 1, last, true))
	}
	for _, tt := range []struct {
		last   float64
		tested bool
	}{{0, true}, {1, false}} {
		c := compared(t, with(1), with(tt.last), compare.Options{})
		if (c.Total.P != nil) != tt.tested || c.Total.Interval == nil {
			t.Errorf("last %g: p %v, interval %v", tt.last, c.Total.P, c.Total.Interval)
		}
	}
}

// TestCompare_Clusters: cases of one cluster are one observation in every test.
func TestCompare_Clusters(t *testing.T) {
	a, b := compare.NewRun(), compare.NewRun()
	for g := range 6 {
		for i := range 20 {
			id := fmt.Sprintf("%d/%d", g, i)
			x, y := row(id, 1, 0.5, true), row(id, 1, 0.5+0.01*float64(g-1), true)
			x.Cluster, y.Cluster = fmt.Sprint(g), fmt.Sprint(g)
			a.Add(x)
			b.Add(y)
		}
	}
	c := compared(t, a, b, compare.Options{})
	if c.Clusters != 6 || c.Total.Interval.Method != stats.Clustered {
		t.Errorf("%d clusters, method %s", c.Clusters, c.Total.Interval.Method)
	}
	// Six differences, -1, 0, 1, 2, 3, 4 in hundredths: of the 32 assignments of
	// signs to five, sums of at least 9 in size are 11 (-1), 9 (as it is), 9 (-1 and 1 flipped), and their mirrors.
	near(t, "permutation", c.Total.Permutation, 6.0/32)
	near(t, "sign", c.Total.Sign, 0.375) // one below, four above
	if c.Total.Pass.McNemar != nil {
		t.Error("McNemar's test knows nothing of clusters")
	}
}

// TestCompare_RefusesUnlikeRuns names every reason at once, and allows each by itself.
func TestCompare_RefusesUnlikeRuns(t *testing.T) {
	make2 := func() (a, b *compare.Run) {
		a, b = run(row("a", 1, 1, true)), run(row("a", 1, 1, true), row("b", 1, 1, true), row("c", 1, 1, true))
		a.Side = result.Side{Run: "r1", Rubric: "sha256:aaaaaaaaaaaaaaaa"}
		b.Side = result.Side{Run: "r2", Rubric: "sha256:bbbbbbbbbbbbbbbb"}
		a.Scorers = map[string]string{"plugin bleu": "sha256:1", "plugin gone": "x", "judge": `m {"attempts":3,"base_url":"http://here","seed":1}`}
		b.Scorers = map[string]string{"plugin bleu": "sha256:2", "judge": `m {"attempts":3,"base_url":"http://here","seed":2}`}
		return a, b
	}
	a, b := make2()
	_, err := compare.Compare(a, b, compare.Options{})
	if !fault.Is(err, fault.Incomparable) {
		t.Fatal(err)
	}
	for _, want := range []string{"rubrics differ: aaaaaaaaaaaa and bbbbbbbbbbbb", "plugin bleu (1, 2)", `judge ("seed":1}, "seed":2})`, "only 1 of the 3 cases of r2"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if h := fault.Hint(err); !strings.HasPrefix(h, "name runs of the same cases") || !strings.Contains(h, "compare.Options.Allow rubric compare.Options.Allow scorers compare.Options.Allow partial") {
		t.Errorf("hint %q", h)
	}
	for i := range compare.Differences() {
		if _, err := compare.Compare(a, b, compare.Options{Allow: compare.Differences()[:i]}); !fault.Is(err, fault.Incomparable) {
			t.Errorf("%v are enough: %v", compare.Differences()[:i], err)
		}
	}
	c, err := compare.Compare(a, b, compare.Options{Allow: compare.Differences()})
	if err != nil || len(c.Notes) < 3 {
		t.Errorf("%v, notes %q", err, c.Notes)
	}
	if err := compare.Check(a, b, []compare.Difference{compare.Rubrics}); !fault.Is(err, fault.Incomparable) || strings.Contains(err.Error(), "rubrics") {
		t.Errorf("check: %v", err)
	}
	if _, err := compare.Compare(run(row("x", 1, 1, true)), run(row("y", 1, 1, true)), compare.Options{Allow: compare.Differences()}); !fault.Is(err, fault.Incomparable) {
		t.Errorf("nothing in common: %v", err)
	}
}

// TestCompare_ScorersOfFilesOfRows are noted whatever the first row is.
func TestCompare_ScorersOfFilesOfRows(t *testing.T) {
	scored := func(digest string) *result.Row {
		r := row("b", 1, 1, true)
		r.Criteria[0].How = &rubric.How{By: "metric", Plugin: "bleu", Digest: digest}
		return r
	}
	bad := &result.Row{Case: "a", Error: &result.Failure{Class: fault.Invalid, Message: "not JSON"}}
	a, b := run(bad, scored("sha256:1")), run(bad, scored("sha256:2"))
	if _, err := compare.Compare(a, b, compare.Options{}); !fault.Is(err, fault.Incomparable) {
		t.Errorf("runs by different scorers are compared: %v", err)
	}
}

// TestCompare_InputsThatChanged are named; outputs may differ.
func TestCompare_InputsThatChanged(t *testing.T) {
	a, b := compare.NewRun(), compare.NewRun()
	for i := range 4 {
		x, y := row(fmt.Sprint(i), 1, 1, true), row(fmt.Sprint(i), 1, 1, true)
		x.CaseDigest, y.CaseDigest = fmt.Sprint("a", i), fmt.Sprint("b", i)
		if i == 3 {
			y.CaseDigest = x.CaseDigest
		}
		a.Add(x)
		b.Add(y)
	}
	c, err := compare.Compare(a, b, compare.Options{Inputs: func(x, y string) (bool, bool) {
		if x == y {
			t.Errorf("asked for the same content %s", x)
		}
		return x == "a1", x != "a2"
	}})
	if err != nil || !strings.Contains(strings.Join(c.Notes, "\n"), "1 case with the same id and another input or reference: 1") {
		t.Errorf("%v, notes %q", err, c.Notes)
	}
}

// TestCompare_CorpusScores compares sums, not means, and calls equal sets equal.
func TestCompare_CorpusScores(t *testing.T) {
	ratio := func(s []float64) (float64, error) { return s[0] / s[1], nil }
	stat := func(id string, hit, all float64) *result.Row {
		r := row(id, 1, 0.5, true)
		r.Criteria[1].Stats = []float64{hit, all}
		return r
	}
	a, b := compare.NewRun(), compare.NewRun()
	for i := range 30 {
		a.Add(stat(fmt.Sprint(i), 1, float64(2+i%3)))
		b.Add(stat(fmt.Sprint(i), 2, float64(2+i%3)))
	}
	o := compare.Options{Corpus: func(id string) stats.SetScore {
		if id == "level" {
			return ratio
		}
		return nil
	}}
	c, err := compare.Compare(a, b, o)
	if err != nil || len(c.Corpus) != 1 {
		t.Fatalf("%v, %+v", err, c)
	}
	x := c.Corpus[0]
	near(t, "base", x.Base, 30.0/90)
	near(t, "candidate", x.Candidate, 60.0/90)
	near(t, "bootstrap", x.Bootstrap, 1.0/1001)
	if x.N != 30 || x.Interval.Low > *x.Delta || x.Interval.High < *x.Delta {
		t.Errorf("%+v", x)
	}
	if c = compared(t, a, a, o); c.Corpus[0].Bootstrap != nil || *c.Corpus[0].Delta != 0 {
		t.Errorf("%+v", c.Corpus)
	}
	few, more := compare.NewRun(), compare.NewRun()
	for i := range 9 {
		few.Add(stat(fmt.Sprint(i), 1, float64(2+i%3)))
		more.Add(stat(fmt.Sprint(i), 2, float64(2+i%3)))
	}
	if c = compared(t, few, more, o); c.Corpus[0].Bootstrap != nil || c.Corpus[0].Randomization != nil || c.Corpus[0].Interval == nil {
		t.Errorf("of 9 cases: %+v", c.Corpus)
	}
}

func TestCompare_SameSeedSameNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var a, b []*result.Row
	for i := range 60 {
		a, b = append(a, row(fmt.Sprint(i), 1, rng.Float64(), true)), append(b, row(fmt.Sprint(i), 1, rng.Float64(), false))
	}
	x := compared(t, run(a...), run(b...), compare.Options{Seed: 9})
	y, _ := compare.Compare(run(a...), run(b...), compare.Options{Seed: 9})
	z, _ := compare.Compare(run(a...), run(b...), compare.Options{Seed: 10})
	if diff := cmp.Diff(x, y); diff != "" {
		t.Error(diff)
	}
	if cmp.Equal(x.Total.Bootstrap, z.Total.Bootstrap) {
		t.Error("another seed gives the same interval")
	}
	if x.Criteria[1].Q == nil || *x.Criteria[1].Q < *x.Criteria[1].P {
		t.Errorf("q %v", x.Criteria[1].Q)
	}
}

// TestCompare_IntervalsAreOfPossibleDifferences: differences of scores and rates lie between
// -1 and 1, and so do the ends of their intervals; raw scores have no bounds.
func TestCompare_IntervalsAreOfPossibleDifferences(t *testing.T) {
	few := func(scale float64) (base, cand *compare.Run) {
		return run(row("a", 1, 0, false), row("b", 1, 0.1*scale, false), row("c", 1, 0, true)),
			run(row("a", 1, scale, true), row("b", 1, scale, true), row("c", 1, 0.8*scale, true))
	}
	base, cand := few(1)
	c := compared(t, base, cand, compare.Options{})
	for what, i := range map[string]*result.Interval{"score": c.Total.Interval, "pass rate": c.Total.Pass.Interval,
		"criterion": c.Criteria[0].Interval, "its pass rate": c.Criteria[0].Pass.Interval} {
		if i == nil || i.Low < -1 || i.High != 1 {
			t.Errorf("%s: %+v", what, i)
		}
	}
	base, cand = few(10)
	if c = compared(t, base, cand, compare.Options{}); c.Total.Interval.High <= 10 {
		t.Errorf("raw scores: %+v", c.Total.Interval)
	}
}

// The figures are those of the usual example of Cohen's kappa: 50 grant proposals, two readers.
func TestCompare_AgreementAndKappa(t *testing.T) {
	base, cand := compare.NewRun(), compare.NewRun()
	for i := range 50 {
		a, b := i < 25, i < 20 || i >= 25 && i < 35
		for run, passed := range map[*compare.Run]bool{base: a, cand: b} {
			score := map[bool]float64{true: 1}[passed]
			run.Add(row(fmt.Sprint(i), 1, score, passed))
		}
	}
	c := compared(t, base, cand, compare.Options{Resamples: 100})
	if p := c.Total.Pass; p == nil || math.Abs(*p.Agreement-0.7) > 1e-12 || p.Kappa == nil || math.Abs(*p.Kappa-0.4) > 1e-12 {
		t.Errorf("%+v", p)
	}
	one := compare.NewRun()
	one.Add(row("0", 1, 1, true))
	if c = compared(t, one, one, compare.Options{}); *c.Total.Pass.Agreement != 1 || c.Total.Pass.Kappa != nil {
		t.Errorf("%+v", c.Total.Pass)
	}
}

// compared compares two runs that can be compared.
func compared(t *testing.T, base, candidate *compare.Run, o compare.Options) *result.Comparison {
	t.Helper()
	c, err := compare.Compare(base, candidate, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
