package stats

import (
	"cmp"
	"math"
	"slices"
)

// Ranks returns the rank of each value, from 1; equal values have the mean of their
// ranks. No value may be NaN.
func Ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for k := i; k < j; k++ {
			ranks[order[k]] = float64(i+1+j) / 2
		}
		i = j
	}
	return ranks
}

// standardized returns the values minus their mean, over the root of their sum of
// squares: the product of two such lists is the correlation. It is nil if all values
// are equal.
func standardized(values []float64) []float64 {
	mean := 0.0
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	out, squares := make([]float64, len(values)), 0.0
	for i, v := range values {
		out[i] = v - mean
		squares += out[i] * out[i]
	}
	if !(squares > 0) {
		return nil
	}
	root := math.Sqrt(squares)
	for i := range out {
		out[i] /= root
	}
	return out
}

// Spearman returns the rank correlation of two lists of the same length: of values
// that are 0 or 1 it is the phi coefficient. ok is false if one of them does not vary.
func Spearman(a, b []float64) (rho float64, ok bool) {
	x, y := standardized(Ranks(a)), standardized(Ranks(b))
	if x == nil || y == nil {
		return 0, false
	}
	for i := range x {
		rho += x[i] * y[i]
	}
	return max(-1, min(1, rho)), true
}

// SpearmanInterval returns the interval of a rank correlation of n independent pairs, by Fisher's
// transformation with the variance (1 + ρ²/2)/(n-3) (Bonett and Wright 2000, Psychometrika 65). There is
// none for fewer than 5 pairs, and for ρ of 1 or -1.
func SpearmanInterval(rho float64, n int) (i Interval, ok bool) {
	if n < 5 || !(math.Abs(rho) < 1-1e-12) {
		return Interval{}, false
	}
	z := normalUpper()
	half := z * math.Sqrt((1+rho*rho/2)/float64(n-3))
	at := math.Atanh(rho)
	return Interval{Low: math.Tanh(at - half), High: math.Tanh(at + half)}, true
}
