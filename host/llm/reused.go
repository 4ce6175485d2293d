package llm

import (
	"context"
	"io"
)

// A Reused model answers from another run, where that run asked the same about
// the same case, and asks a Model for the rest. It is safe for
// concurrent use.
type Reused struct {
	next     Model
	replay   *Replay
	recorder *Recorder
}

// Reuse reads the calls of another run. Reused answers count as cached: they use
// nothing, and are written to recorder if it is not nil. Calls that failed without
// an answer are not reused. name is used in messages.
func Reuse(next Model, calls io.Reader, name string, recorder *Recorder) (*Reused, error) {
	r := &Reused{next: next, replay: newReplay(name), recorder: recorder}
	for l, err := range readLines(calls, name) {
		if err != nil {
			return nil, err
		}
		if l.call.redo || l.call.Answered && !l.call.NoText {
			r.replay.add(l)
		}
	}
	return r, nil
}

// Complete answers from the other run, else asks.
func (r *Reused) Complete(ctx context.Context, req Request) (Response, error) {
	one := r.replay.find(&req, Digest(req))
	if one == nil || ctx.Err() != nil {
		return r.next.Complete(ctx, req)
	}
	return r.recorder.reuse(&req, &one.Response, one.Err)
}
