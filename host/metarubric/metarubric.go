// Package metarubric reviews rubrics: it holds the built-in rubric that grades
// rubrics, and finds defects that its form alone does not show: criteria that
// overlap, that never vary, whose weights change nothing, that do not tell good
// outputs from bad ones.
//
// The package is pure: it opens no file, calls no judge and no plugin. Package host
// does, and hands it their answers. Texts of rubrics and runs are untrusted.
//
// Stability: experimental.
package metarubric

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
)

// Scheme begins the reference to a built-in rubric: builtin:meta_rubric.
const Scheme = "builtin:"

// Name is the id of the built-in rubric that grades rubrics.
const Name = "meta_rubric"

//go:embed meta_rubric.json
var source []byte

// Builtin returns the document that a reference "builtin:NAME" means. It is not ok
// if the reference does not begin so. The error says which names there are.
func Builtin(ref string) (document []byte, ok bool, err error) {
	name, ok := strings.CutPrefix(ref, Scheme)
	switch {
	case !ok:
		return nil, false, nil
	case name != Name:
		return nil, true, fault.WithHint(fault.New(fault.NotFound, "no built-in rubric %q", fault.Clip(name, 60)), "%s", diag.DidYouMean(name, []string{Name}))
	}
	return source, true, nil
}

// The parts of Object.
type (
	object struct {
		ID         string      `json:"id,omitzero"`
		Name       string      `json:"name,omitzero"`
		Text       string      `json:"description,omitzero"`
		Version    string      `json:"version,omitzero"`
		TargetType string      `json:"target_type,omitzero"`
		Criteria   []criterion `json:"criteria"`
		Weights    string      `json:"weights,omitzero"` // "relative": they need no particular sum
		Pass       *float64    `json:"pass_threshold"`   // null: the rubric has none that the levels decide
	}
	criterion struct {
		ID     string  `json:"id"`
		Name   string  `json:"name,omitzero"`
		Text   string  `json:"description,omitzero"`
		Weight float64 `json:"weight"`
		Levels []level `json:"levels"`
	}
	level struct {
		ID    string  `json:"id"`
		Label string  `json:"label,omitzero"`
		Text  string  `json:"description,omitzero"`
		Score float64 `json:"score"`
	}
)

// Object returns a rubric of any dialect as the object that check plugins get: in the
// form of dataknobs, with the two levels "lowest" and "highest" for a criterion that
// is answered otherwise. pass_threshold is null for a rubric without a pass rule, and
// for one whose score is not a weighted mean of its criteria; weights is "relative"
// where the dialect asks for no particular sum. An error is a number that JSON does
// not have.
func Object(r *rubric.Rubric) (jsontext.Value, error) {
	o := object{ID: r.ID, Name: r.Name, Text: r.Description, Version: r.Version, TargetType: r.TargetType, Criteria: []criterion{}}
	for i := range r.Criteria {
		o.Criteria = append(o.Criteria, objectOf(r, &r.Criteria[i]))
	}
	if d := r.Source.Dialect; d != "dataknobs" && d != "openrubricrl" {
		o.Weights = "relative"
	}
	if r.Pass.Set() && isMean(r) {
		o.Pass = &r.Pass.Bands[0].Min
	}
	b, err := json.Marshal(&o, json.Deterministic(true))
	if err != nil {
		return nil, fault.New(fault.Invalid, "rubric %q as an object: %w", r.ID, err)
	}
	return b, nil
}

func objectOf(r *rubric.Rubric, c *rubric.Criterion) criterion {
	out := criterion{ID: c.ID, Name: c.Name, Text: c.Text, Weight: c.Weight.Value, Levels: []level{}}
	if c.Group() || c.Answer.KindOrMet() != rubric.KindLevel {
		low, high := ends(r, c)
		out.Levels = []level{{ID: "lowest", Score: low}, {ID: "highest", Score: high}}
		return out
	}
	for _, l := range c.Answer.Levels {
		out.Levels = append(out.Levels, level{ID: l.ID, Label: l.Label, Text: l.Description, Score: l.Score})
	}
	return out
}

// isMean reports whether the score is Σ v·w ÷ Σ w of the criteria.
func isMean(r *rubric.Rubric) bool {
	p := &r.Policy
	onScale := p.Raw == rubric.RawOnScale && p.Normalization != "" && p.Normalization != rubric.MinMax
	if len(r.Metrics) > 0 || r.LengthPenalty != nil || p.RawAsScore || onScale {
		return false
	}
	sum := slices.Contains([]rubric.Aggregate{"", rubric.Auto, rubric.WeightedMean, rubric.Signed}, p.Aggregate)
	return sum && !slices.ContainsFunc(r.Criteria, func(c rubric.Criterion) bool { return c.Penalty() })
}

// ends returns the lowest and the highest value of a criterion, in [0, 1]. A group
// is combined as scoring combines it; one that has no value has 0 and 1.
func ends(r *rubric.Rubric, c *rubric.Criterion) (low, high float64) {
	if c.Group() {
		of := &rubric.Rubric{ID: c.ID, Criteria: c.Criteria, Scale: r.Scale, Policy: rubric.Policy{Aggregate: cmp.Or(c.Aggregate, r.Policy.Aggregate)}}
		worst, best := extremes(of, false), extremes(of, true)
		if worst.Score == nil || best.Score == nil {
			return 0, 1
		}
		return *worst.Score, *best.Score
	}
	values := values(r, c)
	return values[0], values[len(values)-1]
}

// extremes returns the total of the best, or the worst, answer to every criterion.
func extremes(r *rubric.Rubric, best bool) score.Total {
	var verdicts []rubric.Verdict
	for _, c := range r.Leaves() {
		v := values(r, c)
		x := v[0]
		if best != c.Penalty() {
			x = v[len(v)-1]
		}
		verdicts = append(verdicts, verdict(r, c, x))
	}
	return score.Combine(r, verdicts, score.Options{})
}
