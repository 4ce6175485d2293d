package stats

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
