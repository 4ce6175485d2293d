package llm

import (
	"cmp"
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Where a Gate begins and ends that finds out how many calls the endpoint bears.
const (
	gateStart = 20
	gateMost  = 200
)

// A Gate bounds how many calls of a Model are under way, and lets none begin
// while the endpoint has asked for a pause. It is safe for concurrent use; who
// came first goes first.
//
// One without a fixed number backs off by a fifth when the endpoint answers 429, once for
// all the calls that were under way, and adds one after every round without.
type Gate struct {
	next  Model
	fixed bool
	mu    sync.Mutex
	load  Load
	queue list.List // of chan struct{}, closed when it is that call's turn
	wake  *time.Timer
	epoch int // counts the cuts; a call that began before a cut causes no other
	grown int // answers since the cap last changed
}

// A Load is the momentary state of a Gate.
type Load struct {
	InFlight int
	Cap      int
	Limited  int       // 429s so far
	Paused   time.Time // no call begins before; zero or past: no pause
	Refusing time.Time // since when there are 429s and no answer; zero: the last call had one
}

// NewGate returns a gate in front of next that lets exactly so many calls through at once;
// 0: as many as the endpoint bears.
func NewGate(next Model, fixed int) *Gate {
	return &Gate{next: next, fixed: fixed > 0, load: Load{Cap: cmp.Or(max(0, fixed), gateStart)}}
}

// Load returns the state of the gate.
func (g *Gate) Load() Load {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.load
}

// Complete waits for its turn and asks the model.
func (g *Gate) Complete(ctx context.Context, req Request) (Response, error) {
	epoch, err := g.enter(ctx)
	if err != nil {
		return Response{}, err
	}
	res, err := g.next.Complete(ctx, req)
	g.leave(epoch, err)
	return res, err
}

// enter waits for room, and returns the epoch in which the call begins.
func (g *Gate) enter(ctx context.Context) (epoch int, err error) {
	turn := make(chan struct{})
	g.mu.Lock()
	place := g.queue.PushBack(turn)
	g.admit()
	g.mu.Unlock()
	select {
	case <-turn:
	case <-ctx.Done():
		g.mu.Lock()
		defer g.mu.Unlock()
		select {
		case <-turn: // it came at the same moment: give it back
			g.load.InFlight--
			g.admit()
		default:
			g.queue.Remove(place)
		}
		return 0, context.Cause(ctx)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.epoch, nil
}

// admit lets calls begin while there is room and no pause. g.mu is held.
func (g *Gate) admit() {
	if left := time.Until(g.load.Paused); left > 0 {
		if g.wake == nil {
			g.wake = time.AfterFunc(left, g.resume)
		}
		return
	}
	for g.load.InFlight < g.load.Cap && g.queue.Len() > 0 {
		g.load.InFlight++
		close(g.queue.Remove(g.queue.Front()).(chan struct{}))
	}
}

// resume ends a pause, unless it was prolonged meanwhile.
func (g *Gate) resume() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wake = nil
	g.admit()
}

// leave learns from the outcome of a call that began in epoch.
func (g *Gate) leave(epoch int, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.load.InFlight--
	if d, asked := RetryAfter(err); asked && d <= MaxPause { // longer ones are nothing to wait for: see Breaker
		if until := time.Now().Add(d); until.After(g.load.Paused) {
			g.load.Paused = until
		}
	}
	limited := fault.Is(err, fault.JudgeLimit)
	switch {
	case err == nil || fault.Is(err, fault.JudgeAnswer, fault.JudgeRefusal):
		g.load.Refusing = time.Time{}
	case limited && g.load.Refusing.IsZero():
		g.load.Refusing = time.Now()
	}
	switch {
	case limited:
		g.load.Limited++
		if !g.fixed && epoch == g.epoch {
			g.load.Cap = max(1, g.load.Cap*4/5)
			g.epoch, g.grown = g.epoch+1, 0
		}
	case err == nil && !g.fixed:
		if g.grown++; g.grown >= g.load.Cap {
			g.load.Cap, g.grown = min(gateMost, g.load.Cap+1), 0
		}
	}
	g.admit()
}

// Sleep waits for d, or until ctx is done; then it returns the cause.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
