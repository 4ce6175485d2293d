package stats

import (
	"math"
	"math/rand/v2"
)

// binomial draws how many of n trials of probability p succeed: by its distribution
// function, and beyond an expected number of 100 by the normal that it approaches.
func binomial(n, p float64, rng *rand.Rand) float64 {
	switch {
	case p > 0.5:
		return n - binomial(n, 1-p, rng)
	case n*p < 100:
		return inverted(n, p, rng.Float64())
	}
	k := math.Round(n*p + float64(math.Sqrt(n*p*(1-p))*rng.NormFloat64()))
	return min(max(k, 0), n)
}

// inverted returns the first k whose distribution function exceeds u.
func inverted(n, p, u float64) float64 {
	at := math.Exp(n * math.Log1p(-p))
	k := 0.0
	for ; u > at && k < n; k++ {
		u -= at
		at *= (n - k) / (k + 1) * p / (1 - p)
	}
	return k
}
