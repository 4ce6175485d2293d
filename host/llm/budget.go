package llm

import (
	"context"
	"fmt"
	"sync"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Limits say when judging stops. Zero means no limit.
type Limits struct {
	CostUSD float64
	Tokens  int // of requests and answers together
}

// Estimate returns the probable usage of a request: four bytes to a token, and
// an answer of 256 tokens for one criterion and 64 for each further one, or as many
// as the request allows, if those are fewer.
func (e Endpoint) Estimate(req Request) Usage {
	if len(req.Embed) > 0 {
		in := 1
		for _, text := range req.Embed {
			in += len(text) / 4
		}
		return Usage{Calls: 1, TokensIn: in, CostUSD: e.PriceIn * float64(in) / 1e6}
	}
	in, out := (len(req.System)+len(req.User)+len(req.Schema))/4+1, 192+64*max(1, len(req.ID.Criteria))
	for _, m := range req.Then {
		in += len(m.Content) / 4
	}
	if req.MaxTokens > 0 {
		out = min(out, req.MaxTokens)
	}
	return Usage{Calls: 1, TokensIn: in, TokensOut: out, CostUSD: (e.PriceIn*float64(in) + e.PriceOut*float64(out)) / 1e6}
}

// A Budget stops calls of a Model once they have cost enough. A call begins only
// while the sum spent, and the probable cost of the calls under way, leaves room for
// one more, so that a run ends at its limit, and not beyond it by the calls under
// way. It is safe for concurrent use.
type Budget struct {
	next     Model
	endpoint Endpoint
	limits   Limits

	mu      sync.Mutex
	used    Usage         // by the calls that ended; estimated where the endpoint does not count
	pending Usage         // expected of the calls under way
	about   string        // before a sum: empty, or "about " if there are estimates in used
	changed chan struct{} // closed when a call under way ends; nil: no caller waits
}

// NewBudget returns a budget in front of next. Of e only the prices matter: they give
// the probable cost of calls under way. Without prices only the cost that a gateway
// reports counts towards Limits.CostUSD.
func NewBudget(next Model, e Endpoint, l Limits) *Budget {
	return &Budget{next: next, endpoint: e, limits: l}
}

// Begin starts a run of which earlier executions have used s: the limits hold for
// all of them together. No call may be under way.
func (b *Budget) Begin(s Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = s
}

// Complete asks the model if the limits leave room; else the error has class
// fault.Budget, and nothing is sent.
func (b *Budget) Complete(ctx context.Context, req Request) (Response, error) {
	expected, err := b.reserve(ctx, req)
	if err != nil {
		return Response{}, err
	}
	res, err := b.next.Complete(ctx, req)
	b.charge(expected, &res, err)
	return res, err
}

// reserve waits until there is room for req, or it is clear that there is none.
func (b *Budget) reserve(ctx context.Context, req Request) (Usage, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n, unpriced := b.used.Uncounted, b.used.Unpriced; n > 0 || unpriced > 0 { // answers of earlier executions
		b.about = "about "
		each := b.expect(req)
		b.used.Add(Usage{TokensIn: n * each.TokensIn, TokensOut: n * each.TokensOut, Uncounted: -n, CostUSD: float64(unpriced) * each.CostUSD, Unpriced: -unpriced})
	}
	for {
		if why := b.limits.reached(b.used, b.about); why != "" {
			return Usage{}, fault.New(fault.Budget, "judging stops: %s", why)
		}
		expected := b.expect(req)
		both := b.used
		both.Add(b.pending)
		if b.pending.Calls == 0 || b.limits.reached(both, "") == "" {
			b.pending.Add(expected)
			return expected, nil
		}
		if err := b.wait(ctx); err != nil {
			return Usage{}, err
		}
	}
}

// wait gives up the lock until a call under way ends.
func (b *Budget) wait(ctx context.Context) error {
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	changed := b.changed
	b.mu.Unlock()
	defer b.mu.Lock()
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// expect returns the probable usage of a request: the average of earlier calls,
// once there are some with a count.
func (b *Budget) expect(req Request) Usage {
	if n := b.used.Calls - b.used.Uncounted; n > 0 && b.used.TokensIn > 0 {
		return Usage{Calls: 1, TokensIn: b.used.TokensIn / n, TokensOut: b.used.TokensOut / n, CostUSD: b.used.CostUSD / float64(n)}
	}
	return b.endpoint.Estimate(req)
}

// charge adds what a call used. An answer without a count is taken for what was
// expected: the limit holds by an estimate, which no report counts.
func (b *Budget) charge(expected Usage, res *Response, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending.Add(Usage{Calls: -expected.Calls, TokensIn: -expected.TokensIn, TokensOut: -expected.TokensOut, CostUSD: -expected.CostUSD})
	used := res.spent(err, false)
	used.Calls = min(used.Calls, 1)
	if used.Uncounted > 0 || used.Unpriced > 0 {
		b.about = "about "
	}
	if used.Uncounted > 0 {
		used.TokensIn, used.TokensOut, used.Uncounted = expected.TokensIn, expected.TokensOut, 0
	}
	if used.Unpriced > 0 {
		used.CostUSD, used.Unpriced = expected.CostUSD, 0
	}
	if used.TokensIn+used.TokensOut == 0 {
		used.Calls = 0 // a failure, which lowers no average
	}
	b.used.Add(used)
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// reached says which limit s reaches, in words; empty if none.
func (l Limits) reached(s Usage, about string) string {
	switch {
	case l.CostUSD > 0 && s.CostUSD >= l.CostUSD:
		return fmt.Sprintf("it has cost %s$%.4f of at most $%.4f", about, s.CostUSD, l.CostUSD)
	case l.Tokens > 0 && s.TokensIn+s.TokensOut >= l.Tokens:
		return fmt.Sprintf("it has used %s%d tokens of at most %d", about, s.TokensIn+s.TokensOut, l.Tokens)
	}
	return ""
}
