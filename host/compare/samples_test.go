package compare_test

import (
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// samplesOf adds samples of a problem: + passes, - does not, ? has no score.
func samplesOf(r *compare.Run, problem, marks string) {
	for i, m := range marks {
		score := map[rune]float64{'+': 1, '-': 0, '?': nan}[m]
		x := row(problem, 1, score, score == 1)
		if i > 0 {
			x.Case = fmt.Sprintf("%s#%d", problem, i+1)
		}
		x.SampleOf, x.Cluster, x.CaseDigest = problem, problem, fmt.Sprint(marks, i)
		r.Add(x)
	}
}

func sampled(problems map[string]string) *compare.Run {
	r := compare.NewRun()
	for _, p := range slices.Sorted(maps.Keys(problems)) {
		samplesOf(r, p, problems[p])
	}
	return r
}

// TestPassAtK_SamplesGradedTwice: three samples that are graded twice are not six.
func TestPassAtK_SamplesGradedTwice(t *testing.T) {
	base := sampled(map[string]string{"a": "+--", "b": "--+"})
	cand := sampled(map[string]string{"a": "+--", "b": "--+"})
	for i := range 3 {
		x := row("a", 2, 0, false)
		x.SampleOf, x.Cluster, x.CaseDigest = "a", "a", fmt.Sprint("+--", i)
		if i > 0 {
			x.Case = fmt.Sprintf("a#%d", i+1)
		}
		cand.Add(x)
	}
	c := compared(t, base, cand, compare.Options{})
	if len(c.PassAtK) != 1 || c.PassAtK[0].K != 1 || !strings.Contains(strings.Join(c.Notes, "\n"), "pass@1 alone") {
		t.Errorf("%+v, %q", c.PassAtK, c.Notes)
	}
}

// TestPassAtK_PairsProblems: pass@k is of problems, of which the runs may have
// different numbers of samples. A sample without a score is in no figure, and a
// problem with fewer than k scored samples in a run is in no difference.
func TestPassAtK_PairsProblems(t *testing.T) {
	base := sampled(map[string]string{"a": "+-", "b": "--", "c": "++", "d": "+?", "gone": "++"})
	cand := sampled(map[string]string{"a": "++--", "b": "-+--", "c": "++++", "d": "++++"})
	c := compared(t, base, cand, compare.Options{})
	if len(c.PassAtK) != 2 || c.PassAtK[0].K != 1 || c.PassAtK[1].K != 2 {
		t.Fatalf("pass@k %+v", c.PassAtK)
	}
	one, two := c.PassAtK[0], c.PassAtK[1]
	near(t, "pass@1 of the base", one.PassAt.Base, (0.5+0+1+1)/4)
	near(t, "pass@1 of the candidate", one.PassAt.Candidate, (0.5+0.25+1+1)/4)
	near(t, "pass@1 delta", one.PassAt.Delta, 0.25/4)
	near(t, "pass^1 delta", one.PassHat.Delta, 0.25/4)
	// d has one scored sample in the base. Of the six pairs of a, five have a sample that passes, one has two.
	if two.PassAt.N != 3 || two.PassAt.GainedScore != 1 || two.Problems != 4 {
		t.Errorf("pass@2 %+v", two)
	}
	near(t, "pass@2 of the candidate", two.PassAt.Candidate, (5.0/6+0.5+1)/3)
	near(t, "pass@2 delta", two.PassAt.Delta, (5.0/6-1+0.5)/3)
	near(t, "pass^2 of the base", two.PassHat.Base, 1.0/3)
	near(t, "pass^2 delta", two.PassHat.Delta, (1.0/6)/3)
	if two.PassAt.Better != 1 || two.PassAt.Worse != 1 || two.PassAt.Verdict != result.NoChange || two.PassAt.Interval == nil || two.PassAt.P == nil || two.PassAt.Bootstrap == nil {
		t.Errorf("pass@2 %+v", two.PassAt)
	}
	var list []string
	for _, x := range c.Cases {
		list = append(list, fmt.Sprintf("%s %s %.2f %.2f", x.Case, x.State, *x.Base, *x.Candidate))
	}
	if got := strings.Join(list, ", "); got != "b better 0.00 0.25" || c.More != 0 {
		t.Errorf("problems %s", got)
	}
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "the runs have different samples") || !strings.Contains(notes, "pass@2 is over 3 of 4 problems: the others have fewer than k scored samples in one of the runs") {
		t.Errorf("notes %q", notes)
	}
}

// TestCompare_CountsProblemsOfDifferentSamples: the second sample of one run has nothing in common with
// that of another, so regressions and the other counts are of problems, as the list is.
func TestCompare_CountsProblemsOfDifferentSamples(t *testing.T) {
	base := sampled(map[string]string{"a": "+-+-+", "b": "+++-", "c": "---+", "d": "+-", "e": "++", "f": "??", "g": "++"})
	cand := sampled(map[string]string{"a": "-+-++", "b": "+---", "c": "+-++", "d": "+?", "e": "??", "f": "+-", "g": "+-++"})
	c := compared(t, base, cand, compare.Options{})
	if !c.ByProblem || c.Paired != 5 || *c.Regressions != 1 || *c.Improvements != 2 || c.Worse != 2 || c.Better != 2 || c.Same != 1 || c.LostScore != 1 || c.GainedScore != 1 || c.Unscored != 0 {
		t.Errorf("%+v, %d regressions, %d improvements", c, *c.Regressions, *c.Improvements)
	}
	var list []string
	for _, x := range c.Cases {
		list = append(list, fmt.Sprint(x.Case, " ", x.State))
	}
	if got := strings.Join(list, ", "); got != "b regressed, e lost score, c improved, d improved, f gained score, g worse" {
		t.Errorf("problems %s", got)
	}
	if !strings.HasSuffix(c.Sentence, "; 1 problem regressed, 2 improved; 1 problem lost their score") {
		t.Errorf("sentence %q", c.Sentence)
	}
}

// TestPassAtK_IsOfTheRubricsK: the k of the candidate's rubric, in order, also where
// no problem has so many samples.
func TestPassAtK_IsOfTheRubricsK(t *testing.T) {
	base, cand := sampled(map[string]string{"a": "+-", "b": "-+"}), sampled(map[string]string{"a": "++", "b": "--"})
	cand.Rubric = &rubric.Rubric{PassAt: []int{5, 1}}
	c := compared(t, base, cand, compare.Options{})
	if len(c.PassAtK) != 2 || c.PassAtK[0].K != 1 || c.PassAtK[1].K != 5 {
		t.Fatalf("pass@k %+v", c.PassAtK)
	}
	if five := c.PassAtK[1].PassAt; five.N != 0 || five.Delta != nil || five.Base != nil || five.Interval != nil || five.Verdict != result.TooFew {
		t.Errorf("a figure of no problem %+v", five)
	}
}

// TestPassAtK_NeedsSamplesAndAPassRule: rows without samples, or without a pass rule
// in either run, have no pass@k; repeats have.
func TestPassAtK_NeedsSamplesAndAPassRule(t *testing.T) {
	ruled := func() *compare.Run { return sampled(map[string]string{"a": "+-", "b": "-+"}) }
	unruled := func() *compare.Run {
		r := compare.NewRun()
		for _, id := range []string{"a", "a#2", "b", "b#2"} {
			x := row(id, 1, 1, true)
			x.Passed, x.SampleOf = nil, id[:1]
			r.Add(x)
		}
		return r
	}
	repeats := func() *compare.Run {
		return run(row("a", 1, 1, true), row("a", 2, 0, true), row("b", 1, 1, true), row("b", 2, 1, true))
	}
	single := func() *compare.Run { return run(row("a", 1, 1, true), row("b", 1, 0, true)) }
	for _, tt := range []struct {
		name       string
		base, cand *compare.Run
		ks         int
	}{
		{"samples", ruled(), ruled(), 2}, {"repeats", repeats(), repeats(), 2}, {"samples and repeats", ruled(), repeats(), 2},
		{"samples and single rows", ruled(), single(), 1}, {"single rows", single(), single(), 0},
		{"no pass rule", unruled(), unruled(), 0}, {"a pass rule in one", ruled(), unruled(), 0},
	} {
		c := compared(t, tt.base, tt.cand, compare.Options{Allow: compare.Differences()})
		if len(c.PassAtK) != tt.ks {
			t.Errorf("%s: %d figures, want %d", tt.name, len(c.PassAtK), tt.ks)
		}
	}
}

// TestPassAtK_NumbersOfSamplesMayDiffer: a run with ten times the samples of the
// other is compared; one with other problems is not.
func TestPassAtK_NumbersOfSamplesMayDiffer(t *testing.T) {
	few, many := map[string]string{}, map[string]string{}
	for i := range 20 {
		few[fmt.Sprint(i)], many[fmt.Sprint(i)] = "+", "+++++-----"
	}
	c := compared(t, sampled(few), sampled(many), compare.Options{})
	if len(c.PassAtK) != 1 || c.PassAtK[0].PassAt.N != 20 {
		t.Errorf("pass@k %+v", c.PassAtK)
	}
	near(t, "pass@1 delta", c.PassAtK[0].PassAt.Delta, -0.5)
	for i := range 10 {
		many[fmt.Sprint("other ", i)], many[fmt.Sprint("more ", i)] = "+", "+"
	}
	many["one more"] = "-"
	if _, err := compare.Compare(sampled(few), sampled(many), compare.Options{}); err == nil || !strings.Contains(err.Error(), "only 20 of the 41 problems") {
		t.Errorf("error %v", err)
	}
}

// TestPassAtK_IsTheShareOfSets: each difference is that of counting all sets of k
// samples of each problem.
func TestPassAtK_IsTheShareOfSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		problems := rapid.IntRange(1, 6).Draw(t, "problems")
		samples := [2]int{rapid.IntRange(2, 7).Draw(t, "samples of the base"), rapid.IntRange(2, 7).Draw(t, "samples of the candidate")}
		runs, least := [2]*compare.Run{compare.NewRun(), compare.NewRun()}, min(samples[0], samples[1])
		var any, all [2]float64 // sums over problems at k = least
		for i := range problems {
			for side, n := range samples {
				passed := rapid.Uint8Range(0, 1<<n-1).Draw(t, "passed")
				marks := ""
				for s := range n {
					marks += string("-+"[passed>>s&1])
				}
				samplesOf(runs[side], fmt.Sprint(i), marks)
				sets, some, each := 0, 0, 0
				for set := range uint8(1 << n) {
					if bits.OnesCount8(set) == least {
						sets++
						if set&passed != 0 {
							some++
						}
						if set&^passed == 0 {
							each++
						}
					}
				}
				any[side] += float64(some) / float64(sets)
				all[side] += float64(each) / float64(sets)
			}
		}
		c, err := compare.Compare(runs[0], runs[1], compare.Options{Resamples: 100})
		if err != nil {
			t.Fatal(err)
		}
		last := c.PassAtK[len(c.PassAtK)-1]
		if last.K != least {
			t.Fatalf("k is %d, not %d", last.K, least)
		}
		n := float64(problems)
		for _, x := range []struct {
			what string
			got  *float64
			want float64
		}{
			{"pass@k of the base", last.PassAt.Base, any[0] / n}, {"pass@k of the candidate", last.PassAt.Candidate, any[1] / n}, {"pass@k delta", last.PassAt.Delta, (any[1] - any[0]) / n},
			{"pass^k of the base", last.PassHat.Base, all[0] / n}, {"pass^k of the candidate", last.PassHat.Candidate, all[1] / n}, {"pass^k delta", last.PassHat.Delta, (all[1] - all[0]) / n},
		} {
			if x.got == nil || *x.got-x.want > 1e-9 || x.want-*x.got > 1e-9 {
				t.Fatalf("%s is %v, want %g", x.what, x.got, x.want)
			}
		}
	})
}

// TestPassAtK_NoiseIsNoChange: of comparisons of two models of the same skill, one
// in twenty is called better or worse.
func TestPassAtK_NoiseIsNoChange(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	rng := rand.New(rand.NewPCG(7, 7))
	called := 0
	const trials = 500
	for range trials {
		a, b := compare.NewRun(), compare.NewRun()
		for i := range 60 {
			skill := rng.Float64()
			for _, r := range []*compare.Run{a, b} {
				marks := ""
				for range 4 {
					marks += map[bool]string{true: "+", false: "-"}[rng.Float64() < skill]
				}
				samplesOf(r, fmt.Sprint(i), marks)
			}
		}
		c := compared(t, a, b, compare.Options{Resamples: 100})
		if v := c.PassAtK[1].PassAt.Verdict; c.PassAtK[1].K != 4 || v != result.NoChange {
			called++
		}
	}
	if called < 8 || called > 46 { // 25 ± 4.3 standard deviations
		t.Errorf("%d of %d comparisons of noise find a change", called, trials)
	}
}
