package llm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

func TestClient_LeavesOutRefusedParameters(t *testing.T) {
	refuse := func(c llmtest.Call) (string, bool) {
		switch {
		case c.MaxTokens > 0:
			return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", true
		case c.Temperature != nil:
			return "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", true
		case c.Seed != nil:
			return "Unknown parameter: 'seed'.", true
		case c.Format.Type == "json_schema":
			return "response_format.type json_schema is unavailable now", true
		}
		return "", false
	}
	s := llmtest.New(t, func(c llmtest.Call) llmtest.Answer {
		if why, no := refuse(c); no {
			return llmtest.Answer{Status: 400, Error: why}
		}
		return llmtest.Answer{Text: "x"}
	})
	c := s.Client(t)
	req := llm.Request{User: "q", Temperature: new(0.0), MaxTokens: 50, Seed: new(1), Schema: schema}
	res, err := c.Complete(context.Background(), req)
	must(t, err)
	if got := strings.Join(res.Dropped, " "); got != "temperature seed" {
		t.Errorf("dropped %q, want temperature and seed", got)
	}
	if n := len(s.Calls()); n != 5 {
		t.Errorf("it took %d requests, want 5", n)
	}
	if _, err := c.Complete(context.Background(), req); err != nil {
		t.Fatal(err)
	}
	calls := s.Calls()
	if len(calls) != 6 {
		t.Fatalf("the second answer took %d requests, want 1", len(calls)-5)
	}
	if last := calls[5]; last.MaxCompletionTokens != 50 || last.Format.Type != "json_object" {
		t.Errorf("last request = %s", last.Body)
	}
	if _, err := c.Complete(context.Background(), llm.Request{Model: "another", User: "q", Seed: new(1)}); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Calls()); n != 8 {
		t.Errorf("habits of one model were taken for another's: %d requests, want 8", n)
	}
}

func TestClient_StructuredOutputFallsBackToText(t *testing.T) {
	s := llmtest.New(t, func(c llmtest.Call) llmtest.Answer {
		if c.Format.Type != "" {
			return llmtest.Answer{Status: 422, Body: `{"detail":[{"loc":["body","response_format"],"msg":"extra fields not permitted"}]}`}
		}
		return llmtest.Answer{Text: "x"}
	})
	if _, err := s.Client(t).Complete(context.Background(), llm.Request{User: "q", Schema: schema}); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Calls()); n != 3 {
		t.Errorf("%d requests, want 3", n)
	}
}

func TestClient_OtherRefusalsChangeNothing(t *testing.T) {
	tests := []struct {
		name   string
		answer llmtest.Answer
		form   llm.Structured
	}{
		{"a prompt that is too long", llmtest.Answer{Status: 400, Error: "maximum context length is 4096 tokens, however you requested 5000 (in the messages and the response_format schema)"}, llm.Auto},
		{"a bad request about nothing we send", llmtest.Answer{Status: 400, Error: "unknown model"}, llm.Auto},
		{"a status that does not mean it", llmtest.Answer{Status: 401, Error: "temperature not supported"}, llm.Auto},
		{"a way that was asked for by name", llmtest.Answer{Status: 400, Error: "response_format is not supported"}, llm.JSONSchema},
		{"a limit that is too high", llmtest.Answer{Status: 400, Error: "max_tokens is too large: 9000"}, llm.Auto},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := llmtest.Script(t, tt.answer)
			e := s.Endpoint()
			e.Structured = tt.form
			c, err := llm.New(e)
			must(t, err)
			_, err = c.Complete(context.Background(), llm.Request{User: "q", Temperature: new(0.0), MaxTokens: 9, Schema: schema})
			if !fault.Is(err, fault.JudgeRequest, fault.JudgeAuth) {
				t.Errorf("err = %v", err)
			}
			if n := len(s.Calls()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}

func TestClient_EndlessRefusalsReturnTheFirst(t *testing.T) {
	_, s, err := ask(t, llm.Request{User: "q", Temperature: new(0.0), MaxTokens: 5, Seed: new(1), Schema: schema},
		llmtest.Answer{Status: 400, Error: "temperature, seed, max_tokens and response_format: all unsupported"})
	if fault.Of(err) != fault.JudgeRequest {
		t.Errorf("err = %v", err)
	}
	if n := len(s.Calls()); n != 6 {
		t.Errorf("%d requests, want 6", n)
	}
}
