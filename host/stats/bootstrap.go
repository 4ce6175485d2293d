package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Unit is one draw of the bootstrap: a single value, or a cluster with the sum of
// its values and their number.
type Unit struct {
	Sum float64
	N   float64
}

// maxDraws is how many draws Bootstrap makes one by one, about 0.2 s.
const maxDraws = 5e7

// bootstrapBins is the number of bins that would hold a large sample if all were
// as wide as those in its middle.
const bootstrapBins = 64

// Bootstrap returns the percentile interval of the mean over units drawn with replacement. Up to 50 million
// draws they are those of numpy.random.default_rng(seed), as scipy.stats.bootstrap picks them. Beyond, units
// stand in about 100 bins, narrow at both ends; a resample draws how many fall into each (a multinomial)
// and a normal for the rest, which differs less than another seed. There must be a unit, with N above 0.
func Bootstrap(units []Unit, resamples int, seed uint64) Interval {
	how, resampled := ByBootstrap, resample
	if float64(len(units))*float64(resamples) > maxDraws {
		how, resampled = ByBinned, resampleBinned
	}
	means := resampled(units, resamples, seed)
	slices.Sort(means)
	high := upper // a variable: 1-high rounds as it did in earlier runs
	return Interval{quantile(means, 1-high), quantile(means, high), how}
}

func resample(units []Unit, resamples int, seed uint64) []float64 {
	rng := NewNumPy(seed)
	picked := make([]uint32, len(units))
	means := make([]float64, resamples)
	for i := range means {
		rng.Choice(len(units), picked)
		var sum, n float64
		for _, k := range picked {
			sum += units[k].Sum
			n += units[k].N
		}
		means[i] = sum / n
	}
	return means
}

// resampleBinned resamples the mean m = ΣSum ÷ ΣN through the value of each unit
// in it, (Sum - m·N) ÷ mean N: exact for units of equal N, and the first-order
// expansion of the ratio for others.
func resampleBinned(units []Unit, resamples int, seed uint64) []float64 {
	var sum, n float64
	for _, u := range units {
		sum += u.Sum
		n += u.N
	}
	mean, count := sum/n, float64(len(units))
	values := make([]float64, len(units))
	for i, u := range units {
		values[i] = (u.Sum - float64(mean*u.N)) * (count / n)
	}
	bins := binned(values)
	rng := rand.New(rand.NewPCG(seed, binStream))
	means := make([]float64, resamples)
	for i := range means {
		var total, variance float64
		left, of := count, count
		for _, b := range bins {
			k := left
			if b.n < of {
				k = binomial(left, b.n/of, rng)
			}
			total += float64(k * b.mean)
			variance += float64(k * b.variance)
			if left, of = left-k, of-b.n; left == 0 {
				break
			}
		}
		if variance > 0 {
			total += float64(math.Sqrt(variance) * rng.NormFloat64())
		}
		means[i] = mean + total/count
	}
	return means
}

// group is a bin of values that lie side by side.
type group struct{ n, mean, variance float64 }

// binned sorts values into bins, down to single values at both ends: the tails, which give a mean its
// skewness, are drawn as they are. Equal values share a bin.
func binned(values []float64) []group {
	slices.Sort(values)
	var bins []group
	for i := 0; i < len(values); {
		width := 1 + min(i/4, (len(values)-i)/5, len(values)/bootstrapBins)
		end := min(len(values), i+width)
		for end < len(values) && values[end] == values[end-1] {
			end++
		}
		bins = append(bins, groupOf(values[i:end]))
		i = end
	}
	return bins
}

func groupOf(values []float64) group {
	g := group{n: float64(len(values)), mean: values[0]}
	if values[0] == values[len(values)-1] {
		return g
	}
	g.mean = 0
	for _, x := range values {
		g.mean += x / g.n
	}
	for _, x := range values {
		g.variance += (x - g.mean) * (x - g.mean) / g.n
	}
	return g
}

// quantile returns the p-quantile of sorted values as numpy does by default
// (Hyndman and Fan's type 7).
func quantile(sorted []float64, p float64) float64 {
	rank := p * float64(len(sorted)-1)
	low := int(rank)
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	part := rank - float64(low)
	a, b := sorted[low], sorted[low+1]
	if part >= 0.5 { // numpy's lerp, which keeps it monotonic
		return b - float64((b-a)*(1-part))
	}
	return a + float64((b-a)*part)
}
