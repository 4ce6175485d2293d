package score

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// product rounds v·w to float64 whatever the compiler would like to do.
func product(v, w float64) float64 { return float64(v * w) }

// weights are the sums over the weights of a list of criteria.
type weights struct {
	positive, negative float64 // Σ positive w, Σ |negative w|
	anyNegative        bool
}

func weigh(list []rubric.Criterion) weights {
	var s weights
	for i := range list {
		if w := list[i].Weight.Value; w < 0 {
			s.negative += -w
			s.anyNegative = true
		} else {
			s.positive += w
		}
	}
	return s
}

// aggregateOf resolves the zero value and Auto.
func (b *book) aggregateOf(a rubric.Aggregate, list []rubric.Criterion) rubric.Aggregate {
	a = cmp.Or(a, b.r.Policy.Aggregate)
	if a == "" || a == rubric.Auto {
		if weigh(list).anyNegative {
			return rubric.Signed
		}
		return rubric.WeightedMean
	}
	return a
}

// reckon returns the score of the criteria in [0, 1], and the raw score where
// the policy has one.
func (b *book) reckon(list []rubric.Criterion, members []member) (mean float64, raw *float64, err error) {
	how := b.aggregateOf("", list)
	mean, points, err := b.aggregate(how, "the score", members)
	if _, ok := how.Go(); ok {
		b.total.Aggregate = how
		if errors.As(err, new(callerError)) {
			b.total.Err = err
		}
	}
	if err != nil {
		return 0, nil, err
	}
	switch b.r.Policy.Raw {
	case rubric.RawPoints:
		raw = &points
	case rubric.RawRatio:
		raw, err = b.ratio(points, members)
		if err != nil {
			return 0, nil, err
		}
	case rubric.RawOnScale:
		native, err := b.meanOnScale(members)
		if err != nil {
			return 0, nil, err
		}
		raw = &native
		mean = b.clamp("the score", Normalize(b.r.Policy.Normalization, *b.r.Scale, native))
	}
	return mean, raw, nil
}

// ratio returns points over the sum of the positive weights that count. Without one it is
// nil, or an error where it would be the score.
func (b *book) ratio(points float64, members []member) (*float64, error) {
	positive := 0.0
	for i := range members {
		if w := members[i].c.Weight.Value; members[i].counts && w > 0 {
			positive += w
		}
	}
	if x := points / positive; positive > 0 && rubric.Finite(x) {
		return &x, nil
	}
	if b.r.Policy.RawAsScore {
		return nil, noScore("no criterion with a positive weight has a score: division by zero")
	}
	return nil, nil //nolint:nilnil // the rule has no value for such a case
}

// aggregate combines the values that count. points is Σ v·w.
func (b *book) aggregate(how rubric.Aggregate, what string, members []member) (value, points float64, err error) {
	var sum, positive, negative float64
	n := 0
	for i := range members {
		m := &members[i]
		if !m.counts {
			continue
		}
		w := m.c.Weight.Value
		points += product(m.verdict.Value, w)
		sum += w
		if w < 0 {
			negative += -w
		} else {
			positive += w
		}
		n++
	}
	switch {
	case n == 0:
		return 0, 0, noScore("no criterion has a score")
	case math.IsInf(positive, 0) || math.IsInf(negative, 0):
		return 0, 0, noScore("the weights overflow")
	}
	switch how {
	case rubric.WeightedMean:
		if !(sum > 0) {
			return 0, 0, noScore("the weights sum to " + rubric.FormatNumber(sum) + ", not to more than 0")
		}
		return b.clamp(what, points/sum), points, nil
	case rubric.Signed:
		switch {
		case positive > 0:
			return b.clamp(what, points/positive), points, nil
		case negative > 0:
			return b.clamp(what, 1+points/negative), points, nil
		}
		return 0, 0, noScore("every weight is 0: division by zero")
	}
	if name, ok := how.Go(); ok {
		value, err = b.byCaller(name, members)
	} else {
		value, err = fold(how, members)
	}
	return value, points, err
}

// byCaller has a function written in Go combine the values that count. Its error,
// and an answer that is not a score, is a callerError.
func (b *book) byCaller(name string, members []member) (float64, error) {
	if b.opts.Aggregate == nil {
		return 0, callerError{fault.New(fault.NotFound, "the aggregate go:%s is Go code that this program does not have", name)}
	}
	var parts []Part
	for i := range members {
		if m := &members[i]; m.counts {
			parts = append(parts, Part{Criterion: m.c, Verdict: *m.verdict})
		}
	}
	x, err := b.opts.Aggregate(name, parts)
	switch {
	case err != nil && fault.Of(err) == fault.Internal:
		err = fault.New(fault.PluginError, "%w", err) // it says no class
	case err == nil && !(x >= 0 && x <= 1):
		err = fault.New(fault.Protocol, "it returned %g: a score is from 0 to 1", x)
	}
	if err != nil {
		return 0, callerError{fmt.Errorf("the aggregate go:%s: %w", name, err)}
	}
	return x, nil
}

// callerError is why a function written in Go gave no score.
type callerError struct{ error }

func (e callerError) Unwrap() error { return e.error }

// fold is the aggregates that do not look at the size of a weight.
func fold(how rubric.Aggregate, members []member) (float64, error) {
	value, seen := 0.0, false
	for i := range members {
		m := &members[i]
		if !m.counts || m.c.Weight.Value == 0 {
			continue
		}
		v := Goodness(m.c, m.verdict.Value)
		if how == rubric.All || how == rubric.Any {
			v = truth(rubric.AtLeast(v, 1))
		}
		switch {
		case !seen:
			value, seen = v, true
		case how == rubric.Min || how == rubric.All:
			value = min(value, v)
		case how == rubric.Max || how == rubric.Any:
			value = max(value, v)
		case how == rubric.Product:
			value = product(value, v)
		}
	}
	if !seen {
		return 0, noScore("no criterion with a weight has a score")
	}
	return value, nil
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Goodness returns how good a value is, in [0, 1]: the value itself, or its
// complement for a penalty.
func Goodness(c *rubric.Criterion, value float64) float64 {
	if c.Penalty() {
		return 1 - value
	}
	return value
}

// meanOnScale is the weighted mean in units of the rubric's scale.
func (b *book) meanOnScale(members []member) (float64, error) {
	if b.r.Scale == nil {
		return 0, noScore("the rubric has no scale")
	}
	sum, div := 0.0, 0.0
	for i := range members {
		m := &members[i]
		if !m.counts {
			continue
		}
		native := m.verdict.Native.Number
		if m.verdict.Native.Kind != rubric.KindNumber {
			native = b.r.Scale.Min + product(m.verdict.Value, b.r.Scale.Max-b.r.Scale.Min)
		}
		sum += product(native, m.c.Weight.Value)
		div += m.c.Weight.Value
	}
	if !(div > 0) {
		return 0, noScore("the weights sum to 0: division by zero")
	}
	return sum / div, nil
}
