package score

import (
	"math"
	"slices"
)

// The exponential function and powers, the same in every bit on every machine: those
// of package math are written in assembly on some, and compiled to fused operations
// on others. Every product is rounded before it is added, as all over this package.
// The algorithms are those of FreeBSD's msun (e_exp.c, e_log.c) and of Go's math.Pow,
// with errors of less than 1, 1 and about 2 units in the last place for the arguments
// used here.

const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
	log2e = 1.44269504088896338700e+00
)

func exponential(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x > 709.782712893383973096:
		return math.Inf(1)
	case x < -745.133219101941108420:
		return 0
	case math.Abs(x) < 1.0/(1<<28):
		return 1 + x
	}
	// x = k·ln 2 + r, and r = hi - lo to more digits than one number holds.
	k := math.Trunc(product(log2e, x) + math.Copysign(0.5, x))
	hi, lo := x-product(k, ln2Hi), product(k, ln2Lo)
	r := hi - lo
	t := product(r, r)
	c := r - product(t, polynomial(t, 1.66666666666666657415e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
		-1.65339022054652515390e-06, 4.13813679705723846039e-08))
	y := 1 - ((lo - product(r, c)/(2-c)) - hi)
	return math.Ldexp(y, int(k))
}

// logarithm returns ln x for a finite x above 0.
func logarithm(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	f, k := m-1, float64(e)
	s := f / (2 + f)
	s2 := product(s, s)
	s4 := product(s2, s2)
	r := product(s2, polynomial(s4, 6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01, 1.479819860511658591e-01)) +
		product(s4, polynomial(s4, 3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01))
	half := product(product(0.5, f), f)
	return product(k, ln2Hi) - ((half - (product(s, half+r) + product(k, ln2Lo))) - f)
}

// polynomial returns c[0] + c[1]·x + c[2]·x² + ...
func polynomial(x float64, c ...float64) (sum float64) {
	for _, v := range slices.Backward(c) {
		sum = v + product(sum, x)
	}
	return sum
}

// power returns x^y for x in [0, 1] and a finite y from 0.
func power(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x == 0:
		return 0
	case y == 0.5:
		return math.Sqrt(x)
	case y >= 1<<60: // less than any number, or rounded to 1 from below
		return exponential(product(y, logarithm(x)))
	}
	whole, part := math.Modf(y)
	value, exponent := 1.0, 0
	if part > 0.5 {
		part--
		whole++
	}
	if part != 0 {
		value = exponential(product(part, logarithm(x)))
	}
	// x^whole by squares of m·2^e, so that nothing is lost before the end.
	m, e := math.Frexp(x)
	for n := int64(whole); n != 0; n >>= 1 {
		if e < -1<<12 { // and only gets smaller
			return 0
		}
		if n&1 == 1 {
			value, exponent = product(value, m), exponent+e
		}
		m, e = product(m, m), e*2
		if m < 0.5 {
			m, e = m+m, e-1
		}
	}
	return math.Ldexp(value, exponent)
}
