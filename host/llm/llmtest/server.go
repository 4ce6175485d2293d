// Package llmtest plays an OpenAI-compatible endpoint for tests: answers in
// order or by the request, and every way in which real ones go wrong, on demand
// and without waiting for anything but the test itself.
//
// Stability: experimental.
package llmtest

import (
	"cmp"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/llm"
)

// An Answer is the server's reaction to one request. The zero value is a
// completion with an empty text.
type Answer struct {
	Text      string
	Finish    string // finish_reason; empty: "stop"
	Refusal   string
	Reasoning string // reasoning_content
	Model     string // empty: the one asked for

	// TokensIn and TokensOut are the usage; both 0: one token for four bytes.
	TokensIn, TokensOut int
	NoUsage             bool // leaves the usage out

	Status int               // 0: 200
	Error  string            // message of an error body in OpenAI's form
	Header map[string]string // added to the answer
	Body   string            // sent as it is, in place of all the above but Status and Header
	Raw    string            // sent as it is in place of the whole answer, status line included
	Fill   int               // bytes of filler after Body, or after the completion's text

	Cut  int  // drops the connection after so many bytes of the body; 0: never
	Hang bool // answers nothing until the client or the server goes away
}

// A Call is a request that the server received.
type Call struct {
	N      int         `json:"-"` // from 1, in order of arrival
	Path   string      `json:"-"`
	Header http.Header `json:"-"`
	Body   []byte      `json:"-"`

	// Decoded from Body, zero where absent.
	Model               string        `json:"model"`
	Messages            []llm.Message `json:"messages"`
	Temperature         *float64      `json:"temperature"`
	MaxTokens           int           `json:"max_tokens"`
	MaxCompletionTokens int           `json:"max_completion_tokens"`
	Seed                *int          `json:"seed"`
	Input               []string      `json:"input"` // of a request for embeddings
	Format              Format        `json:"response_format"`
}

// A Format is the response_format of a Call.
type Format struct {
	Type   string `json:"type"` // empty: none was sent
	Schema struct {
		Name   string         `json:"name"`
		Strict bool           `json:"strict"`
		Schema jsontext.Value `json:"schema"`
	} `json:"json_schema"`
}

// System returns the system message, empty if there is none.
func (c *Call) System() string { return c.first("system") }

// User returns the first user message.
func (c *Call) User() string { return c.first("user") }

// Last returns the last message, of any role.
func (c *Call) Last() string {
	if len(c.Messages) == 0 {
		return ""
	}
	return c.Messages[len(c.Messages)-1].Content
}

func (c *Call) first(role string) string {
	for _, m := range c.Messages {
		if m.Role == role {
			return m.Content
		}
	}
	return ""
}

// A Server is a scripted endpoint on a free port of the loopback interface. It
// is safe for concurrent use.
type Server struct {
	*httptest.Server
	play func(Call) Answer
	gone chan struct{} // closed when the server is

	mu    sync.Mutex
	calls []Call
}

// Start starts a server that plays a function of the request. The caller closes
// it; New does so by itself.
func Start(play func(Call) Answer) *Server {
	s := &Server{play: play, gone: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// New starts a server that plays a function of the request, until the test ends.
func New(tb testing.TB, play func(Call) Answer) *Server {
	tb.Helper()
	s := Start(play)
	tb.Cleanup(s.Close)
	return s
}

// Script starts a server that plays answers in order, the last one again and
// again.
func Script(tb testing.TB, answers ...Answer) *Server {
	tb.Helper()
	return New(tb, InOrder(answers...))
}

// Texts is Script for plain completions.
func Texts(tb testing.TB, texts ...string) *Server {
	tb.Helper()
	answers := make([]Answer, len(texts))
	for i, t := range texts {
		answers[i].Text = t
	}
	return Script(tb, answers...)
}

// InOrder returns a function that plays answers in order, the last one again
// and again.
func InOrder(answers ...Answer) func(Call) Answer {
	return func(c Call) Answer {
		if len(answers) == 0 {
			return Answer{Status: http.StatusInternalServerError, Error: "the script is empty"}
		}
		return answers[min(c.N, len(answers))-1]
	}
}

// Close lets hanging calls go and stops the server.
func (s *Server) Close() {
	s.mu.Lock()
	select {
	case <-s.gone:
	default:
		close(s.gone)
	}
	s.mu.Unlock()
	s.CloseClientConnections()
	s.Server.Close()
}

// Endpoint returns the endpoint of the server: model "test-judge", with a key.
func (s *Server) Endpoint() llm.Endpoint {
	return llm.Endpoint{Name: "test", BaseURL: s.URL + "/v1", Model: "test-judge", Key: "sk-test-key"}
}

// Client returns a client of the server.
func (s *Server) Client(tb testing.TB) *llm.Client {
	tb.Helper()
	c, err := llm.New(s.Endpoint())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return c
}

// Calls returns the requests received so far, in order of arrival.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	call := s.arrive(r)
	a := s.play(call)
	if a.Hang {
		select {
		case <-r.Context().Done():
		case <-s.gone:
		}
		panic(http.ErrAbortHandler)
	}
	a.write(w, &call)
}

func (s *Server) arrive(r *http.Request) Call {
	c := Call{Path: r.URL.RequestURI(), Header: r.Header.Clone()}
	c.Body, _ = io.ReadAll(r.Body)
	_ = json.Unmarshal(c.Body, &c) // a request that is not JSON shows as one without members
	s.mu.Lock()
	defer s.mu.Unlock()
	c.N = len(s.calls) + 1
	s.calls = append(s.calls, c)
	return c
}

func (a *Answer) write(w http.ResponseWriter, c *Call) {
	if a.Raw != "" {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_, _ = io.WriteString(conn, a.Raw)
			_ = conn.Close()
		}
		return
	}
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	body := a.body(c)
	if a.Cut > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		body = body[:min(a.Cut, len(body))]
	}
	if a.Status != 0 {
		w.WriteHeader(a.Status)
	}
	_, _ = w.Write(body) // the client may be gone, as tests want it
	if a.Cut > 0 {
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

func (a *Answer) body(c *Call) []byte {
	filler := make([]byte, a.Fill)
	for i := range filler {
		filler[i] = 'x'
	}
	switch {
	case a.Body != "":
		return append([]byte(a.Body), filler...)
	case a.Error != "" || a.Status >= 400:
		return mustJSON(map[string]any{"error": map[string]any{"message": a.Error, "type": "test_error", "code": a.Status, "param": nil}})
	}
	if c.Input != nil {
		return a.embeddings(c)
	}
	return a.completion(c, string(filler))
}

// embeddings is the answer to a request for embeddings, last text first, as the order is free.
func (a *Answer) embeddings(c *Call) []byte {
	data := []any{}
	for i, text := range slices.Backward(c.Input) {
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": Letters(text)})
	}
	answer := map[string]any{"object": "list", "model": cmp.Or(a.Model, c.Model), "data": data}
	if !a.NoUsage {
		n := cmp.Or(a.TokensIn, len(c.Body)/4+1)
		answer["usage"] = map[string]any{"prompt_tokens": n, "total_tokens": n}
	}
	return mustJSON(answer)
}

// Letters is the embedding of a text that a Server answers: how often each letter from a to z
// is in it, and how often anything else is, in 32nds.
func Letters(text string) []float64 {
	v := make([]float64, 27)
	for _, r := range strings.ToLower(text) {
		if r < 'a' || r > 'z' {
			r = 'z' + 1
		}
		v[r-'a'] += 1.0 / 32
	}
	return v
}

func (a *Answer) completion(c *Call, filler string) []byte {
	model, finish, in, out := a.Model, a.Finish, a.TokensIn, a.TokensOut
	model = cmp.Or(model, c.Model)
	finish = cmp.Or(finish, "stop")
	if in+out == 0 {
		in, out = len(c.Body)/4+1, len(a.Text)/4+1
	}
	message := map[string]any{"role": "assistant", "content": a.Text + filler}
	if a.Refusal != "" {
		message["content"], message["refusal"] = nil, a.Refusal
	}
	if a.Reasoning != "" {
		message["reasoning_content"] = a.Reasoning
	}
	answer := map[string]any{
		"id": "chatcmpl-test", "object": "chat.completion", "created": 1, "model": model,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}},
	}
	if !a.NoUsage {
		answer["usage"] = map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
	}
	return mustJSON(answer)
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic(err) // only maps, strings and numbers are written here
	}
	return b
}
