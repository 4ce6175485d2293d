package stats_test

import (
	"math/bits"
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
	a, _, _ := alone.Interval(0.95)
	b, _, _ := clustered.Interval(0.95)
	if a != b {
		t.Errorf("%v, with clusters %v", a, b)
	}
}
