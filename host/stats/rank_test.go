package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rubric-host/rubric-host/host/stats"
)

// TestSpearman_AgreesWithPublishedExamples holds the correlation to the example of
// scipy.stats.spearmanr's documentation, that of Wikipedia's article (-29/165), and phi
// of the table 3, 0, 1, 2 by hand.
func TestSpearman_AgreesWithPublishedExamples(t *testing.T) {
	for _, tt := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4, 5}, []float64{5, 6, 7, 8, 7}, 0.8207826816681233},
		{[]float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}, []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}, -0.17575757575757575},
		{[]float64{1, 1, 0, 0, 1, 0}, []float64{1, 1, 0, 1, 1, 0}, 0.7071067811865476}, // phi
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
	} {
		rho, ok := stats.Spearman(tt.a, tt.b)
		if !ok || math.Abs(rho-tt.want) > 1e-12 {
			t.Errorf("%v, %v: %v, %v; want %v", tt.a, tt.b, rho, ok, tt.want)
		}
	}
	if _, ok := stats.Spearman([]float64{1, 1, 1}, []float64{1, 2, 3}); ok {
		t.Error("a list that does not vary has a correlation")
	}
}

func TestSpearmanInterval_KnowsWhenItSaysNothing(t *testing.T) {
	i, ok := stats.SpearmanInterval(0.5, 103)
	half := 1.959963984540054 * math.Sqrt(1.125/100)
	if want := math.Tanh(math.Atanh(0.5) - half); !ok || math.Abs(i.Low-want) > 1e-9 || !(i.High > 0.5) {
		t.Errorf("%v, %v; want from %v", i, ok, want)
	}
	for _, tt := range []struct {
		rho float64
		n   int
	}{{1, 1000}, {-1, 1000}, {0.5, 4}} {
		if i, ok := stats.SpearmanInterval(tt.rho, tt.n); ok {
			t.Errorf("%+v: %v", tt, i)
		}
	}
}

// TestSpearmanInterval_CoversTheTruth: of independent lists, 95 % of the intervals
// hold 0.
func TestSpearmanInterval_CoversTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	covered := 0
	for range 1000 {
		a, b := make([]float64, 40), make([]float64, 40)
		for i := range a {
			a[i], b[i] = rng.Float64(), float64(rng.IntN(3))
		}
		rho, _ := stats.Spearman(a, b)
		if i, ok := stats.SpearmanInterval(rho, 40); ok && i.Low <= 0 && i.High >= 0 {
			covered++
		}
	}
	if covered < 925 || covered > 975 {
		t.Errorf("%d of 1000", covered)
	}
}

// TestAUC_CountsEveryPair holds the count by sorting to the count of pairs.
func TestAUC_CountsEveryPair(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		high, low := make([]float64, 1+rng.IntN(30)), make([]float64, 1+rng.IntN(30))
		for _, list := range [][]float64{high, low} {
			for i := range list {
				list[i] = float64(rng.IntN(5)) / 4
			}
		}
		want := 0.0
		for _, h := range high {
			for _, l := range low {
				switch {
				case h > l:
					want++
				case h == l:
					want += 0.5
				}
			}
		}
		got, _, ok := stats.AUC(high, low)
		if want /= float64(len(high) * len(low)); !ok || math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v, %v: %v, want %v", high, low, got, want)
		}
	}
}
