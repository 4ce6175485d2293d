package metric

import (
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// Verdict holds an answer that was made in Go to the contract, and returns the
// verdict on c that it comes to. bounds is the range of its scores. An error has
// class fault.Protocol, or fault.PluginError for the answer's own.
func (a *Answer) Verdict(r *rubric.Rubric, c *rubric.Criterion, bounds rubric.Scale) (rubric.Verdict, error) {
	if err := a.check(); err != nil {
		return rubric.Verdict{}, err
	}
	return a.verdict(r, c, bounds)
}

// verdict turns an answer into the verdict on c. bounds is the range of its
// scores. The answer must take the form of the criterion; see nativeScore.
func (a *Answer) verdict(r *rubric.Rubric, c *rubric.Criterion, bounds rubric.Scale) (rubric.Verdict, error) {
	v := rubric.Verdict{
		Criterion: c.ID, Status: rubric.Scored, Reason: a.Reason,
		Evidence: a.Evidence, Hits: a.Hits, Misses: a.Misses, Details: a.Details, Stats: a.Stats,
	}
	var err error
	switch {
	case a.Unscored != nil:
		v.Status, v.Reason = rubric.Unscored, *a.Unscored
		if a.Reason != "" {
			v.Reason += "\n" + a.Reason
		}
	case a.Level != nil:
		v.Native = rubric.LevelIs(*a.Level)
		v.Value, err = r.Value(c, v.Native)
	default:
		v.Native, v.Value, err = nativeScore(r, c, *a.Score, bounds)
	}
	if err != nil {
		return rubric.Verdict{}, fault.As(fault.Protocol, err)
	}
	return v, nil
}

// nativeScore says a score in the form of its criterion, and as a value in [0, 1]:
// its position in the plugin's range. A score that is not an answer of the criterion
// is a fault; see rubric.NativeOf.
func nativeScore(r *rubric.Rubric, c *rubric.Criterion, score float64, bounds rubric.Scale) (rubric.Native, float64, error) {
	if err := within(score, bounds); err != nil {
		return rubric.Native{}, 0, err
	}
	value := bounds.Position(score)
	n, ok := r.NativeOf(c, value)
	if !ok {
		return rubric.Native{}, 0, noAnswer(c, score)
	}
	s := r.ScaleOf(c)
	if n.Kind == rubric.KindNumber && !s.Discrete {
		if s.Min == bounds.Min && s.Max == bounds.Max {
			n.Number = score // as it is, without the rounding of there and back
		}
		return n, value, nil
	}
	value, err := r.Value(c, n) // without the noise of a division
	return n, value, err
}

// noAnswer says that a score is none of the answers of c.
func noAnswer(c *rubric.Criterion, score float64) error {
	x := rubric.FormatNumber(score)
	switch c.Answer.KindOrMet() {
	case rubric.KindMet:
		return fault.WithHint(fault.New(fault.Protocol, "the criterion is met or not, and the score %s is neither", x),
			"let the criterion answer with a number; min makes a gate of it")
	case rubric.KindLevel:
		return fault.WithHint(fault.New(fault.Protocol, "the score %s is not that of one level of the criterion", x),
			"let the plugin answer with a level, or the criterion with a number")
	}
	return fault.WithHint(fault.New(fault.Protocol, "the score %s is not a whole number on the scale of the criterion", x),
		"remove discrete from the scale")
}

// within holds a score to the range that the manifest declares.
func within(score float64, bounds rubric.Scale) error {
	if score >= bounds.Min && score <= bounds.Max {
		return nil
	}
	return fault.WithHint(fault.New(fault.Protocol, "the score %s is outside the declared range %s..%s",
		rubric.FormatNumber(score), rubric.FormatNumber(bounds.Min), rubric.FormatNumber(bounds.Max)),
		"bring the score into the range, or declare another in plugin.yaml: range: [MIN, MAX]")
}
