package stats

import "math"

// fineBins is the number of bins that a Histogram keeps over [0, 1].
const fineBins = 200

// A Histogram counts values over [0, 1] in 200 bins of equal width, and those
// beyond either end. A bin contains its lower edge; the last one contains 1 too.
// The zero value is empty and ready. NaN is not taken.
type Histogram struct {
	bins         [fineBins]bin
	below, above bin
	n            int
}

// bin also keeps its range, so that quantiles of a few distinct values are exact.
type bin struct {
	n        int
	min, max float64
}

func (b *bin) add(x float64) {
	if b.n == 0 {
		b.min, b.max = x, x
	}
	b.n++
	b.min, b.max = min(b.min, x), max(b.max, x)
}

// Add adds a value.
func (h *Histogram) Add(x float64) {
	switch {
	case math.IsNaN(x):
		return
	case x < 0:
		h.below.add(x)
	case x > 1:
		h.above.add(x)
	default:
		// The bin above an edge, whatever the product rounds to.
		h.bins[min(fineBins-1, int(x*fineBins+1e-9))].add(x)
	}
	h.n++
}

// Counts returns the counts in n bins of equal width over [0, 1]. n must divide
// 200. Values below 0 count in the first bin, and those above 1 in the last one.
func (h *Histogram) Counts(n int) []int {
	out := make([]int, n)
	for i := range h.bins {
		out[i*n/fineBins] += h.bins[i].n
	}
	out[0] += h.below.n
	out[n-1] += h.above.n
	return out
}

// Quantile returns the p-quantile of Hyndman and Fan's type 7, with values spread evenly over the range of
// their bin: off by less than its width, 0.005, and by nothing where a bin has one distinct value.
func (h *Histogram) Quantile(p float64) (value float64, ok bool) {
	if h.n == 0 {
		return 0, false
	}
	rank := p * float64(h.n-1)
	low := math.Floor(rank)
	a := h.value(int(low))
	if rank == low {
		return a, true
	}
	return a + float64((rank-low)*(h.value(int(low)+1)-a)), true
}

// value returns about the k-th smallest value, k from 0.
func (h *Histogram) value(k int) float64 {
	if k < h.below.n {
		return h.below.at(k)
	}
	k -= h.below.n
	for i := range h.bins {
		b := &h.bins[i]
		if k < b.n {
			return b.at(k)
		}
		k -= b.n
	}
	return h.above.at(k)
}

// at returns about the k-th smallest value of the bin.
func (b *bin) at(k int) float64 {
	if b.n < 2 {
		return b.min
	}
	return b.min + float64((b.max-b.min)*(float64(k)/float64(b.n-1)))
}
