package llm

import (
	"cmp"
	"context"
	"hash/maphash"
	"io"
	"strconv"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// A Replay answers from a recording, without any endpoint. It is safe for concurrent
// use: it is immutable. It keeps the answers in memory, and of the requests only
// enough to say how a missing one differs.
type Replay struct {
	name  string
	model string           // of the first request for an answer
	mixed bool             // another such request names another model
	embed string           // model of the first request for embeddings
	kept  map[string]*Call // the call that counts for an identity, without its request
	floor map[string]int   // conversations that were asked again: the first round that counts

	seed   maphash.Seed
	prints []fingerprint
	byUser map[uint64][]int // user turns to places in prints
	byCase map[string][]int
}

// EmbeddingModel returns the model of the first recorded request for embeddings; empty if there
// is none.
func (p *Replay) EmbeddingModel() string { return p.embed }

// Model returns the model that every recorded request for an answer names; empty if there are
// several.
func (p *Replay) Model() string {
	if p.mixed {
		return ""
	}
	return p.model
}

// NewReplay reads a recording; name is used in messages. Everything wrong with
// it is reported at once, with class fault.Invalid. A last line without its end
// is taken for one that was being written, and left out.
func NewReplay(r io.Reader, name string) (*Replay, error) {
	p := newReplay(name)
	var problems diag.List
	for l, err := range readLines(r, name) {
		if err != nil {
			list := diag.In(err)
			if list == nil {
				return nil, err
			}
			for _, d := range list {
				problems.Add(d)
			}
			continue
		}
		if l.call.NoText {
			return nil, fault.WithHint(fault.New(fault.Invalid, "%s:%d: the recording has no texts to answer with", name, l.number), "record again, without leaving texts out")
		}
		if !l.call.Gone {
			p.add(l)
		}
	}
	return p, problems.Err()
}

func newReplay(name string) *Replay {
	return &Replay{name: name, kept: map[string]*Call{}, floor: map[string]int{}, seed: maphash.MakeSeed(), byUser: map[uint64][]int{}, byCase: map[string][]int{}}
}

func identity(id *CallID, digest string) string {
	return digest + "\x00" + strconv.Itoa(max(1, id.Attempt)) + "\x00" + id.conversation()
}

// voided identifies calls that are asked again: several judges may share a recording.
func voided(id *CallID, model string) string { return model + "\x00" + id.conversation() }

func (p *Replay) add(l placedLine) {
	c := l.call
	if c.Redo {
		k := voided(&c.CallID, c.Request.Model)
		p.floor[k] = max(p.floor[k], c.Round)
		return
	}
	switch {
	case c.Request.Embed != nil:
		p.embed = cmp.Or(p.embed, c.Request.Model)
	case p.model == "":
		p.model = c.Request.Model
	}
	p.mixed = p.mixed || c.Request.Embed == nil && c.Request.Model != p.model
	k := identity(&c.CallID, c.Digest)
	old := p.kept[k]
	switch {
	case old == nil:
		p.kept[k] = c
		p.remember(l)
	case c.newer(old):
		p.kept[k] = c
	}
	c.Request = Request{}
	c.Response.Replayed = true
}

// Len returns the number of different calls that the recording answers.
func (p *Replay) Len() int { return len(p.kept) }

// find returns the call that answers req, nil if there is none.
func (p *Replay) find(req *Request, digest string) *Call {
	one := p.kept[identity(&req.ID, digest)]
	if one == nil || one.Round < p.floor[voided(&req.ID, req.Model)] {
		return nil
	}
	return one
}

// Complete answers from the recording. A request that it does not have is an
// error of class fault.ReplayMiss that names the nearest recorded call and how it
// differs.
func (p *Replay) Complete(ctx context.Context, req Request) (Response, error) {
	if ctx.Err() != nil {
		return Response{}, context.Cause(ctx)
	}
	digest := Digest(req)
	one := p.find(&req, digest)
	if one == nil {
		return Response{}, fault.New(fault.ReplayMiss, "the recording %s has no answer to the request for %s: %s", p.name, req.ID, p.nearest(digest, &req))
	}
	res := *one.Response
	res.Replayed = true
	return res, one.Err
}
