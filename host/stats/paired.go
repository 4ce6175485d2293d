package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/combin"
)

// TTest returns the two-sided p-value of Student's t with SE that the mean is 0: cluster-robust, if there
// are clusters. ok is false if the values do not vary, or are of one cluster.
func (s *Sample) TTest() (p float64, ok bool) {
	se, ok := s.SE()
	if !ok || se == 0 {
		return 0, false
	}
	t := math.Abs(s.mean().value()) / se
	return studentsTails(s.Clusters(), t), true
}

// TInterval returns m ± t·SE, whatever the values are; see Interval, which
// treats zeros and ones as a share.
func (s *Sample) TInterval() (i Interval, ok bool) {
	se, ok := s.SE()
	if !ok {
		return Interval{}, false
	}
	return s.around(s.mean().value(), se), true
}

// around returns m ± t·se.
func (s *Sample) around(m, se float64) Interval {
	half := studentsQuantile(s.Clusters(), upper) * se
	i := Interval{m - half, m + half, T}
	if s.HasClusters() {
		i.Method = Clustered
	}
	return i
}

func (i Interval) within(low, high float64) Interval {
	i.Low, i.High = max(low, i.Low), min(high, i.High)
	return i
}

// McNemar holds the p-values of McNemar's test of paired yes-no answers, which
// looks at the pairs that changed only.
type McNemar struct {
	Exact     float64 `json:"exact"`          // binomial, as statsmodels mcnemar(exact=True)
	MidP      float64 `json:"mid_p"`          // Fagerland, Lydersen & Laake 2013, doi 10.1186/1471-2288-13-91
	Chi2      float64 `json:"chi2"`           // χ² of one degree of freedom
	Corrected float64 `json:"chi2_corrected"` // χ² with Edwards' continuity correction
}

// McNemarTest returns the p-values where b pairs changed one way and c the
// other. Without a change every p-value is 1.
func McNemarTest(b, c int) McNemar {
	n := b + c
	if n == 0 {
		return McNemar{1, 1, 1, 1}
	}
	exact := binomialTest(min(b, c), n)
	at := math.Exp(combin.LogGeneralizedBinomial(float64(n), float64(min(b, c))) - float64(n)*math.Ln2)
	mid := exact - at
	if b == c {
		mid = 1 - at/2
	}
	d := math.Abs(float64(b - c))
	return McNemar{Exact: exact, MidP: mid, Chi2: chi2Tail(d * d / float64(n)), Corrected: chi2Tail(max(0, d-1) * max(0, d-1) / float64(n))}
}

// chi2Tail returns P(χ²₁ > x).
func chi2Tail(x float64) float64 { return math.Erfc(math.Sqrt(x / 2)) }

// binomialTest returns the two-sided p-value of k or fewer of n at odds of one
// half; k must be at most n/2.
func binomialTest(k, n int) float64 {
	return min(1, 2*mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5))
}

// SignTest returns the two-sided p-value of the sign test without zeros (Dixon & Mood 1946), as scipy's
// binomtest(below, below+above).
func SignTest(below, above int) float64 {
	if below+above == 0 {
		return 1
	}
	return binomialTest(min(below, above), below+above)
}

// BenjaminiHochberg returns the p-values in their order, adjusted for the false discovery rate of the family
// (1995).
func BenjaminiHochberg(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[b], p[a]) })
	out := make([]float64, len(p))
	least := 1.0
	for k, i := range order {
		rank := len(p) - k
		least = min(least, p[i]*float64(len(p))/float64(rank))
		out[i] = least
	}
	return out
}

// maxEnumerated is the number of values other than 0 up to which SignFlip goes
// through every assignment of signs.
const maxEnumerated = 13

// SignFlip returns the two-sided p-value of the paired permutation test (scipy's "samples"): how often random
// signs give a sum as far from 0. Up to 13 values other than 0 all assignments count, and exact is true;
// beyond it is (hits + 1) ÷ (flips + 1) (Phipson & Smyth 2010).
func SignFlip(diffs []float64, flips int, seed uint64) (p float64, exact bool) {
	var d []float64
	var total, scale float64
	for _, x := range diffs {
		if x != 0 {
			d = append(d, x)
			total += x
			scale += math.Abs(x)
		}
	}
	if len(d) == 0 {
		return 1, true
	}
	least := math.Abs(total) - 1e-12*scale // sums that differ by rounding are equal
	hits := 0
	if len(d) <= maxEnumerated {
		for signs := range 1 << len(d) {
			var sum float64
			for i, x := range d {
				if signs>>i&1 == 1 {
					x = -x
				}
				sum += x
			}
			if math.Abs(sum) >= least {
				hits++
			}
		}
		return float64(hits) / float64(int(1)<<len(d)), true
	}
	for _, sum := range flipped(d, flips, rand.NewPCG(seed, flipStream)) {
		if math.Abs(sum) >= least {
			hits++
		}
	}
	return float64(hits+1) / float64(flips+1), false
}

// flipStream and binStream tell the random streams of one seed apart.
const flipStream, binStream = 1, 2

// flipped returns sums of d with random signs. It goes through d eight values at
// a time, whose 256 signed sums are made once: a lookup stands for eight signs.
func flipped(d []float64, n int, rng *rand.PCG) []float64 {
	sums := make([]float64, (n+7)/8*8)
	var table [256]float64
	for len(d) > 0 {
		part := d[:min(8, len(d))]
		d = d[len(part):]
		table[0] = 0
		for _, x := range part {
			table[0] -= x
		}
		for i, x := range part {
			for k := range 1 << i {
				table[1<<i+k] = table[k] + 2*x
			}
		}
		mask := uint64(1<<len(part)-1) * 0x0101010101010101
		for i := 0; i < n; i += 8 {
			word := rng.Uint64() & mask
			s := sums[i : i+8 : i+8]
			s[0] += table[byte(word)]
			s[1] += table[byte(word>>8)]
			s[2] += table[byte(word>>16)]
			s[3] += table[byte(word>>24)]
			s[4] += table[byte(word>>32)]
			s[5] += table[byte(word>>40)]
			s[6] += table[byte(word>>48)]
			s[7] += table[byte(word>>56)]
		}
	}
	return sums[:n]
}
