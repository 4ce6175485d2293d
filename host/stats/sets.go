package stats

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// A SetScore is the score of a whole set from the sum of its cases' statistics.
type SetScore func(sum []float64) (float64, error)

// A SetTest is the comparison of a score over whole sets, such as corpus BLEU.
type SetTest struct {
	Base, Candidate float64 // scores of the whole sets
	P               float64 // two-sided
	Low, High       float64 // 95 % percentile interval of the difference
}

// PairedBootstrap compares the scores of two sets (Koehn 2004) as sacrebleu --paired-bs does: the same cases,
// random numbers and p-value, with float64 in place of float32. Both sets hold the statistics of the same
// cases in one order. P of sets that score the same in every resample is 1/(resamples+1), as there.
func PairedBootstrap(base, candidate [][]float64, score SetScore, resamples int, seed uint64) (SetTest, error) {
	set := packed(base, candidate)
	t, changes, err := set.test(set.resampled(resamples, NewNumPy(seed)), score)
	if err != nil {
		return t, err
	}
	distances := make([]float64, resamples)
	var mean float64
	for i, d := range changes {
		distances[i] = math.Abs(d)
		mean += distances[i] / float64(resamples)
	}
	for i := range distances {
		distances[i] -= mean
	}
	t.P = beyond(distances, math.Abs(t.Base-t.Candidate))
	slices.Sort(changes)
	t.Low, t.High = quantile(changes, 0.025), quantile(changes, 0.975)
	return t, nil
}

// ApproximateRandomization swaps the answers at random, as sacrebleu --paired-ar (Riezler & Maxwell 2005).
// It gives no Low and High.
func ApproximateRandomization(base, candidate [][]float64, score SetScore, trials int, seed uint64) (SetTest, error) {
	set := packed(base, candidate)
	t, changes, err := set.test(set.swapped(trials, NewNumPy(seed)), score)
	if err != nil {
		return t, err
	}
	for i, d := range changes {
		changes[i] = math.Abs(d)
	}
	t.P = beyond(changes, math.Abs(t.Base-t.Candidate))
	return t, nil
}

// test scores both sets, and returns how much they differ by each of the sums.
func (c cases) test(sums [][]float64, score SetScore) (t SetTest, changes []float64, err error) {
	if t.Base, t.Candidate, err = scoreBoth(c.total(), score); err != nil {
		return t, nil, err
	}
	for _, sum := range sums {
		a, b, err := scoreBoth(sum, score)
		if err != nil {
			return t, nil, err
		}
		changes = append(changes, b-a)
	}
	return t, changes, nil
}

// SetBootstrap returns the mean of resampled scores of one set, and half the
// width of their 95 % interval, as sacrebleu --confidence does.
func SetBootstrap(set [][]float64, score SetScore, resamples int, seed uint64) (mean, half float64, err error) {
	scores := make([]float64, resamples)
	for i, sum := range packed(set).resampled(resamples, NewNumPy(seed)) {
		if scores[i], err = score(sum); err != nil {
			return 0, 0, err
		}
	}
	slices.Sort(scores)
	for _, x := range scores {
		mean += x / float64(resamples)
	}
	cut := resamples / 40
	return mean, (scores[resamples-1-cut] - scores[cut]) / 2, nil
}

func scoreBoth(sum []float64, score SetScore) (a, b float64, err error) {
	half := len(sum) / 2
	if a, err = score(sum[:half]); err != nil {
		return a, b, err
	}
	b, err = score(sum[half:])
	return a, b, err
}

// cases is the statistics of every case, those of all systems side by side.
type cases struct {
	stats []float64
	width int
	n     int
}

func packed(systems ...[][]float64) cases {
	c := cases{width: len(systems) * len(systems[0][0]), n: len(systems[0])}
	c.stats = make([]float64, 0, c.n*c.width)
	for i := range c.n {
		for _, s := range systems {
			c.stats = append(c.stats, s[i]...)
		}
	}
	return c
}

func (c cases) of(i uint32) []float64 { return c.stats[int(i)*c.width:][:c.width] }

func (c cases) total() []float64 {
	sum := make([]float64, c.width)
	for i := range c.n {
		for j, x := range c.of(uint32(i)) {
			sum[j] += x
		}
	}
	return sum
}

func (c cases) resampled(n int, rng *NumPy) [][]float64 {
	sum := c.sumOf
	if l, ok := c.lanes(); ok {
		sum = l.sumOf
	}
	out := make([][]float64, n)
	parallel(n, c.n, func(drawn []uint32) { rng.Choice(c.n, drawn) }, func(i int, drawn []uint32) { out[i] = sum(drawn) })
	return out
}

// sumOf returns the sum of the drawn cases, added in the order of the cases.
func (c cases) sumOf(drawn []uint32) []float64 {
	times, sum := make([]float64, c.n), make([]float64, c.width)
	for _, k := range drawn {
		times[k]++
	}
	for i, x := range times {
		if x == 0 {
			continue
		}
		for j, y := range c.of(uint32(i)) {
			sum[j] += float64(x * y)
		}
	}
	return sum
}

// lanes holds statistics that are whole numbers, such as counts of n-grams, several to
// a word: one addition adds them all. Their sums are exact, so that they equal those of
// cases.sumOf, in any order.
type lanes struct {
	words [][]uint64 // words[w][i] is word w of case i
	width int        // statistics of a case
	bits  int        // of a lane: enough for the sum of as many draws as there are cases
}

// lanes returns the lanes of c. ok is false if a statistic is not a whole number from
// 0, or too large.
func (c cases) lanes() (l lanes, ok bool) {
	most := 1.0
	for _, x := range c.stats {
		if !(x >= 0) || x != math.Trunc(x) {
			return l, false
		}
		most = max(most, x)
	}
	if most *= float64(c.n); most >= 1<<53 { // a float64 may round
		return l, false
	}
	l.width, l.bits = c.width, bits.Len64(uint64(most))
	each := 64 / l.bits
	for from := 0; from < c.width; from += each {
		word := make([]uint64, c.n)
		for i := range word {
			s := c.of(uint32(i))
			for j, x := range s[from:min(from+each, c.width)] {
				word[i] |= uint64(x) << (j * l.bits)
			}
		}
		l.words = append(l.words, word)
	}
	return l, true
}

func (l lanes) sumOf(drawn []uint32) []float64 {
	sum := make([]float64, 0, l.width)
	for _, word := range l.words {
		total := uint64(0)
		for _, k := range drawn {
			total += word[k]
		}
		for j := range min(64/l.bits, l.width-len(sum)) {
			sum = append(sum, float64(total>>(j*l.bits)&(1<<l.bits-1)))
		}
	}
	return sum
}

// swapped returns the sums of both systems, the answers of each case swapped or
// not. Cases whose statistics are the same in both have nothing to swap.
func (c cases) swapped(n int, rng *NumPy) [][]float64 {
	total, half := c.total(), c.width/2
	var changed []uint32
	var diffs []float64
	for i := range c.n {
		s := c.of(uint32(i))
		if slices.Equal(s[:half], s[half:]) {
			continue
		}
		changed = append(changed, uint32(i))
		for j := range half {
			diffs = append(diffs, s[j]-s[half+j])
		}
	}
	coins := bitStream{g: rng}
	draw := func(out []uint32) {
		for i := range out {
			out[i] = coins.next()
		}
	}
	out := make([][]float64, n)
	parallel(n, c.n, draw, func(i int, keep []uint32) {
		sum := slices.Clone(total)
		moved := make([]float64, half) // change of the first sum by swapping
		for k, place := range changed {
			swap := float64(1 - keep[place])
			d := diffs[k*half:][:half]
			for j := range moved {
				moved[j] += float64(swap * d[j])
			}
		}
		for j, x := range moved {
			sum[j] -= x
			sum[half+j] += x
		}
		out[i] = sum
	})
	return out
}

// parallel does n pieces of work on all cores, with random numbers that are drawn
// one after the other, size of them for each.
func parallel(n, size int, draw func([]uint32), work func(i int, drawn []uint32)) {
	free := sync.Pool{New: func() any { return new(make([]uint32, size)) }}
	Parallel(n, 4*runtime.GOMAXPROCS(0), func(i int) func() {
		drawn := free.Get().(*[]uint32)
		draw(*drawn)
		return func() {
			work(i, *drawn)
			free.Put(drawn)
		}
	})
}

// Parallel does n pieces of work, so many at once. prepare is called with the number of each, in
// order and by the caller. A panic of a piece is one of the caller, who may recover from it; in a
// goroutine of its own it would end the process.
func Parallel(n, atOnce int, prepare func(i int) (work func())) {
	var wait sync.WaitGroup
	var panicked atomic.Pointer[any]
	free := make(chan struct{}, atOnce)
	for i := range n {
		free <- struct{}{}
		work := prepare(i)
		wait.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.CompareAndSwap(nil, &p)
				}
				<-free
			}()
			work()
		})
	}
	wait.Wait()
	if p := panicked.Load(); p != nil {
		panic(*p)
	}
}

// beyond returns sacrebleu's p-value: the share of values above real, with one
// added to both sides.
func beyond(values []float64, real float64) float64 {
	n := 0
	for _, x := range values {
		if x > real {
			n++
		}
	}
	return float64(n+1) / float64(len(values)+1)
}
