package llm

import (
	"context"
	"io"
)

// A Continued model plays the calls that a run has recorded before, and asks for
// the rest: an answer that was paid for is not asked for again. It is safe for
// concurrent use.
type Continued struct {
	next     Model
	replay   *Replay
	asked    map[string]bool // questions that were sent before; see voided
	Spent    Usage           // usage of all recorded calls that were sent
	Replayed bool            // others were answered from another recording
	Round    int             // the highest round recorded; 0: there is none
	End      int64           // of the last whole line, in bytes
}

// Continue reads the calls that a run has recorded so far, and returns a model
// that plays them before it asks next. wanted says which calls may be asked for
// again; the others are only counted. name is used in messages. Calls that failed
// without an answer, or were recorded without texts, are not played: they are made
// again.
func Continue(next Model, r io.Reader, name string, wanted func(CallID) bool) (*Continued, error) {
	c := &Continued{next: next, replay: newReplay(name), asked: map[string]bool{}}
	for l, err := range readLines(r, name) {
		if err != nil {
			return nil, err
		}
		call := l.call
		c.Round, c.End = max(c.Round, call.Round), l.end
		if call.Replayed && !call.Redo && !call.Response.Cached {
			c.Replayed = true
		} else if !call.Redo && !call.Response.Cached {
			c.Spent.Add(call.Response.spent(call.Err, call.Retry))
			if wanted(call.CallID) {
				c.asked[voided(&call.CallID, call.Request.Model)] = true
			}
		}
		if call.Redo || call.Answered && !call.Gone && !call.NoText && wanted(call.CallID) {
			c.replay.add(l)
		}
	}
	return c, nil
}

// Complete plays the recorded answer, or asks. The usage of a played answer is
// that of the run's own call.
func (c *Continued) Complete(ctx context.Context, req Request) (Response, error) {
	if one := c.replay.find(&req, Digest(req)); one != nil && ctx.Err() == nil {
		res := *one.Response
		res.Replayed = one.Replayed
		return res, one.Err
	}
	req.Retry = req.Retry || c.asked[voided(&req.ID, req.Model)]
	return c.next.Complete(ctx, req)
}

// Redo voids the recorded calls of a model about a case, repeat and criteria.
func (c *Continued) Redo(id CallID, model string) {
	k := voided(&id, model)
	c.replay.floor[k] = max(c.replay.floor[k], c.Round+1)
}

// Reuse reads the calls of another run, and returns a model that answers from it where that run asked
// the same about the same case, and asks next for the rest. Reused answers count as cached: they use
// nothing, and are written to recorder if it is not nil. name is used in messages. The model is
// safe for concurrent use.
func Reuse(next Model, calls io.Reader, name string, recorder *Recorder) (Model, error) {
	c, err := Continue(nil, calls, name, func(CallID) bool { return true })
	if err != nil {
		return nil, err
	}
	return Func(func(ctx context.Context, req Request) (Response, error) {
		if one := c.replay.find(&req, Digest(req)); one != nil && ctx.Err() == nil {
			return recorder.reuse(&req, one.Response, one.Err)
		}
		return next.Complete(ctx, req)
	}), nil
}
