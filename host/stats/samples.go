package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// PassAtK returns the unbiased estimate of the chance that at least one of k
// samples of a problem passes, from n samples of which c pass: 1 - C(n-c, k) ÷
// C(n, k) (Chen et al. 2021, arXiv 2107.03374, section 2.1). k must be in [1, n], c
// in [0, n].
func PassAtK(n, c, k int) float64 {
	if n-c < k {
		return 1
	}
	none := 1.0
	for i := n - c + 1; i <= n; i++ {
		none *= 1 - float64(k)/float64(i)
	}
	return 1 - none
}

// PassHatK returns the unbiased estimate of the chance that all of k samples of a
// problem pass: C(c, k) ÷ C(n, k) (Yao et al. 2024, arXiv 2406.12045, section 3).
// The arguments are those of PassAtK.
func PassHatK(n, c, k int) float64 {
	all := 1.0
	for i := range k {
		if i >= c {
			return 0
		}
		all *= float64(c-i) / float64(n-i)
	}
	return all
}

// ShareInterval returns the interval of a mean of shares, each in [0, 1], such as PassAtK of
// problems. That of zeros and ones is Interval's, and where all are the same, and their
// spread says nothing, it is Wilson's for a share of as many clusters.
//
// Of others it is m ± t·SE with half a cluster more that is 0 throughout, and half a one that
// is 1: near the ends, where nearly all problems are solved and the spread of the rest says
// little, m ± t·SE contains the true mean in 40 of 100 cases only (beta(8, 1), k=10, 164
// problems). Elsewhere half a cluster changes next to nothing.
func (s *Sample) ShareInterval(confidence float64) (i Interval, how Method, ok bool) {
	n := float64(s.Clusters())
	if low, high, some := s.Range(); some && low == high {
		return Wilson(low*n, n, confidence), ByWilson, true
	}
	if i, how, ok = s.Interval(confidence); !ok || how == ByWilson {
		return i, how, ok
	}
	se, _ := s.SE()
	m := s.mean().value()
	center := (m*n + 0.5) / (n + 1)
	squares := se*se*n*(n-1) + n*(m-center)*(m-center) + (center*center+(1-center)*(1-center))/2
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(1-(1-confidence)/2) * math.Sqrt(squares/n/(n+1))
	return Interval{max(0, center-half), min(1, center+half)}, how, true
}
