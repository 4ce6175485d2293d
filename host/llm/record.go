package llm

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
)

const formatVersion = 2

// canonical returns the JSON of a request that its digest is of. The only error is a schema
// that is not JSON.
func (r *Request) canonical() ([]byte, error) {
	return json.Marshal(r, jsontext.AllowInvalidUTF8(true), jsontext.CanonicalizeRawFloats(true))
}

// Digest returns the digest of a request, "sha256:<hex>": with Request.ID the key in
// a recording. It is empty if the schema is not JSON.
func Digest(req Request) string {
	b, err := req.canonical()
	if err != nil {
		return ""
	}
	return digest.Of(b)
}

// A Recorder writes down every call of a Model. It is safe for concurrent use:
// every line is one Write. The caller closes the writer when all calls are done.
type Recorder struct {
	next  Model
	begun time.Time // started times are counted from here, so that they never go back

	mu     sync.Mutex
	w      io.Writer // nil: there is none
	run    io.Writer // of the run that is under way; nil: there is none
	round  int
	noText bool
	err    error
}

// NewRecorder returns a model that asks next and writes the outcome to w,
// in the form of calls.jsonl. With w nil it writes only what Begin asks for.
func NewRecorder(next Model, w io.Writer) *Recorder {
	return &Recorder{next: next, w: w, begun: time.Now()}
}

// Begin has the lines from now on written to run, too; nil: they are not. round says which execution of
// a run asks, from 1; 0: lines name none. With noText they hold no text that was asked or answered: only
// the CallID, the digest and the usage. Nothing can be replayed from them.
func (r *Recorder) Begin(run io.Writer, round int, noText bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run, r.round, r.noText = run, round, noText
}

// Err returns why the recording is incomplete, nil if it is not.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Complete asks the model and records the call. A call that ended because ctx was
// done says nothing about the model: it is only noted, so that it counts. What was
// not sent is left out. Once a line could not be written nothing is asked any more, and every
// call fails with an error that Stops a run: an answer that cannot be kept is not paid for.
func (r *Recorder) Complete(ctx context.Context, req Request) (Response, error) {
	if err := r.Err(); err != nil {
		return Response{}, err
	}
	if ctx.Err() != nil {
		return Response{}, context.Cause(ctx)
	}
	started := time.Now()
	res, err := r.next.Complete(ctx, req)
	outcome := err
	switch {
	case err == nil:
	case ctx.Err() != nil:
		outcome = context.Cause(ctx)
	case !fault.Of(err).OfJudge():
		return res, err
	}
	if failed := r.record(&req, &res, outcome, started); failed != nil {
		return res, failed
	}
	return res, err
}

func (r *Recorder) record(req *Request, res *Response, err error, started time.Time) error {
	c := Call{
		V: formatVersion, CallID: req.ID.normal(), Request: *req, Digest: Digest(*req),
		Started: r.begun.Add(started.Sub(r.begun)).UTC().Truncate(time.Microsecond), Latency: time.Since(started).Milliseconds(),
	}
	c.Replayed, c.Retry, c.Sent = res.Replayed, req.Retry, res.Requests
	c.Gone = err != nil && !fault.Of(err).OfJudge()
	if err != nil {
		c.Failed = &failedAnswer{Class: fault.Of(err), Message: err.Error(), Hint: fault.OwnHint(err)}
	}
	if err == nil || res.Text != "" || res.TokensIn+res.TokensOut > 0 {
		c.Response = new(*res) // its texts may be left out
	}
	c.Unpriced = c.Response == nil && res.Unpriced
	return r.write(&c)
}

// reuse returns an answer that was asked for earlier, which uses nothing now: its tokens were
// paid for then. It is written down; a nil Recorder writes nothing.
func (r *Recorder) reuse(req *Request, old *Response, err error) (Response, error) {
	res := Response{Text: old.Text, Model: old.Model, Finish: old.Finish, Dropped: old.Dropped, Cached: true}
	if r != nil {
		if failed := r.record(req, &res, err, time.Now()); failed != nil {
			return res, failed
		}
	}
	return res, err
}

// Redo voids the recordings of earlier rounds of a model for a case, repeat and
// criteria: it is asked again.
func (r *Recorder) Redo(id CallID, model string) error {
	id.Attempt = 0
	id.Repeat = max(1, id.Repeat)
	return r.write(&Call{V: formatVersion, CallID: id, Redo: true, Request: Request{Model: model}})
}

// omitTexts removes the texts that may hold content of the case.
func (c *Call) omitTexts() {
	c.NoText, c.Request = true, Request{Model: c.Request.Model}
	if c.Response != nil {
		c.Response.Text, c.Response.Dropped = "", nil
	}
	if c.Failed != nil { // it may quote the answer
		c.Failed = &failedAnswer{Class: c.Failed.Class, Message: string(c.Failed.Class)}
	}
}

func (r *Recorder) write(c *Call) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	c.Round = r.round
	if r.noText {
		c.omitTexts()
	}
	b, wrong := json.Marshal(c, jsontext.AllowInvalidUTF8(true))
	if wrong != nil {
		return fault.As(fault.Internal, wrong)
	}
	b = append(b, '\n')
	for _, w := range []io.Writer{r.w, r.run} {
		if w == nil {
			continue
		}
		if _, wrong := w.Write(b); wrong != nil {
			r.err = stopping{fault.WithHint(fault.New(fault.Storage, "judge calls cannot be recorded: %w", wrong),
				"free some space or choose another place; re-run the same command to resume")}
		}
	}
	return r.err
}
