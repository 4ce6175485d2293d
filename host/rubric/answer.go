package rubric

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Kind is the form of a native answer.
type Kind string

// The kinds. The zero Kind means KindMet.
const (
	KindMet    Kind = "met"    // satisfied or not
	KindLevel  Kind = "level"  // one of the named levels
	KindNumber Kind = "number" // a number on a scale
)

// Answer describes the native answer of a criterion. The zero value asks
// whether the criterion is met.
type Answer struct {
	Kind  Kind   `json:"kind,omitzero"`
	Scale *Scale `json:"scale,omitzero"` // of KindNumber; nil: the rubric's Scale

	// Levels are the possible answers of KindLevel, in the order written.
	Levels []Level `json:"levels,omitzero"`

	// Bands and Anchors describe ranges and points of the scale to a judge.
	Bands   []Band   `json:"bands,omitzero"`
	Anchors []Anchor `json:"anchors,omitzero"`
	Form    string   `json:"form,omitzero"` // how the document writes them: "map" or "list"
}

// A Scale is a numeric range.
type Scale struct {
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Discrete bool    `json:"discrete,omitzero"` // integers only
}

// ZeroToTen is the scale of the range modes of AgentEvals and AgentV.
func ZeroToTen(discrete bool) *Scale { return &Scale{Min: 0, Max: 10, Discrete: discrete} }

// A Level is a named degree of quality.
type Level struct {
	ID          string   `json:"id"`
	Label       string   `json:"label,omitzero"`
	Description string   `json:"description,omitzero"`
	Score       float64  `json:"score"` // in [0, 1]
	Indicators  []string `json:"indicators,omitzero"`
}

// A Band is a described part of a scale, both ends included.
type Band struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Text string  `json:"text"`
}

// An Anchor is a described point of a scale.
type Anchor struct {
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

// Native is an answer in the criterion's own form. The zero value is not an answer.
type Native struct {
	Kind   Kind
	Met    bool
	Level  string
	Number float64
}

// MetIs returns the answer of a criterion of KindMet.
func MetIs(met bool) Native { return Native{Kind: KindMet, Met: met} }

// LevelIs returns the answer of a criterion of KindLevel.
func LevelIs(id string) Native { return Native{Kind: KindLevel, Level: id} }

// NumberIs returns the answer of a criterion of KindNumber.
func NumberIs(n float64) Native { return Native{Kind: KindNumber, Number: n} }

// String returns the answer for a person: "met", a level's id, a number.
func (n Native) String() string {
	switch n.Kind {
	case KindMet:
		if n.Met {
			return "met"
		}
		return "not met"
	case KindLevel:
		return n.Level
	case KindNumber:
		return FormatNumber(n.Number)
	}
	return ""
}

// FormatNumber returns the shortest decimal that reads back as n.
func FormatNumber(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

// Finite reports whether n is neither infinite nor NaN.
func Finite(n float64) bool { return !math.IsNaN(n) && !math.IsInf(n, 0) }

// KindOrMet returns the kind, KindMet for the zero value.
func (a *Answer) KindOrMet() Kind { return cmp.Or(a.Kind, KindMet) }

// LevelIDs returns the ids of the levels in the order written.
func (a *Answer) LevelIDs() []string {
	return xslices.Map(a.Levels, func(l Level) string { return l.ID })
}

// ScaleOf returns the scale of a Number answer of c: its own, else the
// rubric's, else 0..1.
func (r *Rubric) ScaleOf(c *Criterion) Scale {
	switch {
	case c.Answer.Scale != nil:
		return *c.Answer.Scale
	case r.Scale != nil:
		return *r.Scale
	}
	return Scale{Min: 0, Max: 1}
}

// Value returns the value of a native answer to c, in [0, 1]: 1 or 0 for Met, the
// level's score for Level, and the position on the scale for Number. The error
// describes the mistake in words that a judge can act on.
func (r *Rubric) Value(c *Criterion, n Native) (float64, error) {
	if want := c.Answer.KindOrMet(); n.Kind != want {
		return 0, fmt.Errorf("criterion %q expects %s, not %s", c.ID, r.wanted(c), describe(n))
	}
	switch n.Kind {
	case KindMet:
		if n.Met {
			return 1, nil
		}
		return 0, nil
	case KindLevel:
		for _, l := range c.Answer.Levels {
			if l.ID == n.Level {
				return l.Score, nil
			}
		}
		return 0, fmt.Errorf("criterion %q has no level %q; it expects %s", c.ID, n.Level, r.wanted(c))
	}
	s := r.ScaleOf(c)
	if !s.Has(n.Number) {
		return 0, fmt.Errorf("criterion %q expects %s, not %s", c.ID, s.wants(), FormatNumber(n.Number))
	}
	return s.Position(n.Number), nil
}

// NativeOf expresses a value in the form of c, the inverse of Value within Slack. ok
// is false if c has no such answer: a criterion that is met or not has only 0 and 1,
// one with levels only their scores, a discrete scale only its whole numbers. A score
// that several levels share is not an answer either.
func (r *Rubric) NativeOf(c *Criterion, value float64) (n Native, ok bool) {
	near := func(worth float64) bool { return math.Abs(value-worth) <= Slack }
	switch c.Answer.KindOrMet() {
	case KindMet:
		n, ok = MetIs(near(1)), near(0) || near(1)
	case KindLevel:
		for _, l := range c.Answer.Levels {
			if near(l.Score) {
				if ok {
					return Native{}, false
				}
				n, ok = LevelIs(l.ID), true
			}
		}
	case KindNumber:
		s := r.ScaleOf(c)
		x := s.Min + float64(value*(s.Max-s.Min))
		if s.Discrete {
			x = math.Round(x)
		}
		n, ok = NumberIs(x), value >= 0 && value <= 1 && near(s.Position(x))
	}
	if !ok {
		return Native{}, false
	}
	return n, true
}

// Has reports whether n is on the scale: finite, within its ends, and whole if
// the scale is discrete.
func (s Scale) Has(n float64) bool {
	return n >= s.Min && n <= s.Max && (!s.Discrete || n == math.Trunc(n))
}

// Position returns where n lies on the scale, in [0, 1] for n on the scale.
func (s Scale) Position(n float64) float64 { return (n - s.Min) / (s.Max - s.Min) }

func (s Scale) wants() string {
	kind := "a number"
	if s.Discrete {
		kind = "an integer"
	}
	return fmt.Sprintf("%s from %s to %s", kind, FormatNumber(s.Min), FormatNumber(s.Max))
}

func describe(n Native) string {
	if n.Kind == "" {
		return "an empty answer"
	}
	return fmt.Sprintf("the %s %q", n.Kind, n.String())
}

// wanted describes the answers that c accepts.
func (r *Rubric) wanted(c *Criterion) string {
	switch c.Answer.KindOrMet() {
	case KindLevel:
		return "one of the levels " + strings.Join(c.Answer.LevelIDs(), ", ")
	case KindNumber:
		return r.ScaleOf(c).wants()
	}
	return "met or not met"
}
