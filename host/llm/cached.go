package llm

import (
	"cmp"
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/cache"
)

// NewCached returns a model that answers requests which were answered before, in any run, from store, and
// asks next for the others. endpoint is the one that next asks. Reused answers are written to recorder
// too, if it is not nil: a recording then holds every answer of its run. The model is safe for
// concurrent use.
//
// An answer is found by the endpoint, the whole request, its case and its repeat.
// So a run that is repeated gives the same rows, and equal prompts about two cases
// stay two answers. Only answers that whoever asked could use are kept, see
// Response.Keep.
func NewCached(next Model, store *cache.Store, endpoint Endpoint, recorder *Recorder) Model {
	base := cmp.Or(endpoint.BaseURL, DefaultBaseURL)
	scope := fmt.Appendf(nil, "%q %q %q %q", base, endpoint.Model, endpoint.AzureVersion, endpoint.Structured)
	return Func(func(ctx context.Context, req Request) (Response, error) {
		if ctx.Err() != nil {
			return Response{}, context.Cause(ctx)
		}
		digest := Digest(req)
		if digest == "" {
			return next.Complete(ctx, req)
		}
		key := cache.KeyOf([]byte("judge"), scope, []byte(digest), []byte(req.ID.Case), fmt.Append(nil, max(1, req.ID.Repeat)))
		var kept Response
		if b, ok := store.Get(key); ok && json.Unmarshal(b, &kept) == nil {
			return recorder.reuse(&req, &kept, nil)
		}
		res, err := next.Complete(ctx, req)
		if err == nil && !res.Replayed {
			res.Keep = func() {
				b, err := json.Marshal(Response{Text: res.Text, Model: res.Model, Finish: res.Finish, Dropped: res.Dropped})
				if err == nil {
					store.Put(key, b) //nolint:errcheck // best effort: the answer is asked for again
				}
			}
		}
		return res, err
	})
}
