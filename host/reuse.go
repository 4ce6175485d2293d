package host

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"github.com/rubric-host/rubric-host/host/cache"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// reusedFrom is the fuel of a plugin call from which its answer is kept, about a
// millisecond of work: a cheaper answer is computed faster than it is read.
const reusedFrom = 1_000_000

// pluginAnswers keeps the answers of one export of a plugin. A key holds all that
// decides an answer: plugin, export, limits, this program, and the request.
type pluginAnswers struct {
	store *cache.Store
	scope []byte
	slow  cache.Key   // its presence says that calls of this export are worth keeping
	keeps atomic.Bool // slow is in the store
}

// answersOf returns the store of an export's answers; nil if they are not
// kept: without a cache, and for a plugin with grants, whose answers depend on
// more than its request.
func (e *Evaluator) answersOf(pin *plan.Plugin, export string) *pluginAnswers {
	if e.o.Cache == nil || len(pin.Grants) > 0 {
		return nil
	}
	l := e.o.Limits
	l.Deadline, l.Compile = 0, 0 // they decide whether there is an answer, not which
	a := &pluginAnswers{store: e.o.Cache, scope: fmt.Appendf(nil, "%q %q %+v %v %s", pin.Digest, export, l, e.o.Interpreter, wasm.CacheVersion())}
	a.slow = cache.KeyOf([]byte("slow plugin"), a.scope)
	_, found := a.store.Get(a.slow)
	a.keeps.Store(found)
	return a
}

// Get returns the answer to a request and the fuel that it took, the peer's too.
func (a *pluginAnswers) Get(request []byte) (answer []byte, usage wasm.Usage, ok bool) {
	if !a.keeps.Load() {
		return nil, usage, false
	}
	k, ok := a.key(request)
	if !ok {
		return nil, usage, false
	}
	b, ok := a.store.Get(k)
	if !ok || len(b) < fuelBytes {
		return nil, usage, false
	}
	usage.Fuel, usage.PeerFuel = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	return b[fuelBytes:], usage, true
}

// fuelBytes are before a kept answer.
const fuelBytes = 16

// Put keeps an answer that was worth its fuel. A full disk loses the answer and
// nothing else.
func (a *pluginAnswers) Put(request, answer []byte, usage wasm.Usage) {
	if usage.Fuel+usage.PeerFuel < reusedFrom {
		return
	}
	k, ok := a.key(request)
	if !ok {
		return
	}
	if a.keeps.CompareAndSwap(false, true) {
		a.store.Put(a.slow, nil) //nolint:errcheck // best effort
	}
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, fuelBytes+len(answer)), usage.Fuel)
	b = binary.LittleEndian.AppendUint64(b, usage.PeerFuel)
	a.store.Put(k, append(b, answer...)) //nolint:errcheck // best effort
}

func (a *pluginAnswers) key(request []byte) (cache.Key, bool) {
	program, err := programDigest()
	return cache.KeyOf([]byte("plugin"), a.scope, program, request), err == nil
}

// programDigest returns the digest of the running program: it contains the sandbox
// and the script drivers. It is read once, when a kept answer may exist.
var programDigest = sync.OnceValues(func() ([]byte, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return h.Sum(nil), err
})
