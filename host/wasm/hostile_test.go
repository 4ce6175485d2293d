package wasm_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// A hostile module and what must come of it, as the comments at the head of its
// text say:
//
//	;; class: fuel          the class of the error; none: the call succeeds
//	;; at: load             where the error comes; none: in the call
//	;; says: part of it     what the message contains
//	;; answer: "text"       the answer of a call that succeeds
//	;; log: 16384           how many bytes are kept of what it prints
//	;; limits: fuel=1 pages=16 deadline=50ms
//	;; fuel: 1200001        what the call uses, exactly
//
// Loading it and calling it twice takes no longer than mostTime, which is there
// for what would take for ever, and no more of the host's own memory than
// mostBytes. threats_test.go says which threat each stands for.
type hostile struct {
	name   string
	module []byte
	class  fault.Class
	atLoad bool
	says   string
	answer string
	log    int
	fuel   uint64
	limits wasm.Limits
}

const (
	mostTime  = 20 * time.Second
	mostBytes = 96 << 20
)

func readHostile(t *testing.T) (all []hostile) {
	t.Helper()
	files, err := filepath.Glob("testdata/hostile/*.wat")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d hostile modules: %v", len(files), err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		h := hostile{
			name:   strings.TrimSuffix(filepath.Base(file), ".wat"),
			module: assemble(string(b)),
			limits: wasm.Limits{Fuel: 1_200_000},
		}
		for line := range strings.Lines(string(b)) {
			line, isComment := strings.CutPrefix(strings.TrimSpace(line), ";; ")
			key, value, _ := strings.Cut(line, ": ")
			if isComment {
				h.set(t, key, value)
			}
		}
		all = append(all, h)
	}
	return all
}

func (h *hostile) set(t *testing.T, key, value string) {
	t.Helper()
	var err error
	switch key {
	case "class":
		h.class = fault.Class(value)
	case "at":
		h.atLoad = value == "load"
	case "says":
		h.says = value
	case "answer":
		h.answer, err = strconv.Unquote(value)
	case "log":
		h.log, err = strconv.Atoi(value)
	case "fuel":
		h.fuel, err = strconv.ParseUint(value, 10, 64)
	case "limits":
		for _, l := range strings.Fields(value) {
			name, v, _ := strings.Cut(l, "=")
			var n uint64
			switch name {
			case "fuel":
				h.limits.Fuel, err = strconv.ParseUint(v, 10, 64)
			case "pages":
				n, err = strconv.ParseUint(v, 10, 32)
				h.limits.MemoryPages = uint32(n)
			case "deadline":
				h.limits.Deadline, err = time.ParseDuration(v)
			default:
				t.Errorf("%s: unknown limit %s", h.name, name)
			}
		}
	}
	if err != nil {
		t.Errorf("%s: %s: %v", h.name, key, err)
	}
}

// runtimes are the engines that everything is tried on.
func runtimes(t testing.TB) map[string]*wasm.Runtime {
	t.Helper()
	all := map[string]*wasm.Runtime{}
	for name, o := range map[string]wasm.Options{"compiler": {}, "interpreter": {Interpreter: true}} {
		rt, err := wasm.New(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { rt.Close(context.Background()) })
		all[name] = rt
	}
	return all
}

func load(t testing.TB, rt *wasm.Runtime, name string, module []byte, l wasm.Limits) *wasm.Module {
	t.Helper()
	m, err := rt.Load(context.Background(), name, module, l)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestHostileModulesHurtNobody runs every hostile module, twice, beside a
// neighbour that goes on scoring.
func TestHostileModulesHurtNobody(t *testing.T) {
	for engine, rt := range runtimes(t) {
		neighbour := load(t, rt, "neighbour", fixture(t, "bleu/bleu.wasm"), wasm.Limits{})
		want, _, err := neighbour.Call(context.Background(), "bleu", pair, nil)
		if err != nil || !bytes.Contains(want, []byte(`"score":0.`)) {
			t.Fatalf("neighbour answers %s, %v", want, err)
		}
		for _, h := range readHostile(t) {
			t.Run(engine+"/"+h.name, func(t *testing.T) {
				var done sync.WaitGroup
				defer done.Wait()
				done.Go(func() {
					for range 5 {
						begin := time.Now()
						got, _, err := neighbour.Call(context.Background(), "bleu", pair, nil)
						if err != nil || !bytes.Equal(got, want) {
							t.Errorf("the neighbour answers %s, %v", got, err)
						}
						if took := time.Since(begin); took > mostTime {
							t.Errorf("the neighbour answers after %v", took)
						}
					}
				})
				bounded(t, func() { h.run(t, rt) })
			})
		}
	}
}

// bounded makes sure that f takes no more time and memory of the host than an
// attack may.
func bounded(t *testing.T, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	f()
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; took > mostTime || bytes > mostBytes {
		t.Errorf("it takes %v and %d bytes, allowed are %v and %d", took, bytes, mostTime, mostBytes)
	}
}

func (h *hostile) run(t *testing.T, rt *wasm.Runtime) {
	ctx := context.Background()
	m, err := rt.Load(ctx, h.name, h.module, h.limits)
	if h.atLoad {
		h.check(t, err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close(ctx)
	var first wasm.Usage
	for round := range 2 {
		answer, usage, err := m.Call(ctx, "score", []byte("hello"), nil)
		h.check(t, err)
		if err == nil && string(answer) != h.answer {
			t.Errorf("answer %q, want %q", answer, h.answer)
		}
		if h.fuel > 0 && usage.Fuel != h.fuel {
			t.Errorf("%d fuel, want %d", usage.Fuel, h.fuel)
		}
		if len(usage.Log) != h.log && h.log > 0 {
			t.Errorf("%d bytes of log, want %d", len(usage.Log), h.log)
		}
		if limit := uint64(m.Limits().MemoryPages) << 16; usage.PeakMemoryBytes > limit {
			t.Errorf("%d bytes of memory, %d allowed", usage.PeakMemoryBytes, limit)
		}
		if round == 0 {
			first = usage
		} else if usage.Fuel != first.Fuel {
			t.Errorf("%d fuel the second time, %d the first", usage.Fuel, first.Fuel)
		}
	}
}

func (h *hostile) check(t *testing.T, err error) {
	t.Helper()
	if fault.Of(err) != h.class {
		t.Errorf("error %v of class %q, want %q", err, fault.Of(err), h.class)
	}
	if err == nil {
		return
	}
	for _, part := range []string{h.says, "plugin " + h.name} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("error %q is not one plain line", err)
	}
	if fault.Hint(err) == "" {
		t.Errorf("error %q has no hint", err)
	}
}
