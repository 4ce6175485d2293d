// Package usage counts calls of language models, their tokens and their price. It is apart from
// package llm so that the readers of results do not import an HTTP client.
//
// Stability: experimental.
package usage

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Usage is the cost of judging.
type Usage struct {
	Calls     int     `json:"calls"`              // answers asked for; of a run: requests sent, retries included; replayed answers do not count
	Retries   int     `json:"retries,omitzero"`   // of a run: requests that repeat an earlier one for the same question
	TokensIn  int     `json:"tokens_in"`          // null if Uncounted is not 0: then it is not known
	TokensOut int     `json:"tokens_out"`         // likewise
	Uncounted int     `json:"uncounted,omitzero"` // calls whose tokens the endpoint did not count
	CostUSD   float64 `json:"cost_usd"`           // null if Unpriced is not 0: then it is not known, but at least cost_usd_at_least
	Unpriced  int     `json:"unpriced,omitzero"`  // calls of unknown price
	Cached    int     `json:"cached,omitzero"`    // answers that an earlier run had asked for; they are in no other figure
}

// Add adds o to u.
func (u *Usage) Add(o Usage) {
	u.Calls += o.Calls
	u.Retries += o.Retries
	u.TokensIn += o.TokensIn
	u.TokensOut += o.TokensOut
	u.Uncounted += o.Uncounted
	u.CostUSD += o.CostUSD
	u.Unpriced += o.Unpriced
	u.Cached += o.Cached
}

// Cost returns the cost in US dollars, and whether it is known: else it is at least so high.
func (u Usage) Cost() (usd float64, known bool) { return u.CostUSD, u.Unpriced == 0 }

// Tokens returns the tokens of requests and of answers, and whether they are known.
func (u Usage) Tokens() (in, out int, known bool) { return u.TokensIn, u.TokensOut, u.Uncounted == 0 }

// Known returns u with 0 for tokens that are not known, as it is read from JSON.
func (u Usage) Known() Usage {
	if u.Uncounted > 0 {
		u.TokensIn, u.TokensOut = 0, 0
	}
	return u
}

type usageJSON struct {
	Calls     int      `json:"calls"`
	Retries   int      `json:"retries,omitzero"`
	TokensIn  *int     `json:"tokens_in"`
	TokensOut *int     `json:"tokens_out"`
	Uncounted int      `json:"uncounted,omitzero"`
	CostUSD   *float64 `json:"cost_usd"`
	AtLeast   float64  `json:"cost_usd_at_least,omitzero"` // the known part of a cost that is null
	Unpriced  int      `json:"unpriced,omitzero"`
	Cached    int      `json:"cached,omitzero"`
}

// MarshalJSON writes tokens and a cost that are not known as null.
func (u Usage) MarshalJSON() ([]byte, error) {
	out := usageJSON{u.Calls, u.Retries, &u.TokensIn, &u.TokensOut, u.Uncounted, &u.CostUSD, 0, u.Unpriced, u.Cached}
	if u.Unpriced > 0 {
		out.CostUSD, out.AtLeast = nil, u.CostUSD
	}
	if u.Uncounted > 0 {
		out.TokensIn, out.TokensOut = nil, nil
	}
	return json.Marshal(out)
}

// UnmarshalJSONFrom reads what MarshalJSON writes.
func (u *Usage) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	in := usageJSON{TokensIn: &u.TokensIn, TokensOut: &u.TokensOut, CostUSD: &u.CostUSD}
	err := json.UnmarshalDecode(d, &in)
	u.Calls, u.Retries, u.Uncounted, u.Unpriced, u.Cached = in.Calls, in.Retries, in.Uncounted, in.Unpriced, in.Cached
	if in.CostUSD == nil {
		u.CostUSD = in.AtLeast
	}
	return err
}
