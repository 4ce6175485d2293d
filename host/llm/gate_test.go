package llm_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

// held is a model whose calls wait until the test lets them go.
type held struct {
	mu     sync.Mutex
	now    int
	most   int
	begun  int
	finish chan error
}

func newHeld() *held { return &held{finish: make(chan error)} }

func (h *held) Complete(ctx context.Context, _ llm.Request) (llm.Response, error) {
	h.mu.Lock()
	h.now++
	h.begun++
	h.most = max(h.most, h.now)
	h.mu.Unlock()
	defer func() { h.mu.Lock(); h.now--; h.mu.Unlock() }()
	select {
	case err := <-h.finish:
		return llm.Response{Text: "x", TokensIn: 10, TokensOut: 5, CostUSD: 1}, err
	case <-ctx.Done():
		return llm.Response{}, context.Cause(ctx)
	}
}

// seen returns the calls under way, the most there were, and all that began.
func (h *held) seen() (now, most, begun int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now, h.most, h.begun
}

func start(ctx context.Context, m llm.Model, n int) *sync.WaitGroup {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { _, _ = m.Complete(ctx, llm.Request{User: "q"}) })
	}
	return &wg
}

func TestGate_FixedAdmitsExactly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld()
		g := llm.NewGate(h, 3)
		wg := start(t.Context(), g, 10)
		synctest.Wait()
		if l := g.Load(); l.InFlight != 3 || l.Cap != 3 {
			t.Errorf("load = %+v", l)
		}
		for range 10 {
			h.finish <- nil
			synctest.Wait()
		}
		wg.Wait()
		if _, most, begun := h.seen(); most != 3 || begun != 10 {
			t.Errorf("most %d, begun %d", most, begun)
		}
		if l := g.Load(); l.InFlight != 0 {
			t.Errorf("load at the end = %+v", l)
		}
	})
}

func TestGate_BacksOffOnceForARoundAndGrowsSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld()
		const calls = 20_000 // rounds of 17, 18 … 199 calls, and more
		g := llm.NewGate(h, 0)
		wg := start(t.Context(), g, calls)
		synctest.Wait()
		limit := fault.New(fault.JudgeLimit, "slow down")
		for range 20 {
			h.finish <- limit
			synctest.Wait()
		}
		if l := g.Load(); l.Cap != 16 || l.Limited != 20 || l.InFlight != 16 || l.Refusing.IsZero() {
			t.Errorf("20 429s of one round: %+v, want a cap of 16", l)
		}
		for range 16 {
			h.finish <- nil
			synctest.Wait()
		}
		if l := g.Load(); l.Cap != 17 || !l.Refusing.IsZero() {
			t.Errorf("a round without: cap %d, want 17", l.Cap)
		}
		for range calls - 36 {
			h.finish <- nil
		}
		wg.Wait()
		if l := g.Load(); l.Cap != 200 {
			t.Errorf("cap %d, want the most, 200", l.Cap)
		}
	})
}

func TestGate_NeverClosesForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld()
		g := llm.NewGate(h, 0)
		wg := start(t.Context(), g, 100)
		for range 100 {
			synctest.Wait()
			h.finish <- fault.New(fault.JudgeLimit, "no")
		}
		wg.Wait()
		if l := g.Load(); l.Cap != 1 {
			t.Errorf("cap = %d, want 1", l.Cap)
		}
	})
}

func TestGate_NothingBeginsDuringAPause(t *testing.T) {
	for _, want := range []time.Duration{30 * time.Second, llm.MaxPause} { // MaxPause is the longest that is granted
		t.Run(want.String(), func(t *testing.T) {
			s := llmtest.Script(t, llmtest.Answer{Status: 429, Error: "wait", Header: map[string]string{"Retry-After": strconv.Itoa(int(want.Seconds()))}})
			_, asked := s.Client(t).Complete(context.Background(), llm.Request{User: "q"})
			if d, ok := llm.RetryAfter(asked); !ok || d != want {
				t.Fatal(d, ok)
			}
			synctest.Test(t, func(t *testing.T) {
				h := newHeld()
				g := llm.NewGate(h, 2)
				began := time.Now()
				wg := start(t.Context(), g, 4)
				synctest.Wait()
				h.finish <- asked
				synctest.Wait()
				if l := g.Load(); l.InFlight != 1 || !l.Paused.Equal(began.Add(want)) {
					t.Errorf("load = %+v", l)
				}
				h.finish <- nil // the one under way may end, and nothing follows it
				synctest.Wait()
				if _, _, begun := h.seen(); begun != 2 {
					t.Errorf("%d began during the pause", begun-2)
				}
				h.finish <- nil
				if d := time.Since(began); d != want {
					t.Errorf("the pause took %v, want %v", d, want)
				}
				h.finish <- nil
				wg.Wait()
			})
		})
	}
}

// TestGate_RefusesTooLongAPause leaves it to the Breaker.
func TestGate_RefusesTooLongAPause(t *testing.T) {
	s := llmtest.Script(t, llmtest.Answer{Status: 429, Error: "wait", Header: map[string]string{"Retry-After": "86400"}})
	g := llm.NewGate(s.Client(t), 2)
	for range 3 {
		if _, err := g.Complete(t.Context(), llm.Request{User: "q"}); fault.Of(err) != fault.JudgeLimit {
			t.Fatal(err)
		}
	}
	if l := g.Load(); !l.Paused.IsZero() {
		t.Errorf("load = %+v", l)
	}
}

func TestGate_WaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld()
		g := llm.NewGate(h, 1)
		first := start(t.Context(), g, 1)
		synctest.Wait()
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		got := make(chan error)
		go func() { _, err := g.Complete(ctx, llm.Request{}); got <- err }()
		synctest.Wait()
		cancel(why)
		if err := <-got; !errors.Is(err, why) {
			t.Errorf("err = %v", err)
		}
		h.finish <- nil
		first.Wait()
		if _, _, begun := h.seen(); begun != 1 {
			t.Errorf("%d begun, want 1", begun)
		}
		if l := g.Load(); l.InFlight != 0 {
			t.Errorf("load = %+v", l)
		}
	})
}

func TestBudget_StopsTheRun(t *testing.T) {
	tests := []struct {
		name   string
		limits llm.Limits
		begun  int // of 20 calls that cost a dollar and 15 tokens each
	}{
		{"no limit", llm.Limits{}, 20},
		{"five dollars", llm.Limits{CostUSD: 5}, 5},
		{"forty tokens", llm.Limits{Tokens: 40}, 3},
		{"what comes first", llm.Limits{CostUSD: 5, Tokens: 1 << 30}, 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := llm.NewMeter(llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
				return llm.Response{TokensIn: 10, TokensOut: 5, CostUSD: 1}, nil
			}))
			b := llm.NewBudget(m, llm.Endpoint{}, tt.limits)
			begun := 0
			for range 20 {
				switch _, err := b.Complete(context.Background(), llm.Request{}); fault.Of(err) {
				case fault.None:
					begun++
				case fault.Budget:
				default:
					t.Fatal(err)
				}
			}
			if s := m.Spent(); begun != tt.begun || s.Calls != begun || s.TokensIn != 10*begun || s.CostUSD != float64(begun) {
				t.Errorf("begun %d, want %d; spent %+v", begun, tt.begun, s)
			}
		})
	}
}

func TestBudget_CountsCallsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld()
		// A dollar a call, and the endpoint's prices say as much beforehand.
		e := llm.Endpoint{PriceOut: 1e6 / 256}
		m := llm.NewMeter(h)
		b := llm.NewBudget(m, e, llm.Limits{CostUSD: 5})
		var mu sync.Mutex
		stopped := 0
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if _, err := b.Complete(t.Context(), llm.Request{User: "q"}); fault.Is(err, fault.Budget) {
					mu.Lock()
					stopped++
					mu.Unlock()
				}
			})
		}
		synctest.Wait()
		if now, _, _ := h.seen(); now != 5 {
			t.Errorf("%d calls under way at a budget of 5", now)
		}
		for range 5 {
			h.finish <- nil
			synctest.Wait()
		}
		wg.Wait()
		if _, _, begun := h.seen(); begun != 5 || stopped != 15 || m.Spent().CostUSD != 5 {
			t.Errorf("begun %d, stopped %d, spent %+v", begun, stopped, m.Spent())
		}
	})
}

func TestBudget_WaitingCallsProceedWhenOthersCostLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan float64)
		m := llm.NewMeter(llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
			return llm.Response{TokensIn: 1, CostUSD: <-release}, nil
		}))
		b := llm.NewBudget(m, llm.Endpoint{PriceOut: 1e6 / 256}, llm.Limits{CostUSD: 2})
		wg := start(t.Context(), b, 3)
		synctest.Wait()
		release <- 0.1 // expected to cost 1: there is room for the third now
		synctest.Wait()
		release <- 0.1
		release <- 0.1
		wg.Wait()
		if s := m.Spent(); s.Calls != 3 {
			t.Errorf("spent %+v, want three calls", s)
		}
	})
}

// TestBudget_EstimatesUncountedTokens keeps a limit by an estimate, of earlier
// executions too. The meter reports no estimate.
func TestBudget_EstimatesUncountedTokens(t *testing.T) {
	m := llm.NewMeter(llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "x"}, nil
	}))
	ask := func(b *llm.Budget) (n int) {
		for ; n < 100; n++ {
			if _, err := b.Complete(context.Background(), llm.Request{User: "0123456789"}); err != nil {
				break
			}
		}
		return n
	}
	n := ask(llm.NewBudget(m, llm.Endpoint{}, llm.Limits{Tokens: 1000}))
	if n == 0 || n == 100 {
		t.Errorf("%d calls to an endpoint that does not count, with a limit of 1000 tokens", n)
	}
	if s := m.Spent(); s != (llm.Usage{Calls: n, Uncounted: n}) {
		t.Errorf("spent %+v", s)
	}
	resumed := llm.NewBudget(m, llm.Endpoint{}, llm.Limits{Tokens: 1000})
	resumed.Begin(m.Spent())
	if n := ask(resumed); n != 0 {
		t.Errorf("%d more calls after resuming at the limit", n)
	}
}

// TestBudget_EstimatesUnknownCosts: of answers without a count, also where a failed call came first.
func TestBudget_EstimatesUnknownCosts(t *testing.T) {
	sent := 0
	m := llm.NewMeter(llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		if sent++; sent == 1 {
			return llm.Response{}, fault.New(fault.JudgeServer, "HTTP 500")
		}
		return llm.Response{Text: "x", Unpriced: true}, nil
	}))
	e, limits := llm.Endpoint{PriceIn: 1, PriceOut: 1000}, llm.Limits{CostUSD: 1} // an answer of 256 tokens: $0.256
	b := llm.NewBudget(m, e, limits)
	for sent < 100 {
		if _, err := b.Complete(context.Background(), llm.Request{User: "q"}); fault.Is(err, fault.Budget) {
			if !strings.Contains(err.Error(), "it has cost about $1.02") {
				t.Error(err)
			}
			break
		}
	}
	if sent != 5 {
		t.Errorf("%d calls, want one that failed and four", sent)
	}
	if s := m.Spent(); s != (llm.Usage{Calls: 5, Uncounted: 4, Unpriced: 4}) {
		t.Errorf("spent %+v", s)
	}
	resumed := llm.NewBudget(m, e, limits)
	resumed.Begin(llm.Usage{Calls: 4, Uncounted: 4, Unpriced: 4})
	if _, err := resumed.Complete(context.Background(), llm.Request{User: "q"}); !fault.Is(err, fault.Budget) {
		t.Errorf("a call after resuming at the limit: %v", err)
	}
}

func TestBudget_ReplayedAnswersCostNothing(t *testing.T) {
	m := llm.NewMeter(llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{TokensIn: 100, CostUSD: 100, Replayed: true}, nil
	}))
	b := llm.NewBudget(m, llm.Endpoint{}, llm.Limits{CostUSD: 1})
	for range 5 {
		if _, err := b.Complete(context.Background(), llm.Request{}); err != nil {
			t.Fatal(err)
		}
	}
	if s := m.Spent(); s != (llm.Usage{}) {
		t.Errorf("spent %+v", s)
	}
}

// TestBudget_EstimatesABatchByItsCriteria expects more of an answer about many criteria.
func TestBudget_EstimatesABatchByItsCriteria(t *testing.T) {
	for _, tt := range []struct{ criteria, most, want int }{{0, 0, 256}, {1, 0, 256}, {10_000, 0, 640_192}, {10_000, 4096, 4096}} {
		req := llm.Request{User: "u", MaxTokens: tt.most, ID: llm.CallID{Criteria: make([]string, tt.criteria)}}
		if got := (llm.Endpoint{}).Estimate(req).TokensOut; got != tt.want {
			t.Errorf("%d criteria, at most %d: %d tokens, want %d", tt.criteria, tt.most, got, tt.want)
		}
	}
}
