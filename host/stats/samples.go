package stats

import "math"

// PassAtK returns the unbiased estimate 1 - C(n-c, k) ÷ C(n, k) that one of k samples of a problem passes, c
// of n samples passing (Chen et al. 2021, arXiv 2107.03374, section 2.1). k is in [1, n], c in [0, n].
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
// Of others it is m ± t·SE of the padded sample: near the ends, where nearly all problems are
// solved and the spread of the rest says little, m ± t·SE contains the true mean in 40 of 100
// cases only (beta(8, 1), k=10, 164 problems).
func (s *Sample) ShareInterval() (i Interval, ok bool) {
	n := float64(s.Clusters())
	if low, high, some := s.Range(); some && low == high {
		return Wilson(low*n, n), true
	}
	if i, ok = s.Interval(); !ok || i.Method == ByWilson {
		return i, ok
	}
	m, se, _ := s.padded(0, 1)
	return s.around(m, se).within(0, 1), true
}

// A Change is a mean difference.
type Change struct {
	Interval
	SE, P float64 // of the two-sided t-test that the mean is 0
}

// ShareChange returns interval, standard error and p-value of a mean of differences between shares,
// each in [-1, 1], such as those of PassAtK between two models: m ± t·SE of the padded sample, which for
// differences of zeros and ones is nearly the interval of Agresti and Min 2005 ("Simple improved
// confidence intervals for comparing matched proportions"). Where most problems have the same
// result twice, m ± t·SE contains the true difference in 30 to 80 of 100 cases. ok is false for
// fewer than two clusters.
func (s *Sample) ShareChange() (c Change, ok bool) {
	m, se, ok := s.padded(-1, 1)
	if !ok {
		return Change{}, false
	}
	return Change{s.around(m, se).within(-1, 1), se, studentsTails(s.Clusters(), m/se)}, true
}

// padded returns the mean and its standard error with half a cluster more that is low
// throughout, and half a one that is high: what could have been seen changes next to nothing
// where values vary, and is all the spread that there is where they do not.
func (s *Sample) padded(low, high float64) (mean, se float64, ok bool) {
	se, ok = s.SE()
	n, m := float64(s.Clusters()), s.mean().value()
	mean = (m*n + (low+high)/2) / (n + 1)
	squares := se*se*n*(n-1) + n*(m-mean)*(m-mean) + ((mean-low)*(mean-low)+(high-mean)*(high-mean))/2
	return mean, math.Sqrt(squares / n / (n + 1)), ok
}
