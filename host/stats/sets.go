package stats

import (
	"math"
	"slices"
)

// A SetScore is the score of a whole set from the sum of its cases' statistics.
type SetScore func(sum []float64) (float64, error)

// A SetTest is the comparison of a score over whole sets, such as corpus BLEU.
type SetTest struct {
	Base, Candidate float64 // scores of the whole sets
	Mean            float64 // of the candidate's resampled scores
	Half            float64 // half the width of their 95 % interval
	P               float64 // two-sided
	Low, High       float64 // 95 % percentile interval of the difference; 0 for ApproximateRandomization
}

// PairedBootstrap compares the scores of two sets by paired bootstrap resampling
// (Koehn 2004) as sacrebleu --paired-bs does: the same cases, the same random
// numbers for a seed (sacrebleu's is 12345), the same p-value. Sums are float64,
// where sacrebleu has float32: scores agree to about 1e-5. Both sets hold the
// statistics of the same cases in the same order, at least one.
//
// Note that P of two sets with equal scores in every resample is 1/(resamples+1),
// as in sacrebleu.
func PairedBootstrap(base, candidate [][]float64, score SetScore, resamples int, seed uint64) (t SetTest, err error) {
	if t.Base, t.Candidate, err = scoreBoth(base, candidate, score); err != nil {
		return t, err
	}
	rng := NewNumPy(seed)
	picked := make([]uint32, len(base))
	a, b := make([]float64, resamples), make([]float64, resamples)
	for i := range a {
		rng.Choice(len(base), picked)
		if a[i], err = score(sumOf(base, picked)); err != nil {
			return t, err
		}
		if b[i], err = score(sumOf(candidate, picked)); err != nil {
			return t, err
		}
	}
	distances, changes := make([]float64, resamples), make([]float64, resamples)
	var mean float64
	for i := range a {
		changes[i] = b[i] - a[i]
		distances[i] = math.Abs(changes[i])
		mean += distances[i] / float64(resamples)
	}
	for i := range distances {
		distances[i] -= mean
	}
	t.P = beyond(distances, math.Abs(t.Base-t.Candidate))
	t.Mean, t.Half = setInterval(b)
	slices.Sort(changes)
	t.Low, t.High = quantile(changes, 0.025), quantile(changes, 0.975)
	return t, nil
}

// ApproximateRandomization compares the scores of two sets by swapping the
// systems' answers at random, as sacrebleu --paired-ar does (Riezler & Maxwell
// 2005). confidence is the number of bootstrap resamples behind Mean and Half;
// 0: none.
func ApproximateRandomization(base, candidate [][]float64, score SetScore, trials, confidence int, seed uint64) (t SetTest, err error) {
	if t.Base, t.Candidate, err = scoreBoth(base, candidate, score); err != nil {
		return t, err
	}
	rng := NewNumPy(seed)
	swaps := make([]bool, trials*len(base)) // numpy draws them as one array
	rng.Bits(swaps)
	distances := make([]float64, trials)
	for i := range distances {
		a, b := make([]float64, len(base[0])), make([]float64, len(base[0]))
		for k, keep := range swaps[i*len(base) : (i+1)*len(base)] {
			x, y := base[k], candidate[k]
			if !keep {
				x, y = y, x
			}
			addTo(a, x)
			addTo(b, y)
		}
		x, err := score(a)
		if err != nil {
			return t, err
		}
		y, err := score(b)
		if err != nil {
			return t, err
		}
		distances[i] = math.Abs(x - y)
	}
	t.P = beyond(distances, math.Abs(t.Base-t.Candidate))
	if confidence > 0 {
		t.Mean, t.Half, err = setBootstrap(candidate, score, confidence, rng)
	}
	return t, err
}

// SetBootstrap returns the mean of resampled scores of one set, and half the
// width of their 95 % interval, as sacrebleu --confidence does.
func SetBootstrap(set [][]float64, score SetScore, resamples int, seed uint64) (mean, half float64, err error) {
	return setBootstrap(set, score, resamples, NewNumPy(seed))
}

func setBootstrap(set [][]float64, score SetScore, resamples int, rng *NumPy) (mean, half float64, err error) {
	picked := make([]uint32, len(set))
	scores := make([]float64, resamples)
	for i := range scores {
		rng.Choice(len(set), picked)
		if scores[i], err = score(sumOf(set, picked)); err != nil {
			return 0, 0, err
		}
	}
	mean, half = setInterval(scores)
	return mean, half, nil
}

func scoreBoth(base, candidate [][]float64, score SetScore) (a, b float64, err error) {
	all := make([]uint32, len(base))
	for i := range all {
		all[i] = uint32(i)
	}
	if a, err = score(sumOf(base, all)); err != nil {
		return a, b, err
	}
	b, err = score(sumOf(candidate, all))
	return a, b, err
}

func sumOf(set [][]float64, picked []uint32) []float64 {
	sum := make([]float64, len(set[0]))
	for _, k := range picked {
		addTo(sum, set[k])
	}
	return sum
}

func addTo(sum, x []float64) {
	for i, v := range x {
		sum[i] += v
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

// setInterval returns the mean and half the 95 % interval as sacrebleu's
// estimate_ci does.
func setInterval(scores []float64) (mean, half float64) {
	sorted := slices.Sorted(slices.Values(scores))
	for _, x := range sorted {
		mean += x / float64(len(sorted))
	}
	cut := len(sorted) / 40
	return mean, (sorted[len(sorted)-1-cut] - sorted[cut]) / 2
}
