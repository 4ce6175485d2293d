// Package llm talks to language models behind OpenAI-compatible endpoints:
// OpenAI, Azure, vLLM, Ollama, llama.cpp, LiteLLM and whatever else speaks chat
// completions. A Client makes one attempt and reports its outcome truthfully;
// everything else is a decorator around Model, each doing one thing:
//
//	client, err := llm.New(llm.Endpoint{Name: "mini", Model: "gpt-5-mini", Key: key})
//	meter := llm.NewMeter(client)                  // what it uses
//	recorder := llm.NewRecorder(meter, file)       // answers go to calls.jsonl
//	gate := llm.NewGate(recorder, 0)   // how many calls at once
//	budget := llm.NewBudget(gate, llm.Limits{CostUSD: 10}) // when to stop
//
// Nothing here retries: the caller decides on the number of attempts.
//
// # Recordings
//
// A recording, calls.jsonl, has one JSON object per line and call:
//
//	{"v": 2,
//	 "case": "q-1", "case_digest": "sha256:…", "repeat": 1, "rubric": "sha256:…",
//	 "criteria": ["tone"], "attempt": 1,      the CallID: the purpose of the request
//	 "round": 1,                              which execution of the run asked
//	 "replayed": true,                        answered from another recording: nothing was sent
//	 "digest": "sha256:…",                    of request: canonical JSON, members in the order below
//	 "started": "2026-08-07T12:00:00.123Z", "latency_ms": 412,
//	 "request": {"model": "gpt-5-mini", "system": "…", "user": "…",
//	             "then": [{"role": "assistant", "content": "…"}, {"role": "user", "content": "…"}],
//	             "embed": ["…"],          texts whose embeddings are asked for, in place of user
//	             "temperature": 0, "max_tokens": 400, "seed": 7, "schema_name": "verdict", "schema": {…}},
//	 "answer": {"text": "…", "model": "gpt-5-mini-2026-08-07", "finish": "stop",
//	            "tokens_in": 812, "tokens_out": 64, "cost_usd": 0.0003 (or "unpriced": true), "dropped": ["temperature"],
//	            "cached": true},          reused from an earlier run
//	 "error": {"class": "judge-limit", "message": "…"}}
//
// "retry" marks a request that asked the same question again, "requests" is how many
// were sent for a line if not one, and "cancelled" marks a request that the run did not
// wait for: it is counted, and never played.
//
// Members that are zero are left out, except a temperature of 0. A line with an
// error may have an answer too: the text and usage of a refusing or cut-off model.
// No member holds an endpoint's key.
//
// CallID and digest identify a call. The order of the lines never matters: of
// several lines with the same identity the one with the highest round counts,
// within a round an answer before an error, then the latest. A line
//
//	{"v": 2, "case": "q-1", …, "criteria": ["tone"], "round": 2, "redo": true, "request": {"model": "gpt-5-mini", "user": ""}}
//
// voids the calls of earlier rounds with that model for that case, repeat and
// criteria: they were paid for, but are not played any more.
//
// Stability: experimental.
package llm

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// A Request asks a model for one answer. The zero value of every field but User
// leaves the choice to the endpoint. Its digest is that of its JSON form, so that the order of
// its fields matters.
type Request struct {
	Model  string `json:"model,omitzero"`  // as the endpoint calls it; empty: Endpoint.Model
	System string `json:"system,omitzero"` // system message; empty: none
	User   string `json:"user"`

	// Then are the turns after User, when a model is asked again: its answer and the
	// errors in it.
	Then []Message `json:"then,omitzero"`

	// Embed are texts whose embeddings are asked for, in place of an answer to User: the text
	// of the Response is a JSON list with a vector for each. See Vectors.
	Embed []string `json:"embed,omitzero"`

	Temperature *float64 `json:"temperature,omitzero"` // 0 is sent as 0
	MaxTokens   int      `json:"max_tokens,omitzero"`  // most tokens of the answer, reasoning included; 0: not sent
	Seed        *int     `json:"seed,omitzero"`

	SchemaName string `json:"schema_name,omitzero"` // letters, digits, - and _; empty: "answer"

	// Schema is the JSON Schema that the answer is to satisfy. Where the
	// endpoint takes schemas the answer is bound by it; elsewhere it is only
	// asked for, so that the answer must be checked in any case. The order of
	// its properties is kept. Nil: free text.
	Schema jsontext.Value `json:"schema,omitzero"`

	// Retry says that an earlier request asked the same question. It is not sent: it
	// is counted.
	Retry bool `json:"-"`

	// ID is the purpose of the request. It is not sent: recordings are matched by
	// it.
	ID CallID `json:"-"`
}

// A CallID is the purpose of a request. Together with the request's digest it
// identifies a recorded call.
type CallID struct {
	Case       string   `json:"case,omitzero"`        // its id
	CaseDigest string   `json:"case_digest,omitzero"` // of its content
	Repeat     int      `json:"repeat,omitzero"`      // from 1; 0 means 1
	Rubric     string   `json:"rubric,omitzero"`      // digest of the case's own rubric; empty: the run's
	Criteria   []string `json:"criteria,omitzero"`    // asked about; one empty id for the rubric as a whole
	Attempt    int      `json:"attempt,omitzero"`     // answers asked for in this conversation, from 1; 0 means 1
}

// normal replaces zero values by their defaults.
func (id CallID) normal() CallID {
	id.Repeat, id.Attempt = max(1, id.Repeat), max(1, id.Attempt)
	return id
}

// A Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"` // "user" or "assistant"
	Content string `json:"content"`
}

// A Response is a model's answer. With an error it still has the tokens that a
// refused or cut-off answer used. Its JSON form is the answer of a recording.
type Response struct {
	Text   string `json:"text"`
	Model  string `json:"model,omitzero"`  // the model that answered, as the endpoint names it
	Finish string `json:"finish,omitzero"` // why it stopped: "stop", "length", ...; empty if the endpoint does not say

	TokensIn  int     `json:"tokens_in"`         // 0 if the endpoint does not count
	TokensOut int     `json:"tokens_out"`        // reasoning included
	CostUSD   float64 `json:"cost_usd,omitzero"` // by the endpoint's prices, else as the gateway reports

	// Dropped names parameters of the request that the endpoint refused and the
	// answer was made without: "temperature", "seed", "max_tokens".
	Dropped []string `json:"dropped,omitzero"`

	Cached   bool `json:"cached,omitzero"`   // the answer was asked for earlier, by any run; it used nothing now
	Unpriced bool `json:"unpriced,omitzero"` // the cost is unknown; CostUSD is 0
	Replayed bool `json:"-"`                 // the answer comes from a recording; the usage is the recorded one

	// Requests are how many were sent for this answer: one more for each parameter
	// that the endpoint refused. 0 means 1.
	Requests int `json:"-"`

	// Keep lets the answer be reused. Whoever asked calls it once the answer has
	// proved usable. Nil: there is nothing to keep it in.
	Keep func() `json:"-"`
}

// A Model answers requests, one attempt each. Implementations are safe for
// concurrent use and return promptly once ctx is done.
//
// Errors have one of the classes fault.Judge…, fault.Budget or
// fault.ReplayMiss; when ctx is done the error is its own. RetryAfter says
// whether the endpoint asked for a pause.
type Model interface {
	Complete(ctx context.Context, req Request) (Response, error)
}

// Func is a function that answers.
type Func func(ctx context.Context, req Request) (Response, error)

// Complete calls f.
func (f Func) Complete(ctx context.Context, req Request) (Response, error) { return f(ctx, req) }

type repeatKey struct{}

// WithRepeat returns a context for the nth time that a case is graded on
// purpose, from 1. RepeatOf reads it.
func WithRepeat(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, repeatKey{}, n)
}

// RepeatOf returns the repeat that ctx is for; 1 if it says nothing.
func RepeatOf(ctx context.Context) int {
	if n, ok := ctx.Value(repeatKey{}).(int); ok && n > 0 {
		return n
	}
	return 1
}
