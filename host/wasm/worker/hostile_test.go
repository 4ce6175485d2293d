package worker

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// An attack is a hostile module, and what its text says must come of it; see the
// test of the same name in package wasm.
type attack struct {
	name   string
	module []byte
	want   map[string]string
	limits wasm.Limits
}

func attacks(t *testing.T) (all []attack) {
	t.Helper()
	files, err := filepath.Glob("../testdata/hostile/*.wat")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d hostile modules: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		a := attack{name: strings.TrimSuffix(filepath.Base(file), ".wat"), module: wasmtest.Assemble(string(text)), want: map[string]string{}}
		for line := range strings.Lines(string(text)) {
			if line, isComment := strings.CutPrefix(strings.TrimSpace(line), ";; "); isComment {
				key, value, _ := strings.Cut(line, ": ")
				a.want[key] = value
			}
		}
		a.limits = limitsOf(t, a.want["limits"])
		all = append(all, a)
	}
	return all
}

func limitsOf(t *testing.T, text string) wasm.Limits {
	t.Helper()
	l := wasm.Limits{Fuel: 1_200_000}
	for _, f := range strings.Fields(text) {
		name, value, _ := strings.Cut(f, "=")
		n, err := strconv.ParseUint(value, 10, 64)
		switch name {
		case "fuel":
			l.Fuel = n
		case "pages":
			l.MemoryPages = uint32(n)
		case "deadline":
			l.Deadline, err = time.ParseDuration(value)
		default:
			t.Errorf("unknown limit %s", name)
		}
		if err != nil {
			t.Error(err)
		}
	}
	return l
}

// TestHostileModulesFailInAWorkerAsTheyDoInProcess runs every hostile module in
// a worker and in process, beside a neighbour in a worker of its own.
func TestHostileModulesFailInAWorkerAsTheyDoInProcess(t *testing.T) {
	rt, in := isolated(t, Options{}), inProcess(t)
	neighbour := load(t, rt, "neighbour", bleu(t), wasm.Limits{})
	want, _, err := neighbour.Call(t.Context(), "bleu", pair, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range attacks(t) {
		t.Run(a.name, func(t *testing.T) {
			var done sync.WaitGroup
			defer done.Wait()
			done.Go(func() {
				for range 5 {
					if got, _, err := neighbour.Call(t.Context(), "bleu", pair, nil); err != nil || !bytes.Equal(got, want) {
						t.Errorf("the neighbour answers %s, %v", got, err)
					}
				}
			})
			first, isolatedUsage, isolatedErr := a.run(t, rt)
			second, usage, err := a.run(t, in)
			if class := fault.Class(a.want["class"]); fault.Of(isolatedErr) != class || fault.Of(err) != class {
				t.Errorf("isolated %v, in process %v, want class %q", isolatedErr, err, class)
			}
			if err != nil && isolatedErr != nil && (err.Error() != isolatedErr.Error() && fault.Of(err) != fault.Deadline || fault.Hint(err) != fault.Hint(isolatedErr)) {
				t.Errorf("isolated %q, in process %q", isolatedErr, err)
			}
			if !bytes.Equal(first, second) || isolatedUsage.Fuel != usage.Fuel && a.want["class"] != "deadline" || !bytes.Equal(isolatedUsage.Log, usage.Log) {
				t.Errorf("isolated %q, %+v; in process %q, %+v", first, isolatedUsage, second, usage)
			}
		})
	}
	if n := neighbour.Workers(); n != 1 {
		t.Errorf("the neighbour needed %d workers", n)
	}
}

func (a *attack) run(t *testing.T, rt any) ([]byte, wasm.Usage, error) {
	t.Helper()
	var m interface {
		guest
		Workers() int
	}
	switch rt := rt.(type) {
	case *Runtime:
		loaded, err := rt.Load(t.Context(), a.name, a.module, a.limits)
		if err != nil {
			return nil, wasm.Usage{}, err
		}
		defer loaded.Close(t.Context())
		m = loaded
	case *wasm.Runtime:
		loaded, err := rt.Load(t.Context(), a.name, a.module, a.limits)
		if err != nil {
			return nil, wasm.Usage{}, err
		}
		defer loaded.Close(t.Context())
		m = direct{loaded}
	}
	answer, usage, err := m.Call(t.Context(), "score", []byte("hello"), nil)
	if n := m.Workers(); n != 1 {
		t.Errorf("it took %d workers", n)
	}
	return answer, usage, err
}

// direct is a module without a worker.
type direct struct{ guest }

func (direct) Workers() int { return 1 }
