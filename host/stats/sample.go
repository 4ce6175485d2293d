package stats

import "math"

// maxAbs is the largest value that a Sample takes: the squares of more of them
// than there are cases in the world still add up.
const maxAbs = 1e120

// A Sample sums up values over cases, and holds none. Values of one cluster are taken to depend on each
// other, all others to be independent. The zero value is empty; one goroutine at a time uses it.
type Sample struct {
	n        int
	refused  int
	sum      sum
	squares  sum
	min, max float64
	other    int // values that are neither 0 nor 1

	// Of values without a cluster.
	singles struct {
		n            int
		sum, squares sum
	}
	clusters []cluster // by number; n = 0 where a number has no values
	groups   int       // clusters with values
}

type cluster struct {
	n   int
	sum sum
}

// Add adds an independent value. It refuses and counts NaN, infinities and values beyond ±10¹²⁰.
func (s *Sample) Add(x float64) bool {
	if !s.add(x) {
		return false
	}
	s.singles.n++
	s.singles.sum.add(x)
	s.singles.squares.addSquare(x)
	return true
}

// AddTo adds a value of a cluster; see Add. Clusters are numbers from 0 that the
// caller gives, best without gaps: a Sample keeps 24 bytes for each. Below 0: of none.
func (s *Sample) AddTo(number int, x float64) bool {
	if number < 0 {
		return s.Add(x)
	}
	if !s.add(x) {
		return false
	}
	for len(s.clusters) <= number {
		s.clusters = append(s.clusters, cluster{})
	}
	c := &s.clusters[number]
	if c.n == 0 {
		s.groups++
	}
	c.n++
	c.sum.add(x)
	return true
}

func (s *Sample) add(x float64) bool {
	if !(math.Abs(x) <= maxAbs) {
		s.refused++
		return false
	}
	if s.n == 0 || x < s.min {
		s.min = x
	}
	if s.n == 0 || x > s.max {
		s.max = x
	}
	s.n++
	s.sum.add(x)
	s.squares.addSquare(x)
	if x != 0 && x != 1 {
		s.other++
	}
	return true
}

// N returns the number of values.
func (s *Sample) N() int { return s.n }

// Refused returns the number of values that were not taken.
func (s *Sample) Refused() int { return s.refused }

// Clusters returns the number of independent clusters; a value without one is a
// cluster of its own.
func (s *Sample) Clusters() int { return s.groups + s.singles.n }

// HasClusters reports whether values of one cluster were added.
func (s *Sample) HasClusters() bool { return s.groups > 0 }

// Range returns the smallest and the largest value; ok is false if there is none.
func (s *Sample) Range() (low, high float64, ok bool) { return s.min, s.max, s.n > 0 }

// Mean returns the arithmetic mean; ok is false without values.
func (s *Sample) Mean() (mean float64, ok bool) {
	if s.n == 0 {
		return 0, false
	}
	m := s.mean().value()
	return min(max(m, s.min), s.max), true
}

func (s *Sample) mean() sum { return s.sum.over(float64(s.n)) }

// SD returns the standard deviation of the values with divisor n-1; ok is false
// for fewer than two values.
func (s *Sample) SD() (sd float64, ok bool) {
	if s.n < 2 {
		return 0, false
	}
	return math.Sqrt(s.spread(s.n, s.sum, s.squares) / float64(s.n-1)), true
}

// spread returns Σ(x-m)² of n values with sums given, m being the mean of all:
// Σx² - 2m·Σx + n·m².
func (s *Sample) spread(n int, total, squares sum) float64 {
	if n == 0 || s.min == s.max {
		return 0
	}
	m := s.mean()
	twice := sum{2 * m.hi, 2 * m.lo}
	d := squares.minus(twice.times(total)).plus(sum{hi: float64(n)}.times(m).times(m))
	return max(0, d.value())
}

// SE returns the standard error of the mean, if there are two clusters. It is √(G/(G-1) · Σ_g (Σ_{i∈g}
// (xᵢ-m))²) ÷ n, the cluster-robust error of Miller 2024 (arXiv 2411.00640, section 2.2) with the
// correction CR1 (Cameron & Miller 2015, equation 12): SD ÷ √n if every value is a cluster.
func (s *Sample) SE() (se float64, ok bool) {
	g := float64(s.Clusters())
	if g < 2 {
		return 0, false
	}
	meat := sum{hi: s.spread(s.singles.n, s.singles.sum, s.singles.squares)}
	m := s.mean()
	for i := range s.clusters {
		if c := &s.clusters[i]; c.n > 0 && s.min < s.max {
			meat.addSquare(c.sum.minus(m.times(sum{hi: float64(c.n)})).value())
		}
	}
	return math.Sqrt(g/(g-1)*meat.value()) / float64(s.n), true
}

// Interval returns the interval of the mean, if the values allow one. Zeros and ones are a share: Wilson's,
// with the effective size n ÷ deff of clusters (Franco, Little, Louis, Slud 2019); if all values are the
// same, each cluster counts once. Others get m ± t·SE with a degree of freedom less than clusters.
func (s *Sample) Interval() (i Interval, ok bool) {
	if s.n == 0 || s.other > 0 {
		return s.TInterval()
	}
	n := s.effective()
	return Wilson(s.mean().value()*n, n), true
}

// effective returns the effective size of a sample of zeros and ones.
func (s *Sample) effective() float64 {
	n := float64(s.n)
	g := float64(s.Clusters())
	if g == n { // nothing depends on anything
		return n
	}
	p := s.mean().value()
	se, ok := s.SE()
	if !ok || s.min == s.max {
		return g
	}
	return min(n, max(1, p*(1-p)/(se*se)))
}
