package metric

import (
	"math"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// verdict turns an answer into the verdict on c. bounds is the range of its
// scores. The answer must take the form of the criterion; see settle.
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
		v.Native, v.Value, err = settle(r, c, *a.Score, bounds)
	}
	if err != nil {
		return rubric.Verdict{}, fault.As(fault.Protocol, err)
	}
	return v, nil
}

// settle says a score in the form of its criterion, and as a value in [0, 1].
// The position of the score in its range is the value. A criterion that is met
// or not takes 0 and 1, one with levels takes what a level is worth, one with a
// discrete scale takes what a whole number on it is worth, all within
// rubric.Slack; a level that several have the worth of is not guessed.
func settle(r *rubric.Rubric, c *rubric.Criterion, score float64, bounds rubric.Scale) (rubric.Native, float64, error) {
	if err := within(score, bounds); err != nil {
		return rubric.Native{}, 0, err
	}
	value := bounds.Position(score)
	switch c.Answer.KindOrMet() {
	case rubric.Met:
		for _, met := range [...]bool{false, true} {
			if worth, _ := r.Value(c, rubric.MetIs(met)); near(value, worth) {
				return rubric.MetIs(met), worth, nil
			}
		}
		return rubric.Native{}, 0, fault.WithHint(
			fault.New(fault.Protocol, "criterion %q is met or not, and the score %s is neither", c.ID, rubric.FormatNumber(score)),
			"let the criterion answer with a number; min makes a gate of it")
	case rubric.Level:
		return level(c, score, value)
	}
	return number(r.ScaleOf(c), c, score, value, bounds)
}

// within holds a score to the range that the manifest declares.
func within(score float64, bounds rubric.Scale) error {
	if score >= bounds.Min && score <= bounds.Max {
		return nil
	}
	return fault.New(fault.Protocol, "the score %s is outside the declared range %s..%s",
		rubric.FormatNumber(score), rubric.FormatNumber(bounds.Min), rubric.FormatNumber(bounds.Max))
}

func near(a, b float64) bool { return math.Abs(a-b) <= rubric.Slack }

// level finds the level that a value is worth.
func level(c *rubric.Criterion, score, value float64) (rubric.Native, float64, error) {
	var found *rubric.Rung
	for i := range c.Answer.Levels {
		l := &c.Answer.Levels[i]
		switch {
		case !near(value, l.Score):
		case found != nil:
			return rubric.Native{}, found.Score, nil
		default:
			found = l
		}
	}
	if found == nil {
		return rubric.Native{}, 0, fault.WithHint(
			fault.New(fault.Protocol, "the score %s is not that of a level of criterion %q", rubric.FormatNumber(score), c.ID),
			"let the plugin answer with a level, or the criterion with a number")
	}
	return rubric.LevelIs(found.ID), found.Score, nil
}

// number says a value on the criterion's scale.
func number(s rubric.Scale, c *rubric.Criterion, score, value float64, bounds rubric.Scale) (rubric.Native, float64, error) {
	n := score
	if s.Min != bounds.Min || s.Max != bounds.Max {
		n = s.Min + float64(value*(s.Max-s.Min))
	}
	if !s.Discrete {
		return rubric.NumberIs(n), value, nil
	}
	whole := math.Round(n)
	if !near(value, s.Position(whole)) || !s.Has(whole) {
		return rubric.Native{}, 0, fault.WithHint(
			fault.New(fault.Protocol, "the score %s is %s on the scale of criterion %q, which takes whole numbers",
				rubric.FormatNumber(score), rubric.FormatNumber(n), c.ID),
			"remove discrete from its scale")
	}
	return rubric.NumberIs(whole), s.Position(whole), nil
}
