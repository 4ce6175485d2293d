package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/plan"
)

// estimator stands in for a judge: it estimates the usage of a request, and
// declines to answer.
type estimator struct {
	endpoint llm.Endpoint

	embeddings *llm.Endpoint // nil: none are asked for

	mu    sync.Mutex
	spent llm.Usage
}

// Complete counts the request. It is refused rather than failed, so that no scorer
// asks again.
func (e *estimator) Complete(_ context.Context, req llm.Request) (llm.Response, error) {
	s := e.endpoint.Estimate(req)
	if len(req.Embed) > 0 {
		s = e.embeddings.Estimate(req)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.spent.Add(s)
	return llm.Response{}, fault.New(fault.JudgeRefusal, "an estimate sends no request")
}

// priced reports whether the prices of all that is asked are known.
func (e *estimator) priced() bool {
	return (e.endpoint.Priced() || e.endpoint.Model == "" && e.embeddings != nil) && (e.embeddings == nil || e.embeddings.Priced())
}

// cost is the price of the estimate in US dollars, nil if it is not known.
func (e *estimator) cost() *float64 {
	if !e.priced() {
		return nil
	}
	return &e.spent.CostUSD
}

// estimateRun prints the estimated judge calls, and sends nothing. Plugins do
// run: they cost nothing.
func estimateRun(ctx context.Context, p *program, f *evalFlags, doc *dialect.Document, w *evalWork) error {
	o, j := w.o, w.judge
	if j == nil {
		return fault.WithHint(fault.New(fault.Usage, "--estimate needs a judge"), "name one with --judge")
	}
	e := &estimator{endpoint: j.Endpoint}
	j.Record, j.Replay = nil, nil
	if f.judge != "" || f.replay != "" {
		j.Model = e
	}
	if w.embeddings != nil {
		e.embeddings = &w.embeddings.Endpoint
		w.embeddings.Model = e
	}
	ev, err := p.evaluator(ctx, &f.evaluatorFlags, j, w.embeddings)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	o.Runs, o.Gates = "", nil
	done, err := ev.Evaluate(ctx, doc, o)
	if err != nil {
		return err
	}
	written := 0 // calls for feedback, whose size depends on the verdicts
	if o.Feedback == plan.ByJudge {
		written = done.Totals.Cases * max(1, o.Repeat)
	}
	if p.json {
		return p.printJSON(map[string]any{"cases": done.Totals.Cases, "feedback_calls": written, "calls": e.spent.Calls, "tokens_in": e.spent.TokensIn, "tokens_out": e.spent.TokensOut, "cost_usd": e.cost()})
	}
	fmt.Fprintf(p.out, "%s cases, about %s judge calls, %s tokens in and %s out", diag.Thousands(done.Totals.Cases), diag.Thousands(e.spent.Calls), diag.Thousands(e.spent.TokensIn), diag.Thousands(e.spent.TokensOut))
	if e.priced() {
		fmt.Fprintf(p.out, ", $%.2f", e.spent.CostUSD)
	} else {
		fmt.Fprint(p.out, ", cost unknown")
	}
	if written > 0 {
		fmt.Fprintf(p.out, "\nand at most %s calls for feedback, whose size is not known before", diag.Thousands(written))
	}
	fmt.Fprint(p.out, "\nnothing was sent\n")
	return nil
}
