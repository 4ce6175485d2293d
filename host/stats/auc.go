package stats

import (
	"math"
	"slices"
)

// AUC returns the share of pairs in which the value of high is larger than that of low, ties counted half.
// ok is false if a set is empty or holds NaN. The interval is the fifth of Newcombe 2006 (Statistics in
// Medicine 25): the areas from which the observed one lies within z standard errors of Hanley and McNeil
// 1982. It has a width for sets that do not overlap, and is that of NAP in the R package SingleCaseES.
func AUC(high, low []float64) (auc float64, i Interval, ok bool) {
	if len(high) == 0 || len(low) == 0 {
		return 0, Interval{}, false
	}
	if slices.ContainsFunc(high, math.IsNaN) || slices.ContainsFunc(low, math.IsNaN) {
		return 0, Interval{}, false
	}
	m, n := float64(len(high)), float64(len(low))
	ranks := 0.0 // of high, in all
	for _, r := range Ranks(slices.Concat(high, low))[:len(high)] {
		ranks += r
	}
	auc = (ranks - m*(m+1)/2) / (m * n)
	z := normalUpper()
	beyond := func(theta float64) bool { // whether auc is too far from theta
		k := (m+n)/2 - 1
		v := theta * (1 - theta) * (1 + k*(1-theta)/(2-theta) + k*theta/(1+theta)) / (m * n)
		return math.Abs(auc-theta) > z*math.Sqrt(v)
	}
	i = Interval{High: 1}
	if auc > 0 {
		i.Low = bound(0, auc, beyond)
	}
	if auc < 1 {
		i.High = bound(1, auc, beyond)
	}
	return auc, i, true
}

// bound returns the value between outside, where beyond holds or nearly, and inside,
// where it does not, from which on it does not.
func bound(outside, inside float64, beyond func(float64) bool) float64 {
	for range 60 {
		if middle := (outside + inside) / 2; beyond(middle) {
			outside = middle
		} else {
			inside = middle
		}
	}
	return inside
}
