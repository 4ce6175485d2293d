package llm_test

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

// TestMeter_CountsWhatABreakerSendsAgain has four questions that are refused until the
// breaker gives up: every request that the server sees is a call.
func TestMeter_CountsWhatABreakerSendsAgain(t *testing.T) {
	s := llmtest.New(t, func(llmtest.Call) llmtest.Answer { return llmtest.Answer{Status: 401, Error: "no"} })
	m := llm.NewMeter(s.Client(t))
	b := llm.NewBreaker(llm.NewGate(m, 4), "")
	b.Arm(true)
	wg := start(t.Context(), b, 4)
	wg.Wait()
	sent := len(s.Calls())
	if got := m.Spent(); got.Calls != sent || got.Retries != sent-4 || sent <= 4 {
		t.Errorf("spent %+v, %d requests of 4 questions", got, sent)
	}
}

// TestMeter_CountsParametersThatAreRefused has an endpoint that takes no seed: it is asked
// again without one, and from then on at once.
func TestMeter_CountsParametersThatAreRefused(t *testing.T) {
	s := llmtest.New(t, func(c llmtest.Call) llmtest.Answer {
		if bytes.Contains(c.Body, []byte(`"seed"`)) {
			return llmtest.Answer{Status: 400, Error: "Unsupported parameter: 'seed'"}
		}
		return llmtest.Answer{Text: "yes"}
	})
	m, seed := llm.NewMeter(s.Client(t)), 1
	for range 2 {
		if _, err := m.Complete(t.Context(), llm.Request{User: "q", Seed: &seed}); err != nil {
			t.Fatal(err)
		}
	}
	if got := m.Spent(); got.Calls != len(s.Calls()) || got.Calls != 3 || got.Retries != 1 {
		t.Errorf("spent %+v, %d requests", got, len(s.Calls()))
	}
}

// TestMeter_CountsCancelledCallsThatWereSent cancels six calls of which two are under
// way. The recording has those two, so that a run that resumes counts them.
func TestMeter_CountsCancelledCallsThatWereSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := llm.NewMeter(llm.Func(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
			<-ctx.Done()
			return llm.Response{}, fault.New(fault.JudgeUnreachable, "gone")
		}))
		var out bytes.Buffer
		g := llm.NewGate(llm.NewRecorder(m, &out), 2)
		ctx, cancel := context.WithCancelCause(t.Context())
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				_, _ = g.Complete(ctx, llm.Request{User: "q", ID: llm.CallID{Case: "a", Criteria: []string{"x"}}})
			})
		}
		synctest.Wait()
		cancel(errors.New("enough"))
		wg.Wait()
		want := llm.Usage{Calls: 2}
		if got := m.Spent(); got != want {
			t.Errorf("spent %+v, want %+v", got, want)
		}
		answer := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
			if !r.Retry {
				t.Error("the first request of the second execution is not a retry")
			}
			return llm.Response{Text: "yes", TokensIn: 1}, nil
		})
		c, err := llm.Continue(answer, bytes.NewReader(out.Bytes()), "x", func(llm.CallID) bool { return true })
		if err != nil || c.Spent != want {
			t.Fatalf("spent %+v, %v, want %+v", c.Spent, err, want)
		}
		if res, err := c.Complete(t.Context(), llm.Request{User: "q", ID: llm.CallID{Case: "a", Criteria: []string{"x"}}}); err != nil || res.Text != "yes" {
			t.Errorf("%+v, %v", res, err)
		}
		if p := replay(t, out.String()); p.Len() != 0 {
			t.Errorf("%d calls without an outcome are played", p.Len())
		}
	})
}

// TestUsage_JSON: what is known of a cost is there when it is read again.
func TestUsage_JSON(t *testing.T) {
	for want, u := range map[string]llm.Usage{
		`{"calls":2,"tokens_in":5,"tokens_out":1,"cost_usd":0.5}`:                                                          {Calls: 2, TokensIn: 5, TokensOut: 1, CostUSD: 0.5},
		`{"calls":3,"tokens_in":5,"tokens_out":1,"cost_usd":null,"cost_usd_at_least":0.5,"unpriced":1}`:                    {Calls: 3, TokensIn: 5, TokensOut: 1, CostUSD: 0.5, Unpriced: 1},
		`{"calls":1,"retries":1,"tokens_in":null,"tokens_out":null,"uncounted":1,"cost_usd":null,"unpriced":1,"cached":4}`: {Calls: 1, Retries: 1, Uncounted: 1, Unpriced: 1, Cached: 4},
	} {
		b, err := json.Marshal(u)
		if err != nil || string(b) != want {
			t.Errorf("%+v is written as %s (%v), want %s", u, b, err, want)
		}
		var again llm.Usage
		if err := json.Unmarshal(b, &again, json.RejectUnknownMembers(true)); err != nil || again != u {
			t.Errorf("%s is read as %+v (%v)", b, again, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"calls":1,"cost":2}`), new(llm.Usage), json.RejectUnknownMembers(true)); err == nil {
		t.Error("an unknown member is accepted")
	}
}
