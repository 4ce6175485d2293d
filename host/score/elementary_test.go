package score

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// exactly returns e^x to some fifty digits: the series at x/2^20, squared twenty
// times.
func exactly(x float64) *big.Float {
	const digits = 256 // of two
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(v) }
	r, term, sum := number(x), number(1), number(1)
	r.SetMantExp(r, -20)
	for n := range 16 {
		term.Quo(term.Mul(term, r), number(float64(n+1)))
		sum.Add(sum, term)
	}
	for range 20 {
		sum.Mul(sum, sum)
	}
	return sum
}

// off returns how far a number is from the exact one, in units of its last
// place.
func off(got float64, exact *big.Float) float64 {
	d, _ := new(big.Float).Sub(exact, new(big.Float).SetFloat64(got)).Float64()
	return math.Abs(d) / (math.Nextafter(got, math.Inf(1)) - got)
}

// TestExponential_LastPlace holds them to exact ones, not to
// package math: on amd64 its Exp is off by more than one unit, and its Log is
// wrong below 2^-1022, as of Go 1.26.
func TestExponential_LastPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(rapid.Float64Range(-50, 50), rapid.Float64Range(-700, 700), rapid.Float64Range(-1e-6, 1e-6)).Draw(t, "x")
		if got := exponential(x); off(got, exactly(x)) > 1 {
			t.Fatalf("exp %g: %g, want %g", x, got, exactly(x))
		}
		base := rapid.OneOf(rapid.Float64Range(1e-9, 1), rapid.Float64Range(5e-324, 1e-300), rapid.Float64Range(0.999999, 1)).Draw(t, "base")
		l := logarithm(base)
		// e^l differs from base as l from the logarithm.
		d, _ := new(big.Float).Quo(new(big.Float).Sub(exactly(l), new(big.Float).SetFloat64(base)), new(big.Float).SetFloat64(base)).Float64()
		if unit := math.Nextafter(math.Abs(l), math.Inf(1)) - math.Abs(l); math.Abs(d) > unit {
			t.Fatalf("log %g: %g is off by %g, %g units", base, l, d, d/unit)
		}
	})
}

// TestPower_AgreesWithMath, which has them to some units, too.
func TestPower_AgreesWithMath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 1e-300), rapid.Float64Range(0.999999, 1)).Draw(t, "base")
		if base < 0x1p-1022 { // math.Pow takes math.Log
			base *= 0x1p60
		}
		y := rapid.OneOf(rapid.Float64Range(0, 4), rapid.Float64Range(0, 2000), rapid.Float64Range(0, 1e300), rapid.SampledFrom([]float64{0, 0.5, 1, 1.5, 2, 3, 1 << 60})).Draw(t, "y")
		if got, want := power(base, y), math.Pow(base, y); math.Abs(got-want) > 1e-12*want+5e-324 {
			t.Fatalf("%g ^ %g: %g, want %g", base, y, got, want)
		}
	})
}

// TestExponential_SameBitsEverywhere compares them with their results on amd64.
func TestExponential_SameBitsEverywhere(t *testing.T) {
	digest := uint64(14695981039346656037)
	add := func(x float64) { digest = (digest ^ math.Float64bits(x)) * 1099511628211 }
	for i := range 100_000 {
		x := float64(i%20_001)/20_001 + 1e-9
		add(exponential(float64(i-50_000) / 777))
		add(logarithm(x))
		add(power(x, float64(i)/3001))
	}
	if want := uint64(0x7838d9136d94686d); digest != want {
		t.Errorf("the digest of 300,000 results is %#x, want %#x", digest, want)
	}
}
