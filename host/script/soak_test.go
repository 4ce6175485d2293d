package script_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/bench/scorers"
	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// soaked are the scorers of testdata/soak, and how often each is called, of 10,000 calls.
var soaked = []struct {
	export string
	of     int
}{
	{"f1", 6_360}, {"bleu", 1_500}, {"world", 2_000}, {"raises", 40}, {"spoils", 60}, {"grows", 20}, {"ends", 15}, {"endless", 3}, {"deep", 2},
}

// soakLimits end an endless loop soon, by fuel: on a busy machine a deadline is met by chance.
var soakLimits = wasm.Limits{Fuel: 60_000_000, Deadline: time.Hour}

// A soakCall is a request to a scorer, with the answer of a new instance.
type soakCall struct {
	export  string
	request []byte
	want    string
}

// TestCalls_DoNotDrift calls scorers in random order, on every processor: well-behaved ones, and ones
// that try to leave state behind. Each answer, its fuel and its class of failure are those of a new
// instance. With many calls, as in make soak, what the process holds does not grow either.
func TestCalls_DoNotDrift(t *testing.T) {
	h := pythonHome(t)
	n := numberOf("SCRIPT_CALLS", amount.Of(40, 3_000))
	for _, file := range []string{"score.js", "score.py"} {
		source := wasm.Source{Name: file, Module: soakModule(t, file)}
		calls, digest := soakCalls(t, h.here(t), source, min(32, 2+n/1_000))
		t.Run(file, func(t *testing.T) {
			m, err := h.here(t).Load(context.Background(), source, soakLimits)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close(context.Background())
			soak(t, m, calls, n)
			if m.ImageDigest() != digest {
				t.Errorf("the image was %s at the beginning, and is %s at the end", digest, m.ImageDigest())
			}
		})
		t.Run(file+" in a worker", func(t *testing.T) {
			m, err := h.there(t).Load(context.Background(), source, soakLimits)
			if err != nil {
				t.Fatal(err)
			}
			soak(t, m, calls, n/10)
		})
	}
}

func soakModule(t *testing.T, file string) []byte {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata", "soak", file))
	if err != nil {
		t.Fatal(err)
	}
	s := script.Script{Entry: file, Files: map[string]string{file: string(source)}}
	if filepath.Ext(file) == ".py" {
		s.Files["f1.py"] = f1Py
	}
	for _, scorer := range soaked {
		s.Exports = append(s.Exports, scorer.export)
	}
	return moduleOf(t, s)
}

// soakCalls asks a module that was just loaded for each answer, once: so many requests to the usual
// scorers, and a few to the others.
func soakCalls(t *testing.T, rt *wasm.Runtime, source wasm.Source, requests int) (calls [][]soakCall, digest string) {
	t.Helper()
	for _, scorer := range soaked {
		var list []soakCall
		for k, request := range scorers.Requests(32, 12, 20)[:requests] {
			if scorer.of < 1_000 && k == 4 {
				break
			}
			m, err := rt.Load(context.Background(), source, soakLimits)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, soakCall{scorer.export, request, said(m, scorer.export, request, nil)})
			digest = m.ImageDigest()
			m.Close(context.Background())
		}
		calls = append(calls, list)
	}
	return calls, digest
}

// said is all that a call says of itself but how long it took.
func said(m callable, export string, request, room []byte) string {
	answer, usage, err := m.Call(context.Background(), export, request, room[:0])
	if err != nil {
		return fmt.Sprintf("%s: %v; fuel %d", fault.Of(err), err, usage.Fuel)
	}
	return fmt.Sprintf("%s; fuel %d", answer, usage.Fuel)
}

// soak makes each call once and then n of them, in twenty rounds.
func soak(t *testing.T, m callable, calls [][]soakCall, n int) {
	t.Helper()
	for _, list := range calls {
		for _, call := range append(list, list[0]) {
			if got := said(m, call.export, call.request, nil); got != call.want {
				t.Fatalf("%s answers\n%s\na new instance answers\n%s", call.export, got, call.want)
			}
		}
	}
	const rounds = 20
	var first wasmtest.Held
	for k := range rounds {
		soakRound(t, m, calls, n/rounds, uint64(k))
		if n < 20_000 {
			continue // the pools are not full yet
		}
		now := wasmtest.Holds(t)
		t.Logf("%d calls: %+v", (k+1)*n/rounds, now)
		if k == rounds/4 { // by then every pool is as full, and every stack as large, as it gets
			first = now
		}
		if k == rounds-1 && grown(first, now) {
			t.Errorf("the process holds more than after a quarter: %+v", first)
		}
	}
}

func soakRound(t *testing.T, m callable, calls [][]soakCall, n int, seed uint64) {
	t.Helper()
	var left atomic.Int64
	left.Store(int64(n))
	var group sync.WaitGroup
	for w := range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(w)))
			var room []byte
			for left.Add(-1) >= 0 {
				scorer, at := 0, r.IntN(10_000)
				for ; at >= soaked[scorer].of; scorer++ {
					at -= soaked[scorer].of
				}
				call := calls[scorer][r.IntN(len(calls[scorer]))]
				if got := said(m, call.export, call.request, room); got != call.want {
					t.Errorf("%s answers\n%s\na new instance answers\n%s", call.export, got, call.want)
					left.Store(0)
				}
			}
		})
	}
	if group.Wait(); t.Failed() {
		t.FailNow()
	}
}

// grown reports whether something has grown more than chance explains.
func grown(first, now wasmtest.Held) bool {
	return now.KiB > first.KiB+first.KiB/5+(32<<10) || now.Mappings > first.Mappings+40 || now.Descriptors > first.Descriptors+8 ||
		now.Goroutines > first.Goroutines+8 || now.Children > first.Children
}
