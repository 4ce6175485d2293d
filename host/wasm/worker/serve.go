package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// hooks let tests break a worker from within.
type hooks struct {
	load func(h *hello)                      // before the module is loaded
	call func(s *server, j *job) (done bool) // before a call

	without string // something that is not given up
}

// A server is a worker: one module, called as frames come in.
type server struct {
	in     *frameReader
	out    outbox
	module *wasm.Module
	image  scriptImage // while it is loaded
	hooks  hooks

	jobs chan *job
	mu   sync.Mutex
	open map[uint64]*job // calls that are not answered yet
}

// serve is what a worker does until its input ends.
func serve(in, out *os.File, h hooks) error {
	in, out = polled(in), polled(out)
	s := &server{in: newFrameReader(in, mostJSON), out: outbox{w: out}, hooks: h, open: map[uint64]*job{}}
	greeting, err := s.greeting()
	if err != nil {
		return err
	}
	o := wasm.Options{
		CacheDir: greeting.CacheDir, Key: greeting.Key, Interpreter: greeting.Interpreter, Timed: greeting.Timed,
		Scripts: script.Open, Interpreters: s.interpreter,
		Doing: s.doing,
	}
	if greeting.Keep {
		s.image = scriptImage{dir: greeting.ImageDir, wanted: true}
		o.ScriptImage = &s.image
	}
	rt, err := wasm.New(context.Background(), o)
	if err != nil {
		return err
	}
	defer rt.Close(context.Background()) //nolint:errcheck // the process ends
	answer := ready{Version: version, Meter: meter.TableVersion, Limits: digest(greeting.Limits)}
	for _, f := range confine(greeting, h.without) {
		g := given{Name: f.Name, Note: f.Note}
		if f.Err != nil {
			g.Why = f.Err.Error()
			if f.Name == Landlock && greeting.CacheDir != "" && runtime.GOOS == "linux" {
				return fault.New(fault.Worker, "compiled code cannot be kept without Landlock: %w", f.Err)
			}
		}
		answer.Hardened = append(answer.Hardened, g)
	}
	if err := s.tell(kindReady, answer); err != nil {
		return err
	}
	if greeting.Kept != "" {
		return s.serve(rt, greeting, nil)
	}
	module, err := s.bytes(kindModule, greeting.Size)
	if errors.Is(err, io.EOF) { // nobody wanted more than the findings
		return nil
	}
	if err != nil {
		return err
	}
	return s.serve(rt, greeting, module)
}

// load loads the module.
func (s *server) load(rt *wasm.Runtime, greeting *hello, module []byte) (err error) {
	ctx := context.Background()
	src := wasm.Source{Name: greeting.Name, Module: module, Digest: greeting.Kept}
	if greeting.Kept != "" {
		src.Open = func() ([]byte, error) {
			if err := s.out.write(func(b []byte) []byte { return appendFrame(b, kindNeed, nil) }); err != nil {
				return nil, err
			}
			return s.bytes(kindModule, greeting.Size)
		}
	}
	if greeting.Fill {
		return rt.Compile(ctx, src, greeting.Limits)
	}
	if greeting.Granted != nil {
		src.Access = s.access(greeting.Granted)
	}
	s.module, err = rt.Load(ctx, src, greeting.Limits)
	return err
}

// serve loads the module, and answers calls.
func (s *server) serve(rt *wasm.Runtime, greeting *hello, module []byte) error {
	if s.hooks.load != nil {
		s.hooks.load(greeting)
	}
	err := s.load(rt, greeting, module)
	if err != nil {
		return s.out.write(func(b []byte) []byte {
			start := len(b)
			return end(appendError(begin(b, kindFailed), err), start)
		})
	}
	if greeting.Fill {
		return s.tell(kindLoaded, loaded{})
	}
	m := s.module
	if err := s.sendImage(); err != nil {
		return err
	}
	if err := s.tell(kindLoaded, loaded{Exports: m.Exports(), Keeps: m.Keeps(), CacheMiss: m.CacheMiss(), MemoryPages: m.Limits().MemoryPages}); err != nil {
		return err
	}
	return s.calls(greeting)
}

// greeting reads the hello.
func (s *server) greeting() (*hello, error) {
	k, b, err := s.in.next()
	switch {
	case err != nil && !errors.Is(err, errFrame):
		return nil, fmt.Errorf("%w: %w", errFrame, err)
	case err != nil:
		return nil, err
	case k != kindHello:
		return nil, fmt.Errorf("%w: kind %d, not a hello", errFrame, k)
	}
	var h hello
	if err := json.Unmarshal(b, &h, wire); err != nil {
		return nil, fault.New(fault.Mismatch, "the hello: %w", err)
	}
	if h.Parallel < 1 || h.Size < 0 {
		return nil, fmt.Errorf("%w: a hello for %d calls and %d bytes", errFrame, h.Parallel, h.Size)
	}
	return &h, nil
}

// bytes reads the module, or a piece of its image.
func (s *server) bytes(want kind, size int) ([]byte, error) {
	s.in.most = size
	k, b, err := s.in.next()
	if err != nil {
		return nil, err
	}
	if k != want || len(b) != size {
		return nil, fmt.Errorf("%w: kind %d with %d bytes, not kind %d with %d", errFrame, k, len(b), want, size)
	}
	return bytes.Clone(b), nil
}

// interpreter asks the parent for the interpreter of a language. It is called
// while the module is loaded, when nothing else is read.
func (s *server) interpreter(_ context.Context, language string) ([]byte, error) {
	if err := s.out.write(func(b []byte) []byte { return appendFrame(b, kindNeed, []byte(language)) }); err != nil {
		return nil, err
	}
	s.in.most = mostInterpreter
	k, b, err := s.in.next()
	switch {
	case err != nil:
		return nil, err
	case k == kindFound:
		return bytes.Clone(b), nil
	case k == kindMissing:
		failure, err := readError(b)
		if err == nil {
			err = failure
		}
		return nil, err
	}
	return nil, fmt.Errorf("%w: kind %d, not an interpreter", errFrame, k)
}

// doing says what takes long while an interpreter is made ready.
func (s *server) doing(step string) {
	s.out.write(func(b []byte) []byte { return appendFrame(b, kindDoing, []byte(step)) }) //nolint:errcheck // if nobody reads, the input ends as well
}

// tell sends a frame with JSON.
func (s *server) tell(k kind, v any) error {
	b, err := json.Marshal(v, wire)
	if err != nil {
		return err
	}
	return s.out.write(func(buf []byte) []byte { return appendFrame(buf, k, b) })
}

// calls answers calls until the input ends. Those that are under way then are
// of no use to anybody.
func (s *server) calls(h *hello) error {
	s.in.most = s.module.Limits().InputBytes + mostExport + mostFixed
	if h.Granted != nil {
		s.in.most = max(s.in.most, mostTold(h.Granted.Bounds))
	}
	s.jobs = make(chan *job, window(h.Parallel))
	s.out.sweep()
	for range h.Parallel {
		go s.work()
	}
	for {
		k, b, err := s.in.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case k == kindCall:
			err = s.call(b)
		case k == kindCancel:
			err = s.cancel(b)
		case k == kindTold:
			err = s.answer(b)
		default:
			err = fmt.Errorf("%w: kind %d", errFrame, k)
		}
		if err != nil {
			return err
		}
	}
}

func (s *server) call(frame []byte) error {
	c, err := readCall(frame)
	if err != nil {
		return err
	}
	j := jobs.Get().(*job)
	j.id = c.id
	j.stop.Store(false)
	j.released = j.released[:0]
	j.export = append(j.export[:0], c.export...)
	j.request = append(j.request[:0], c.request...)
	s.mu.Lock()
	s.open[j.id] = j
	s.mu.Unlock()
	s.jobs <- j
	return nil
}

func (s *server) cancel(frame []byte) error {
	r := body{b: frame}
	id := r.number(8)
	s.mu.Lock()
	if j := s.open[id]; j != nil {
		j.stop.Store(true)
	}
	s.mu.Unlock()
	return nil
}

// work makes calls, one after the other.
func (s *server) work() {
	names := map[string]string{}
	for _, name := range s.module.Exports() {
		names[name] = name
	}
	for j := range s.jobs {
		if s.hooks.call != nil && s.hooks.call(s, j) {
			continue
		}
		export, known := names[string(j.export)]
		if !known {
			export = string(j.export)
		}
		answer, usage, err := s.module.Call(j, export, j.request, j.answer)
		j.answer = answer
		s.mu.Lock()
		delete(s.open, j.id)
		s.mu.Unlock()
		s.out.mu.Lock()
		if err != nil {
			s.out.buf = appendFault(s.out.buf, j.id, usage, err)
		} else {
			s.out.buf = appendAnswer(s.out.buf, j.id, usage, answer)
		}
		s.out.hold(len(s.jobs)) //nolint:errcheck // if nobody reads, the input ends as well
		s.out.mu.Unlock()
		j.done()
	}
}

// A job is a call that a worker makes, and the context in which it does. It ends
// when the other side says so.
type job struct {
	id                      uint64
	export, request, answer []byte
	stop                    atomic.Bool

	asks     atomic.Bool   // it waits to be told
	told     chan struct{} // of capacity 1
	answered []byte        // what it was told
	released []uint32      // files that it needs no more
}

var jobs = sync.Pool{New: func() any { return &job{told: make(chan struct{}, 1)} }}

// done gives the job back, unless it has become large.
func (j *job) done() {
	if cap(j.request)+cap(j.answer)+cap(j.answered) <= maxPooled {
		jobs.Put(j)
	}
}

// maxPooled is the size of the largest buffers that are kept for another call.
const maxPooled = 1 << 20

// Deadline, Done, Err and Value make a job a context that says that it has ended
// to those who ask.
func (j *job) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done returns nil.
func (j *job) Done() <-chan struct{} { return nil }

// Err returns context.Canceled once the call is cancelled.
func (j *job) Err() error {
	if j.stop.Load() {
		return context.Canceled
	}
	return nil
}

// Value returns the job itself for jobKey.
func (j *job) Value(key any) any {
	if _, ok := key.(jobKey); ok {
		return j
	}
	return nil
}
