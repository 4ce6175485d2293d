package metarubric

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// Bounds on the exact search of weights without effect.
const (
	mostSums = 1 << 20 // different sums of the criteria, in the unit of their least common denominator
	mostWork = 1 << 31 // words of bits that are shifted
)

// An effect is the effect of a weight on the verdict.
type effect int

const (
	some effect = iota
	none
	unknown
)

// sums are the contributions of criteria to the score, in whole units, each minus its
// smallest: an item adds one of its steps, or anything up to its width.
type sums struct {
	steps  [][]int64 // ascending from 0; of a continuous item, its two ends
	width  []int64   // of continuous items; 0: the item has steps
	bounds []int64   // the sums from which on a band is reached
	whole  bool      // the unit is exact
	total  int64     // of the largest steps
}

// newSums reads a rubric. ok is false if its weights give no score, or sums that are
// too large.
func newSums(r *rubric.Rubric) (s *sums, ok bool) {
	divisor, shift := divisorOf(r)
	if divisor.Sign() <= 0 {
		return nil, false
	}
	items := make([]contribution, len(r.Criteria))
	base := new(big.Rat).Set(shift) // score · divisor, of the smallest contributions
	for i := range r.Criteria {
		items[i] = contributionOf(r, &r.Criteria[i])
		base.Add(base, items[i].values[0])
	}
	u := unitOf(items)
	s = &sums{whole: u.exact}
	for _, it := range items {
		steps, ok := it.steps(u)
		if !ok {
			return nil, false
		}
		last := steps[len(steps)-1]
		width := int64(0)
		if it.continuous {
			width = last
		}
		s.steps, s.width = append(s.steps, steps), append(s.width, width)
		if s.total += last; s.total < 0 || s.total >= 1<<60 {
			return nil, false
		}
	}
	slack := written(rubric.Slack)
	most := new(big.Rat).Add(big.NewRat(1, 1), slack)
	for _, band := range r.Pass.Bands {
		at := written(band.Min)
		if at.Sign() <= 0 || at.Cmp(most) > 0 {
			continue // the score is cut to [0, 1]: every sum reaches it, or none does
		}
		at.Sub(at, slack)
		at.Mul(at, divisor) // the band is reached from (min - slack) · divisor on
		n, ok := u.count(at.Sub(at, base))
		if !ok {
			return nil, false
		}
		s.bounds = append(s.bounds, n)
	}
	return s, true
}

// written returns a number as it is written, not as it is stored.
func written(x float64) *big.Rat {
	v, ok := new(big.Rat).SetString(rubric.FormatNumber(x))
	if !ok {
		return new(big.Rat)
	}
	return v
}

// divisorOf returns the divisor of the weighted sum, and the number that is added to
// the sum before: rubrics with nothing but penalties count from 1.
func divisorOf(r *rubric.Rubric) (divisor, shift *big.Rat) {
	positive, negative, all := new(big.Rat), new(big.Rat), new(big.Rat)
	signed := r.Policy.Aggregate == rubric.Signed
	for i := range r.Criteria {
		w := written(r.Criteria[i].Weight.Value)
		all.Add(all, w)
		if w.Sign() < 0 {
			signed = signed || r.Policy.Aggregate != rubric.WeightedMean
			negative.Sub(negative, w)
		} else {
			positive.Add(positive, w)
		}
	}
	switch {
	case !signed:
		return all, new(big.Rat)
	case positive.Sign() == 0:
		return negative, negative
	default:
		return positive, new(big.Rat)
	}
}

// A contribution has the values that a criterion can add to the weighted sum,
// ascending; of a continuous one its two ends.
type contribution struct {
	values     []*big.Rat
	continuous bool
}

func contributionOf(r *rubric.Rubric, c *rubric.Criterion) contribution {
	var list []float64
	open := c.Group() || continuous(r, c)
	if c.Group() {
		low, high := ends(r, c)
		list = []float64{low, high}
	} else {
		list = values(r, c)
	}
	if open && len(list) > 1 {
		list = []float64{list[0], list[len(list)-1]}
	}
	out := contribution{continuous: open}
	w := written(c.Weight.Value)
	for _, v := range list {
		out.values = append(out.values, new(big.Rat).Mul(w, written(v)))
	}
	if w.Sign() < 0 {
		slices.Reverse(out.values)
	}
	return out
}

// steps returns the differences of the values to the smallest one, in units, rounded up.
func (c contribution) steps(u unit) (steps []int64, ok bool) {
	for _, v := range c.values {
		n, ok := u.count(new(big.Rat).Sub(v, c.values[0]))
		if !ok {
			return nil, false
		}
		if len(steps) == 0 || n != steps[len(steps)-1] {
			steps = append(steps, n)
		}
	}
	return steps, true
}

// A unit is the share 1/parts in which contributions are counted.
type unit struct {
	parts *big.Int
	exact bool // every contribution is a whole number of units
}

// unitOf returns the least common denominator of the contributions, or an inexact unit
// if that is too large.
func unitOf(items []contribution) unit {
	parts := big.NewInt(1)
	for _, it := range items {
		for _, v := range it.values {
			g := new(big.Int).GCD(nil, nil, parts, v.Denom())
			if parts.Mul(parts, new(big.Int).Quo(v.Denom(), g)); parts.BitLen() >= 40 {
				return unit{parts: new(big.Int).Lsh(big.NewInt(1), 40)}
			}
		}
	}
	return unit{parts, true}
}

// count returns x in units, rounded up. ok is false if it is too large.
func (u unit) count(x *big.Rat) (n int64, ok bool) {
	y := new(big.Rat).Mul(x, new(big.Rat).SetInt(u.parts))
	q, rest := new(big.Int).DivMod(y.Num(), y.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q.Int64(), q.BitLen() < 60
}

// effects returns the effect of each weight, and whether every sum was tried.
func (s *sums) effects() (out []effect, exact bool) {
	out = make([]effect, len(s.steps))
	slack := int64(0)
	if !s.whole {
		slack = int64(len(s.steps)) + 1 // of the roundings
	}
	open := 0
	for i := range out {
		high := s.steps[i][len(s.steps[i])-1]
		out[i] = none
		for _, at := range s.bounds {
			// The others have some sum from 0 to rest; it matters if at lies above it and
			// at most high above it.
			if rest := s.total - high; high > 0 && at-high-slack <= rest && at+slack > 0 {
				out[i] = unknown
			}
		}
		if out[i] == unknown {
			open++
		}
	}
	words := s.total/64 + 1
	if open == 0 {
		return out, true
	}
	levels := bits.Len(uint(len(s.steps))) + 1
	steps := int64(0)
	for _, list := range s.steps {
		steps += int64(len(list))
	}
	if !s.whole || s.total >= mostSums || words*steps > mostWork/int64(levels) {
		return out, false
	}
	s.without(0, len(s.steps), big.NewInt(1), 0, out)
	return out, true
}

// without decides the items from low to high, given the sums of all others, a bit each: with half
// of them added, the other half is decided the same way.
func (s *sums) without(low, high int, others *big.Int, width int64, out []effect) {
	if high-low == 1 {
		if out[low] == unknown {
			out[low] = s.decide(low, others, width)
		}
		return
	}
	middle := (low + high) / 2
	for _, half := range [][4]int{{low, middle, middle, high}, {middle, high, low, middle}} {
		with, wider := others, width
		for i := half[2]; i < half[3]; i++ {
			if s.width[i] > 0 {
				wider += s.width[i]
				continue
			}
			with = plus(with, s.steps[i])
		}
		s.without(half[0], half[1], with, wider, out)
	}
}

// decide returns the effect of an item beside the others, whose sums are those of the
// set, and up to width more.
func (s *sums) decide(i int, others *big.Int, width int64) effect {
	high := s.steps[i][len(s.steps[i])-1]
	for _, at := range s.bounds {
		// The others' sum x must be below at, and x + width + high must reach it.
		if holds(others, at-high-width, at-1) {
			return some
		}
	}
	return none
}

// plus returns the sums of the set and one of the steps.
func plus(set *big.Int, steps []int64) *big.Int {
	out := new(big.Int)
	for _, step := range steps {
		out.Or(out, new(big.Int).Lsh(set, uint(step)))
	}
	return out
}

// holds reports whether a sum from low to high, both included, is in the set.
func holds(set *big.Int, low, high int64) bool {
	low = max(0, low)
	rest := new(big.Int).Rsh(set, uint(low))
	return low <= high && rest.Sign() > 0 && int64(rest.TrailingZeroBits()) <= high-low
}
