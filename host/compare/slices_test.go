package compare_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/result"
)

// TestCompare_Slices compares the score within each value of a field; a case may have
// several values, or none.
func TestCompare_Slices(t *testing.T) {
	a, b := compare.NewRun(), compare.NewRun()
	labels := map[string][]string{}
	for i := range 40 {
		id := fmt.Sprint(i)
		x, y := row(id, 1, 0.5, true), row(id, 1, 0.5, true)
		switch {
		case i < 10:
			labels[id] = []string{"geo", "hard"}
			*y.Score = 0.6 + float64(i)/1000
		case i < 30:
			labels[id] = []string{"art"}
		}
		x.CaseDigest, y.CaseDigest = id, id
		a.Add(x)
		b.Add(y)
	}
	c := compared(t, a, b, compare.Options{Slices: []string{"topic"}, Labels: func(digest, _ string) []string { return labels[digest] }})
	var got []string
	for _, s := range c.Slices {
		got = append(got, fmt.Sprintf("%s=%s %v %d %s", s.Field, s.Value, s.Missing, s.Change.N, s.Change.Verdict))
	}
	want := []string{"topic=art false 20 identical", "topic=geo false 10 better", "topic=hard false 10 better", "topic= true 10 identical"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if q := c.Slices[1].Change.Q; q == nil || *q < *c.Slices[1].Change.P {
		t.Errorf("q %v", q)
	}
}

// TestCompare_SlicesPerCriterion: each criterion is compared within each slice, and all
// of them are one family of Benjamini and Hochberg.
func TestCompare_SlicesPerCriterion(t *testing.T) {
	a, b := compare.NewRun(), compare.NewRun()
	labels := map[string][]string{}
	// level rises by 0.1, 0.2, 0.3, 0.4 in geo: mean 0.25, sd 0.12910, t = 3.8730 with
	// 3 degrees of freedom, p = 0.030466. right is lost in all eight cases of art: with half a
	// case of -1 and half a one of 1 the mean is -8/9, t = 5.4881 with 7 degrees of freedom, p = 0.000918.
	// level falls by 0.1 in all eight of law: no t-test, but 2 of 2^8 assignments of signs are as far from 0.
	add := func(id, label string, x, y float64, metX, metY bool) {
		labels[id] = []string{label}
		p, q := row(id, 1, x, metX), row(id, 1, y, metY)
		p.CaseDigest, q.CaseDigest = id, id
		a.Add(p)
		b.Add(q)
	}
	for i := range 4 {
		add(fmt.Sprint("g", i), "geo", 0.5, 0.5+0.1*float64(i+1), true, true)
	}
	for i := range 8 {
		add(fmt.Sprint("a", i), "art", 0.5, 0.5, true, false)
		add(fmt.Sprint("l", i), "law", 0.5, 0.4, true, true)
	}
	c := compared(t, a, b, compare.Options{Slices: []string{"topic"}, Labels: func(digest, _ string) []string { return labels[digest] }})
	art, geo, law := c.Slices[0], c.Slices[1], c.Slices[2]
	if len(art.Criteria) != 3 || len(geo.Criteria) != 3 || art.Metrics == nil {
		t.Fatalf("%+v", c.Slices)
	}
	right, level, blames := art.Criteria[0], geo.Criteria[1], geo.Criteria[2]
	near(t, "right, delta", right.Delta, -1)
	near(t, "right, permutation", right.Permutation, 2.0/256)
	if right.ID != "right" || right.N != 8 || math.Abs(*right.P-0.000918) > 1e-6 || right.Verdict != result.GotWorse || right.Pass.Regressions != 8 {
		t.Errorf("right %+v", right)
	}
	near(t, "level, delta", level.Delta, 0.25)
	if level.N != 4 || math.Abs(*level.P-0.030466) > 1e-6 || level.Verdict != result.GotBetter || blames.Verdict != result.GotWorse {
		t.Errorf("level %+v, blames %+v", level, blames)
	}
	// Five tests: right, twice the permutation test of law, at ranks 2 and 3, and twice the p of level.
	near(t, "right, q", right.Q, 5**right.P)
	near(t, "level of law, q", law.Criteria[1].Q, 5*2.0/256/3)
	near(t, "level, q", level.Q, *level.P)
	near(t, "blames, q", blames.Q, *level.P)
	if other := art.Criteria[1]; other.Q != nil || other.Verdict != result.Identical {
		t.Errorf("a criterion that nothing changed is tested: %+v", other)
	}
}
