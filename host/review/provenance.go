package review

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A Provenance is the origin of a version of an artifact and the record of its
// reviews. The keys up to revision_history are those of dataknobs' ProvenanceRecord.
// Times are UTC.
type Provenance struct {
	CreatedBy     string         `json:"created_by"` // such as "user:jane" or "bot:quizbot"
	CreatedAt     time.Time      `json:"created_at"`
	Method        string         `json:"creation_method"` // generator, wizard, manual, derived, llm_assisted
	Context       map[string]any `json:"creation_context"`
	Sources       []Source       `json:"sources"`
	Tools         []Tool         `json:"tool_chain"`
	LLM           []LLMCall      `json:"llm_invocations"` // while it was created
	ReviewHistory []string       `json:"review_history"`  // ids of evaluations of all versions, oldest first
	Revisions     []Revision     `json:"revision_history"`

	// Rules are those of the type when the artifact was created. They hold for all
	// of its versions, whatever becomes of the type.
	Rules Rules `json:"review_rules"`

	Reviews []Review `json:"reviews"` // of this version, oldest first

	// Evaluating says that a submission has not ended: its evaluations are being
	// made, or its process was killed.
	Evaluating bool `json:"evaluating,omitzero"`
}

// A Source is material that an artifact was made from.
type Source struct {
	ID         string  `json:"source_id"`
	Type       string  `json:"source_type"` // artifact, document, vector_result, user_input, external
	Location   string  `json:"source_location,omitzero"`
	Relevance  string  `json:"relevance,omitzero"`
	Excerpt    string  `json:"excerpt,omitzero"`
	Confidence float64 `json:"confidence"` // in [0, 1]; 1 if not given
}

// A Tool is a program that was used to make an artifact.
type Tool struct {
	Name       string         `json:"tool_name"`
	Version    string         `json:"tool_version,omitzero"`
	Parameters map[string]any `json:"parameters,omitzero"`
	At         time.Time      `json:"timestamp,omitzero"`
}

// An LLMCall is a question to a language model. Hashes are the first 16
// hexadecimal digits of SHA-256.
type LLMCall struct {
	Purpose      string    `json:"purpose"`
	Model        string    `json:"model,omitzero"`
	PromptHash   string    `json:"prompt_hash,omitzero"`
	ResponseHash string    `json:"response_hash,omitzero"`
	At           time.Time `json:"timestamp,omitzero"`
}

// A Revision is the step from one version to the next.
type Revision struct {
	ID       string    `json:"revision_id"` // "rev_" and 12 hexadecimal digits
	Previous string    `json:"previous_version"`
	Reason   string    `json:"reason"`
	Changes  string    `json:"changes_summary"`
	By       string    `json:"triggered_by"`
	At       time.Time `json:"timestamp"`
}

// A Review is one submission of a version.
type Review struct {
	At          time.Time    `json:"submitted_at"`
	By          string       `json:"submitted_by"`
	Evaluations []Evaluation `json:"evaluations"`
	Status      Status       `json:"status"` // in_review: no decision
	Reason      string       `json:"reason"` // of the status
}

// An Evaluation is the summary of one evaluation in a review. The complete record is
// a row of a run directory.
type Evaluation struct {
	ID            string        `json:"evaluation_id"` // "eval_" and 12 hexadecimal digits
	Run           string        `json:"run_id"`
	Target        string        `json:"target_id"` // the case of the row: ID@VERSION of the artifact
	Rubric        string        `json:"rubric_id"`
	RubricVersion string        `json:"rubric_version"`
	RubricDigest  string        `json:"rubric_digest"`
	Status        rubric.Status `json:"status"` // scored or unscored
	Score         *float64      `json:"score"`  // nil: unscored
	Passed        *bool         `json:"passed"` // nil: the rubric has no pass rule, or there is no score
	Reason        string        `json:"reason,omitzero"`
	Feedback      string        `json:"feedback_summary"`
	At            time.Time     `json:"evaluated_at"` // the start of the run, as in store.Evaluation
	By            string        `json:"evaluated_by"` // who started the run
	Evaluator     string        `json:"evaluator"`    // program and version
	Calls         []LLMCall     `json:"llm_invocations,omitzero"`
}

// ReadProvenance decodes the provenance of an artifact. The error says that it is
// no provenance.
func (a *Artifact) ReadProvenance() (Provenance, error) {
	var p Provenance
	if len(a.Provenance) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(a.Provenance, &p); err != nil {
		return p, fault.New(fault.Invalid, "artifact %s %s: provenance: %w", a.ID, a.Version, err)
	}
	return p, nil
}

func (p *Provenance) encode(a *Artifact) error {
	b, err := json.Marshal(p, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return fault.New(fault.Invalid, "the provenance cannot be written as JSON: %w", err)
	}
	a.Provenance = b
	return nil
}

// Last returns the newest review; nil: there is none.
func (p *Provenance) Last() *Review {
	if len(p.Reviews) == 0 {
		return nil
	}
	return &p.Reviews[len(p.Reviews)-1]
}

// ParseProvenance reads the provenance of a new artifact: the keys up to llm_invocations. Confidence is 1 if
// missing. Errors are of class fault.Invalid.
func ParseProvenance(name string, src []byte) (Provenance, error) {
	given := struct {
		CreatedBy string         `json:"created_by"`
		CreatedAt time.Time      `json:"created_at"`
		Method    string         `json:"creation_method"`
		Context   map[string]any `json:"creation_context"`
		Sources   []struct {
			Source
			Confidence *float64 `json:"confidence"`
		} `json:"sources"`
		Tools []Tool    `json:"tool_chain"`
		LLM   []LLMCall `json:"llm_invocations"`
	}{}
	if err := json.Unmarshal(src, &given, json.RejectUnknownMembers(true)); err != nil {
		return Provenance{}, fault.WithHint(fault.New(fault.Invalid, "%s is not a provenance: %w", name, err),
			"its keys are created_by, created_at, creation_method, creation_context, sources, tool_chain and llm_invocations")
	}
	p := Provenance{CreatedBy: given.CreatedBy, CreatedAt: given.CreatedAt, Method: given.Method, Context: given.Context, Tools: given.Tools, LLM: given.LLM}
	for i, s := range given.Sources {
		s.Source.Confidence = 1
		if s.Confidence != nil {
			s.Source.Confidence = *s.Confidence
		}
		if !(s.Source.Confidence >= 0 && s.Source.Confidence <= 1) {
			return Provenance{}, fault.New(fault.Invalid, "%s: sources[%d]: confidence %v is not between 0 and 1", name, i, s.Source.Confidence)
		}
		p.Sources = append(p.Sources, s.Source)
	}
	return p, nil
}
