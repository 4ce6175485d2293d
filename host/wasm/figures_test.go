package wasm_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/rubric-host/rubric-host/bench/scorers"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// Benchmarks of the figures in the README of this directory. Each compares its two
// sides in one run, in turns, so that a busy machine slows both.

// A sample is the times of single calls.
type sample []time.Duration

// at returns the time below which percent of all lie, in microseconds.
func (s sample) at(percent int) float64 {
	slices.Sort(s)
	return float64(s[min(len(s)*percent/100, len(s)-1)]) / 1e3
}

func (s *sample) time(f func()) {
	begin := time.Now()
	f()
	*s = append(*s, time.Since(begin))
}

// turns is how many calls one side makes before it is the other's turn.
const turns = 100

// BenchmarkOverhead measures the cost of a call beyond the same call on bare wazero:
// fuel, depth, deadline, request and answer checked, everything restored. Echo
// computes nothing, so its overhead is the fixed part of every call.
func BenchmarkOverhead(b *testing.B) {
	for _, g := range guests(b) {
		m := load(b, runtimes(b)["compiler"], g.name, g.module, wasm.Limits{})
		for _, export := range m.Exports() {
			b.Run(g.name+"/"+export, func(b *testing.B) { overhead(b, m, &g, export) })
		}
	}
}

func overhead(b *testing.B, m *wasm.Module, g *guest, export string) {
	b.ReportAllocs()
	ctx := context.Background()
	rt := wazero.NewRuntime(ctx)
	defer rt.Close(ctx)
	alone := bare(b, rt, g.module, export)
	theirs, ours := make(sample, 0, 1<<22), make(sample, 0, 1<<22)
	var answer []byte
	var usage wasm.Usage
	for n := 0; b.Loop(); n++ {
		if n/turns%2 == 0 {
			theirs.time(func() { answer = alone(g.request, answer) })
			continue
		}
		ours.time(func() {
			var err error
			if answer, usage, err = m.Call(ctx, export, g.request, answer); err != nil {
				b.Fatal(err)
			}
		})
	}
	if len(ours) == 0 {
		return
	}
	b.ReportMetric(theirs.at(50), "bare-p50-us")
	b.ReportMetric(ours.at(50), "p50-us")
	b.ReportMetric(ours.at(99), "p99-us")
	b.ReportMetric(ours.at(50)-theirs.at(50), "overhead-p50-us")
	b.ReportMetric(ours.at(50)/theirs.at(50), "ratio")
	b.ReportMetric(float64(usage.Fuel), "fuel")
}

// BenchmarkScaling compares the throughput of two goroutines with that of one, for a
// plugin and for scripts, in turns with loops of Go, which show the limit of the
// machine.
func BenchmarkScaling(b *testing.B) {
	b.Run("bleu-c", func(b *testing.B) {
		m := load(b, runtimes(b)["compiler"], "bleu", fixture(b, "bleu/bleu.wasm"), wasm.Limits{})
		scaling(b, func() error {
			_, _, err := m.Call(context.Background(), "bleu", pair, nil)
			return err
		})
	})
	requests := scorers.Requests(64, 60, 80)
	for _, file := range []string{"f1.js", "bleu.js", "f1.py", "bleu.py"} {
		b.Run(file, func(b *testing.B) {
			m := loadScorer(b, file)
			var next atomic.Uint32
			scaling(b, func() error {
				_, _, err := m.Call(context.Background(), "score", requests[next.Add(1)%64], nil)
				return err
			})
		})
	}
}

// loadScorer loads one of the scorers that are compared with others.
func loadScorer(b *testing.B, file string) *wasm.Module {
	rt, err := wasm.New(b.Context(), wasm.Options{CacheDir: filepath.Join(b.TempDir(), "cache"), Scripts: script.Open})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { rt.Close(context.Background()) })
	source, err := scorers.Source(file)
	if err != nil {
		b.Fatal(err)
	}
	l, _ := script.Of(file)
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: file, Files: map[string]string{file: source}}
	module, err := s.Module()
	if err != nil {
		b.Fatal(err)
	}
	return load(b, rt, file, module, wasm.Limits{})
}

// scaling reports the throughput of goroutines while all of them work: that one ends
// a call later than another is not a matter of scaling.
func scaling(b *testing.B, call func() error) {
	const window = 100 * time.Millisecond
	perSecond := func(goroutines int, f func() error) float64 {
		var all sync.WaitGroup
		rates := make([]float64, goroutines)
		for k := range rates {
			all.Go(func() {
				begin, n, took := time.Now(), 0, time.Duration(0)
				for ; took < window; took = time.Since(begin) {
					if err := f(); err != nil {
						b.Error(err)
						return
					}
					n++
				}
				rates[k] = float64(n) / took.Seconds()
			})
		}
		all.Wait()
		var sum float64
		for _, r := range rates {
			sum += r
		}
		return sum
	}
	perSecond(2, call)
	loop := func() error {
		x := uint64(window)
		for range 100_000 {
			x = x*31 + 1
		}
		spun.Store(x)
		return nil
	}
	var times, loops, rate []float64
	for b.Loop() {
		two := perSecond(2, call)
		rate, times = append(rate, two), append(times, two/perSecond(1, call))
		loops = append(loops, perSecond(2, loop)/perSecond(1, loop))
	}
	at := func(list []float64, percent int) float64 {
		slices.Sort(list)
		return list[len(list)*percent/100]
	}
	b.ReportMetric(at(rate, 50), "calls/s")
	b.ReportMetric(at(times, 50), "times-one")
	b.ReportMetric(at(times, 90), "times-one-best")
	b.ReportMetric(at(loops, 50), "loops-times-one")
}

// spun keeps loops from being left out.
var spun atomic.Uint64

// BenchmarkReadAndMeter is the time from the bytes of a module to those that
// are compiled. GUESTS names a directory of further modules.
func BenchmarkReadAndMeter(b *testing.B) {
	for _, g := range guests(b) {
		b.Run(g.name, func(b *testing.B) {
			var err error
			var read, metered sample
			for b.Loop() {
				var m *binary.Module
				read.time(func() { m, err = binary.Read(g.module, binary.Limits{}) })
				if err != nil {
					b.Skip(err)
				}
				metered.time(func() { _, err = meter.Rewrite(m, meter.Options{ExportGlobals: true, Unstarted: true}) })
				if err != nil {
					b.Fatal(err)
				}
			}
			size := float64(len(g.module))
			b.ReportMetric(size/read.at(50), "read-MB/s")
			b.ReportMetric(size/metered.at(50), "meter-MB/s")
			b.ReportMetric(size/metered.at(10), "meter-MB/s-best")
			b.ReportMetric(size/(metered.at(50)+read.at(50)), "both-MB/s")
		})
	}
}

// A barrier is a context that blocks a call that asks for fuel until a number of
// calls do.
type barrier struct {
	context.Context //nolint:containedctx // it is one
	asked           int
	all             *sync.WaitGroup
}

func (c *barrier) Err() error {
	if c.asked++; c.asked == 2 { // the first question is whether to begin at all
		c.all.Done()
		c.all.Wait()
	}
	return nil
}

// BenchmarkPooledInstance is the memory that an idle instance of a small guest
// takes: of Go's heap, and of its own pages.
func BenchmarkPooledInstance(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(16)) // pools are that much larger
	const instances = 64
	rt := runtimes(b)["compiler"]
	// Writes to six pages of 4 KiB, in a call that needs more than one slice of
	// fuel.
	module := assemble(`(module (memory (export "memory") 3)
		(func (export "alloc") (param i32) (result i32) (i32.const 64))
		(func (export "score") (param i32 i32) (result i64) (local $n i32)
			(loop $l (i32.store (i32.mul (i32.and (local.get $n) (i32.const 7)) (i32.const 20000)) (local.get $n))
				(br_if $l (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 150000))))
			(i64.const 8)))`)
	for b.Loop() {
		m := load(b, rt, "small", module, wasm.Limits{})
		before := resident(b)
		var together, ended sync.WaitGroup
		together.Add(instances)
		for range instances {
			ended.Go(func() {
				ctx := &barrier{Context: context.Background(), all: &together}
				if _, _, err := m.Call(ctx, "score", pair, nil); err != nil {
					b.Error(err)
				}
			})
		}
		ended.Wait()
		b.ReportMetric((resident(b)-before)/instances/1024, "KiB")
		m.Close(context.Background())
	}
}

// resident returns the bytes of memory that this process has.
func resident(b *testing.B) float64 {
	b.Helper()
	runtime.GC()
	runtime.GC()
	pages, err := residentPages()
	if err != nil {
		b.Skip(err)
	}
	return float64(pages) * float64(os.Getpagesize())
}

// BenchmarkPause is the longest time for which a goroutine that wants to run
// each millisecond does not, while plugins attack on every processor and the
// collector runs, and how long past its deadline a runaway ends.
func BenchmarkPause(b *testing.B) {
	places := []struct {
		name string
		in   place
	}{{"", here(b)}, {"/worker", there(b)}}
	b.Run("go", func(b *testing.B) { // the machine's own limit for goroutines
		var longest time.Duration
		for b.Loop() {
			stop := make(chan struct{})
			var ended atomic.Bool
			for range runtime.GOMAXPROCS(0) {
				go func() {
					for !ended.Load() {
					}
				}()
			}
			time.AfterFunc(300*time.Millisecond, func() { ended.Store(true); close(stop) })
			longest = max(longest, watch(stop))
		}
		b.ReportMetric(longest.Seconds()*1e3, "longest-pause-ms")
	})
	for k, name := range []string{"loop", "loop", "tree", "tree", "fill-chain", "fill-chain"} {
		p := places[k%2]
		b.Run(name+p.name, func(b *testing.B) {
			limits := wasm.Limits{Fuel: 1 << 60, Deadline: 300 * time.Millisecond}
			m := p.in(b, name, assemble(string(fixture(b, "hostile/"+name+".wat"))), limits, nil)
			var longest, latest time.Duration
			for b.Loop() {
				var all sync.WaitGroup
				ends := make(chan time.Duration, runtime.GOMAXPROCS(0))
				for range cap(ends) {
					all.Go(func() {
						begin := time.Now()
						if _, _, err := m.Call(context.Background(), "score", nil, nil); err == nil {
							b.Error("the attack ended by itself")
						}
						ends <- time.Since(begin)
					})
				}
				stop := make(chan struct{})
				go func() { all.Wait(); close(stop) }()
				longest = max(longest, watch(stop))
				for range cap(ends) {
					latest = max(latest, <-ends)
				}
			}
			b.ReportMetric(longest.Seconds()*1e3, "longest-pause-ms")
			b.ReportMetric((latest-limits.Deadline).Seconds()*1e3, "past-deadline-ms")
		})
	}
}

// watch ticks each millisecond until stop is closed, collecting garbage now and
// then, and returns the longest time between two ticks.
func watch(stop <-chan struct{}) (longest time.Duration) {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for last, n := time.Now(), 0; ; n++ {
		select {
		case <-stop:
			return longest
		case <-ticker.C:
		}
		now := time.Now()
		longest, last = max(longest, now.Sub(last)), now
		if n%20 == 0 {
			go runtime.GC()
		}
	}
}
