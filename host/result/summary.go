package result

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/stats"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Summary holds the figures over the rows of a run. Rows without a number enter
// counts and never a mean.
type Summary struct {
	Schema   int             `json:"schema"`
	Counts   Counts          `json:"counts"`
	Total    Figure          `json:"total"`
	Criteria []Figure        `json:"criteria"` // in the order of the rubric
	Metrics  []Figure        `json:"metrics"`
	Verdicts []LabelCount    `json:"verdicts"` // in the order of first appearance
	Unscored []UnscoredClass `json:"unscored"` // the most frequent first
	Corpus   []Corpus        `json:"corpus"`
	PassAtK  *PassAtK        `json:"pass_at_k,omitzero"` // where problems have several samples, or the rubric asks for it
	Audit    *Audit          `json:"audit,omitzero"`     // of a run that tests its grader
	Slices   []Slice         `json:"slices,omitzero"`
	Baseline *Comparison     `json:"baseline,omitzero"`
	Usage    Usage           `json:"usage"`
	Warnings []string        `json:"warnings"`
}

// Figures returns the figures of the criteria, then those of the metrics, in the order of the rubric. The
// pointers are into s.
func (s *Summary) Figures() []*Figure {
	return append(xslices.Pointers(s.Criteria), xslices.Pointers(s.Metrics)...)
}

// CriterionIDs returns the ids of the criteria and metrics, in the order of the rubric.
func (s *Summary) CriterionIDs() []string {
	return xslices.Map(s.Figures(), func(f *Figure) string { return f.ID })
}

// A Figure sums up one quantity over rows: the score, or the value of one
// criterion or metric. A figure that does not exist is null.
type Figure struct {
	ID     string   `json:"id,omitzero"`   // of the criterion; empty for the score
	Name   string   `json:"name,omitzero"` // for people
	Rubric string   `json:"rubric,omitzero"`
	Weight *float64 `json:"weight,omitzero"` // nil for the score
	Gate   bool     `json:"gate,omitzero"`   // it can fail a case by itself
	By     string   `json:"by,omitzero"`     // "metric", "judge", "schema", "group" or "given"
	Scorer string   `json:"scorer,omitzero"` // plugin or judge

	N        int `json:"n"`                 // rows with a number
	Unscored int `json:"unscored"`          // rows whose scorer could not decide, and those that could not be read
	Failed   int `json:"failed"`            // rows whose scorer gave no usable answer
	Fallback int `json:"fallback,omitzero"` // of those with a number: the rubric's fallback, in place of an unusable answer
	Clusters int `json:"clusters,omitzero"` // independent clusters, where rows have some

	Mean     *float64  `json:"mean"`
	SD       *float64  `json:"sd"`
	SE       *float64  `json:"se"`       // standard error of the mean, cluster-robust
	Interval *Interval `json:"interval"` // of the mean
	Min      *float64  `json:"min"`
	P10      *float64  `json:"p10"` // 10 % of the values lie below
	Median   *float64  `json:"median"`
	P90      *float64  `json:"p90"`
	Max      *float64  `json:"max"`

	Pass      *Rate `json:"pass"`           // nil: no pass rule
	Histogram []int `json:"histogram"`      // counts in twenty bins over [0, 1]
	Worst     []Low `json:"worst,omitzero"` // the rows that did worst among those that did not pass; without a pass rule, among those below the best value
}

// An Interval is a confidence interval.
type Interval struct {
	Low        float64      `json:"low"`
	High       float64      `json:"high"`
	Confidence float64      `json:"confidence"`
	Method     stats.Method `json:"method"`
}

// IntervalOf returns the record of an interval, nil if there is none.
func IntervalOf(i stats.Interval, ok bool) *Interval {
	if !ok {
		return nil
	}
	return &Interval{i.Low, i.High, stats.Confidence, i.Method}
}

// A Rate is the share of rows that pass.
type Rate struct {
	Mark     *float64  `json:"mark,omitzero"` // the value that passes; nil for the score, whose bands decide, and for a gate that any value above 0 meets
	Passed   int       `json:"passed"`
	Of       int       `json:"of"` // rows with a number
	Rate     *float64  `json:"rate"`
	Interval *Interval `json:"interval"`
}

// A Low is a row with a low value.
type Low struct {
	Case   string  `json:"case"`
	Repeat int     `json:"repeat,omitzero"`
	Value  float64 `json:"value"`
}

// A LabelCount is how many rows have a verdict.
type LabelCount struct {
	Label string `json:"label"`
	Count int    `json:"count"`
}

// An UnscoredClass is why rows have no score, and one of them.
type UnscoredClass struct {
	Class   fault.Class `json:"class"`
	Count   int         `json:"count"`
	Case    string      `json:"case"`    // an example
	Message string      `json:"message"` // of the example
}

// A Corpus is a metric over the whole set, from summed statistics and never a
// mean of the scores of cases.
type Corpus struct {
	Name    string         `json:"name"`
	Plugin  string         `json:"plugin,omitzero"`
	Export  string         `json:"export,omitzero"`
	Digest  string         `json:"digest,omitzero"` // of the module
	Score   *float64       `json:"score"`           // in the metric's own unit
	N       int            `json:"n"`               // cases that it covers
	Details jsontext.Value `json:"details,omitzero"`
	Fuel    uint64         `json:"fuel,omitzero"`
	Error   *Failure       `json:"error,omitzero"`

	Bootstrap *Bootstrap `json:"bootstrap,omitzero"` // of 2 to 20,000 cases
}

// A Bootstrap is the interval of a corpus score, as sacrebleu --confidence has it: mean, half width at 95 %.
type Bootstrap struct {
	Mean      float64 `json:"mean"`
	Half      float64 `json:"half"`
	Resamples int     `json:"resamples"`
	Seed      uint64  `json:"seed"`
}
