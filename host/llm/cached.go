package llm

import (
	"cmp"
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/cache"
)

// A Cached answers requests that were answered before, in any run, and asks a
// Model for the others. It is safe for concurrent use.
//
// An answer is found by the endpoint, the whole request, its case and its repeat.
// So a run that is repeated gives the same rows, and equal prompts about two cases
// stay two answers. Only answers that whoever asked could use are kept, see
// Response.Keep.
type Cached struct {
	next     Model
	store    *cache.Store
	scope    []byte
	recorder *Recorder
}

// NewCached returns a model that answers from store and asks next for answers that are not
// there. endpoint is the one that next asks. Reused answers are written to
// recorder too, if it is not nil: a recording then holds every answer of its run.
func NewCached(next Model, store *cache.Store, endpoint Endpoint, recorder *Recorder) *Cached {
	base := cmp.Or(endpoint.BaseURL, DefaultBaseURL)
	scope := fmt.Appendf(nil, "%q %q %q %q", base, endpoint.Model, endpoint.AzureVersion, endpoint.Structured)
	return &Cached{next: next, store: store, scope: scope, recorder: recorder}
}

func (c *Cached) key(req *Request) (k cache.Key, ok bool) {
	digest := Digest(*req)
	return cache.KeyOf([]byte("judge"), c.scope, []byte(digest), []byte(req.ID.Case), fmt.Append(nil, max(1, req.ID.Repeat))), digest != ""
}

// Complete answers from the store, else asks.
func (c *Cached) Complete(ctx context.Context, req Request) (Response, error) {
	if ctx.Err() != nil {
		return Response{}, context.Cause(ctx)
	}
	key, ok := c.key(&req)
	if !ok {
		return c.next.Complete(ctx, req)
	}
	if b, ok := c.store.Get(key); ok {
		var kept Response
		if json.Unmarshal(b, &kept) == nil {
			return c.recorder.reuse(&req, &kept, nil)
		}
	}
	res, err := c.next.Complete(ctx, req)
	if err == nil && !res.Replayed {
		res.Keep = func() {
			b, err := json.Marshal(Response{Text: res.Text, Model: res.Model, Finish: res.Finish, Dropped: res.Dropped})
			if err == nil {
				c.store.Put(key, b) //nolint:errcheck // best effort: the answer is asked for again
			}
		}
	}
	return res, err
}
