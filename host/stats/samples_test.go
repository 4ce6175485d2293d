package stats_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/stats"
)

func TestPassAtK_AgreesWithHumanEval(t *testing.T) {
	type line struct {
		Config struct{ K int }
		Input  struct{ N, C []int }
		Want   struct {
			PassAtK float64 `json:"pass_at_k"`
		} `json:"expected"`
	}
	eachLine(t, "../../../testdata/vectors/pass_at_k.jsonl.gz", 94, func(l line) {
		var s stats.Sample
		for i, n := range l.Input.N {
			s.Add(stats.PassAtK(n, l.Input.C[i], l.Config.K))
		}
		got, _ := s.Mean()
		near(t, "pass@k", got, l.Want.PassAtK, 1e-12)
	})
}

// Both estimates are shares of all ways to draw k samples of n: the draws are
// counted one by one.
func TestPassAtK_CountsDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "n")
		c := rapid.IntRange(0, n).Draw(t, "c")
		k := rapid.IntRange(1, n).Draw(t, "k")
		draws, some, all := 0.0, 0.0, 0.0
		for set := range uint(1) << n {
			if bits.OnesCount(set) != k {
				continue
			}
			draws++
			passed := bits.OnesCount(set & (1<<c - 1))
			some += truth(passed > 0)
			all += truth(passed == k)
		}
		near(t, "pass@k", stats.PassAtK(n, c, k), some/draws, 1e-12)
		near(t, "pass^k", stats.PassHatK(n, c, k), all/draws, 1e-12)
	})
}

func TestSample_ClustersOfOneAreIndependent(t *testing.T) {
	var alone, clustered stats.Sample
	for i := range 40 {
		x := float64(i % 3 / 2)
		alone.Add(x)
		clustered.AddTo(i, x)
	}
	a, _ := alone.Interval()
	b, _ := clustered.Interval()
	if a != b {
		t.Errorf("%v, with clusters %v", a, b)
	}
}

// Problems differ in how hard they are; the true value of pass@k and pass^k is the mean
// over all of them. At least 93 of 100 intervals contain it, also where nearly every
// problem is solved: there m ± t·SE contains it in 40.
func TestShareInterval_CoversPassAtK(t *testing.T) {
	const runs, samples = 1000, 20
	rng := rand.New(rand.NewPCG(5, 6))
	for _, tt := range []struct {
		strength, problems, k int // of chances that are the greatest of so many random numbers
	}{{8, 30, 1}, {8, 164, 1}, {8, 164, 5}, {8, 164, 10}, {2, 30, 5}, {2, 164, 10}, {1, 30, 1}} {
		for name, of := range map[string]func(n, c, k int) float64{"pass@": stats.PassAtK, "pass^": stats.PassHatK} {
			t.Run(fmt.Sprintf("%d problems of strength %d, %s%d", tt.problems, tt.strength, name, tt.k), func(t *testing.T) {
				chance := func() float64 { return math.Pow(rng.Float64(), 1/float64(tt.strength)) }
				a, b := float64(tt.strength), float64(tt.k)
				want := a / (a + b) // the mean of chance to the power of k
				if name == "pass@" {
					none := 1.0 // that of 1 - chance
					for i := range tt.k {
						none *= float64(i+1) / (a + float64(i+1))
					}
					want = 1 - none
				}
				hit := 0
				for range runs {
					var s stats.Sample
					for range tt.problems {
						p, c := chance(), 0
						for range samples {
							if rng.Float64() < p {
								c++
							}
						}
						s.Add(of(samples, c, tt.k))
					}
					if i, ok := s.ShareInterval(); ok && i.Low <= want && want <= i.High {
						hit++
					}
				}
				if share := float64(hit) / runs; share < 0.925 {
					t.Errorf("%.1f%% of the intervals contain %g", 100*share, want)
				}
			})
		}
	}
}

// Two models solve the same problems; the true difference is a mean over all problems. At least
// 92 of 100 intervals contain it, also where few problems change: there m ± t·SE contains it in
// 30 to 80.
func TestShareChange_CoversDifferencesOfPassAtK(t *testing.T) {
	const runs, samples, k, many = 400, 20, 10, 200_000
	rng := rand.New(rand.NewPCG(5, 6))
	easy := func() float64 { return math.Pow(rng.Float64(), 1.0/8) }
	for _, tt := range []struct {
		name string
		pair func() (base, candidate float64) // chances of a problem
	}{
		{"unchanged", func() (float64, float64) { p := easy(); return p, p }},
		{"independent", func() (float64, float64) { return easy(), easy() }},
		{"better", func() (float64, float64) { p := easy(); return p, math.Sqrt(p) }},
		{"some changed", func() (float64, float64) {
			p := easy()
			if rng.Float64() < 0.03 {
				return p, rng.Float64()
			}
			return p, p
		}},
		{"some lost", func() (float64, float64) { return 1, truth(rng.Float64() >= 0.02) }},
	} {
		want := 0.0
		for range many {
			a, b := tt.pair()
			want += (math.Pow(1-a, k) - math.Pow(1-b, k)) / many
		}
		passAt := func(chance float64) float64 {
			c := 0
			for range samples {
				if rng.Float64() < chance {
					c++
				}
			}
			return stats.PassAtK(samples, c, k)
		}
		for _, problems := range []int{30, 164} {
			hit := 0
			for range runs {
				var s stats.Sample
				for range problems {
					a, b := tt.pair()
					s.Add(passAt(b) - passAt(a))
				}
				if c, ok := s.ShareChange(); ok && c.Low <= want && want <= c.High {
					hit++
				}
			}
			if share := float64(hit) / runs; share < 0.92 {
				t.Errorf("%s, %d problems: %.1f%% of the intervals contain %g", tt.name, problems, 100*share, want)
			}
		}
	}
}
