//go:build unix

package worker

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// A crash is an attack by a worker, and the expected outcome.
type crash struct {
	name    string
	request string
	class   fault.Class
	says    string
	workers int // that were started in the end, when the call is alone
	limits  wasm.Limits
}

func madOptions() Options { return Options{more: []string{mad}} }

func request(text string) []byte {
	if strings.HasPrefix(text, "#") {
		return []byte(text)
	}
	return pair
}

// TestCall_FailsAloneIfItKillsItsWorker sends calls that kill the worker among
// others, many at a time and alone.
func TestCall_FailsAloneIfItKillsItsWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Parallel() // it waits
	for _, tt := range []crash{
		{request: "#kill", class: fault.Worker, says: "twice: signal: killed", workers: 3},
		{request: "#exit", class: fault.Worker, says: `twice: exit status 3; it printed: "`, workers: 3},
		{request: "#panic", class: fault.Worker, says: `it printed: "panic: a defect of the host"`, workers: 3},
		{request: "#half", class: fault.Worker, says: "twice: exit status 0", workers: 3},
		{request: "#garbage", class: fault.Worker, says: "protocol violation: a frame of", workers: 3},
		{request: "#huge", class: fault.Worker, says: "protocol violation: a frame of 4294967295", workers: 3},
		{request: "#stranger", class: fault.Worker, says: "a call that was not made", workers: 3},
		{request: "#flood", class: fault.Worker, says: "an answer of 1048577 bytes, 1048576 allowed", workers: 3},
		{request: "#class", class: fault.Worker, says: `an error of class "odd"`, workers: 3},
		{request: "#spin", class: fault.Deadline, says: "s; its worker was killed", workers: 2},
		{request: "#freeze", class: fault.Deadline, says: "s; its worker was killed", workers: 2},
	} {
		t.Run(tt.request+" alone", func(t *testing.T) {
			t.Parallel()
			m := load(t, isolated(t, madOptions()), "mad", bleu(t), wasm.Limits{})
			deadline := func(d time.Duration) { m.inspect(func(o *owner) { o.l.limits.Deadline = d }) }
			if tt.class == fault.Deadline {
				deadline(100 * time.Millisecond)
			}
			tt.check(t, m, tt.request)
			deadline(time.Hour) // a busy machine needs longer than the milliseconds that a call takes
			if _, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil {
				t.Errorf("the next call: %v", err)
			}
			if n := m.Workers(); n != tt.workers {
				t.Errorf("%d workers were started, want %d", n, tt.workers)
			}
		})
		t.Run(tt.request+" among others", func(t *testing.T) {
			t.Parallel()
			m := load(t, isolated(t, madOptions()), "mad", bleu(t), wasm.Limits{Deadline: time.Hour})
			want, _, err := m.Call(t.Context(), "bleu", pair, nil)
			if err != nil {
				t.Fatal(err)
			}
			var callers sync.WaitGroup
			checked, aged := make(chan struct{}), (*worker)(nil)
			for n := range 40 {
				callers.Go(func() {
					if n == 20 {
						defer close(checked)
						tt.check(t, m, tt.request)
						return
					}
					got, usage, err := m.Call(t.Context(), "bleu", pair, nil)
					if err != nil || !bytes.Equal(got, want) || usage.Fuel == 0 {
						t.Errorf("call %d: %s, %v", n, got, err)
					}
				})
			}
			for ended := tt.class != fault.Deadline; !ended; {
				m.inspect(func(o *owner) {
					if o.worker != aged && o.age(tt.request) {
						aged = o.worker // it is being killed
					}
				})
				select {
				case <-checked:
					ended = true
				case <-time.After(time.Millisecond):
				}
			}
			callers.Wait()
		})
	}
}

func (tt *crash) check(t *testing.T, m *Module, what string) {
	t.Helper()
	answer, _, err := m.Call(t.Context(), "bleu", []byte(what), nil)
	if fault.Of(err) != tt.class || !strings.Contains(err.Error(), tt.says) || !strings.HasPrefix(err.Error(), "plugin mad: bleu: ") {
		t.Errorf("error %v of class %q, want %q of class %q", err, fault.Of(err), tt.says, tt.class)
	}
	if len(answer) > 0 || strings.ContainsAny(err.Error(), "\n\x1b") || fault.Hint(err) == "" {
		t.Errorf("answer %q, error %q, hint %q", answer, err, fault.Hint(err))
	}
}

// age has the calls that the worker has begun exceed their deadline if a request is in flight,
// and reports whether it is. A deadline of seconds would end calls beside it on a busy machine.
func (o *owner) age(what string) bool {
	if !slices.ContainsFunc(o.flight, func(c *pending) bool { return string(c.request) == what }) {
		return false
	}
	for _, c := range o.begun() {
		c.since = c.since.Add(-o.patience())
	}
	o.worker.heard = o.worker.heard.Add(-o.patience())
	o.checkDeadline()
	return true
}

// TestCall_SurvivesAKilledWorker kills one that is busy, and one
// that is idle.
func TestCall_SurvivesAKilledWorker(t *testing.T) {
	m := load(t, isolated(t, Options{}), "bleu", bleu(t), wasm.Limits{})
	want, _, err := m.Call(t.Context(), "bleu", pair, nil)
	if err != nil {
		t.Fatal(err)
	}
	worker := func() *process { return processOf(m) }
	var callers sync.WaitGroup
	var made atomic.Int32
	for range 16 {
		callers.Go(func() {
			for range 100 {
				if made.Add(1) == 500 {
					worker().kill()
				}
				if got, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s, %v", got, err)
				}
			}
		})
	}
	callers.Wait()
	worker().close()
	if got, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s, %v", got, err)
	}
	if n := m.Workers(); n != 3 {
		t.Errorf("%d workers were started, want 3", n)
	}
}

func TestCall_IsRetriedOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Parallel() // it waits
	m := load(t, isolated(t, madOptions()), "mad", bleu(t), wasm.Limits{})
	calls := 3 // of each caller; each starts a worker
	if wasmtest.Race {
		calls = 1
	}
	var callers sync.WaitGroup
	for range 4 {
		callers.Go(func() {
			for range calls {
				if _, _, err := m.Call(t.Context(), "bleu", request("#kill"), nil); !fault.Is(err, fault.Worker) {
					t.Errorf("error %v", err)
				}
			}
		})
	}
	callers.Wait()
}

func TestCall_RefusesASecondResponse(t *testing.T) {
	m := load(t, isolated(t, madOptions()), "mad", bleu(t), wasm.Limits{})
	if _, _, err := m.Call(t.Context(), "bleu", request("#twice"), nil); err != nil {
		t.Fatal(err)
	}
	for m.Workers() < 2 { // the second answer is found out at some time
		if _, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLoad_FailsIfTheWorkerHangsOrDies(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Parallel() // it waits
	for _, tt := range []crash{
		{name: "compile-hang", class: fault.Load, says: "compiling takes longer than 1s; its worker was killed", limits: wasm.Limits{Deadline: time.Second, Compile: time.Second}},
		{name: "compile-die", class: fault.Worker, says: "load: its worker ended: signal: killed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := isolated(t, madOptions()).Load(t.Context(), wasm.Source{Name: tt.name, Module: bleu(t)}, tt.limits)
			if fault.Of(err) != tt.class || !strings.Contains(err.Error(), "plugin "+tt.name+": "+tt.says) {
				t.Errorf("error %v of class %q", err, fault.Of(err))
			}
		})
	}
}

func TestLoad_Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(fault.New(fault.Interrupted, "enough")) })
	_, err := isolated(t, madOptions()).Load(ctx, wasm.Source{Name: "compile-hang", Module: bleu(t)}, wasm.Limits{})
	if !fault.Is(err, fault.Interrupted) || !strings.Contains(err.Error(), "enough") {
		t.Errorf("error %v", err)
	}
}

func TestCall_CancelledBesideOthers(t *testing.T) {
	o := madOptions()
	o.Parallel = 2 // of them, the cancelled call keeps one
	m := load(t, isolated(t, o), "mad", bleu(t), wasm.Limits{Deadline: time.Minute})
	ctx, cancel := context.WithCancelCause(t.Context())
	failed := make(chan error)
	go func() {
		_, _, err := m.Call(ctx, "bleu", request("#spin"), nil)
		failed <- err
	}()
	if _, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil { // it can be another's turn
		t.Error(err)
	}
	cancel(fault.New(fault.Timeout, "the case took too long"))
	if err := <-failed; !fault.Is(err, fault.Timeout) || !strings.Contains(err.Error(), "plugin mad: bleu: ") {
		t.Errorf("error %v", err)
	}
	if _, _, err := m.Call(ctx, "bleu", pair, nil); !fault.Is(err, fault.Timeout) {
		t.Errorf("a call with a context that has ended: %v", err)
	}
	for range 100 {
		if _, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCall_CancelledStopsInTheWorker makes room for more endless calls
// than the worker makes at once.
func TestCall_CancelledStopsInTheWorker(t *testing.T) {
	m := load(t, isolated(t, Options{Parallel: 1}), "loop", endless(t), wasm.Limits{Fuel: 1 << 60, Deadline: time.Minute})
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		if _, _, err := m.Call(ctx, "score", nil, nil); !fault.Is(err, fault.Timeout) {
			t.Errorf("error %v", err)
		}
		cancel()
	}
	if n := m.Workers(); n != 1 {
		t.Errorf("%d workers were started", n)
	}
}

func TestClose_EndsCallsAndWorkers(t *testing.T) {
	rt := isolated(t, madOptions())
	m := load(t, rt, "mad", bleu(t), wasm.Limits{})
	failed := make(chan error)
	go func() {
		_, _, err := m.Call(t.Context(), "bleu", request("#spin"), nil)
		failed <- err
	}()
	for m.inFlight() == 0 {
		runtime.Gosched()
	}
	p := processOf(m)
	rt.Close(t.Context())
	if err := <-failed; !fault.Is(err, fault.Worker) {
		t.Errorf("error %v", err)
	}
	<-p.gone
	if _, _, err := m.Call(t.Context(), "bleu", pair, nil); !fault.Is(err, fault.Worker) {
		t.Errorf("a call after the end: %v", err)
	}
}

func TestLoad_ReportsAWorkerThatDoesNotStart(t *testing.T) {
	for command, says := range map[string]string{
		"/nowhere/rubric-host": "its worker does not start: ",
		"/bin/true":            "load: its worker ended: exit status 0",
		"/bin/cat":             `load: its worker ended: exit status 1; it printed: "`,
	} {
		_, err := isolated(t, Options{Command: command}).Load(t.Context(), wasm.Source{Name: "bleu", Module: bleu(t)}, wasm.Limits{})
		if !fault.Is(err, fault.Worker) || !strings.HasPrefix(err.Error(), "plugin bleu: "+says) {
			t.Errorf("%s: %v", command, err)
		}
	}
}
