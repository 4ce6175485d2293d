// Package stats holds statistics over many scores: means and rates with their
// intervals, histograms and quantiles. Everything is accumulated in one pass and
// constant memory. The package is pure.
//
// Stability: stable.
package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Confidence is the confidence of the intervals that are reported, 95 %.
const Confidence = 0.95

// FewCases is the sample size below which an interval says little: with fewer
// than 30 values the mean of a skewed sample is not yet near to normal.
const FewCases = 30

// An Interval is a range of values, both ends included, at Confidence.
type Interval struct {
	Low, High float64
	Method    Method // empty: there is only one
}

// A Method names how an interval was made.
type Method string

// The methods.
const (
	T         Method = "t"         // Student's t for a mean of independent values
	Clustered Method = "clustered" // t with cluster-robust standard error
	ByWilson  Method = "wilson"    // Wilson's score interval for a share

	ByBootstrap Method = "bootstrap"        // percentiles of resampled means
	ByBinned    Method = "bootstrap-binned" // the same of a large sample, from counts by bin
)

// Wilson returns the score interval of the share k of n: the shares p for which
// k lies within z standard errors √(p(1-p)/n) of n·p (Wilson 1927, "Probable
// inference, the law of succession, and statistical inference", JASA 22). k and
// n may be fractions, as effective sample sizes are. n must be above 0, and k in [0, n].
func Wilson(k, n float64) Interval {
	z := normalUpper()
	p, z2 := k/n, z*z
	center := (p + z2/(2*n)) / (1 + z2/n)
	half := z / (1 + z2/n) * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	i := Interval{max(0, center-half), min(1, center+half), ByWilson}
	if k <= 0 { // exact at the ends, where rounding would leave a trace
		i.Low = 0
	}
	if k >= n {
		i.High = 1
	}
	return i
}

// Detectable returns the smallest change of a mean that is noticed four times out of five at 5 %:
// (t₀.₉₇₅ + t₀.₈)·se (Bloom 1995; Miller 2024, arXiv 2411.00640, section 5). It takes 2 clusters.
func Detectable(se float64, clusters int) float64 {
	return (studentsQuantile(clusters, upper) + studentsQuantile(clusters, 0.8)) * se
}

// upper is the probability below the upper end of an interval.
const upper = 1 - (1-Confidence)/2

func normalUpper() float64 { return mathext.NormalQuantile(upper) }

// studentsQuantile returns the value that Student's t of clusters-1 degrees of freedom is below with probability
// p, which is above 0.5. Package distuv has the same, and brings gonum's linear algebra into every program.
func studentsQuantile(clusters int, p float64) float64 {
	nu := float64(clusters - 1)
	x := mathext.InvRegIncBeta(nu/2, 0.5, 2*(1-p))
	return math.Sqrt(nu * (1 - x) / x)
}

// studentsTails returns the probability that the same t is at least so far from 0.
func studentsTails(clusters int, t float64) float64 {
	nu := float64(clusters - 1)
	return mathext.RegIncBeta(nu/2, 0.5, nu/(t*t+nu))
}

// OrNil returns x, or nil if there is none or it is not a number.
func OrNil(x float64, ok bool) *float64 {
	if !ok || math.IsNaN(x) {
		return nil
	}
	return &x
}

// Numbers numbers names from 0, such as those of clusters, as they come.
type Numbers map[string]int

// Of returns the number of a name.
func (n Numbers) Of(name string) int {
	i, known := n[name]
	if !known {
		i = len(n)
		n[name] = i
	}
	return i
}
