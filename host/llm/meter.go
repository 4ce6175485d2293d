package llm

import (
	"context"
	"sync"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm/usage"
)

// Usage is the cost of calls.
type Usage = usage.Usage

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
