package llm

import "github.com/go-json-experiment/json"

// Usage is the cost of judging.
type Usage struct {
	Calls     int     `json:"calls"`              // answers asked for; of a run: requests sent, retries included; replayed answers do not count
	Retries   int     `json:"retries,omitzero"`   // of a run: requests that repeat an earlier one for the same question
	TokensIn  int     `json:"tokens_in"`          // null if Uncounted is not 0: then it is not known
	TokensOut int     `json:"tokens_out"`         // likewise
	Uncounted int     `json:"uncounted,omitzero"` // answers whose tokens the endpoint does not count
	CostUSD   float64 `json:"cost_usd"`           // null if Unpriced is not 0: then it is not known
	Unpriced  int     `json:"unpriced,omitzero"`  // answers of unknown price
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

// Cost returns the cost in US dollars, and whether it is known.
func (u Usage) Cost() (usd float64, known bool) { return u.CostUSD, u.Unpriced == 0 }

// Tokens returns the tokens of requests and of answers, and whether they are known.
func (u Usage) Tokens() (in, out int, known bool) { return u.TokensIn, u.TokensOut, u.Uncounted == 0 }

// Known returns u with 0 for tokens and a cost that are not known, as it is read from JSON.
func (u Usage) Known() Usage {
	if u.Unpriced > 0 {
		u.CostUSD = 0
	}
	if u.Uncounted > 0 {
		u.TokensIn, u.TokensOut = 0, 0
	}
	return u
}

// MarshalJSON writes tokens and a cost that are not known as null.
func (u Usage) MarshalJSON() ([]byte, error) {
	cost := &u.CostUSD
	if u.Unpriced > 0 {
		cost = nil
	}
	in, out := &u.TokensIn, &u.TokensOut
	if u.Uncounted > 0 {
		in, out = nil, nil
	}
	return json.Marshal(struct {
		Calls     int      `json:"calls"`
		Retries   int      `json:"retries,omitzero"`
		TokensIn  *int     `json:"tokens_in"`
		TokensOut *int     `json:"tokens_out"`
		Uncounted int      `json:"uncounted,omitzero"`
		CostUSD   *float64 `json:"cost_usd"`
		Unpriced  int      `json:"unpriced,omitzero"`
		Cached    int      `json:"cached,omitzero"`
	}{u.Calls, u.Retries, in, out, u.Uncounted, cost, u.Unpriced, u.Cached})
}
