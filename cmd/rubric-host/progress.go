package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/stats"
)

// plainEvery is how often plain progress says a line.
const plainEvery = 5 * time.Second

// display shows the progress of a run on standard error.
type display struct {
	p     *program
	ev    *host.Evaluator
	kind  string // bars, plain, json or none
	start time.Time

	mu       sync.Mutex
	rows     int
	unscored int
	failed   int
	sample   stats.Sample
	last     time.Time

	bars *mpb.Progress
	bar  *mpb.Bar
	stop chan struct{}
	done sync.WaitGroup
}

func newDisplay(p *program, kind string, ev *host.Evaluator) (*display, error) {
	d := &display{p: p, ev: ev, kind: kind}
	switch kind {
	case "auto":
		d.kind = "plain"
		if is, _ := terminal(p.err); is {
			d.kind = "bars"
		}
		if p.quiet {
			d.kind = "none"
		}
	case "plain", "json", "none":
	default:
		return nil, fault.New(fault.Usage, "--display %q is not one of auto, plain, json, none", kind)
	}
	return d, nil
}

// begin is called once, before the first case.
func (d *display) begin(ev *host.Evaluation) {
	d.start, d.last = time.Now(), time.Now()
	d.stop = make(chan struct{})
	if d.kind == "json" {
		d.event(map[string]any{"event": "launch", "run": ev.Run.ID, "dir": ev.Dir, "rubric": ev.Run.Rubric.ID, "plan_digest": ev.Run.PlanDigest})
	}
	if d.kind == "bars" {
		d.bars = mpb.New(mpb.WithOutput(d.p.err), mpb.WithWidth(40), mpb.WithRefreshRate(150*time.Millisecond))
		d.bar = d.bars.New(0, mpb.BarStyle().Lbound("").Rbound("").Filler("█").Tip("█").Padding("░"),
			mpb.PrependDecorators(decor.Name("cases "), decor.CurrentNoUnit("%d")),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return d.line() })))
		d.done.Go(d.refresh)
	}
	if d.kind == "plain" {
		d.done.Go(d.tick)
	}
}

// row is called for every row, by one goroutine.
func (d *display) row(r *result.Row) {
	d.mu.Lock()
	d.rows++
	switch {
	case r.Status != rubric.Scored:
		d.unscored++
	default:
		d.sample.Add(*r.Score)
		if r.Fails() {
			d.failed++
		}
	}
	d.mu.Unlock()
	if d.kind == "json" {
		d.event(map[string]any{"event": "row", "case": r.Case, "repeat": r.Repeat, "status": r.Status, "score": r.Score, "passed": r.Passed})
	}
}

// count returns how many rows there are by now.
func (d *display) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rows
}

// refresh moves the bar.
func (d *display) refresh() {
	t := time.NewTicker(150 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-d.stop:
			return
		case <-t.C:
			n := int64(d.count())
			d.bar.SetTotal(n+1, false)
			d.bar.SetCurrent(n)
		}
	}
}

// tick says a line every few seconds.
func (d *display) tick() {
	t := time.NewTicker(plainEvery)
	defer t.Stop()
	for {
		select {
		case <-d.stop:
			return
		case <-t.C:
			fmt.Fprintf(d.p.err, "%s cases  %s\n", thousands(d.count()), d.line())
		}
	}
}

// line says in a line how the run goes.
func (d *display) line() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	elapsed := time.Since(d.start)
	s := fmt.Sprintf("  %.0f/s", float64(d.rows)/max(elapsed.Seconds(), 0.001))
	if mean, ok := d.sample.Mean(); ok {
		s += fmt.Sprintf("  mean %.3f", mean)
		if iv, _, ok := d.sample.Interval(0.95); ok {
			s += fmt.Sprintf(" [%.3f, %.3f]", iv.Low, iv.High)
		}
	}
	if d.failed > 0 {
		s += fmt.Sprintf("  failed %d", d.failed)
	}
	if d.unscored > 0 {
		s += fmt.Sprintf("  unscored %d", d.unscored)
	}
	if load := d.ev.JudgeLoad(); load.Cap > 0 {
		s += fmt.Sprintf("  judge %d in flight, cap %d", load.InFlight, load.Cap)
		if load.Limited > 0 {
			s += fmt.Sprintf(", %d x 429", load.Limited)
		}
	}
	if spent := d.ev.JudgeSpent(); spent.CostUSD > 0 {
		s += fmt.Sprintf("  $%.4f", spent.CostUSD)
	}
	return s
}

// end is called once, after the last case, also if the run never began.
func (d *display) end(ev *host.Evaluation, err error) {
	if d.stop != nil {
		close(d.stop)
		d.done.Wait()
	}
	if d.bars != nil {
		d.bar.Abort(true)
		d.bars.Wait()
	}
	if d.kind != "json" {
		return
	}
	e := map[string]any{"event": "done", "exit": fault.ExitCode(err)}
	if ev != nil {
		e["run"], e["dir"], e["counts"], e["status"], e["resumed"] = ev.Run.ID, ev.Dir, ev.Run.Counts, ev.Run.Status, ev.Resumed
		if err == nil {
			e["exit"] = fault.ExitCode(ev.Err())
		}
	}
	if err != nil {
		e["error"] = result.FailureOf(err)
	}
	d.event(e)
}

// event prints one record of --display json.
func (d *display) event(v map[string]any) {
	if b, err := json.Marshal(v, json.Deterministic(true)); err == nil {
		fmt.Fprintf(d.p.err, "%s\n", diag.EscapeJSON(b))
	}
}

// thousands writes a number with its thousands apart.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
