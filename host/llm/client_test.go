package llm_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
)

var schema = jsontext.Value(`{"type":"object","properties":{"reason":{"type":"string"},"verdict":{"type":"string","enum":["MET","UNMET"]}},"required":["reason","verdict"],"additionalProperties":false}`)

// ask makes one attempt at a scripted server.
func ask(t *testing.T, req llm.Request, answers ...llmtest.Answer) (llm.Response, *llmtest.Server, error) {
	t.Helper()
	s := llmtest.Script(t, answers...)
	res, err := s.Client(t).Complete(context.Background(), req)
	return res, s, err
}

func TestClient_Request(t *testing.T) {
	tests := []struct {
		name string
		req  llm.Request
		want string
	}{
		{"a temperature of zero is sent as zero", llm.Request{User: "q", Temperature: new(0.0)},
			`{"model":"test-judge","messages":[{"role":"user","content":"q"}],"temperature":0}`},
		{"what is not set is not sent", llm.Request{User: "q"},
			`{"model":"test-judge","messages":[{"role":"user","content":"q"}]}`},
		{"everything set is sent, the schema in its own order", llm.Request{Model: "other", System: "s", User: "q", Then: []llm.Message{{Role: "assistant", Content: "a"}, {Role: "user", Content: "no"}},
			Temperature: new(0.3), MaxTokens: 9, Seed: new(0), Schema: schema, SchemaName: "verdict"},
			`{"model":"other","messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"user","content":"no"}],` +
				`"temperature":0.3,"max_tokens":9,"seed":0,"response_format":{"type":"json_schema","json_schema":{"name":"verdict","strict":true,"schema":` + string(schema) + `}}}`},
		{"an empty message is sent as one", llm.Request{User: ""},
			`{"model":"test-judge","messages":[{"role":"user","content":""}]}`},
		{"a name that go-openai thinks it knows is nobody's business", llm.Request{Model: "o1-local", User: "q", Temperature: new(0.5), MaxTokens: 7},
			`{"model":"o1-local","messages":[{"role":"user","content":"q"}],"temperature":0.5,"max_tokens":7}`},
		{"the same for gpt-5", llm.Request{Model: "gpt-5-proxy", User: "q", Temperature: new(0.0), MaxTokens: 7},
			`{"model":"gpt-5-proxy","messages":[{"role":"user","content":"q"}],"temperature":0,"max_tokens":7}`},
		{"invalid UTF-8 is replaced", llm.Request{User: "a\xffb"},
			`{"model":"test-judge","messages":[{"role":"user","content":"a` + "\uFFFD" + `b"}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, s, err := ask(t, tt.req, llmtest.Answer{Text: "x"})
			must(t, err)
			call := s.Calls()[0]
			if got := string(call.Body); got != tt.want {
				t.Errorf("sent\n%s\nwant\n%s", got, tt.want)
			}
			if got := call.Header.Get("Authorization"); got != "Bearer sk-test-key" {
				t.Errorf("Authorization = %q", got)
			}
			if call.Path != "/v1/chat/completions" {
				t.Errorf("path = %q", call.Path)
			}
		})
	}
}

func TestClient_AzureHasItsOwnURLAndHeader(t *testing.T) {
	s := llmtest.Texts(t, "x")
	e := s.Endpoint()
	e.BaseURL, e.AzureVersion, e.Model = s.URL, "2025-01-01", "gpt-5-judge"
	c, err := llm.New(e)
	must(t, err)
	if _, err := c.Complete(context.Background(), llm.Request{User: "q", MaxTokens: 5}); err != nil {
		t.Fatal(err)
	}
	call := s.Calls()[0]
	if want := "/openai/deployments/gpt-5-judge/chat/completions?api-version=2025-01-01"; call.Path != want {
		t.Errorf("path = %q, want %q", call.Path, want)
	}
	if call.Header.Get("api-key") != "sk-test-key" || call.Header.Get("Authorization") != "" {
		t.Errorf("headers = %v", call.Header)
	}
}

func TestClient_Answer(t *testing.T) {
	const ok = `{"choices":[{"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}`
	tests := []struct {
		name   string
		answer llmtest.Answer
		class  fault.Class
		says   string // part of the error, or the text of the answer
	}{
		{"a completion is an answer", llmtest.Answer{Text: "hello"}, fault.None, "hello"},
		{"trailing garbage is ignored", llmtest.Answer{Body: ok + "GARBAGE"}, fault.None, "x"},
		{"a count of tokens that is none does no harm", llmtest.Answer{Body: `{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":10.5,"completion_tokens":"2"},"model":"m"}`}, fault.None, "x"},
		{"text parts are joined", llmtest.Answer{Body: `{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`}, fault.None, "ab"},
		{"text beside reasoning is the answer", llmtest.Answer{Text: "yes", Reasoning: "hmm"}, fault.None, "yes"},
		{"unknown reasoning fields do no harm", llmtest.Answer{Body: `{"choices":[{"message":{"content":"x","reasoning":"think"},"finish_reason":"stop"}]}`}, fault.None, "x"},

		{"a cut-off answer is unusable", llmtest.Answer{Text: `{"verdict": "MET",`, Finish: "length", TokensIn: 5, TokensOut: 6}, fault.JudgeAnswer, "cut off after 6 tokens"},
		{"an empty text is unusable", llmtest.Answer{}, fault.JudgeAnswer, "empty"},
		{"reasoning alone is unusable", llmtest.Answer{Reasoning: "so many thoughts"}, fault.JudgeAnswer, "reasoned and gave no answer"},
		{"null content is unusable", llmtest.Answer{Body: `{"choices":[{"message":{"content":null}}]}`}, fault.JudgeAnswer, "empty"},
		{"a refusal is one", llmtest.Answer{Refusal: "I cannot help"}, fault.JudgeRefusal, "I cannot help"},
		{"a content filter is a refusal", llmtest.Answer{Text: "par", Finish: "content_filter"}, fault.JudgeRefusal, "content filter"},

		{"200 with an error is the server's failure", llmtest.Answer{Body: `{"error":{"message":"upstream failed","code":502}}`}, fault.JudgeServer, "upstream failed"},
		{"200 with nothing in it is the server's failure", llmtest.Answer{Body: `{}`}, fault.JudgeServer, "without an answer"},
		{"200 with null is the server's failure", llmtest.Answer{Body: `null`}, fault.JudgeServer, "without an answer"},
		{"200 with no body is the server's failure", llmtest.Answer{Body: " "}, fault.JudgeServer, ""},
		{"200 with HTML is the server's failure", llmtest.Answer{Body: `<html><b>login</b></html>`}, fault.JudgeServer, "login"},
		{"200 with wrong types is the server's failure", llmtest.Answer{Body: `{"choices":[{"message":{"content":7}}]}`}, fault.JudgeServer, "not a chat completion"},
		{"a body cut short is a lost connection", llmtest.Answer{Text: strings.Repeat("long ", 100), Cut: 60}, fault.JudgeUnreachable, "broke off after 60 bytes"},
		{"a body beyond the limit is refused", llmtest.Answer{Text: "x", Fill: 9 << 20}, fault.JudgeServer, "too large"},
		{"an error body beyond the limit is refused", llmtest.Answer{Status: 500, Body: "x", Fill: 9 << 20}, fault.JudgeServer, "too large"},

		{"401 with an integer code", llmtest.Answer{Status: 401, Body: `{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}`}, fault.JudgeAuth, "Invalid API Key"},
		{"403", llmtest.Answer{Status: 403, Error: "not yours"}, fault.JudgeAuth, "not yours"},
		{"400", llmtest.Answer{Status: 400, Error: "bad request"}, fault.JudgeRequest, "HTTP 400: bad request"},
		{"404 hints at model and URL", llmtest.Answer{Status: 404, Error: "no such model"}, fault.JudgeRequest, "no such model"},
		{"408 is not an answer in time", llmtest.Answer{Status: 408, Error: "slow"}, fault.JudgeUnreachable, "slow"},
		{"413", llmtest.Answer{Status: 413, Body: "too big"}, fault.JudgeRequest, "too big"},
		{"429 with a string code", llmtest.Answer{Status: 429, Body: `{"error":{"message":"slow down","code":"429"}}`}, fault.JudgeLimit, "slow down"},
		{"500 with a detail", llmtest.Answer{Status: 500, Body: `{"detail":"boom"}`}, fault.JudgeServer, "boom"},
		{"500 with a string for an error", llmtest.Answer{Status: 500, Body: `{"error":"boom"}`}, fault.JudgeServer, "boom"},
		{"500 with a list for a message", llmtest.Answer{Status: 500, Body: `{"error":{"message":["a","b"]}}`}, fault.JudgeServer, "a"},
		{"503 HTML", llmtest.Answer{Status: 503, Body: "<html>busy</html>"}, fault.JudgeServer, "busy"},
		{"500 without a body", llmtest.Answer{Status: 500, Body: " "}, fault.JudgeServer, "(no text)"},
		{"529", llmtest.Answer{Status: 529, Error: "overloaded"}, fault.JudgeServer, "overloaded"},
		{"a redirect is not followed", llmtest.Answer{Status: 302, Header: map[string]string{"Location": "https://elsewhere.test/v1?token=abc"}, Body: "-"}, fault.JudgeRequest, "redirected to https://elsewhere.test, which"},
		{"a status nobody uses", llmtest.Answer{Status: 700, Error: "?"}, fault.JudgeServer, "HTTP 700"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, s, err := ask(t, llm.Request{User: "q"}, tt.answer)
			if got := fault.Of(err); got != tt.class {
				t.Fatalf("class = %q, want %q (%v)", got, tt.class, err)
			}
			if n := len(s.Calls()); n != 1 {
				t.Errorf("%d requests were made, want 1", n)
			}
			if err == nil {
				if res.Text != tt.says {
					t.Errorf("text = %q, want %q", res.Text, tt.says)
				}
				return
			}
			for _, want := range []string{"test", "test-judge", tt.says} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
			if fault.Hint(err) == "" {
				t.Error("the error does not say what next")
			}
		})
	}
}

// TestClient_AnswersOfUnknownCost: 2xx answers without a count have no known cost, whatever they say.
func TestClient_AnswersOfUnknownCost(t *testing.T) {
	for body, in := range map[string]int{
		`{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":10.5,"completion_tokens":7}}`: 0,
		`{"choices":[],"usage":{"prompt_tokens":3}}`:                                                     3,
		`{"choices":[]}`: 0, `<html>`: 0, `{"choices":[{"message":{"content":7}}]}`: 0,
	} {
		s := llmtest.Script(t, llmtest.Answer{Body: body})
		m := llm.NewMeter(s.Client(t))
		res, _ := m.Complete(context.Background(), llm.Request{User: "q"}) // what the answer costs is all that matters
		u := m.Spent()
		if _, _, counted := u.Tokens(); res.TokensIn != in || counted != (in > 0) || u.Calls != 1 {
			t.Errorf("%s: %+v, %+v", body, res, u)
		}
		if _, known := u.Cost(); known {
			t.Errorf("%s: cost $%g", body, u.CostUSD)
		}
	}
	m := llm.NewMeter(llmtest.Script(t, llmtest.Answer{Status: 500, Body: "x"}).Client(t))
	_, _ = m.Complete(context.Background(), llm.Request{User: "q"}) // it fails
	if _, known := m.Spent().Cost(); !known {
		t.Error("an answer of status 500 has a cost that is not known")
	}
}

// TestClient_CostWithoutAnswer: an endpoint may charge for a request that it received,
// although no answer came.
func TestClient_CostWithoutAnswer(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	for name, test := range map[string]struct {
		answer llmtest.Answer
		url    string
		known  bool
	}{
		"none in time":              {answer: llmtest.Answer{Hang: true}},
		"one that breaks off":       {answer: llmtest.Answer{Text: "a long answer", Cut: 5}},
		"a failure that breaks off": {answer: llmtest.Answer{Status: 500, Body: "a long excuse", Cut: 5}, known: true},
		"no endpoint":               {url: gone.URL, known: true},
	} {
		s := llmtest.Script(t, test.answer)
		e := s.Endpoint()
		e.BaseURL, e.PriceIn = cmp.Or(test.url, e.BaseURL), 1
		if test.answer.Hang {
			e.Timeout = 300 * time.Millisecond
		}
		c, err := llm.New(e)
		must(t, err)
		m := llm.NewMeter(c)
		if _, err := m.Complete(context.Background(), llm.Request{User: "q"}); err == nil {
			t.Errorf("%s: no error", name)
		}
		u := m.Spent()
		if _, known := u.Cost(); known != test.known {
			t.Errorf("%s: %+v", name, u)
		}
		if _, _, known := u.Tokens(); known != test.known {
			t.Errorf("%s: %+v", name, u)
		}
	}
}

func TestClient_UnusableAnswersStillCount(t *testing.T) {
	res, _, err := ask(t, llm.Request{User: "q"}, llmtest.Answer{Text: "par", Finish: "length", TokensIn: 11, TokensOut: 22})
	if err == nil || res.TokensIn != 11 || res.TokensOut != 22 || res.Text != "par" {
		t.Errorf("res = %+v, err = %v", res, err)
	}
}

func TestEndpoint_Cost(t *testing.T) {
	tests := []struct {
		name   string
		in     float64
		header string
		usage  string
		want   float64
	}{
		{"prices are per million tokens", 2, "", `{"prompt_tokens":500000,"completion_tokens":250000}`, 2},
		{"a gateway's own figure stands in for prices", 0, "0.25", `{"prompt_tokens":1,"completion_tokens":1}`, 0.25},
		{"prices go before a gateway's figure", 4, "0.25", `{"prompt_tokens":250000,"completion_tokens":0}`, 1},
		{"a negative figure is none", 0, "-3", `{}`, 0},
		{"infinity is none", 0, "Inf", `{}`, 0},
		{"negative tokens are none", 2, "", `{"prompt_tokens":-5,"completion_tokens":-5}`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := llmtest.Answer{Body: `{"choices":[{"message":{"content":"x"}}],"usage":` + tt.usage + `}`}
			if tt.header != "" {
				a.Header = map[string]string{"x-litellm-response-cost": tt.header}
			}
			s := llmtest.Script(t, a)
			e := s.Endpoint()
			e.PriceIn, e.PriceOut = tt.in, 2*tt.in
			c, err := llm.New(e)
			must(t, err)
			res, err := c.Complete(context.Background(), llm.Request{User: "q"})
			if err != nil || res.CostUSD != tt.want {
				t.Errorf("cost = %v, want %v (%v)", res.CostUSD, tt.want, err)
			}
		})
	}
}

// TestEndpoint_APriceOfZeroIsKnown tells an endpoint that is free from one without
// configured prices.
func TestEndpoint_APriceOfZeroIsKnown(t *testing.T) {
	for _, free := range []bool{false, true} {
		s := llmtest.Texts(t, "x")
		e := s.Endpoint()
		e.Free = free
		c, err := llm.New(e)
		must(t, err)
		res, err := c.Complete(context.Background(), llm.Request{User: "q"})
		if err != nil || res.Unpriced == free || res.CostUSD != 0 {
			t.Errorf("free %v: %+v, %v", free, res, err)
		}
	}
	if _, err := llm.New(llm.Endpoint{Model: "m", Free: true, PriceIn: 1}); err == nil {
		t.Error("free, and with a price")
	}
}

func TestClient_RetryAfter(t *testing.T) {
	tests := []struct {
		name   string
		header map[string]string
		min    time.Duration
		max    time.Duration
		ok     bool
	}{
		{"seconds", map[string]string{"Retry-After": "7"}, 7 * time.Second, 7 * time.Second, true},
		{"a date", map[string]string{"Retry-After": time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat)}, 60 * time.Second, 90 * time.Second, true},
		{"a date that has passed", map[string]string{"Retry-After": "Mon, 02 Jan 2006 15:04:05 GMT"}, 0, 0, true},
		{"milliseconds", map[string]string{"Retry-After-Ms": "1500"}, 1500 * time.Millisecond, 1500 * time.Millisecond, true},
		{"what a LiteLLM gateway passes on", map[string]string{"llm_provider-retry-after": "60"}, time.Minute, time.Minute, true},
		{"a century is cut to a day", map[string]string{"Retry-After": "3153600000"}, 24 * time.Hour, 24 * time.Hour, true},
		{"not a number", map[string]string{"Retry-After": "NaN"}, 0, 0, false},
		{"nonsense", map[string]string{"Retry-After": "soon"}, 0, 0, false},
		{"nothing", nil, 0, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := ask(t, llm.Request{User: "q"}, llmtest.Answer{Status: 429, Error: "slow down", Header: tt.header})
			got, ok := llm.RetryAfter(fmt.Errorf("wrapped: %w", err))
			if ok != tt.ok || got < tt.min || got > tt.max {
				t.Errorf("RetryAfter = %v, %v; want %v..%v, %v", got, ok, tt.min, tt.max, tt.ok)
			}
			if fault.Of(err) != fault.JudgeLimit {
				t.Errorf("class = %q", fault.Of(err))
			}
		})
	}
}

func TestClient_NoAnswerInTime(t *testing.T) {
	s := llmtest.Script(t, llmtest.Answer{Hang: true})
	e := s.Endpoint()
	e.Timeout = time.Millisecond
	c, err := llm.New(e)
	must(t, err)
	_, err = c.Complete(context.Background(), llm.Request{User: "q"})
	if fault.Of(err) != fault.JudgeUnreachable || !strings.Contains(err.Error(), "no answer within 1ms") {
		t.Errorf("err = %v", err)
	}
}

func TestClient_CancelIsTheCallersOwn(t *testing.T) {
	arrived := make(chan struct{})
	s := llmtest.New(t, func(llmtest.Call) llmtest.Answer { close(arrived); return llmtest.Answer{Hang: true} })
	why := errors.New("the user left")
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() { <-arrived; cancel(why) }()
	if _, err := s.Client(t).Complete(ctx, llm.Request{User: "q"}); !errors.Is(err, why) {
		t.Errorf("err = %v, want %v", err, why)
	}
}

func TestClient_NothingListens(t *testing.T) {
	s := llmtest.Texts(t, "x")
	c := s.Client(t)
	s.Close()
	_, err := c.Complete(context.Background(), llm.Request{User: "q"})
	if fault.Of(err) != fault.JudgeUnreachable || strings.Contains(err.Error(), "/v1/") {
		t.Errorf("err = %v", err)
	}
}

func TestClient_HostileTextCannotSteerATerminal(t *testing.T) {
	_, _, err := ask(t, llm.Request{User: "q"}, llmtest.Answer{Status: 500, Body: "\x1b[2J\u202e" + strings.Repeat("long ", 1<<16)})
	if strings.ContainsAny(err.Error(), "\x1b\u202e\n") || len(err.Error()) > 1000 {
		t.Errorf("error of %d bytes: %.300q", len(err.Error()), err.Error())
	}
	res, _, err := ask(t, llm.Request{User: "q"}, llmtest.Answer{Text: "x", Model: "\x1b[2J" + strings.Repeat("m", 1<<16), Finish: "\x1b]0;"})
	if err != nil || strings.ContainsAny(res.Model+res.Finish, "\x1b") || len(res.Model) > 1000 {
		t.Errorf("model of %d bytes, finish %q, err %v", len(res.Model), res.Finish, err)
	}
}

// TestClient_RefusesAnotherProtocol has a server change to a protocol of which nothing
// comes: no context ends a connection that is the body of an answer.
func TestClient_RefusesAnotherProtocol(t *testing.T) {
	over := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "other")
		w.WriteHeader(http.StatusSwitchingProtocols)
		_ = http.NewResponseController(w).Flush()
		<-over
	}))
	defer s.Close()
	defer close(over)
	c, err := llm.New(llm.Endpoint{BaseURL: s.URL, Model: "m"})
	must(t, err)
	defer c.Close()
	done := make(chan error, 1)
	go func() { _, err := c.Complete(context.Background(), llm.Request{User: "q"}); done <- err }()
	select {
	case err := <-done:
		if !fault.Is(err, fault.JudgeServer) || !strings.Contains(err.Error(), "HTTP 101") {
			t.Errorf("err = %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("the call waits for the connection to end")
	}
}

// TestClient_KeepsConnections makes two rounds of calls at once: the second finds the
// connections of the first. go-openai's own transport would keep two of them.
func TestClient_KeepsConnections(t *testing.T) {
	const n = 30
	var opened atomic.Int32
	arrived, release := make(chan struct{}), make(chan struct{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-release
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"x"}}]}`)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	c, err := llm.New(llm.Endpoint{BaseURL: s.URL, Model: "m"})
	must(t, err)
	defer c.Close()
	for range 2 {
		done := make(chan error, n)
		for range n {
			go func() { _, err := c.Complete(context.Background(), llm.Request{User: "q"}); done <- err }()
		}
		for range n {
			<-arrived
		}
		for range n {
			release <- struct{}{}
		}
		for range n {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
	if got := opened.Load(); got > n+n/2 { // one may be late in going back
		t.Errorf("%d connections were opened for two rounds of %d calls", got, n)
	}
}

func TestNew_RefusesInvalidEndpoints(t *testing.T) {
	tests := []struct {
		name string
		e    llm.Endpoint
		says string
	}{
		{"no model", llm.Endpoint{}, "no model"},
		{"not a URL", llm.Endpoint{Model: "m", BaseURL: "localhost:8080"}, "base URL"},
		{"another scheme", llm.Endpoint{Model: "m", BaseURL: "file:///etc/passwd"}, "base URL"},
		{"a password in the URL", llm.Endpoint{Model: "m", BaseURL: "https://u:canary-secret@h/v1"}, "more than"},
		{"a key in the URL", llm.Endpoint{Model: "m", BaseURL: "https://h/v1?key=canary-secret"}, "more than"},
		{"a password and no scheme", llm.Endpoint{Model: "m", BaseURL: "u:canary-secret@h/v1"}, "more than"},
		{"a key and no scheme", llm.Endpoint{Model: "m", BaseURL: "h/v1?key=canary-secret"}, "more than"},
		{"a negative price", llm.Endpoint{Model: "m", PriceIn: -1}, "price"},
		{"a negative timeout", llm.Endpoint{Model: "m", Timeout: -1}, "timeout"},
		{"an unknown way", llm.Endpoint{Model: "m", Structured: "yaml"}, "yaml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := llm.New(tt.e)
			if fault.Of(err) != fault.Invalid || !strings.Contains(fmt.Sprint(err), tt.says) {
				t.Errorf("err = %v", err)
			}
			if strings.Contains(fmt.Sprint(err, fault.Hint(err)), "canary-secret") {
				t.Errorf("the error shows the secret: %v", err)
			}
		})
	}
}

const canary = "sk-canary-7f3a91"

// TestSecret_AppearsNowhere plants a key and a header and looks for them in
// everything that leaves the package.
func TestSecret_AppearsNowhere(t *testing.T) {
	s := llmtest.New(t, func(c llmtest.Call) llmtest.Answer {
		key := c.Header.Get("Authorization") + " " + c.Header.Get("X-Team")
		switch c.User() {
		case "finish":
			return llmtest.Answer{Body: `{"choices":[{"message":{"content":" "},"finish_reason":"` + key + `\u001b[31m"}]}`}
		case "status-000":
			return llmtest.Answer{Raw: "HTTP/1.1 000 " + key + "\r\nX-Key: " + key + "\r\nContent-Length: 100\r\n\r\n" + key + strings.Repeat(" ", 100-len(key))}
		case "long": // a key that a cut would leave half of
			return llmtest.Answer{Status: 400, Error: strings.Repeat(" ", 16*240-8) + key}
		case "refuse":
			return llmtest.Answer{Refusal: key}
		case "model":
			return llmtest.Answer{Text: "ok", Model: key, Finish: key}
		case "header":
			return llmtest.Answer{Status: 302, Header: map[string]string{"Location": "http://" + strings.ReplaceAll(c.Header.Get("X-Team"), " ", ""), "Retry-After": key}}
		case "fail":
			return llmtest.Answer{Status: 401, Error: "Incorrect API key provided: " + key}
		}
		return llmtest.Answer{Text: "you said " + key}
	})
	e := s.Endpoint()
	e.Key, e.Headers = " "+canary+"\n", map[string]llm.Secret{"X-Team": "team-" + canary}
	c, err := llm.New(e)
	must(t, err)
	var out bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&out, nil))
	m := llm.NewRecorder(c, &out)
	for _, user := range []string{"ok", "fail", "finish", "status-000", "long", "refuse", "model", "header"} {
		res, err := m.Complete(context.Background(), llm.Request{User: user})
		fmt.Fprintf(&out, "%v %+v %#v %q %s %v\n", res, res, res, err, err, fault.Hint(err))
		log.Info("call", "res", res, "err", err)
	}
	e = c.Endpoint()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+"\n", e, &e, e.Key)
		fmt.Fprintf(&out, verb+"\n", e.Headers)
	}
	log.Info("endpoint", "e", e, "key", e.Key, "headers", e.Headers)
	b, err := json.Marshal(map[string]any{"key": e.Key, "headers": e.Headers})
	must(t, err)
	out.Write(b)
	if got := s.Calls()[0].Header.Get("Authorization"); got != "Bearer "+canary {
		t.Fatalf("the key was not sent: %q", got)
	}
	for _, form := range []string{canary, canary[:8], "\x1b", fmt.Sprintf("%x", canary)} {
		if strings.Contains(out.String(), form) {
			t.Errorf("a secret appears as %q in:\n%s", form, out.String())
		}
	}
	if !strings.Contains(out.String(), "[secret]") {
		t.Error("nothing was redacted: the test looks at the wrong place")
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
