// Package result holds the records of an evaluation: run, row, summary, in
// memory and as JSON. The JSON form is stable; its schemas are shipped.
//
// Stability: stable.
package result

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm/usage"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
)

// SchemaVersion is the version of the JSON form of rows, runs and summaries.
const SchemaVersion = 1

// OverallID names the verdict on the whole rubric in a row that has no verdicts
// on its criteria.
const OverallID = "overall"

// A Row is the outcome of one case and repeat. Numbers that do not exist are
// null, never 0.
type Row struct {
	Schema     int    `json:"schema"`
	Case       string `json:"case,omitzero"`
	CaseDigest string `json:"case_digest,omitzero"` // of the case's content
	Repeat     int    `json:"repeat,omitzero"`      // from 1
	Cluster    string `json:"cluster,omitzero"`
	SampleOf   string `json:"sample_of,omitzero"` // the problem that the output is a sample of
	SameAs     string `json:"same_as,omitzero"`   // an earlier sample of the problem with the same output, whose answers of deterministic scorers are reused
	Probe      string `json:"probe,omitzero"`     // of an audit: the kind of output in its place
	Rubric     string `json:"rubric,omitzero"`    // digest of the case's own rubric; empty: the run's

	Status   rubric.Status `json:"status"` // scored or unscored
	Score    *float64      `json:"score"`
	RawScore *float64      `json:"raw_score"`
	Verdict  *string       `json:"verdict"` // band, "unscored", or null without bands
	// Passed is nil if the rubric has no pass rule: neither a score that passes nor a
	// criterion with a gate. A row without a score has not passed.
	Passed       *bool       `json:"passed"`
	GateFailures []string    `json:"gate_failures"`
	Criteria     []Criterion `json:"criteria"`
	Metrics      []Criterion `json:"metrics"`
	PartialScore *float64    `json:"partial_score"` // over the scored criteria, when score is null
	Reason       string      `json:"reason,omitzero"`
	Warnings     []string    `json:"warnings"`
	Feedback     string      `json:"feedback,omitzero"`
	FeedbackHow  *rubric.How `json:"feedback_how,omitzero"` // how the judge wrote Feedback; nil: it is deterministic
	Judge        Usage       `json:"judge"`

	// Aggregate is "go:NAME" if a function written in Go combined the criteria, or
	// failed to.
	Aggregate rubric.Aggregate `json:"aggregate,omitzero"`

	// Error is why the row has no verdicts at all: a bad row, an expired case; or
	// why a function written in Go could not combine them.
	Error *Failure `json:"error,omitzero"`

	// The names that single dialects use.
	LLMRawScore  *float64 `json:"llm_raw_score,omitzero"` // rubric: the judge's own number
	JudgeOverall *float64 `json:"judge_overall,omitzero"` // OpenRubricRL: the judge's own overall number
	Reward       *float64 `json:"reward,omitzero"`        // OpenRubricRL: the blended score
}

// A Criterion is the verdict on one criterion or metric, as a row holds it.
type Criterion struct {
	ID       string            `json:"id"`
	Status   rubric.Status     `json:"status"`
	Value    *float64          `json:"value"` // in [0, 1]
	Native   *Native           `json:"native,omitzero"`
	Weight   float64           `json:"weight"`
	Reason   string            `json:"reason,omitzero"`
	Evidence []rubric.Evidence `json:"evidence,omitzero"`
	Hits     []string          `json:"hits,omitzero"`
	Misses   []string          `json:"misses,omitzero"`
	Details  jsontext.Value    `json:"details,omitzero"`
	Stats    []float64         `json:"stats,omitzero"` // add up over a corpus
	Plain    bool              `json:"-"`              // as in rubric.Verdict
	Error    *Failure          `json:"error,omitzero"`
	Warnings []string          `json:"warnings,omitzero"`
	Fallback bool              `json:"fallback,omitzero"`
	How      *rubric.How       `json:"how,omitzero"`
}

// Native is a native answer; exactly one field is set.
type Native struct {
	Met    *bool    `json:"met,omitzero"`
	Level  *string  `json:"level,omitzero"`
	Number *float64 `json:"number,omitzero"`
}

// A Failure is a failed verdict or row.
type Failure struct {
	Class   fault.Class `json:"class"`
	Message string      `json:"message"`
	Hint    string      `json:"hint,omitzero"`
}

// Usage is the cost of judging.
type Usage = usage.Usage

// UsageOf returns the cost of a verdict: none if neither a judge nor embeddings were asked for. Replayed answers have the
// cost of when they were recorded, and no call.
func UsageOf(v *rubric.Verdict) (u Usage) {
	h := &v.How
	if h.By != "judge" && h.Embeddings == "" {
		return u
	}
	u = Usage{TokensIn: h.TokensIn, TokensOut: h.TokensOut, Uncounted: h.Uncounted, CostUSD: h.CostUSD, Unpriced: h.Unpriced}
	switch {
	case h.Cached:
		u.Cached = h.Attempts
	case !h.Replayed && v.Class != fault.ReplayMiss:
		u.Calls = h.Attempts
	}
	return u
}

// AppendRow appends the JSON form of a row to dst. Text that is not valid UTF-8 is mended.
// An error names a number that JSON cannot hold, or details that are not JSON; dst then comes
// back as it was.
func AppendRow(dst []byte, row *Row) ([]byte, error) {
	b, ok := appendUsual(dst, row)
	if !ok {
		buf := bytes.NewBuffer(dst)
		if err := json.MarshalWrite(buf, row, jsontext.AllowInvalidUTF8(true)); err != nil {
			return dst, fmt.Errorf("case %q: %w", row.Case, err)
		}
		b = buf.Bytes()
	}
	return append(b[:len(dst)], diag.EscapeJSON(b[len(dst):])...), nil
}

// FailureOf returns err as a row holds it, or nil.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	return &Failure{Class: fault.Of(err), Message: err.Error(), Hint: fault.Hint(err)}
}

// NewRow makes the row of a total. The caller adds the other fields:
// case, repeat, cluster, judge usage, feedback.
func NewRow(r *rubric.Rubric, t score.Total) *Row {
	row := &Row{
		Schema: SchemaVersion, Status: rubric.Scored,
		Score: t.Score, RawScore: t.Raw, Passed: t.Passed, PartialScore: t.Partial, Reason: t.Reason,
		GateFailures: orEmpty(t.GateFailures), Warnings: orEmpty(t.Warnings),
		Criteria: make([]Criterion, 0, len(r.Criteria)), Metrics: make([]Criterion, 0, len(r.Metrics)), Aggregate: t.Aggregate, Error: FailureOf(t.Err),
	}
	if t.Score == nil {
		row.Status = rubric.Unscored
	}
	if t.Verdict != "" {
		row.Verdict = &t.Verdict
	}
	byID := make(map[string]*rubric.Verdict, len(t.Verdicts))
	for i := range t.Verdicts {
		byID[t.Verdicts[i].Criterion] = &t.Verdicts[i]
	}
	if !t.Holistic {
		row.Criteria = appendCriteria(row.Criteria, r.Criteria, byID)
		row.Metrics = appendCriteria(row.Metrics, r.Metrics, byID)
	} else if v := byID[rubric.Overall]; v != nil {
		row.Criteria = append(row.Criteria, newCriterion(OverallID, 1, v))
		row.Metrics = appendCriteria(row.Metrics, r.Metrics, byID)
	}
	row.dialectNames(r, t)
	return row
}

// dialectNames fills the fields that only some dialects have.
func (row *Row) dialectNames(r *rubric.Rubric, t score.Total) {
	switch r.Policy.Raw {
	case rubric.RawPoints:
		row.LLMRawScore = t.Raw
		if t.Holistic {
			row.LLMRawScore = t.Overall
		}
	case rubric.RawOnScale:
		row.JudgeOverall, row.Reward = t.Overall, t.Score
	}
}

func appendCriteria(out []Criterion, list []rubric.Criterion, byID map[string]*rubric.Verdict) []Criterion {
	for i := range list {
		c := &list[i]
		if v := byID[c.ID]; v != nil {
			out = append(out, newCriterion(c.ID, c.Weight.Value, v))
		}
		out = appendCriteria(out, c.Criteria, byID)
	}
	return out
}

func newCriterion(id string, weight float64, v *rubric.Verdict) Criterion {
	c := Criterion{
		ID: id, Status: v.Status, Weight: weight, Reason: v.Reason, Evidence: v.Evidence,
		Hits: v.Hits, Misses: v.Misses, Details: v.Details, Plain: v.Plain, Stats: v.Stats, Warnings: v.Warnings, Fallback: v.Fallback,
	}
	if v.How != (rubric.How{}) {
		c.How = new(v.How)
	}
	switch v.Status {
	case rubric.Scored:
		c.Value, c.Native = new(v.Value), nativeOf(v.Native)
	case rubric.Failed:
		class := v.Class
		if class == fault.None {
			class = fault.Internal
		}
		c.Error = &Failure{Class: class, Message: v.Message, Hint: v.Hint}
	}
	return c
}

func nativeOf(n rubric.Native) *Native {
	switch n.Kind {
	case rubric.KindMet:
		return &Native{Met: &n.Met}
	case rubric.KindLevel:
		return &Native{Level: &n.Level}
	case rubric.KindNumber:
		return &Native{Number: &n.Number}
	}
	return nil
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Verdict returns the verdict that a row's criterion holds: the inverse of
// NewCriterion.
func (c *Criterion) Verdict() rubric.Verdict {
	v := rubric.Verdict{
		Criterion: c.ID, Status: c.Status, Reason: c.Reason, Evidence: c.Evidence, Hits: c.Hits, Misses: c.Misses,
		Details: c.Details, Stats: c.Stats, Warnings: c.Warnings, Fallback: c.Fallback,
	}
	if c.How != nil {
		v.How = *c.How
	}
	if c.Value != nil {
		v.Value = *c.Value
	}
	if n := c.Native; n != nil {
		switch {
		case n.Met != nil:
			v.Native = rubric.MetIs(*n.Met)
		case n.Level != nil:
			v.Native = rubric.LevelIs(*n.Level)
		case n.Number != nil:
			v.Native = rubric.NumberIs(*n.Number)
		}
	}
	if c.Error != nil {
		v.Class, v.Message, v.Hint = c.Error.Class, c.Error.Message, c.Error.Hint
	}
	return v
}

// All returns an iterator over the criteria, then the metrics.
func (row *Row) All() iter.Seq[*Criterion] {
	return func(yield func(*Criterion) bool) {
		for _, list := range [][]Criterion{row.Criteria, row.Metrics} {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// ByID returns the criteria and metrics by their ids; a criterion stands before a metric
// of its id.
func (row *Row) ByID() map[string]*Criterion {
	out := make(map[string]*Criterion, len(row.Criteria)+len(row.Metrics))
	for c := range row.All() {
		if out[c.ID] == nil {
			out[c.ID] = c
		}
	}
	return out
}

// Losing returns the criterion or metric with an id if it fails the case, has no value, or
// not its best one; else nil.
func (row *Row) Losing(id string) *Criterion {
	for c := range row.All() {
		if c.ID != id {
			continue
		}
		if best := c.Value != nil && rubric.AtLeast(c.Goodness(), 1); best && !slices.Contains(row.GateFailures, id) {
			return nil
		}
		return c
	}
	return nil
}

// Goodness returns how good the value of c is, in [0, 1]: of a penalty, its complement. c has a
// value.
func (c *Criterion) Goodness() float64 {
	if c.Weight < 0 {
		return 1 - *c.Value
	}
	return *c.Value
}

// A RowID names a row of a run, whatever the content of its case.
type RowID struct {
	Case   string
	Repeat int // from 1
}

// ID names the row.
func (row *Row) ID() RowID { return RowID{row.Case, max(1, row.Repeat)} }

// Passes reports whether the row has a score that passes.
func (row *Row) Passes() bool { return row.Score != nil && row.Passed != nil && *row.Passed }

// Fails reports whether the row is one to look at: it has no score, did not pass, or is a
// probe about which the grader was wrong.
func (row *Row) Fails() bool {
	switch {
	case row.Score == nil:
		return true
	case row.Passed == nil:
		return false
	case row.Probe != "":
		return !row.Right()
	}
	return !*row.Passed
}

// Right reports whether the grader was right about a probe of an audit: only the reference
// must pass.
func (row *Row) Right() bool { return row.Passes() == (row.Probe == dataset.ProbeReference) }
