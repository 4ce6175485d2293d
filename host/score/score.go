// Package score turns the verdicts of one case into a total. It is pure: no
// I/O, no clock, no randomness, and the same input gives bit-identical output
// on every machine: sums go left to right, every product is rounded to float64
// before it is added, so that no compiler may fuse the two, and powers are its
// own.
//
// Stability: stable.
package score

import (
	"fmt"
	"math"
	"strings"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// Unscored selects the treatment of a criterion without a number.
type Unscored string

// The choices. The zero value is Null.
const (
	Null  Unscored = "null"  // the case has no score; the partial one is shown beside it
	Worst Unscored = "worst" // the criterion takes its worst value, flagged
	Drop  Unscored = "drop"  // it leaves numerator and denominator, flagged
)

// Choices lists every Unscored.
func Choices() []Unscored { return []Unscored{Null, Worst, Drop} }

// Options are the inputs of Combine beside the rubric and the verdicts. The zero
// value is valid.
type Options struct {
	Unscored Unscored

	// Length is the length of the output in words, for the rubric's length
	// penalty; see Words.
	Length int

	// Aggregate combines criteria for a rubric whose aggregate is go:NAME. An error,
	// and an answer outside of [0, 1], is not a score. Nil: every name is an error.
	Aggregate func(name string, parts []Part) (float64, error)
}

// A Part is a criterion that an aggregate combines, with its verdict: Scored, or the
// one that Worst puts in its place. It is read-only.
type Part struct {
	Criterion *rubric.Criterion // with its weight; a group has the value of its own aggregate
	Verdict   rubric.Verdict    // Value is in [0, 1]; of a penalty 1 is bad, see Goodness
}

// UnscoredLabel is the verdict of a case without a score.
const UnscoredLabel = "unscored"

// A Total is the combined result of one case.
type Total struct {
	// Score is the result, in [0, 1] unless the policy takes the raw score.
	// Nil: there is none, and Reason says why.
	Score  *float64
	Reason string

	// Aggregate is "go:NAME" if a function written in Go combined the criteria, or
	// failed to. Err is why it failed, which Reason says too; nil: it did not.
	Aggregate rubric.Aggregate
	Err       error

	// Raw is the score before normalisation, in the dialect's own unit; nil if
	// the dialect has none, or if Score is nil.
	Raw *float64

	// Normalized is the score of the criteria alone, in [0, 1], before metrics
	// and length penalty; nil if Score is nil.
	Normalized *float64

	// Partial is the score over the criteria that have one, when Score is nil
	// because others have none; nil if it says nothing.
	Partial *float64

	// Overall is the number that a judge gave for the whole rubric, on the
	// overall scale; nil if it gave none. It is the score under the holistic
	// strategy, and a cross-check otherwise.
	Overall  *float64
	Holistic bool

	Verdict      string   // the band's label, "unscored", or empty if the rubric has no bands
	Passed       *bool    // top band, every gate held; nil: the rubric has neither bands nor gates
	GateFailures []string // ids of criteria whose gate did not hold

	// Verdicts are those given, completed by one per group, in the order of
	// rubric.Walk.
	Verdicts []rubric.Verdict
	Warnings []string
}

// Combine reckons the total of one case. verdicts holds at most one verdict per
// leaf of r, in any order, and at most one for rubric.Overall; a leaf without a
// verdict counts as failed.
func Combine(r *rubric.Rubric, verdicts []rubric.Verdict, opts Options) Total {
	b := newBook(r, verdicts, opts)
	if b.overall != nil && !rubric.Contains(r.Criteria, func(c *rubric.Criterion) bool { return b.given[c.ID] != nil }) {
		b.holistic()
	} else {
		b.fromCriteria()
	}
	b.finish()
	return b.total
}

// book is the working state of one Combine.
type book struct {
	r       *rubric.Rubric
	opts    Options
	given   map[string]*rubric.Verdict
	overall *rubric.Verdict
	missing []string // criteria that leave the case without a score, and why
	total   Total
}

func newBook(r *rubric.Rubric, verdicts []rubric.Verdict, opts Options) *book {
	b := &book{r: r, opts: opts, given: make(map[string]*rubric.Verdict, len(verdicts))}
	for i := range verdicts {
		v := &verdicts[i]
		if v.Criterion == rubric.Overall {
			b.overall = v
			continue
		}
		b.given[v.Criterion] = v
	}
	return b
}

func (b *book) warn(format string, args ...any) {
	b.total.Warnings = append(b.total.Warnings, fmt.Sprintf(format, args...))
}

// holistic takes the judge's one number for the score.
func (b *book) holistic() {
	v := b.overall
	b.total.Holistic = true
	b.total.Verdicts = []rubric.Verdict{*v}
	metrics := b.members(b.r.Metrics)
	b.collect(metrics)
	if v.Status != rubric.Scored {
		b.unscored(why(v))
		return
	}
	scale := OverallScale(b.r)
	n := v.Native.Number
	share := b.clamp("the judge's overall score", Normalize(b.r.Policy.Normalization, scale, n))
	b.total.Overall = &n
	b.total.Normalized = &share
	points := weigh(b.r.Criteria)
	switch b.r.Policy.Raw {
	case rubric.RawPoints:
		raw := product(scale.Position(n), points.positive)
		if points.positive == 0 {
			raw = product(scale.Position(n)-1, points.negative)
		}
		b.total.Raw = &raw
	case rubric.RawRatio:
		if points.positive > 0 {
			b.total.Raw = new(scale.Position(n))
		}
	case rubric.RawOnScale:
		b.total.Raw = &n
	}
	if b.blocked(metrics) {
		b.unscored(strings.Join(b.missing, "; "))
		return
	}
	b.setScore(share, metrics)
}

// OverallScale returns the scale of a holistic answer to r: its policy's, else
// 0..100.
func OverallScale(r *rubric.Rubric) rubric.Scale {
	if r.Policy.Overall != nil {
		return *r.Policy.Overall
	}
	return rubric.Scale{Min: 0, Max: 100}
}

// fromCriteria aggregates the criteria, and keeps a judge's overall number as a
// cross-check.
func (b *book) fromCriteria() {
	members, metrics := b.members(b.r.Criteria), b.members(b.r.Metrics)
	b.total.Verdicts = make([]rubric.Verdict, 0, len(members)+len(metrics)) // and groups' members
	b.collect(members)
	b.collect(metrics)
	if b.overall != nil && b.overall.Status == rubric.Scored { // kept whatever becomes of the score
		b.total.Overall = new(b.overall.Native.Number)
	}
	mean, raw, err := b.reckon(b.r.Criteria, members)
	if b.blocked(members, metrics) { // says more than that nothing is left to reckon with
		err = noScore(strings.Join(b.missing, "; "))
	}
	if err != nil {
		if b.total.Err == nil {
			b.partial()
		}
		b.unscored(err.Error())
		return
	}
	b.total.Normalized, b.total.Raw = &mean, raw
	b.crossCheck()
	b.setScore(mean, metrics)
}

// setScore makes the score of the criteria's one: blend with the metrics, raw score in place
// of the normalised one, length penalty.
func (b *book) setScore(mean float64, metrics []member) {
	score, err := b.blend(mean, metrics)
	if err != nil {
		b.unscored(err.Error())
		return
	}
	if b.r.Policy.RawAsScore && b.total.Raw != nil {
		score = *b.total.Raw
	}
	if l := b.r.LengthPenalty; l != nil {
		score -= Penalty(l, b.opts.Length)
		if !b.r.Policy.RawAsScore {
			score = max(0, score)
		}
	}
	b.total.Score = &score
}

// finish applies gates and bands.
func (b *book) finish() {
	t := &b.total
	b.gates()
	if b.r.Decides() {
		t.Passed = new(t.Score != nil && len(t.GateFailures) == 0 && b.r.Passes(*t.Score))
	}
	switch {
	case t.Score == nil:
		t.Verdict = UnscoredLabel
	case len(t.GateFailures) > 0:
		t.Verdict = b.r.Pass.Lowest()
	default:
		t.Verdict = b.r.Pass.Label(*t.Score)
	}
}

func (b *book) unscored(reason string) {
	b.total.Score, b.total.Normalized, b.total.Raw = nil, nil, nil
	b.total.Reason = reason
}

// crossCheckSlack is how far a judge's own overall number may lie from the
// recomputed mean, as a share of the scale, before a warning.
const crossCheckSlack = 0.05

// crossCheck compares the judge's own number with the mean, both on the scale:
// how the mean is normalised afterwards is not a difference between them.
func (b *book) crossCheck() {
	if b.total.Overall == nil {
		return
	}
	n, s := *b.total.Overall, OverallScale(b.r)
	mean := s.Min + product(*b.total.Normalized, s.Max-s.Min)
	if b.r.Policy.Raw == rubric.RawOnScale && b.total.Raw != nil {
		mean = *b.total.Raw
	}
	if math.Abs(s.Position(n)-s.Position(mean)) > crossCheckSlack {
		b.warn("the judge's overall score %s differs from the weighted mean of its own criterion scores, %s; the mean counts",
			rubric.FormatNumber(n), rubric.FormatNumber(mean))
	}
}

func (b *book) clamp(what string, x float64) float64 {
	c := min(1, max(0, x))
	if c != x {
		b.warn("%s %s is clamped to %s", what, rubric.FormatNumber(x), rubric.FormatNumber(c))
	}
	return c
}

// noScore is why a case has no score.
type noScore string

func (n noScore) Error() string { return string(n) }
