package llm_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

// errorOf returns the error of an endpoint that answers with a.
func errorOf(t *testing.T, a llmtest.Answer) error {
	t.Helper()
	_, err := llmtest.Script(t, a).Client(t).Complete(t.Context(), llm.Request{User: "q"})
	if err == nil {
		t.Fatal("it answers")
	}
	return err
}

// TestBreaker_StopsWhenEverythingIsRefused has 5,000 calls of a few at once.
func TestBreaker_StopsWhenEverythingIsRefused(t *testing.T) {
	down, err := llm.New(llm.Endpoint{BaseURL: "http://127.0.0.1:1/v1", Model: "m"})
	must(t, err)
	_, unreachable := down.Complete(t.Context(), llm.Request{User: "q"})
	day := map[string]string{"Retry-After": "86400"}
	for _, tt := range []struct {
		name   string
		err    error
		class  fault.Class // None: it continues
		before int         // answers that come first
		most   int
	}{
		{"401", errorOf(t, llmtest.Answer{Status: 401, Error: "no"}), fault.JudgeAuth, 0, 15},
		{"403", errorOf(t, llmtest.Answer{Status: 403, Error: "no"}), fault.JudgeAuth, 0, 15},
		{"404", errorOf(t, llmtest.Answer{Status: 404, Error: "no"}), fault.JudgeRequest, 0, 15},
		{"no credit", errorOf(t, llmtest.Answer{Status: 429, Body: `{"error":{"message":"quota","code":"insufficient_quota"}}`}), fault.JudgeRequest, 0, 15},
		{"a redirect", errorOf(t, llmtest.Answer{Status: 301, Error: "no"}), fault.JudgeRequest, 0, 15},
		{"nobody there", unreachable, fault.JudgeUnreachable, 0, 15},
		{"a key that is revoked meanwhile", errorOf(t, llmtest.Answer{Status: 401, Error: "no"}), fault.JudgeAuth, 100, 130},
		{"a pause of a day", errorOf(t, llmtest.Answer{Status: 429, Error: "no", Header: day}), fault.RateLimited, 0, 13},
		{"a pause of a day with 503", errorOf(t, llmtest.Answer{Status: 503, Error: "no", Header: day}), fault.RateLimited, 10, 23},
		{"400 is about the request", errorOf(t, llmtest.Answer{Status: 400, Error: "no"}), fault.None, 0, 5000},
		{"500 may pass", errorOf(t, llmtest.Answer{Status: 500, Error: "no"}), fault.None, 0, 5000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				asked, stopped := 0, 0
				b := llm.NewBreaker(llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
					mu.Lock()
					defer mu.Unlock()
					if asked++; asked <= tt.before {
						return llm.Response{Text: "fine"}, nil
					}
					return llm.Response{}, tt.err
				}), "set the key")
				b.Arm(true)
				slots := make(chan struct{}, 10)
				var wg sync.WaitGroup
				for i := range 5000 {
					slots <- struct{}{}
					wg.Go(func() {
						defer func() { <-slots }()
						_, err := b.Complete(context.Background(), llm.Request{User: fmt.Sprint(i)})
						if llm.Stops(err) {
							mu.Lock()
							stopped++
							mu.Unlock()
							if fault.Of(err) != tt.class || tt.class == fault.JudgeAuth && !strings.Contains(fault.Hint(err), "set the key") {
								t.Errorf("%v (%s)", err, fault.Hint(err))
							}
						}
					})
				}
				wg.Wait()
				if asked > tt.most || (stopped > 0) != (tt.class != fault.None) || tt.class != fault.None && stopped != 5000-tt.before {
					t.Errorf("%d requests, %d of 5000 calls stopped", asked, stopped)
				}
			})
		})
	}
}

// TestBreaker_StopsAtTheFirstRefusalWithoutAKey: another request fares no better. One that is refused
// among answers may be blocked for its content.
func TestBreaker_StopsAtTheFirstRefusalWithoutAKey(t *testing.T) {
	refused := errorOf(t, llmtest.Answer{Status: 401, Error: "no key"})
	for answers, want := range map[int]int{0: 1, 1: 1 + 3} {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			b := llm.NewBreaker(llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
				if asked++; asked <= answers {
					return llm.Response{Text: "fine"}, nil
				}
				return llm.Response{}, refused
			}), "set the key")
			b.NeedKey(llm.Endpoint{BaseURL: "http://localhost:8000/v1", Model: "m"})
			b.Arm(true)
			for range answers {
				if _, err := b.Complete(context.Background(), llm.Request{}); err != nil {
					t.Fatal(err)
				}
			}
			_, err := b.Complete(context.Background(), llm.Request{})
			if asked != want || llm.Stops(err) != (answers == 0) || !fault.Is(err, fault.JudgeAuth) {
				t.Errorf("after %d answers: %d requests, %v", answers, asked, err)
			}
		})
	}
}

// TestBreaker_OneRefusalStopsNothing refuses a single request for ever.
func TestBreaker_OneRefusalStopsNothing(t *testing.T) {
	refused := errorOf(t, llmtest.Answer{Status: 403, Error: "blocked"})
	synctest.Test(t, func(t *testing.T) {
		b := llm.NewBreaker(llm.Func(func(_ context.Context, q llm.Request) (llm.Response, error) {
			if q.User == "7" {
				return llm.Response{}, refused
			}
			return llm.Response{Text: "fine"}, nil
		}), "")
		b.Arm(true)
		for i := range 20 {
			_, err := b.Complete(context.Background(), llm.Request{User: fmt.Sprint(i)})
			if (err != nil) != (i == 7) || llm.Stops(err) {
				t.Errorf("call %d: %v", i, err)
			}
		}
	})
}

// TestBreaker_StopsAfterNothingBut429 has an endpoint whose quota is used up.
func TestBreaker_StopsAfterNothingBut429(t *testing.T) {
	busy := errorOf(t, llmtest.Answer{Status: 429, Error: "quota"})
	synctest.Test(t, func(t *testing.T) {
		b := llm.NewBreaker(llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, busy }), "")
		b.Arm(true)
		began := time.Now()
		for {
			_, err := b.Complete(context.Background(), llm.Request{User: "q"})
			if llm.Stops(err) {
				if took := time.Since(began); fault.Of(err) != fault.RateLimited || took < 5*time.Minute || took > 6*time.Minute {
					t.Errorf("%v after %v", err, took)
				}
				return
			}
			if fault.Of(err) != fault.JudgeLimit || time.Since(began) > time.Hour {
				t.Fatalf("%v after %v", err, time.Since(began))
			}
			time.Sleep(10 * time.Second)
		}
	})
}

// TestBreaker_IsNotMisledByAnOlderAnswer has a slow answer to a request that was
// sent before the key was revoked arrive between the refusals.
func TestBreaker_IsNotMisledByAnOlderAnswer(t *testing.T) {
	refused := errorOf(t, llmtest.Answer{Status: 401, Error: "no"})
	synctest.Test(t, func(t *testing.T) {
		b := llm.NewBreaker(llm.Func(func(_ context.Context, q llm.Request) (llm.Response, error) {
			switch q.User {
			case "quick":
				return llm.Response{Text: "fine"}, nil
			case "slow": // it is answered between the first tries and the second
				time.Sleep(100 * time.Millisecond)
				return llm.Response{Text: "fine"}, nil
			}
			return llm.Response{}, refused
		}), "")
		b.Arm(true)
		if _, err := b.Complete(context.Background(), llm.Request{User: "quick"}); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := b.Complete(context.Background(), llm.Request{User: "slow"}); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		for i := range 10 {
			wg.Go(func() {
				if _, err := b.Complete(context.Background(), llm.Request{User: fmt.Sprint(i)}); !llm.Stops(err) {
					t.Errorf("call %d: %v", i, err)
				}
			})
		}
		wg.Wait()
	})
}
