package llm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

// TestClient_LlamaCpp asks a real third-party server. Its answers are compared as
// values, within one run: the kernels of another processor give other words.
func TestClient_LlamaCpp(t *testing.T) {
	e := llmtest.LlamaCpp(t, "--ctx", "1024")
	client := func(t *testing.T, change func(*llm.Endpoint)) *llm.Client {
		t.Helper()
		e := e
		if change != nil {
			change(&e)
		}
		c, err := llm.New(e)
		must(t, err)
		t.Cleanup(c.Close)
		return c
	}
	complete := func(c *llm.Client, req llm.Request) (llm.Response, error) {
		return c.Complete(context.Background(), req)
	}
	asked := llm.Request{System: "Judge.", User: "Check: the fire began in a panel, and it is clear and correct.", Temperature: new(0.0), MaxTokens: 200, Schema: schema}

	t.Run("a schema binds, usage is counted and priced", func(t *testing.T) {
		c := client(t, func(e *llm.Endpoint) { e.PriceIn, e.PriceOut = 1e6, 2e6 })
		res, err := complete(c, asked)
		must(t, err)
		var v struct{ Reason, Verdict string }
		if err := json.Unmarshal([]byte(res.Text), &v, json.MatchCaseInsensitiveNames(true), json.RejectUnknownMembers(true)); err != nil || v.Verdict != "MET" && v.Verdict != "UNMET" {
			t.Errorf("answer %s: %v", res.Text, err)
		}
		if res.TokensIn < 10 || res.TokensOut < 5 || res.TokensOut > 200 || res.CostUSD != float64(res.TokensIn+2*res.TokensOut) || res.Finish != "stop" || res.Model != "tiny-judge" {
			t.Errorf("response %+v", res)
		}
		longer := asked
		longer.User += strings.Repeat(" panel", 50)
		more, err := complete(c, longer)
		if err != nil || more.TokensIn < res.TokensIn+50 {
			t.Errorf("fifty more words took %d tokens more: %v", more.TokensIn-res.TokensIn, err)
		}
	})
	t.Run("a temperature of zero is one: the same answer for every seed", func(t *testing.T) {
		c, texts := client(t, nil), map[string]bool{}
		for seed := range 4 {
			q := asked
			q.Seed = &seed
			res, err := complete(c, q)
			must(t, err)
			texts[res.Text] = true
		}
		if len(texts) != 1 {
			t.Errorf("%d different answers", len(texts))
		}
	})
	t.Run("another name is answered by the model that is loaded", func(t *testing.T) {
		q := asked
		q.Model = "gpt-5-whatever"
		if res, err := complete(client(t, nil), q); err != nil || res.Model != "tiny-judge" {
			t.Errorf("%+v, %v", res, err)
		}
	})
	t.Run("a schema it does not take is given up for plain JSON", func(t *testing.T) {
		q := asked
		q.Schema = jsontext.Value(`{"type":"objekt"}`)
		c := client(t, nil)
		if _, err := complete(c, q); err != nil && !fault.Is(err, fault.JudgeAnswer) {
			t.Errorf("err = %v", err)
		}
		strict := client(t, func(e *llm.Endpoint) { e.Structured = llm.JSONSchema })
		if _, err := complete(strict, q); fault.Of(err) != fault.JudgeRequest {
			t.Errorf("err = %v", err)
		}
	})
	failures := []struct {
		name   string
		change func(*llm.Endpoint)
		req    func(llm.Request) llm.Request
		class  fault.Class
		says   string
	}{
		{"a wrong key", func(e *llm.Endpoint) { e.Key = "sk-canary-wrong" }, nil, fault.JudgeAuth, "HTTP 401"},
		{"a wrong path", func(e *llm.Endpoint) { e.BaseURL += "/v2" }, nil, fault.JudgeRequest, "HTTP 404"},
		{"a prompt beyond the context", nil, func(q llm.Request) llm.Request {
			q.User = strings.Repeat("the cause is clear ", 1000)
			return q
		}, fault.JudgeRequest, "HTTP 400"},
		{"an answer that is cut off", nil, func(q llm.Request) llm.Request { q.MaxTokens = 6; return q }, fault.JudgeAnswer, "cut off after 6 tokens"},
	}
	for _, tt := range failures {
		t.Run(tt.name, func(t *testing.T) {
			q := asked
			if tt.req != nil {
				q = tt.req(q)
			}
			res, err := complete(client(t, tt.change), q)
			if fault.Of(err) != tt.class || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "sk-canary") {
				t.Errorf("err = %v", err)
			}
			if tt.class == fault.JudgeAnswer && (res.TokensOut != 6 || res.TokensIn == 0) {
				t.Errorf("response %+v", res)
			}
		})
	}
}
