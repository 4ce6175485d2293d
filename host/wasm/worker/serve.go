package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// hooks let tests break a worker from within.
type hooks struct {
	load func(r *loadRequest)                // before the module is loaded
	call func(s *server, j *job) (done bool) // before a call

	without string // the name of a Finding that is skipped
}

// A server is a worker: it loads one module and answers calls. One goroutine reads, and
// as many as calls may run at once make them.
type server struct {
	in     *frameReader
	out    *outbox
	module *wasm.Module
	hooks  hooks

	loading *job // makes the host requests of loading, as call zero
	jobs    chan *job
	mu      sync.Mutex
	open    map[uint64]*job // calls that are not answered yet
}

// serve runs a worker until its input ends.
func serve(in, out *os.File, h hooks) error {
	in, out = polled(in), polled(out)
	s := &server{in: newFrameReader(in, mostTrusted), out: newOutbox(out), hooks: h, loading: newJob()}
	s.open = map[uint64]*job{0: s.loading}
	r, err := s.loadRequest()
	if err != nil {
		return err
	}
	s.jobs = make(chan *job, window(r.Parallel))
	var image []byte // of the script, once it is made
	o := wasm.Options{
		CacheDir: r.CacheDir, Key: r.Key, Interpreter: r.Interpreter,
		Scripts: script.Open, Interpreters: s.interpreter, FrontDir: r.FrontDir, FrontKey: r.FrontKey,
		Doing: func(step string) {
			s.request(s.loading, &hostRequest{Op: opStep, Name: step}) //nolint:errcheck // for information
		},
	}
	if r.KeepImage {
		o.ScriptImage = &wasm.ScriptImage{Dir: r.ImageDir, Keep: func(made []byte) {
			if image = nil; len(made) <= mostImage {
				image = made
			}
		}}
	}
	rt, err := wasm.New(context.Background(), o)
	if err != nil {
		return err
	}
	defer rt.Close(context.Background()) //nolint:errcheck // the process ends
	rt.Memory()                          // waits until the ways were tried: confine denies some system calls that this takes
	hello := ready{Version: version, Meter: meter.TableVersion, Limits: limitsDigest(r.Limits), Confined: confine(r, h.without)}
	for _, f := range hello.Confined {
		if f.Why != "" && f.Name == Landlock && r.CacheDir != "" && runtime.GOOS == "linux" {
			return fault.New(fault.Worker, "compiled code cannot be kept without Landlock: %s", f.Why)
		}
	}
	go s.out.run()
	s.out.send(kindReady, &hello)
	go s.run(rt, r, &image)
	return s.read()
}

// loadRequest reads the first message.
func (s *server) loadRequest() (*loadRequest, error) {
	k, body, err := s.in.next()
	switch {
	case err != nil && !errors.Is(err, errProtocol):
		return nil, fmt.Errorf("%w: %w", errProtocol, err)
	case err != nil:
		return nil, err
	case k != kindLoadRequest:
		return nil, fmt.Errorf("%w: %s instead of a load request", errProtocol, k)
	}
	r := new(loadRequest)
	if err := s.in.decode(body, k, r); err != nil {
		return nil, fault.New(fault.Mismatch, "%w", err)
	}
	if r.Parallel < 1 {
		return nil, fmt.Errorf("%w: a load request for %d calls", errProtocol, r.Parallel)
	}
	return r, nil
}

// read takes messages until the input ends. Nobody waits for the calls that run then.
func (s *server) read() error {
	for {
		k, body, err := s.in.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case k == kindCallRequest:
			err = s.call(body)
		case k == kindCancel:
			var m cancel
			if err = s.in.decode(body, k, &m); err == nil {
				if j := s.job(m.id); j != nil {
					j.stop.Store(true)
				}
			}
		case k == kindHostResponse:
			err = s.respond(body)
		default:
			err = fmt.Errorf("%w: %s", errProtocol, k)
		}
		if err != nil {
			return err
		}
	}
}

// job returns the call of a number, nil if it was answered.
func (s *server) job(id uint64) *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[id]
}

func (s *server) call(body []byte) error {
	j := newJob()
	if err := s.in.decode(body, kindCallRequest, &j.call); err != nil {
		return err
	}
	s.mu.Lock()
	s.open[j.call.id] = j
	s.mu.Unlock()
	s.jobs <- j
	return nil
}

// run loads the module and makes calls.
func (s *server) run(rt *wasm.Runtime, r *loadRequest, image *[]byte) {
	if s.hooks.load != nil {
		s.hooks.load(r)
	}
	var m loadResponse
	err := s.load(rt, r)
	if err == nil {
		err = s.sendImage(*image)
		*image = nil
	}
	switch {
	case err != nil:
		m.failure = failureOf(err)
	case !r.Compile:
		m.Keeps, m.CacheMiss, m.FrontMiss, m.MemoryPages = s.module.Keeps(), s.module.CacheMiss(), s.module.FrontMiss(), s.module.Limits().MemoryPages
	}
	s.out.send(kindLoadResponse, &m)
	if err != nil || r.Compile {
		return
	}
	for range r.Parallel {
		go s.work()
	}
}

// load loads the module, or only compiles it.
func (s *server) load(rt *wasm.Runtime, r *loadRequest) (err error) {
	ctx := context.Background()
	src := wasm.Source{Name: r.Name, Digest: r.Digest, Open: func() ([]byte, error) { return s.fetch(&hostRequest{Op: opModule}) }}
	if r.Compile {
		return rt.Compile(ctx, src, r.Limits)
	}
	for _, name := range r.Data {
		b, err := s.fetch(&hostRequest{Op: opData, Name: name})
		if err != nil {
			return err
		}
		src.Data = append(src.Data, wasm.Data{Name: name, Bytes: b})
	}
	if r.Granted != nil {
		src.Access = s.access(r.Granted)
	}
	s.module, err = rt.Load(ctx, src, r.Limits)
	return err
}

// fetch requests bytes while the module is loaded.
func (s *server) fetch(r *hostRequest) ([]byte, error) {
	resp, err := s.request(s.loading, r)
	if err != nil {
		return nil, err
	}
	b := resp.data
	resp.data = nil // the next response has a buffer of its own
	return b, nil
}

// interpreter is wasm.Options.Interpreters.
func (s *server) interpreter(_ context.Context, language string) ([]byte, error) {
	return s.fetch(&hostRequest{Op: opInterpreter, Name: language})
}

// sendImage sends the image that was made, if there is one, in pieces.
func (s *server) sendImage(made []byte) error {
	for len(made) > 0 {
		n := min(len(made), mostPiece)
		if _, err := s.request(s.loading, &hostRequest{Op: opImage, data: made[:n]}); err != nil {
			return err
		}
		made = made[n:]
	}
	return nil
}

// work makes calls, one after the other.
func (s *server) work() {
	var m callResponse
	for j := range s.jobs {
		if s.hooks.call != nil && s.hooks.call(s, j) {
			continue
		}
		m.id, m.failure = j.call.id, nil
		var err error
		j.answer, m.usage, err = s.module.Call(j, j.call.export, j.call.request, j.answer)
		if m.answer = j.answer; err != nil {
			m.answer, m.failure = nil, failureOf(err)
		}
		s.mu.Lock()
		delete(s.open, m.id)
		s.mu.Unlock()
		s.out.send(kindCallResponse, &m)
	}
}

// A job is a call, and the context in which it is made. It ends when the parent cancels
// it.
type job struct {
	call   callRequest
	answer []byte
	stop   atomic.Bool

	asking   atomic.Bool   // it waits for a host response
	answered chan struct{} // of capacity 1
	response hostResponse
	released []uint32 // files that it has closed
}

func newJob() *job { return &job{answered: make(chan struct{}, 1)} }

// Deadline returns none.
func (j *job) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done returns nil: callees poll Err.
func (j *job) Done() <-chan struct{} { return nil }

// Err returns context.Canceled once the call is cancelled.
func (j *job) Err() error {
	if j.stop.Load() {
		return context.Canceled
	}
	return nil
}

func (j *job) Value(key any) any {
	if _, ok := key.(jobKey); ok {
		return j
	}
	return nil
}
