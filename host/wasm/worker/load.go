package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/flight"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
	"github.com/rubric-host/rubric-host/host/wasm/store"
)

// startLimit is how long a worker may take to send its first message.
const startLimit = 30 * time.Second

// A loader starts workers and has them load one module. One goroutine at a time uses it.
type loader struct {
	r      *Runtime
	src    wasm.Source    // with its bytes and digest
	script *script.Script // nil: the module is not a script
	asked  wasm.Limits
	limits wasm.Limits // with defaults

	entryKey string // of the store; empty: nothing is kept
	entryDir string // empty: the module has no entry
	imageKey string // empty: the module has no image

	front *loader // of the front of a script, for its entry; nil: none is kept
}

func newLoader(r *Runtime, src *wasm.Source, limits wasm.Limits) (*loader, error) {
	module, err := src.Bytes()
	if err != nil {
		return nil, err
	}
	l := &loader{r: r, src: *src, asked: limits}
	if l.src.Module = module; src.Digest == "" {
		l.src.Digest = digest.Of(module)
	}
	language := ""
	if script.Is(module) {
		l.script = new(script.Script)
		if s, err := script.Read(module); err == nil { // else the worker reports it
			*l.script, language = *s, s.Language
		}
	}
	l.limits = script.LimitsFor(language, limits)
	switch {
	case r.store == nil:
	case l.script != nil:
		l.entryKey = entryKey(language, l.script.Interpreter) // scripts share that of their interpreter
		l.imageKey = entryKey("image", l.src.Digest, limitsDigest(limits))
		if front, found := binary.CustomSection(module, script.FrontSection); found && !script.Is(front) { // else the worker refuses it
			if l.front, err = newLoader(r, &wasm.Source{Name: src.Name + ", its front", Module: front}, l.limits); err != nil {
				return nil, err
			}
		}
	case len(module) >= worthKeeping:
		l.entryKey = entryKey(l.src.Digest, limitsDigest(l.limits))
	}
	return l, nil
}

// first starts the first worker, once the module's entry of the store is filled.
func (l *loader) first(ctx context.Context) (*conn, *loadResponse, error) {
	if err := l.fillEntry(ctx); err != nil {
		return nil, nil, err
	}
	if l.front != nil {
		if err := l.front.fillEntry(ctx); err != nil {
			return nil, nil, err
		}
	}
	return l.connect(ctx, false)
}

// fillEntry fills the module's entry, unless it is filled. If it cannot be, each worker
// compiles the module. An error means that the module does not compile.
func (l *loader) fillEntry(ctx context.Context) error {
	if l.entryKey == "" {
		return nil
	}
	s := l.r.store
	if !s.Has(l.entryKey) {
		d := s.Draft()
		if d == nil {
			return nil
		}
		defer d.Discard()
		l.entryDir = d.Dir
		k, _, err := l.connect(ctx, true)
		l.entryDir = ""
		if err != nil {
			return err
		}
		k.p.close()
		if !s.Has(l.entryKey) && !d.Commit(l.entryKey) { // else another process was faster
			return nil
		}
	}
	s.Use(l.entryKey)
	l.entryDir = s.Path(l.entryKey)
	return nil
}

// forgetEntry removes an entry that was of no use, so that the next process fills it.
func (l *loader) forgetEntry() {
	if l.entryDir != "" {
		l.r.store.Remove(l.entryKey)
		l.entryDir = ""
	}
}

// connect starts a worker that loads the module, or compiles it for its entry.
func (l *loader) connect(ctx context.Context, compile bool) (*conn, *loadResponse, error) {
	p, err := start(l.r.command, l.r.args)
	if err != nil {
		return nil, nil, fault.WithHint(fault.New(fault.Worker, "plugin %s: its worker does not start: %w", l.src.Name, err), "check that %s can be run", l.r.command)
	}
	k := newConn(p)
	var late atomic.Bool
	limit := time.AfterFunc(startLimit, func() { late.Store(true); p.kill() })
	defer limit.Stop()
	defer context.AfterFunc(ctx, p.kill)()
	about, err := l.load(ctx, k, limit, compile)
	if err == nil {
		return k, about, nil
	}
	p.leave(err)
	switch {
	case ctx.Err() != nil:
		err = fmt.Errorf("plugin %s: not loaded: %w", l.src.Name, flight.Stopped(ctx))
	case late.Load() && k.findings != nil:
		err = fault.WithHint(fault.New(fault.Load, "plugin %s: compiling takes longer than %v; its worker was killed", l.src.Name, l.limits.Compile), wasm.SlowHint)
	case late.Load():
		err = fault.New(fault.Worker, "plugin %s: its worker did not answer for %v", l.src.Name, startLimit)
	case !fault.Is(err, fault.Internal): // sent by the worker
	default:
		err = fault.New(fault.Worker, "plugin %s: load: its worker ended: %s", l.src.Name, p.why(err))
	}
	return nil, nil, err
}

// load has a worker load or compile the module. limit ends it.
func (l *loader) load(ctx context.Context, k *conn, limit *time.Timer, compile bool) (*loadResponse, error) {
	o := &l.r.o
	r := &loadRequest{
		Name: l.src.Name, Digest: l.src.Digest, Script: l.script != nil, Peer: l.script != nil && l.script.Peer, Limits: l.asked, Interpreter: o.Interpreter, Parallel: o.Parallel,
		CacheDir: l.entryDir, Key: l.r.key.Derive(l.entryKey), Compile: compile, Granted: grantedBy(l.src.Access),
	}
	for _, d := range l.src.Data {
		if !compile {
			r.Data = append(r.Data, d.Name)
		}
	}
	if compile || l.entryDir == "" {
		r.CompileBytes = script.CompileBytes(l.language())
	}
	if !compile && l.imageKey != "" {
		r.KeepImage = true
		if s := l.r.store; s.Has(l.imageKey) {
			s.Use(l.imageKey)
			r.ImageDir = s.Path(l.imageKey)
		}
	}
	if f := l.front; !compile && f != nil && f.entryDir != "" {
		r.FrontDir, r.FrontKey = f.entryDir, l.r.key.Derive(f.entryKey)
	}
	if err := k.greet(r); err != nil {
		return nil, err
	}
	if l.limits.Compile > 0 && l.limits.Deadline > 0 { // else the worker reports them
		start := l.limits.Deadline
		if l.script != nil { // starting it is bounded as compiling is
			start = max(start, l.limits.Compile)
		}
		limit.Reset(l.limits.Compile + start + o.Grace)
	}
	about, err := l.serve(ctx, k, r.KeepImage)
	if err != nil && r.ImageDir != "" { // the image may be at fault: the next worker starts without it
		l.r.store.Remove(l.imageKey)
	}
	return about, err
}

func (l *loader) language() string {
	if l.script == nil {
		return ""
	}
	return l.script.Language
}

// greet sends a worker its module, and reads how it is confined.
func (k *conn) greet(r *loadRequest) error {
	r.Version, r.Meter = version, meter.TableVersion
	if err := k.send(kindLoadRequest, r); err != nil {
		return err
	}
	var m ready
	if err := k.in.receive(kindReady, &m); err != nil {
		return err
	}
	if m.Version != version || m.Meter != meter.TableVersion || m.Limits != limitsDigest(r.Limits) {
		return fault.WithHint(fault.New(fault.Mismatch, "the worker has version %d with fuel table %d, not %d with %d, or other limits", m.Version, m.Meter, version, meter.TableVersion),
			"let the worker be a program of the same version")
	}
	k.findings = make([]Finding, 0, len(m.Confined)) // not nil: the worker is confined
	for _, f := range m.Confined {
		k.findings = append(k.findings, Finding{diag.Plain(f.Name), diag.Plain(f.Note), diag.Plain(f.Why)})
	}
	return nil
}

// serve answers host requests of a worker until it has loaded the module.
func (l *loader) serve(ctx context.Context, k *conn, keepImage bool) (*loadResponse, error) {
	left := map[operation]int{opModule: 1, opInterpreter: 1, opStep: 16, opData: len(l.src.Data)}
	var image *store.Draft // nil: it cannot be kept
	if keepImage {
		left[opImage] = mostImage / mostPiece
		image = l.r.store.Draft()
		defer image.Discard()
	}
	for {
		kind, body, err := k.in.next()
		switch {
		case err != nil:
			return nil, err
		case kind == kindLoadResponse:
			about, err := l.loaded(k, body)
			if err == nil && left[opImage] < mostImage/mostPiece {
				image.Commit(l.imageKey)
			}
			return about, err
		case kind != kindHostRequest:
			return nil, fmt.Errorf("%w: %s while it loads", errProtocol, kind)
		}
		var r hostRequest
		if err := k.in.decode(body, kind, &r); err != nil {
			return nil, err
		}
		if left[r.Op]--; left[r.Op] < 0 || r.id != 0 || l.script == nil && r.Op != opModule && r.Op != opData {
			return nil, errUnexpected
		}
		if r.Op == opImage {
			if _, err := image.Write(r.data); err != nil {
				image.Discard()
				image = nil
			}
		}
		if err := l.respond(ctx, k, &r); err != nil {
			return nil, err
		}
	}
}

var errUnexpected = fmt.Errorf("%w: an unexpected host request while it loads", errProtocol)

// respond answers a host request. An error means that the worker violated the protocol, or is gone.
func (l *loader) respond(ctx context.Context, k *conn, r *hostRequest) error {
	resp := &hostResponse{}
	switch r.Op {
	case opModule:
		resp.data = l.src.Module
	case opInterpreter:
		var err error
		if resp.data, err = l.interpreter(ctx, r.Name); err != nil {
			resp.fail(err)
		}
	case opData:
		at := slices.IndexFunc(l.src.Data, func(d wasm.Data) bool { return d.Name == r.Name })
		if at < 0 {
			return errUnexpected
		}
		resp.data = l.src.Data[at].Bytes
	case opStep:
		if doing := l.r.o.Doing; doing != nil {
			doing(diag.Plain(r.Name))
		}
	}
	return k.send(kindHostResponse, resp)
}

func (l *loader) loaded(k *conn, body []byte) (*loadResponse, error) {
	m := new(loadResponse)
	if err := k.in.decode(body, kindLoadResponse, m); err != nil {
		return nil, err
	}
	if m.failure != nil {
		failed, violation := m.failure.untrusted()
		return nil, errors.Join(failed, violation)
	}
	m.MemoryPages = min(m.MemoryPages, 1<<16)
	k.in.most = max(l.limits.OutputBytes, mostFailure) + l.limits.LogBytes + mostFixed
	if l.src.Access != nil {
		k.in.most = max(k.in.most, mostHostRequest)
	}
	return m, nil
}

func (l *loader) interpreter(ctx context.Context, language string) ([]byte, error) {
	if find := l.r.o.Interpreters; find != nil {
		return find(ctx, language)
	}
	name := diag.Plain(language)
	return nil, fault.WithHint(fault.New(fault.NotFound, "the runtime %q is not installed", name), "install it: "+fault.OptionAddRuntime+" %s FILE", name)
}
