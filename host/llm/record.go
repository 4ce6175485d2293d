package llm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
)

// formatVersion is the version of the lines of a recording.
const formatVersion = 1

// A line is one call as a recording holds it; see the package comment.
type line struct {
	V       int           `json:"v"`
	Digest  string        `json:"digest"`
	Repeat  int           `json:"repeat"`
	Request recorded      `json:"request"`
	Answer  *given        `json:"answer,omitzero"`
	Error   *failedAnswer `json:"error,omitzero"`
}

// recorded is the part of a Request that decides the answer.
type recorded struct {
	Model       string         `json:"model,omitzero"`
	System      string         `json:"system,omitzero"`
	User        string         `json:"user"`
	Then        []Message      `json:"then,omitzero"`
	Temperature *float64       `json:"temperature,omitzero"`
	MaxTokens   int            `json:"max_tokens,omitzero"`
	Seed        *int           `json:"seed,omitzero"`
	SchemaName  string         `json:"schema_name,omitzero"`
	Schema      jsontext.Value `json:"schema,omitzero"`
}

type given struct {
	Text      string   `json:"text"`
	Model     string   `json:"model,omitzero"`
	Finish    string   `json:"finish,omitzero"`
	TokensIn  int      `json:"tokens_in"`
	TokensOut int      `json:"tokens_out"`
	CostUSD   float64  `json:"cost_usd,omitzero"`
	Dropped   []string `json:"dropped,omitzero"`
}

type failedAnswer struct {
	Class   fault.Class `json:"class"`
	Message string      `json:"message"`
	Hint    string      `json:"hint,omitzero"`
}

func newRecorded(req *Request) recorded {
	return recorded{req.Model, req.System, req.User, req.Then, req.Temperature, req.MaxTokens, req.Seed, req.SchemaName, req.Schema}
}

// write returns the canonical JSON of r. It cannot fail for what a Request can
// hold except a schema that is not JSON.
func (r *recorded) write() ([]byte, error) {
	return json.Marshal(r, jsontext.AllowInvalidUTF8(true), jsontext.CanonicalizeRawFloats(true))
}

func digestOf(canonical []byte) string {
	sum := sha256.Sum256(canonical)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Digest returns the digest of a request, "sha256:<hex>": what a recording finds
// it by, together with Request.Repeat. It is empty if the schema is not JSON.
func Digest(req Request) string {
	r := newRecorded(&req)
	b, err := r.write()
	if err != nil {
		return ""
	}
	return digestOf(b)
}

// A Recorder writes down every call of a Model. It is safe for concurrent use:
// every line is one Write. The caller closes the writer when all calls are done.
type Recorder struct {
	next Model
	mu   sync.Mutex
	w    io.Writer
	err  error
}

// NewRecorder returns a model that asks next and writes what comes of it to w,
// in the form of calls.jsonl.
func NewRecorder(next Model, w io.Writer) *Recorder { return &Recorder{next: next, w: w} }

// Err returns why the recording is incomplete, nil if it is not.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Complete asks the model and records the call. Calls that ended because ctx was
// done, or that a budget held back, say nothing about the model and are left
// out. Once a line could not be written every call fails: a recording with
// holes would be found out much later.
func (r *Recorder) Complete(ctx context.Context, req Request) (Response, error) {
	res, err := r.next.Complete(ctx, req)
	if err != nil && (ctx.Err() != nil || !fault.Is(err, judgeClasses...)) {
		return res, err
	}
	if failed := r.record(&req, &res, err); failed != nil {
		return res, failed
	}
	return res, err
}

// judgeClasses are the classes of failures that are the judge's own.
var judgeClasses = []fault.Class{
	fault.JudgeUnreachable, fault.JudgeAuth, fault.JudgeRequest, fault.JudgeLimit, fault.JudgeServer, fault.JudgeAnswer, fault.JudgeRefusal,
}

func (r *Recorder) record(req *Request, res *Response, err error) error {
	l := line{V: formatVersion, Repeat: max(1, req.Repeat), Request: newRecorded(req), Digest: Digest(*req)}
	if err != nil {
		l.Error = &failedAnswer{Class: fault.Of(err), Message: err.Error()}
		if h := fault.Hint(err); h != l.Error.Class.Advice() {
			l.Error.Hint = h
		}
	}
	if err == nil || res.Text != "" || res.TokensIn+res.TokensOut > 0 {
		l.Answer = &given{res.Text, res.Model, res.Finish, res.TokensIn, res.TokensOut, res.CostUSD, res.Dropped}
	}
	b, wrong := json.Marshal(&l, jsontext.AllowInvalidUTF8(true))
	if wrong != nil {
		return fault.As(fault.Internal, wrong)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		if _, wrong := r.w.Write(append(b, '\n')); wrong != nil {
			r.err = fmt.Errorf("recording judge calls: %w", wrong)
		}
	}
	return r.err
}
