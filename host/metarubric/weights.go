package metarubric

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// Bounds on the exact search of weights without effect.
const (
	mostSums = 1 << 20 // different sums of the criteria, in the unit of their least common denominator
	mostWork = 1 << 31 // words of bits that are shifted
)

// weights finds criteria whose weight can change no verdict: whatever the others get,
// their best and their worst value lead to the same band. It is exact where the score
// is a sum over criteria with levels, in whole multiples of one unit: every sum that
// the others can have is tried. Where there are too many, or some value is
// continuous, only certain findings are reported. Gates are left aside: a criterion
// that fails a case by itself still has no use for its weight.
func (b *book) weights() {
	const check = "weight-without-effect"
	r := b.Rubric
	switch {
	case !r.Pass.Set():
		b.skip(check, nil, "the rubric has no pass rule: no weight decides anything")
		return
	case !isSum(r):
		b.skip(check, nil, "the score is not a sum over criteria")
		return
	}
	s, ok := newSums(r)
	if !ok {
		b.skip(check, nil, "the weights give no score")
		return
	}
	effect, exact := s.effects()
	var open []string
	for i := range r.Criteria {
		c := &r.Criteria[i]
		switch effect[i] {
		case none:
			b.of(Finding{Severity: diag.Warning, Code: check, Hint: "raise the weight, make it required, or remove the criterion",
				Message: fmt.Sprintf("the weight of criterion %s, %s, changes no verdict, whatever the others get%s", b.quoted([]string{c.ID}), literal(c), gateNote(r, c))}, c.ID)
		case unknown:
			open = append(open, c.ID)
		}
	}
	if !exact && len(open) > 0 {
		b.skip(check, open, "too many different sums: only the largest and the smallest are looked at")
	}
}

func literal(c *rubric.Criterion) string {
	if c.Weight.Literal != "" {
		return c.Weight.Literal
	}
	return rubric.FormatNumber(c.Weight.Value)
}

func gateNote(r *rubric.Rubric, c *rubric.Criterion) string {
	if c.Min != nil || c.Required && (r.Policy.Required == rubric.RequiredMet || r.Policy.Required == rubric.RequiredNonzero) {
		return "; its gate does"
	}
	return ""
}

// isSum reports whether the score is Σ v·w over a divisor that does not depend on the
// verdicts, cut to [0, 1].
func isSum(r *rubric.Rubric) bool {
	switch a := r.Policy.Aggregate; {
	case len(r.Metrics) > 0 || r.LengthPenalty != nil || r.Policy.RawAsScore || r.Policy.Raw == rubric.RawOnScale && r.Policy.Normalization != "" && r.Policy.Normalization != rubric.MinMax:
		return false
	default:
		return a == "" || a == rubric.Auto || a == rubric.WeightedMean || a == rubric.Signed
	}
}

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

// newSums reads a rubric. ok is false if its weights give no score.
func newSums(r *rubric.Rubric) (*sums, bool) {
	type item struct {
		values []*big.Rat // contributions, ascending
		open   bool
	}
	rat := func(x float64) *big.Rat {
		v, ok := new(big.Rat).SetString(rubric.FormatNumber(x)) // as it is written, not as it is stored
		if !ok {
			return new(big.Rat)
		}
		return v
	}
	items := make([]item, len(r.Criteria))
	positive, negative, all := new(big.Rat), new(big.Rat), new(big.Rat)
	signed := r.Policy.Aggregate == rubric.Signed
	for i := range r.Criteria {
		c := &r.Criteria[i]
		w := rat(c.Weight.Value)
		all.Add(all, w)
		if w.Sign() < 0 {
			signed = signed || r.Policy.Aggregate != rubric.WeightedMean
			negative.Sub(negative, w)
		} else {
			positive.Add(positive, w)
		}
		list, open := []float64(nil), c.Group() || continuous(r, c)
		if c.Group() {
			low, high := ends(r, c)
			list = []float64{low, high}
		} else {
			list = values(r, c)
		}
		if open && len(list) > 1 {
			list = []float64{list[0], list[len(list)-1]}
		}
		for _, v := range list {
			items[i].values = append(items[i].values, new(big.Rat).Mul(w, rat(v)))
		}
		if w.Sign() < 0 {
			reverse(items[i].values)
		}
		items[i].open = open
	}
	// A band is reached from (min - slack) · divisor on; all-negative rubrics count from 1.
	divisor, shift := all, new(big.Rat)
	if signed {
		divisor = positive
		if positive.Sign() == 0 {
			divisor, shift = negative, negative
		}
	}
	if divisor.Sign() <= 0 {
		return nil, false
	}
	base := new(big.Rat).Set(shift) // score · divisor, of the smallest contributions
	denominator := big.NewInt(1)
	lcm := func(x *big.Rat) {
		if denominator.BitLen() < 64 {
			g := new(big.Int).GCD(nil, nil, denominator, x.Denom())
			denominator.Mul(denominator, new(big.Int).Quo(x.Denom(), g))
		}
	}
	for _, it := range items {
		base.Add(base, it.values[0])
		for _, v := range it.values {
			lcm(v)
		}
	}
	s := &sums{whole: denominator.BitLen() < 40}
	if !s.whole {
		denominator = new(big.Int).Lsh(big.NewInt(1), 40) // contributions are rounded outwards
	}
	unit := new(big.Rat).SetInt(denominator)
	count := func(x *big.Rat, up bool) (int64, bool) {
		y := new(big.Rat).Mul(x, unit)
		q, m := new(big.Int).DivMod(y.Num(), y.Denom(), new(big.Int))
		if up && m.Sign() > 0 {
			q.Add(q, big.NewInt(1))
		}
		return q.Int64(), q.IsInt64() && q.BitLen() < 60
	}
	for _, it := range items {
		var steps []int64
		for _, v := range it.values {
			n, fits := count(new(big.Rat).Sub(v, it.values[0]), true)
			if !fits {
				return nil, false
			}
			if len(steps) == 0 || n != steps[len(steps)-1] {
				steps = append(steps, n)
			}
		}
		last := steps[len(steps)-1]
		width := int64(0)
		if it.open {
			width = last
		}
		s.steps, s.width = append(s.steps, steps), append(s.width, width)
		if s.total += last; s.total < 0 || s.total >= 1<<60 {
			return nil, false
		}
	}
	slack := rat(rubric.Slack)
	for _, band := range r.Pass.Bands {
		at := rat(band.Min)
		if at.Sign() <= 0 || at.Cmp(new(big.Rat).Add(big.NewRat(1, 1), slack)) > 0 {
			continue // the score is cut to [0, 1]: every sum reaches it, or none does
		}
		at.Sub(at, slack)
		at.Mul(at, divisor)
		n, fits := count(at.Sub(at, base), true)
		if !fits {
			return nil, false
		}
		s.bounds = append(s.bounds, n)
	}
	return s, true
}

func reverse(list []*big.Rat) {
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
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
	start := newSet(s.total)
	start.words[0] = 1
	s.without(0, len(s.steps), start, 0, out)
	return out, true
}

// without decides the items from low to high, given the sums of all others: with half
// of them added, the other half is decided the same way.
func (s *sums) without(low, high int, others *set, width int64, out []effect) {
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
			with = with.plus(s.steps[i])
		}
		s.without(half[0], half[1], with, wider, out)
	}
}

// decide returns the effect of an item beside the others, whose sums are those of the
// set, and up to width more.
func (s *sums) decide(i int, others *set, width int64) effect {
	high := s.steps[i][len(s.steps[i])-1]
	for _, at := range s.bounds {
		// The others' sum x must be below at, and x + width + high must reach it.
		if others.any(at-high-width, at-1) {
			return some
		}
	}
	return none
}

// A set is a set of sums from 0 to its size.
type set struct{ words []uint64 }

func newSet(size int64) *set { return &set{make([]uint64, size/64+1)} }

// plus returns the sums of s and one of the steps.
func (s *set) plus(steps []int64) *set {
	if len(steps) == 1 {
		return s
	}
	out := &set{make([]uint64, len(s.words))}
	for _, step := range steps {
		skip, shift := int(step/64), uint(step%64)
		for k := len(s.words) - 1; k >= skip; k-- {
			w := s.words[k-skip] << shift
			if shift > 0 && k > skip {
				w |= s.words[k-skip-1] >> (64 - shift)
			}
			out.words[k] |= w
		}
	}
	return out
}

// any reports whether a sum from low to high, both included, is in the set.
func (s *set) any(low, high int64) bool {
	low = max(0, low)
	high = min(high, int64(len(s.words))*64-1)
	for x := low; x <= high; {
		w := s.words[x/64] >> uint(x%64)
		if w == 0 {
			x += 64 - x%64
			continue
		}
		return x+int64(bits.TrailingZeros64(w)) <= high
	}
	return false
}
