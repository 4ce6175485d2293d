package rubric

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
)

// A Status says whether a verdict has a number.
type Status string

// The statuses. Only Scored has a number.
const (
	Scored   Status = "scored"
	Unscored Status = "unscored" // the scorer said that it cannot decide
	Failed   Status = "failed"   // the scorer gave no usable answer
)

// Overall is the criterion of a verdict on the whole rubric, as a holistic
// judge gives it.
const Overall = ""

// A Verdict is a scorer's answer for one criterion on one case.
type Verdict struct {
	Criterion string
	Status    Status
	Native    Native  // in the criterion's own form; none if the status is not Scored
	Value     float64 // in [0, 1]; meaningless unless the status is Scored
	Reason    string  // why, in the scorer's words; for Unscored, why not

	Evidence []Evidence
	Hits     []string
	Misses   []string
	Details  []byte    // a JSON object of the metric's own figures, or nil
	Stats    []float64 // a metric's figures that add up over a corpus, or nil
	Plain    bool      // Details is known to be valid ASCII JSON without white space between tokens and without escapes: it is written as it is

	Class    fault.Class // of a Failed verdict
	Message  string      // of a Failed verdict
	Hint     string      // of a Failed verdict; may be empty
	Trace    []string    // of a Failed verdict: the plugin's functions that it failed in, innermost first; see fault.Trace
	Warnings []string    // warnings beside the answer
	Fallback bool        // the verdict is the rubric's fallback, not an answer
	How      How
}

// Evidence is a part of the case that a scorer points at.
type Evidence struct {
	Field string `json:"field,omitzero"` // "output", "input", ...; empty for free text
	Start int    `json:"start,omitzero"` // first code point of the part
	End   int    `json:"end,omitzero"`   // one past the last code point
	Text  string `json:"text,omitzero"`
}

// MarshalJSONTo writes start and end both or, without a place, neither.
func (e Evidence) MarshalJSONTo(to *jsontext.Encoder) error {
	if e.Start == 0 && e.End == 0 {
		type plain Evidence
		return json.MarshalEncode(to, plain(e))
	}
	type placed struct {
		Field string `json:"field,omitzero"`
		Start int    `json:"start"`
		End   int    `json:"end"`
		Text  string `json:"text,omitzero"`
	}
	return json.MarshalEncode(to, placed(e))
}

// How is the origin of a verdict: enough to reproduce it.
type How struct {
	By string `json:"by"` // "metric", "judge", "schema" or "given"

	Plugin string `json:"plugin,omitzero"`
	Export string `json:"export,omitzero"`
	Digest string `json:"digest,omitzero"` // of the module, the prompt template or the schema
	Fuel   uint64 `json:"fuel,omitzero"`   // units of the meter's cost table

	// PeerFuel is the fuel of the code that the call ran in its peer, beside Fuel.
	PeerFuel uint64 `json:"peer_fuel,omitzero"`

	Judge string `json:"judge,omitzero"` // model as the endpoint names it

	// PromptHash and ResponseHash are of the last request to a judge and its answer:
	// the first 16 hexadecimal digits of SHA-256. The prompt is the rendered template
	// where the criterion has one, else the message of the user.
	PromptHash   string `json:"prompt_hash,omitzero"`
	ResponseHash string `json:"response_hash,omitzero"`

	// Embeddings is the model whose embeddings a metric was given, as the endpoint names it.
	// Tokens and costs are then of the request for them.
	Embeddings string `json:"embeddings,omitzero"`

	TokensIn  int     `json:"tokens_in,omitzero"`
	TokensOut int     `json:"tokens_out,omitzero"`
	CostUSD   float64 `json:"cost_usd,omitzero"`
	Unpriced  int     `json:"unpriced,omitzero"`  // answers of unknown price: they are not in CostUSD
	Uncounted int     `json:"uncounted,omitzero"` // answers whose tokens the endpoint does not count: they are not in TokensIn and TokensOut
	Attempts  int     `json:"attempts,omitzero"`  // answers asked for, from 1
	Replayed  bool    `json:"replayed,omitzero"`  // the answer came from a recording
	Cached    bool    `json:"cached,omitzero"`    // the answer was asked for by an earlier run

	// Nondeterministic marks a number that a grant or a judge may change from
	// one run to the next.
	Nondeterministic bool `json:"nondeterministic,omitzero"`
}

// Unable returns an unscored verdict with its reason.
func Unable(criterion, reason string) Verdict {
	return Verdict{Criterion: criterion, Status: Unscored, Reason: reason}
}

// FailedBy returns the failed verdict that err stands for.
func FailedBy(criterion string, err error) Verdict {
	v := Verdict{Criterion: criterion, Status: Failed, Class: fault.Of(err), Message: err.Error(), Trace: fault.Trace(err)}
	if h := fault.Hint(err); h != v.Class.Advice() {
		v.Hint = h
	}
	return v
}
