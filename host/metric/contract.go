package metric

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// ContractVersion is the version of the JSON contract with plugins.
const ContractVersion = 1

// The kinds of request. A criterion is bound to one of all but the last.
const (
	KindMetric = "metric" // output against references: score
	KindScorer = "scorer" // one criterion with its levels: level or score
	KindJudge  = "judge"  // the whole case: score, hits, misses, reason
	KindCheck  = "check"  // a rubric as an object, one criterion with its levels: level
	KindCorpus = "corpus" // summed stats: the score of a set
)

// kinds are those that a criterion can be bound to.
var kinds = []string{KindMetric, KindScorer, KindJudge, KindCheck}

// FieldTarget is the case field that holds the graded thing as an object: the
// output where it is one, or text that is one in JSON; else the case itself.
const FieldTarget = "target"

// A Request is the host's message to a plugin; its schema is sdk/contract/request.schema.json.
// It is written by a template, field by field; this type is its description.
type Request struct {
	Args      []string       `json:"args,omitzero"`      // for judge: the command-line arguments of a program; first, if there
	Contract  int            `json:"contract"`           // 1; a plugin answers an error to any other number
	Kind      string         `json:"kind"`               // metric, scorer, judge, check or corpus
	Config    map[string]any `json:"config"`             // the manifest's defaults with the rubric's values over them
	Criterion *Criterion     `json:"criterion,omitzero"` // for scorer, judge and check
	Case      map[string]any `json:"case,omitzero"`      // the fields that the manifest's inputs ask for, where the case has them
	Stats     []float64      `json:"stats,omitzero"`     // for corpus: the sums of the cases' stats

	// For judge: the case as AgentV sends it to code judges.
	Question         string `json:"question,omitzero"`          // the input as text
	ExpectedOutcome  any    `json:"expected_outcome,omitzero"`  // of the case, in words
	ExpectedMessages []any  `json:"expected_messages,omitzero"` // the expected answer, as a list of messages
	ReferenceAnswer  string `json:"reference_answer,omitzero"`  // the first reference
	CandidateAnswer  string `json:"candidate_answer,omitzero"`  // the output as text
	OutputMessages   any    `json:"output_messages,omitzero"`   // the output where it is a list of messages, else null
	GuidelineFiles   any    `json:"guideline_files,omitzero"`   // of the case; empty list if absent
	InputFiles       any    `json:"input_files,omitzero"`       // of the case; empty list if absent
	InputMessages    []any  `json:"input_messages,omitzero"`    // the input, as a list of messages
	TraceSummary     any    `json:"trace_summary,omitzero"`     // of the case; null if absent
}

// A Criterion is the criterion, as plugins of the kinds scorer, judge and check get it.
type Criterion struct {
	ID     string  `json:"id"`              // unique in the rubric
	Name   string  `json:"name,omitzero"`   // for people
	Text   string  `json:"text,omitzero"`   // the statement to judge
	Levels []Level `json:"levels,omitzero"` // the answers there are, in the order of the rubric
}

// A Level is one possible answer to a criterion.
type Level struct {
	ID          string  `json:"id"`                   // the plugin's answer
	Label       string  `json:"label,omitzero"`       // for people
	Description string  `json:"description,omitzero"` // when the level is meant
	Score       float64 `json:"score"`                // its score, 0 to 1
}

// An Answer is a plugin's response; its schema is sdk/contract/answer.schema.json:
// exactly one of Score, Level, Unscored and Error.
type Answer struct {
	Score     *float64          `json:"score,omitzero"`     // finite, within the manifest's range
	Level     *string           `json:"level,omitzero"`     // the id of one of the criterion's levels
	Unscored  *string           `json:"unscored,omitzero"`  // why there is no score; the host never makes a 0 of it
	Error     *string           `json:"error,omitzero"`     // why the plugin failed, and the remedy
	Reason    string            `json:"reason,omitzero"`    // text for a person
	Reasoning string            `json:"reasoning,omitzero"` // AgentV's name of reason; not both
	Evidence  []rubric.Evidence `json:"evidence,omitzero"`  // parts of the case; with hits and misses, at most 1,000 entries and 64 KiB of text
	Hits      []string          `json:"hits,omitzero"`      // found items
	Misses    []string          `json:"misses,omitzero"`    // missing items
	Details   jsontext.Value    `json:"details,omitzero"`   // the metric's own figures under its own names, in its own units; at most 64 KiB and 1,000 keys, those of nested objects counted
	Stats     []float64         `json:"stats,omitzero"`     // figures that add up over cases
}

// Bounds on an answer's parts, so that a plugin cannot flood a report.
const (
	maxReason   = 64 << 10 // bytes of reason, and of unscored
	maxError    = 2000     // bytes of error that are kept
	maxEvidence = 1000     // of evidence, hits and misses together
	maxListed   = 64 << 10 // bytes of text in evidence, hits and misses together
	maxStats    = 100_000
	maxDetails  = 64 << 10 // bytes of details
	maxKeys     = 1000     // of details, at every level
	maxNesting  = 100      // of lists and objects, the answer itself included
)

// DefaultInputs returns the case fields that a plugin gets whose manifest asks
// for none.
func DefaultInputs(kind string) []string {
	switch kind {
	case KindScorer:
		return []string{FieldTarget, dataset.FieldOutput, dataset.FieldInput, dataset.FieldReferences, dataset.FieldMetadata}
	case KindCheck:
		return []string{FieldTarget}
	case KindJudge:
		return []string{dataset.FieldID, dataset.FieldInput, dataset.FieldOutput, dataset.FieldReferences,
			dataset.FieldExpected, dataset.FieldContext, dataset.FieldMetadata}
	}
	return []string{dataset.FieldOutput, dataset.FieldReferences, dataset.FieldInput}
}
