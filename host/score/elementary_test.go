package score

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// ulps returns how many numbers lie between two of the same sign.
func ulps(a, b float64) int64 {
	d := int64(math.Float64bits(a)) - int64(math.Float64bits(b))
	return max(d, -d)
}

func TestElementaryFunctionsAreThoseOfMath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(rapid.Float64Range(-50, 50), rapid.Float64Range(-800, 800), rapid.Float64Range(-1e-6, 1e-6)).Draw(t, "x")
		if got, want := exponential(x), math.Exp(x); ulps(got, want) > 1 {
			t.Fatalf("exp %g: %g, want %g", x, got, want)
		}
		base := rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 1e-300), rapid.Float64Range(0.999999, 1)).Draw(t, "base")
		if base > 0 {
			if got, want := logarithm(base), math.Log(base); math.Abs(got-want) > 2e-16*math.Abs(want) {
				t.Fatalf("log %g: %g, want %g", base, got, want)
			}
		}
		y := rapid.OneOf(rapid.Float64Range(0, 4), rapid.Float64Range(0, 2000), rapid.Float64Range(0, 1e300), rapid.SampledFrom([]float64{0, 0.5, 1, 1.5, 2, 3, 1 << 60})).Draw(t, "y")
		if got, want := power(base, y), math.Pow(base, y); math.Abs(got-want) > 4e-16*want+5e-324 {
			t.Fatalf("%g ^ %g: %g, want %g", base, y, got, want)
		}
	})
}

// TestElementaryFunctionsAreTheSameEverywhere holds them to what they are on
// amd64.
func TestElementaryFunctionsAreTheSameEverywhere(t *testing.T) {
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
