package llm

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// maxLine is the longest line of a recording, in bytes.
const maxLine = 32 << 20

// A Replay answers from a recording, without any endpoint. It is safe for
// concurrent use. What it keeps in memory is the answers; of the requests only
// what is needed to say how one that is missing differs.
type Replay struct {
	name  string
	model string // of the first request
	mixed bool   // another request names another model
	mu    sync.Mutex
	kept  map[key]*lines

	seed   maphash.Seed
	prints []print
	byUser map[uint64][]int // user turns to places in prints
	systems,
	models map[uint64]bool
}

type key struct {
	digest string
	repeat int
}

// lines are the lines of one key, in order.
type lines struct {
	answers []played
	errors  []played
	next    int
}

type played struct {
	res Response
	err error
}

// Model returns the model that every recorded request names; empty if there are
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
	p := &Replay{name: name, kept: map[key]*lines{}, seed: maphash.MakeSeed(), byUser: map[uint64][]int{}, systems: map[uint64]bool{}, models: map[uint64]bool{}}
	var problems diag.List
	in := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		b, whole, err := readLine(in)
		if err != nil {
			return nil, fault.New(fault.Invalid, "%s:%d: %w", name, n, err)
		}
		if !whole {
			break
		}
		if len(bytes.TrimSpace(b)) == 0 {
			continue
		}
		if err := p.add(b); err != nil {
			problems.Add(diag.Diagnostic{Code: "recording", Pos: diag.Pos{File: name, Line: n}, Message: err.Error(), Hint: "record again"})
		}
	}
	return p, problems.Err()
}

// readLine returns the next line; whole is false at the end, whether or not
// something stands after the last line break.
func readLine(in *bufio.Reader) (b []byte, whole bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		switch b = append(b, part...); {
		case len(b) > maxLine:
			return nil, false, fmt.Errorf("the line is longer than %d bytes", maxLine)
		case err == nil:
			return b, true, nil
		case errors.Is(err, io.EOF):
			return b, false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

// add keeps one line.
func (p *Replay) add(b []byte) error {
	var l line
	if err := json.Unmarshal(b, &l); err != nil {
		return fmt.Errorf("not a recorded call: %s", diag.Plain(err.Error()))
	}
	switch {
	case l.V > formatVersion:
		return fmt.Errorf("version %d of the format is newer than this program", l.V)
	case l.Answer == nil && l.Error == nil:
		return errors.New("the call has neither answer nor error")
	}
	canonical, err := l.Request.write()
	if err != nil {
		return err
	}
	digest := digestOf(canonical)
	if l.Digest != "" && l.Digest != digest {
		return errors.New("the digest is not that of its request: the line was changed by hand")
	}
	k := key{digest, max(1, l.Repeat)}
	kept := p.kept[k]
	if kept == nil {
		kept = &lines{}
		p.kept[k] = kept
		if p.Len() == 1 {
			p.model = l.Request.Model
		}
		p.mixed = p.mixed || l.Request.Model != p.model
		p.remember(k, &l.Request)
	}
	kept.add(&l)
	return nil
}

func (k *lines) add(l *line) {
	var one played
	if a := l.Answer; a != nil {
		one.res = Response{Text: a.Text, Model: a.Model, Finish: a.Finish, TokensIn: tokens(a.TokensIn), TokensOut: tokens(a.TokensOut), CostUSD: a.CostUSD, Dropped: a.Dropped}
	}
	one.res.Replayed = true
	if e := l.Error; e != nil {
		class := e.Class
		if !isJudgeClass(class) {
			class = fault.JudgeAnswer
		}
		one.err = fault.New(class, "%s", diag.Plain(e.Message))
		if e.Hint != "" {
			one.err = fault.WithHint(one.err, "%s", diag.Plain(e.Hint))
		}
	}
	if one.err == nil || l.Answer != nil { // what was refused or cut off is an answer too
		k.answers = append(k.answers, one)
	} else {
		k.errors = append(k.errors, one)
	}
}

func isJudgeClass(c fault.Class) bool {
	for _, known := range judgeClasses {
		if c == known {
			return true
		}
	}
	return false
}

// Len returns the number of different requests that the recording answers.
func (p *Replay) Len() int { return len(p.kept) }

// Complete answers from the recording. A request that it does not have is an
// error of class fault.ReplayMiss that says how the nearest one differs.
func (p *Replay) Complete(ctx context.Context, req Request) (Response, error) {
	if ctx.Err() != nil {
		return Response{}, context.Cause(ctx)
	}
	k := key{Digest(req), max(1, req.Repeat)}
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := p.kept[k]
	if kept == nil {
		return Response{}, fault.New(fault.ReplayMiss, "the recording %s has no answer to this request: %s", p.name, p.nearest(k, &req))
	}
	list := kept.answers
	if len(list) == 0 {
		list = kept.errors
	}
	one := list[min(kept.next, len(list)-1)]
	kept.next++
	return one.res, one.err
}
