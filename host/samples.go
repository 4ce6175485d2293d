package host

import (
	"bytes"
	"context"
	"crypto/sha256"
	"sync"

	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// onceEach calls a plugin once for equal requests: those of samples of a problem
// with the same output, and of repeats. The plugin must have no grants, so that
// another call would give the same answer. Cheap answers are not kept.
type onceEach struct {
	metric.Guest

	mu    sync.Mutex
	calls map[requestKey]*flight.Once[answered]
	bytes int // of kept answers
}

type requestKey [sha256.Size]byte

type answered struct {
	answer []byte
	usage  wasm.Usage
}

// maxKeptAnswers bounds the answers that a run keeps in memory, in bytes. Beyond, it forgets all:
// the samples of a problem, and repeats, stand side by side.
const maxKeptAnswers = 64 << 20

func newOnceEach(g metric.Guest) *onceEach {
	return &onceEach{Guest: g, calls: map[requestKey]*flight.Once[answered]{}}
}

// Call implements metric.Guest.
func (o *onceEach) Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error) {
	key := requestKey(sha256.Sum256(append([]byte(export+"\x00"), request...)))
	o.mu.Lock()
	once := o.calls[key]
	if once == nil {
		once = &flight.Once[answered]{}
		o.calls[key] = once
	}
	o.mu.Unlock()
	got, err := once.Do(ctx, func(ctx context.Context) (answered, error) {
		b, usage, err := o.Guest.Call(ctx, export, bytes.Clone(request), nil) // the caller may be gone before the call ends
		o.made(key, once, b, err == nil && usage.Fuel+usage.PeerFuel >= reusedFrom)
		return answered{b, usage}, err
	})
	return append(answer[:0], got.answer...), got.usage, err
}

// made keeps the answer to a request, or forgets the request.
func (o *onceEach) made(key requestKey, once *flight.Once[answered], answer []byte, keep bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.calls[key] != once: // forgotten
	case !keep:
		delete(o.calls, key)
	case o.bytes+len(answer) > maxKeptAnswers:
		o.calls, o.bytes = map[requestKey]*flight.Once[answered]{key: once}, len(answer)
	default:
		o.bytes += len(answer)
	}
}
