package rubric

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Policy holds every difference in arithmetic between dialects. Scoring reads
// it and never the dialect's name.
type Policy struct {
	// Aggregate combines the values of the criteria. The zero value is Auto.
	Aggregate Aggregate `json:"aggregate,omitzero"`

	// Required is the meaning of the word.
	Required RequiredRule `json:"required,omitzero"`

	// Raw is the definition of the raw score. The zero value: there is none.
	Raw RawRule `json:"raw,omitzero"`

	// RawAsScore makes the raw score the score: rubric's normalize=False.
	RawAsScore bool `json:"raw_as_score,omitzero"`

	// Overall is the scale of a holistic answer. Nil: 0..100.
	Overall *Scale `json:"overall,omitzero"`

	// Blend joins the criteria's score with the metrics. The zero value is
	// WeightedAverage.
	Blend Blend `json:"blend,omitzero"`

	// Normalization maps the native mean to [0, 1] before the blend. The zero
	// value is MinMax.
	Normalization Normalization `json:"normalization,omitzero"`

	// Strategy is the dialect's own way of asking a judge.
	Strategy Strategy `json:"strategy,omitzero"`
}

// An Aggregate combines the values v of criteria with weights w. Those below
// Signed do not look at the size of a weight: a weight of 0 leaves the
// criterion out, a negative one counts 1-v.
type Aggregate string

// The aggregates. See score.Combine for the formulas.
const (
	Auto         Aggregate = "auto"                 // WeightedMean, Signed as soon as one weight is negative
	WeightedMean Aggregate = "weighted_mean"        // Σ v·w ÷ Σ w
	Signed       Aggregate = "points_over_positive" // Σ v·w ÷ Σ positive w; all negative: 1 + Σ v·w ÷ Σ |w|; clamped
	Min          Aggregate = "min"                  // the lowest value
	Max          Aggregate = "max"                  // the highest value
	Product      Aggregate = "product"              // Π v
	All          Aggregate = "all"                  // 1 if every value is 1, else 0
	Any          Aggregate = "any"                  // 1 if some value is 1, else 0
)

// Aggregates lists every aggregate that is not code of the caller; see Aggregate.Go.
func Aggregates() []Aggregate {
	return []Aggregate{Auto, WeightedMean, Signed, Min, Max, Product, All, Any}
}

// goPrefix begins an aggregate that is a function written in Go.
const goPrefix = "go:"

// Go returns the name of the function written in Go that a is, and whether it is
// one: "go:NAME" is the function that host.Options.Aggregates holds as NAME.
func (a Aggregate) Go() (name string, ok bool) { return strings.CutPrefix(string(a), goPrefix) }

// goName is the form of the name of a function in Go.
var goName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`) })

// Known reports whether a rubric may name a: it is one of Aggregates, or go:NAME.
func (a Aggregate) Known() bool {
	if name, ok := a.Go(); ok {
		return goName().MatchString(name)
	}
	return slices.Contains(Aggregates(), a)
}

// GoAggregates returns the names of the functions written in Go that r combines
// criteria with, sorted, each once.
func (r *Rubric) GoAggregates() []string {
	var names []string
	note := func(a Aggregate) {
		if name, ok := a.Go(); ok {
			names = append(names, name)
		}
	}
	note(r.Policy.Aggregate)
	for c := range r.All() {
		note(c.Aggregate)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A RequiredRule is a meaning of "required".
type RequiredRule string

// The rules.
const (
	RequiredIgnored   RequiredRule = ""          // the dialect has no such word
	RequiredNonzero   RequiredRule = "nonzero"   // a value of 0 fails the case (AgentEvals)
	RequiredMet       RequiredRule = "met"       // a met answer must be met, any other above 0 (AgentV, native)
	RequiredEvaluated RequiredRule = "evaluated" // it must have a verdict; one that is not required may lack it (dataknobs)
)

// A RawRule is a definition of the raw score.
type RawRule string

// The rules.
const (
	RawNone    RawRule = ""        // there is none
	RawPoints  RawRule = "points"  // Σ v·w, the weighted sum (rubric)
	RawOnScale RawRule = "onscale" // the mean in units of the rubric's scale (OpenRubricRL)
	RawRatio   RawRule = "ratio"   // Σ v·w over Σ positive w, not clipped (HealthBench, ResearchRubrics); none if no weight is positive
)

// A Blend joins the criteria's score s with metric values m of weights w.
type Blend string

// The blends (OpenRubricRL, integrations and reward processor).
const (
	WeightedAverage Blend = "weighted_average" // s·(1-Σw) + Σ m·w
	Multiplicative  Blend = "multiplicative"   // s · Π m^w
	BlendMax        Blend = "max"              // the largest of s and every m
	BlendMin        Blend = "min"              // the smallest
)

// A Normalization maps a native score x on a scale to a reward.
type Normalization string

// The normalisations (OpenRubricRL). MinMax is the only one that gives 0 and 1
// at the ends of the scale.
const (
	MinMax  Normalization = "min_max" // (x-min)/(max-min)
	Sigmoid Normalization = "sigmoid" // 1/(1+exp(-k(x-mid))), k = 4/(max-min)
	ZScore  Normalization = "z_score" // 1/(1+exp(-(x-mid)/((max-min)/4)))
)

// Pass says which scores pass. The zero value says nothing: the gates of criteria
// decide alone, see Rubric.Decides.
type Pass struct {
	// Bands name the verdicts, the best first, each with the lowest score that
	// reaches it. Below the last one the verdict is Below. Only the first band
	// passes.
	Bands []PassBand `json:"bands,omitzero"`
	Below string     `json:"below,omitzero"` // zero: "fail"

	// Literal says how the document writes it: "threshold" or "bands".
	Form string `json:"form,omitzero"`
}

// A PassBand is a verdict and the lowest score that reaches it.
type PassBand struct {
	Label string  `json:"label"`
	Min   float64 `json:"min"`
}

// Threshold returns a Pass with the single band "pass" at min.
func Threshold(min float64) Pass {
	return Pass{Bands: []PassBand{{Label: "pass", Min: min}}, Form: "threshold"}
}

// Slack is the tolerance of every comparison with a threshold: 0.7999999999999999 in
// floating point, 0.8 on paper, passes a threshold of 0.8.
const Slack = 1e-9

// AtLeast reports whether score reaches min, within Slack.
func AtLeast(score, min float64) bool { return score >= min-Slack }

// Label returns the verdict of a score, empty if there are no bands.
func (p Pass) Label(score float64) string {
	if len(p.Bands) == 0 {
		return ""
	}
	for _, b := range p.Bands {
		if AtLeast(score, b.Min) {
			return b.Label
		}
	}
	return p.Lowest()
}

// Lowest returns the verdict below every band, empty if there are no bands.
func (p Pass) Lowest() string {
	switch {
	case len(p.Bands) == 0:
		return ""
	case p.Below != "":
		return p.Below
	}
	return "fail"
}

// Set reports whether the rubric says which scores pass.
func (p Pass) Set() bool { return len(p.Bands) > 0 }

// Strategy returns how a judge is asked by r.
func (r *Rubric) Strategy() Strategy {
	return cmp.Or(r.Judge.Strategy, r.Policy.Strategy, PerCriterion)
}

// Gated reports whether c can fail a case by itself under the policy of r.
func (r *Rubric) Gated(c *Criterion) bool {
	return c.Min != nil || c.Required && (r.Policy.Required == RequiredMet || r.Policy.Required == RequiredNonzero)
}

// Decides reports whether the rubric says which cases pass: those with a score that
// passes, and whose gates hold. Without either rule no case passes or fails.
func (r *Rubric) Decides() bool {
	if r.Pass.Set() {
		return true
	}
	for c := range r.All() {
		if r.Gated(c) {
			return true
		}
	}
	return false
}

// Passes reports whether a case whose gates hold passes with a score.
func (r *Rubric) Passes(score float64) bool { return !r.Pass.Set() || r.Pass.Passes(score) }

// Passes reports whether a score reaches the top band. It is false if there are
// no bands.
func (p Pass) Passes(score float64) bool { return p.Set() && AtLeast(score, p.Bands[0].Min) }
