// Package rubric holds the words of an evaluation: rubric, criterion, level, scale,
// gate, verdict. One model holds the features of all dialects; their different
// meanings are data too, a Policy.
//
// The package is pure: it opens nothing, reads no clock, and its values may be
// shared between goroutines as long as they are only read.
//
// Stability: stable.
package rubric

import (
	"cmp"
	"fmt"
	"iter"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/digest"
)

// A Rubric is a named, versioned list of criteria and the way they combine.
type Rubric struct {
	ID          string `json:"id"`
	Made        bool   `json:"id_made,omitzero"` // the document has no id; ID was made
	Name        string `json:"name,omitzero"`    // for people; may be empty
	Version     string `json:"version,omitzero"`
	Description string `json:"description,omitzero"`
	Domain      string `json:"domain,omitzero"`      // OpenRubricRL's closed list
	TargetType  string `json:"target_type,omitzero"` // what is graded: "content", "rubric", ...

	Criteria []Criterion `json:"criteria"`

	// Metrics are blended with the score of the criteria, as OpenRubricRL's
	// hybrid metrics are: the criteria keep the share 1 - Σ weights.
	Metrics []Criterion `json:"metrics,omitzero"`

	// Scale is the native scale of judged criteria that have none of their own.
	Scale *Scale `json:"scale,omitzero"`

	Pass   Pass   `json:"pass,omitzero"`
	Policy Policy `json:"policy"`
	Judge  Judge  `json:"judge,omitzero"`

	// Problems is the file with the problems that the outputs answer, for a dataset
	// preset; relative to the document, and below its directory. Empty: none.
	Problems string `json:"problems,omitzero"`

	// PassAt are the k of pass@k and pass^k that a run reports. Empty: its default.
	PassAt []int `json:"pass_at,omitzero"`

	// LengthPenalty is subtracted from the score after the blend. Nil: none.
	LengthPenalty *LengthPenalty `json:"length_penalty,omitzero"`

	// Fallback names the verdict that stands in for a judge answer that could
	// not be used. Nil: such a criterion is failed, and has no number.
	Fallback *Fallback `json:"fallback,omitzero"`

	Metadata map[string]any `json:"metadata,omitzero"` // free-form, not read by scoring
	Ext      map[string]any `json:"ext,omitzero"`      // parts of the dialect beyond this model
	Source   Source         `json:"source,omitzero"`
}

// Source says where a rubric was read.
type Source struct {
	Dialect string `json:"dialect,omitzero"`
	Format  string `json:"format,omitzero"` // "json" or "yaml"
	Shape   string `json:"shape,omitzero"`  // a dialect's own variant, such as "list" or "sections"
	Digest  string `json:"digest,omitzero"` // of the bytes of the document, "sha256:<hex>"
}

// A Criterion is one requirement: its weight, its gate, the form of its answer
// and the scorer that gives it. A criterion with Criteria of its own is a
// group: its value is the aggregate of theirs, and it has no scorer.
type Criterion struct {
	ID      string `json:"id"`
	Made    bool   `json:"id_made,omitzero"`  // the document has no id here; ID was made
	Name    string `json:"name,omitzero"`     // for people; may be empty
	Text    string `json:"text,omitzero"`     // judged text
	TextKey string `json:"text_key,omitzero"` // how the document spells the key of Text, where it has a choice

	Weight Weight `json:"weight"`

	// Required is interpreted by Policy.Required: a gate, or the duty to be
	// evaluated. RequiredSet says whether the document writes it.
	Required    bool `json:"required,omitzero"`
	RequiredSet bool `json:"required_set,omitzero"`

	// Min is the lowest value, in [0, 1], that does not fail the case. Nil: none.
	Min *float64 `json:"min,omitzero"`

	Answer Answer `json:"answer,omitzero"`

	Examples    []ExampleSet   `json:"examples,omitzero"`
	Subcriteria []Subcriterion `json:"subcriteria,omitzero"` // for the prompt, not scored
	Scorer      Binding        `json:"scorer,omitzero"`

	Criteria  []Criterion `json:"criteria,omitzero"`
	Aggregate Aggregate   `json:"aggregate,omitzero"` // of Criteria; zero: Policy.Aggregate

	Metadata map[string]any `json:"metadata,omitzero"`
	Ext      map[string]any `json:"ext,omitzero"`
}

// Group reports whether the criterion is a group of others.
func (c *Criterion) Group() bool { return len(c.Criteria) > 0 }

// Penalty reports whether meeting the criterion lowers the score.
func (c *Criterion) Penalty() bool { return c.Weight.Value < 0 }

// Label returns Name, or ID where there is none.
func (c *Criterion) Label() string { return cmp.Or(c.Name, c.ID) }

// A Weight is the importance of a criterion. The zero value is an unwritten
// weight of 0; use One for the usual default.
type Weight struct {
	Value   float64 `json:"value"`
	Literal string  `json:"literal,omitzero"` // as written; empty if the document does not write it
}

// One is the weight of a criterion whose document writes none.
var One = Weight{Value: 1}

// An ExampleSet is the examples of one quality level.
type ExampleSet struct {
	Level    string    `json:"level"` // "excellent", "good", "poor" or any other word
	Examples []Example `json:"examples"`
}

// An Example shows a judge the score of an answer.
type Example struct {
	Input       string  `json:"input"`
	Output      string  `json:"output"`
	Score       float64 `json:"score"` // on the criterion's native scale
	Explanation string  `json:"explanation,omitzero"`
}

// A Subcriterion details a criterion in the prompt.
type Subcriterion struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Judge holds the requirements of a rubric on its judge. The zero value leaves everything
// to the judge's own settings.
type Judge struct {
	Strategy Strategy `json:"strategy,omitzero"`
	Batch    int      `json:"batch,omitzero"`  // criteria per call for Batch; 0: all
	System   string   `json:"system,omitzero"` // replaces the system prompt
	Model    string   `json:"model,omitzero"`
	Attempts int      `json:"attempts,omitzero"` // answers asked for at most; 0: 3

	Temperature *float64 `json:"temperature,omitzero"`
	MaxTokens   int      `json:"max_tokens,omitzero"`
}

// A Strategy says how many criteria a judge answers in one call.
type Strategy string

// The strategies. The zero value is the dialect's own.
const (
	PerCriterion Strategy = "per-criterion" // one call per criterion, in parallel
	Batch        Strategy = "batch"         // several criteria in one call
	Holistic     Strategy = "holistic"      // one number for the whole rubric
)

// LengthPenalty lowers the score of long outputs:
// 0 up to Free, AtCap from Cap on, and AtCap·((n-Free)/(Cap-Free))^Exponent
// between (rubric 1.3.x, autograders/base).
type LengthPenalty struct {
	Free     int     `json:"free_budget"`
	Cap      int     `json:"max_cap"`
	AtCap    float64 `json:"penalty_at_cap"`
	Exponent float64 `json:"exponent"`
	Section  string  `json:"section,omitzero"` // "all" (default), "output" or "thinking"
}

// Fallback holds the verdicts that stand in for unusable judge answers, by the
// sign of the weight. An empty side has no fallback.
type Fallback struct {
	Positive string `json:"positive,omitzero"` // "MET" or "UNMET"
	Negative string `json:"negative,omitzero"`
}

// Digest returns the digest of the rubric's meaning: of its canonical JSON
// without Source, "sha256:<hex>". Two documents that say the same in different
// formatting have the same digest.
func (r *Rubric) Digest() string {
	c := *r
	c.Source = Source{}
	b, err := json.Marshal(&c, json.Deterministic(true))
	if err != nil { // the model holds JSON values only; Check refuses others
		panic(fmt.Sprintf("rubric: %v", err))
	}
	return digest.Of(b)
}

// Walk calls visit for every criterion, groups before their members, metrics
// last, with the path of each ("criteria[1].criteria[0]", "metrics[0]").
func (r *Rubric) Walk(visit func(path string, c *Criterion)) {
	walk("criteria", r.Criteria, visit)
	walk("metrics", r.Metrics, visit)
}

func walk(path string, list []Criterion, visit func(string, *Criterion)) {
	for i := range list {
		p := fmt.Sprintf("%s[%d]", path, i)
		visit(p, &list[i])
		walk(p+".criteria", list[i].Criteria, visit)
	}
}

// All returns every criterion in the order of Walk. The pointers are into r.
func (r *Rubric) All() iter.Seq[*Criterion] {
	return func(yield func(*Criterion) bool) {
		stop := func(c *Criterion) bool { return !yield(c) }
		_ = Contains(r.Criteria, stop) || Contains(r.Metrics, stop)
	}
}

// Contains reports whether a criterion of a list, or of a group in it, is one that is meant.
func Contains(list []Criterion, is func(*Criterion) bool) bool {
	for i := range list {
		if is(&list[i]) || Contains(list[i].Criteria, is) {
			return true
		}
	}
	return false
}

// Requires reports whether a criterion or metric is required.
func (r *Rubric) Requires() bool {
	required := func(c *Criterion) bool { return c.Required }
	return Contains(r.Criteria, required) || Contains(r.Metrics, required)
}

// Leaves returns every criterion that needs a scorer, in document order,
// metrics last. The pointers are into r.
func (r *Rubric) Leaves() []*Criterion {
	var out []*Criterion
	for c := range r.All() {
		if !c.Group() {
			out = append(out, c)
		}
	}
	return out
}

// Find returns the criterion or metric with the given id, or nil.
func (r *Rubric) Find(id string) *Criterion {
	for c := range r.All() {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Index returns every criterion and metric by its id, for whoever looks up many:
// Find looks at one after the other. The pointers are into r.
func (r *Rubric) Index() map[string]*Criterion {
	index := map[string]*Criterion{}
	for c := range r.All() {
		index[c.ID] = c
	}
	return index
}

// A Way is how a criterion is scored.
type Way string

// The ways. The zero value is ByJudge.
const (
	ByJudge  Way = "judge"  // a language model answers
	ByMetric Way = "metric" // a plugin computes
	BySchema Way = "schema" // a JSON Schema decides
)

// A Binding says which scorer answers a criterion, and how it is called.
// The zero value is a judge that reads the criterion's text.
type Binding struct {
	Way    Way     `json:"way,omitzero"`
	Metric *Metric `json:"metric,omitzero"` // for ByMetric
	Schema *Schema `json:"schema,omitzero"` // for BySchema
	Prompt *Prompt `json:"prompt,omitzero"` // for ByJudge, in place of the criterion's text
}

// WayOrJudge returns the way, ByJudge for the zero value.
func (b *Binding) WayOrJudge() Way { return cmp.Or(b.Way, ByJudge) }

// A Metric names a plugin and its configuration.
type Metric struct {
	// Plugin is a built-in or catalog name ("rouge"), or a path ("./x.wasm",
	// "./x.py:f1"). As a bare name it may also be an export that only one
	// plugin of the catalog has ("flesch_reading_ease").
	Plugin string `json:"plugin"`

	// Export is the plugin's scorer; empty: its only or default one.
	Export string `json:"export,omitzero"`

	// Kind is the contract kind: "metric" (zero), "scorer", "judge" or "check".
	// A plugin whose manifest says check is never called as anything else.
	Kind string `json:"kind,omitzero"`

	// Args are the command-line arguments of a plugin that is a program, behind
	// its name. Only for the kind "judge".
	Args []string `json:"args,omitzero"`

	// Config is handed to the plugin after the defaults of its manifest.
	Config map[string]any `json:"config,omitzero"`

	// References names the case fields that hold the references, first found
	// first. Empty: the case's references.
	References []string `json:"references,omitzero"`

	// Type and Spelling keep how a document named the metric.
	Type     string         `json:"type,omitzero"`
	Spelling map[string]any `json:"spelling,omitzero"`
}

// A Schema is a JSON Schema that the output must satisfy.
type Schema struct {
	Inline any    `json:"inline,omitzero"` // the schema itself
	Ref    string `json:"ref,omitzero"`    // a path, relative to the rubric's directory
}

// A Prompt is a Jinja2 template that replaces the criterion's text.
type Prompt struct {
	Template     string `json:"template"`
	OutputSchema any    `json:"output_schema,omitzero"`
}
