package workbench

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Figures are the cost of calls, each from a case to its verdict: request, guest, answer, memory put back.
type Figures struct {
	Export string  `json:"export"`
	Calls  int     `json:"calls"` // that were timed one after the other
	P50    float64 `json:"p50_us"`
	P99    float64 `json:"p99_us"`

	// Overhead is the median without the time in the guest. The
	// guest's own time holds its fuel counters.
	Overhead float64 `json:"overhead_p50_us"`

	PerSecond  float64 `json:"per_second"`
	AllCores   float64 `json:"per_second_all_cores"`
	Cores      int     `json:"cores"`
	Fuel       uint64  `json:"fuel_per_call"` // the median
	PeerFuel   uint64  `json:"peer_fuel_per_call,omitzero"`
	PeakMemory uint64  `json:"peak_memory_bytes"`

	// FirstCold and FirstCached are from nothing to the first score: of a new
	// runtime with an empty compile cache, and of one that finds compiled code.
	FirstCold   float64 `json:"first_score_cold_ms"`
	FirstCached float64 `json:"first_score_cached_ms"`
}

// plainRow is the request for a plugin without cases.
const plainRow = `{"input":"What is the refund policy?","output":"You can return any unused item within 14 days. The money comes back to your card within five working days.","references":["Unused items can be returned within 14 days; refunds arrive within five working days."]}`

// Measure times calls of one export for about d, at least one, with the cases that do not end in an error, or
// one that it makes up. A call that fails is the error.
func (w *Workbench) Measure(ctx context.Context, export string, d time.Duration) (*Figures, error) {
	s, err := w.plugin.Scorer(export)
	if err != nil {
		return nil, err
	}
	work, err := w.workload(ctx, s.Export)
	if err != nil {
		return nil, err
	}
	f := &Figures{Export: s.Export, Cores: runtime.GOMAXPROCS(0)}
	if err := f.alone(ctx, w, work, d/2); err != nil {
		return nil, err
	}
	if err := f.together(ctx, w, work, d/2); err != nil {
		return nil, err
	}
	return f, f.first(ctx, w, &work[0])
}

// A call is one of those that are timed, in turn.
type call struct {
	config jsontext.Value
	row    *dataset.Case
}

// workload is the cases of an export that can be timed.
func (w *Workbench) workload(ctx context.Context, export string) ([]call, error) {
	var out []call
	for i := range w.cases {
		c := &w.cases[i]
		if s, err := w.plugin.Scorer(c.Export); err != nil || s.Export != export || c.class != "" || c.Expect["error"] != nil {
			continue
		}
		if o := w.try(ctx, w.module, c); o.Class == "" {
			out = append(out, call{c.Config, c.row})
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	row, err := dataset.FromJSON(jsontext.Value(plainRow), diag.Pos{})
	if err != nil {
		return nil, err
	}
	a, err := w.ask(w.module, export, nil, nil)
	if err != nil {
		return nil, err
	}
	if err := a.score(ctx, row); err != nil {
		return nil, fault.WithHint(fmt.Errorf("plugin %s: %s does not score a plain case: %w", w.plugin.Manifest.Name, export, err),
			"give it cases of its own: the key cases of its manifest names a file")
	}
	return []call{{nil, row}}, nil
}

// askers are one for each call, ready.
func (w *Workbench) askers(export string, work []call) ([]*asker, error) {
	out := make([]*asker, len(work))
	for i := range work {
		var err error
		if out[i], err = w.ask(w.module, export, work[i].config, nil); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// most is how many timings are kept.
const most = 1 << 20

// alone times one call after the other.
func (f *Figures) alone(ctx context.Context, w *Workbench, work []call, d time.Duration) error {
	list, err := w.askers(f.Export, work)
	if err != nil {
		return err
	}
	var times, own []time.Duration
	var fuel, peer []uint64
	began := time.Now()
	for i := 0; len(times) < most && (len(times) == 0 || time.Since(began) < d); i++ {
		a := list[i%len(work)]
		at := time.Now()
		if err := a.score(ctx, work[i%len(work)].row); err != nil {
			return err
		}
		took := time.Since(at)
		if i < len(work) {
			fuel, peer = append(fuel, a.usage.Fuel), append(peer, a.usage.PeerFuel)
			f.PeakMemory = max(f.PeakMemory, a.usage.PeakMemoryBytes)
			continue // the first round warms up
		}
		times, own = append(times, took), append(own, took-a.usage.Guest)
	}
	f.Calls = len(times)
	f.P50, f.P99, f.Overhead = micros(times, 50), micros(times, 99), micros(own, 50)
	if total := sum(times); total > 0 {
		f.PerSecond = float64(f.Calls) / total.Seconds()
	}
	slices.Sort(fuel)
	slices.Sort(peer)
	f.Fuel, f.PeerFuel = fuel[len(fuel)/2], peer[len(peer)/2]
	return nil
}

// together runs as many goroutines as there are processors.
func (f *Figures) together(ctx context.Context, w *Workbench, work []call, d time.Duration) error {
	var wg sync.WaitGroup
	counts, errs, lists := make([]int, f.Cores), make([]error, f.Cores), make([][]*asker, f.Cores)
	for n := range lists {
		var err error
		if lists[n], err = w.askers(f.Export, work); err != nil {
			return err
		}
	}
	began := time.Now()
	for n, list := range lists {
		wg.Go(func() {
			errs[n] = fault.Guard(func() error {
				for i := 0; i == 0 || time.Since(began) < d; i++ {
					if err := list[i%len(work)].score(ctx, work[i%len(work)].row); err != nil {
						return err
					}
					counts[n]++
				}
				return nil
			})
		})
	}
	wg.Wait()
	took := time.Since(began)
	total := 0
	for n := range counts {
		if errs[n] != nil {
			return errs[n]
		}
		total += counts[n]
	}
	f.AllCores = float64(total) / took.Seconds()
	return nil
}

// first times the way from a file to a score, twice.
func (f *Figures) first(ctx context.Context, w *Workbench, c *call) error {
	dir, err := os.MkdirTemp("", "rubric-host-bench-*")
	if err != nil {
		return fault.As(fault.Invalid, err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // leftovers are in the directory for temporary files
	for _, into := range []*float64{&f.FirstCold, &f.FirstCached} {
		at := time.Now()
		fresh, err := Open(ctx, w.plugin, nil, Options{Limits: w.o.Limits, CacheDir: dir, Interpreters: w.o.Interpreters, Data: w.o.Data})
		if err != nil {
			return err
		}
		a, err := fresh.ask(fresh.module, f.Export, c.config, nil)
		if err == nil {
			err = a.score(ctx, c.row)
		}
		*into = milliseconds(time.Since(at))
		if cerr := fresh.Close(ctx); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// micros returns a percentile in microseconds; 0 of nothing. It sorts.
func micros(list []time.Duration, percent int) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return float64(list[(len(list)-1)*percent/100].Nanoseconds()) / 1000
}

func sum(list []time.Duration) (total time.Duration) {
	for _, d := range list {
		total += d
	}
	return total
}
