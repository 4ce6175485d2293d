package llm

import (
	"context"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
)

// A Meter counts the requests that a Model is sent, and what its answers use. It
// stands directly in front of the models: what a queue, a budget or a breaker holds
// back is not a call, and what a breaker sends again is one more. It is safe for
// concurrent use.
type Meter struct {
	next  Model
	mu    sync.Mutex
	spent Usage
}

// NewMeter returns a meter in front of next.
func NewMeter(next Model) *Meter { return &Meter{next: next} }

// Spent returns the usage so far, calls under way not included.
func (m *Meter) Spent() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spent
}

// Begin starts a run of which earlier executions have used u. No call may be under
// way.
func (m *Meter) Begin(u Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spent = u
}

// Complete asks and counts. A call that ctx ends under way was sent, and counts.
func (m *Meter) Complete(ctx context.Context, req Request) (Response, error) {
	if ctx.Err() != nil {
		return Response{}, context.Cause(ctx)
	}
	res, err := m.next.Complete(ctx, req)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spent.Add(res.spent(err, req.Retry))
	return res, err
}

// spent is the usage of a call with this outcome; retry says that it repeats an
// earlier one.
func (r *Response) spent(err error, retry bool) Usage {
	if r.Replayed || r.Cached {
		return Usage{}
	}
	sent := max(1, r.Requests)
	s := Usage{Calls: sent, Retries: sent - 1, TokensIn: r.TokensIn, TokensOut: r.TokensOut, CostUSD: r.CostUSD}
	if retry {
		s.Retries = sent
	}
	if r.Unpriced {
		s.Unpriced = 1
	}
	if r.Uncounted(err) {
		s.Uncounted = 1
	}
	return s
}

// Uncounted reports whether the model was at work for this outcome, and the endpoint does not
// say how many tokens that took.
func (r *Response) Uncounted(err error) bool {
	return (err == nil || r.Unpriced || fault.Is(err, fault.JudgeAnswer, fault.JudgeRefusal)) && !r.Cached && r.TokensIn+r.TokensOut == 0
}

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
