package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/stats"
)

const (
	// plainEvery is how often plain and JSON progress are reported.
	plainEvery = 5 * time.Second

	// redrawEvery is how often the line on a terminal is drawn.
	redrawEvery = 150 * time.Millisecond

	// countAfter is how long a run lasts before its cases are counted for a
	// total: shorter ones need none.
	countAfter = time.Second
)

// display shows the progress of a run on standard error.
type display struct {
	p     *program
	ev    *host.Evaluator
	kind  string // bars, plain, json or none
	start time.Time
	times int // gradings per case

	resume bool // --resume was given

	mu       sync.Mutex
	rows     int // finished in this pass
	kept     int // finished in earlier passes
	total    int // rows of the run; 0: unknown
	unscored int
	failed   int
	sample   stats.Sample

	stop context.CancelFunc
	done sync.WaitGroup
}

// newDisplay returns a display that follows the run of w.
func newDisplay(w *evalWork, ev *host.Evaluator) *display {
	d := &display{p: w.p, ev: ev, kind: w.f.display, resume: w.f.resume, times: max(1, w.o.Repeat)}
	w.o.Begun, w.o.Observe = d.begin, d.row
	switch {
	case d.kind != "auto" && d.kind != "":
	case d.p.quiet:
		d.kind = "none"
	case sized(d.p.err):
		d.kind = "bars"
	default:
		d.kind = "plain"
	}
	return d
}

// begin is called once, before the first case.
func (d *display) begin(ev *host.Evaluation) {
	d.start, d.kept, d.total = time.Now(), ev.Kept.Rows-ev.Kept.Redo, ev.Total
	var ctx context.Context
	ctx, d.stop = context.WithCancel(context.Background())
	if d.kind == "plain" || d.kind == "bars" {
		switch {
		case ev.Kept.Redo > 0:
			d.p.say("retrying %s of run %s: %d kept", diag.Count(ev.Kept.Redo, "row"), diag.Plain(ev.Run.ID), d.kept)
		case d.kept > 0 && !ev.Run.Retrying:
			d.p.say("resuming run %s: %s kept", diag.Plain(ev.Run.ID), diag.Count(d.kept, "row"))
		case d.resume && d.kept == 0:
			d.p.say("nothing to resume: no unfinished run has the same rubric, scorers, data and options")
		}
	}
	switch d.kind {
	case "none":
		return
	case "json":
		d.event(map[string]any{"event": "launch", "run": ev.Run.ID, "dir": ev.Dir, "rubric": ev.Run.Rubric.ID, "plan_digest": ev.Run.PlanDigest, "kept": d.kept})
		d.background(func() { tick(ctx, plainEvery, func() { d.event(d.now().record()) }) })
	case "plain":
		d.background(func() { tick(ctx, plainEvery, func() { fmt.Fprintln(d.p.err, d.now().line(0)) }) })
		d.background(func() { d.p.watchJudge(ctx, func() llm.Load { return d.ev.Stats().Judge }) })
	case "bars":
		d.background(func() { d.redraw(ctx) })
	}
	if ev.Count != nil {
		d.background(func() { d.count(ctx, ev.Count) })
	}
}

// background does a part of the display beside the run. A panic of it is reported; the run
// continues without that part.
func (d *display) background(part func()) {
	d.done.Go(func() {
		err := fault.Guard(func() error {
			part()
			return nil
		})
		if err != nil {
			d.p.tellError(err)
		}
	})
}

// tick reports at intervals, until ctx is done.
func tick(ctx context.Context, every time.Duration, report func()) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			report()
		}
	}
}

// redraw keeps one line of a terminal up to date, and removes it when ctx is done. Other texts are written
// over it, since the cursor stands at its beginning.
func (d *display) redraw(ctx context.Context) {
	line := func(text func(columns int) string) {
		columns := width(d.p.err) - 1
		fmt.Fprintf(d.p.err, "%-*.*s\r", columns, columns, text(columns))
	}
	tick(ctx, redrawEvery, func() { line(d.now().line) })
	line(func(int) string { return "" })
}

// watchJudge says once that the endpoint of the judge is busy, and what can be done. load returns
// its state.
func (con *console) watchJudge(ctx context.Context, load func() llm.Load) {
	ctx, told := context.WithCancel(ctx)
	defer told()
	tick(ctx, plainEvery, func() {
		if !load().Refusing.IsZero() {
			con.say("the judge answered 429 (too many requests): waiting up to %s for an answer", llm.MaxLimited)
			con.say("hint: wait, name another judge with --judge, or end the command with Ctrl-C")
			told()
		}
	})
}

// count finds the total by reading the dataset a second time. It leaves standard
// input and pipes alone, and gives up with the run.
func (d *display) count(ctx context.Context, cases func(context.Context) (int, bool)) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(countAfter):
	}
	n, ok := cases(ctx)
	if !ok {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.total = n * d.times
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

// progress is how a run stands at one moment.
type progress struct {
	finished, kept, total int // rows; total 0: unknown
	unscored, failed      int
	rate                  float64 // rows per second of this pass
	left                  time.Duration
	busy                  time.Duration // since a 429 of the judge's endpoint, without an answer, in whole seconds
	mean                  *float64
	low, high             *float64 // 95 % confidence interval of the mean
	load                  llm.Load
	spent                 llm.Usage
}

func (d *display) now() progress {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.ev.Stats()
	s := progress{finished: d.rows + d.kept, kept: d.kept, total: d.total, unscored: d.unscored, failed: d.failed, load: now.Judge, spent: now.Spent}
	s.rate = float64(d.rows) / max(time.Since(d.start).Seconds(), 0.001)
	if s.total < s.finished {
		s.total = 0 // the dataset grew, or another one was counted
	}
	if s.total > 0 && s.rate > 0 {
		s.left = time.Duration(float64(s.total-s.finished) / s.rate * float64(time.Second)).Round(time.Second)
	}
	if since := now.Judge.Refusing; !since.IsZero() {
		s.busy = time.Since(since).Truncate(time.Second)
	}
	if mean, ok := d.sample.Mean(); ok {
		s.mean = &mean
		if iv, ok := d.sample.Interval(); ok {
			if low, high, known := d.sample.Range(); known && low >= 0 && high <= 1 { // a mean of scores in 0..1 lies there
				iv.Low, iv.High = max(iv.Low, 0), min(iv.High, 1)
			}
			s.low, s.high = &iv.Low, &iv.High
		}
	}
	return s
}

// line describes the progress of the run in one line. If it does not fit into
// columns, the last parts are left out; 0: no limit.
func (s progress) line(columns int) string {
	parts := []string{diag.Thousands(s.finished) + " cases"}
	if s.total > 0 {
		parts[0] = fmt.Sprintf("%s/%s cases %3d%%", diag.Thousands(s.finished), diag.Thousands(s.total), 100*s.finished/s.total)
		if columns > 0 {
			const cells = 16
			full := cells * s.finished / s.total
			parts = append(parts, strings.Repeat("█", full)+strings.Repeat("░", cells-full))
		}
	}
	if s.busy > 0 {
		parts = append(parts, fmt.Sprintf("no answer for %s, stops at %s", s.busy, llm.MaxLimited))
	}
	parts = append(parts, perSecond(s.rate))
	if s.left > 0 {
		parts = append(parts, "ETA "+s.left.String())
	}
	if s.kept > 0 {
		text := diag.Thousands(s.kept) + " kept"
		if s.finished > s.kept { // mean and failures leave the kept rows out
			text += ", the others:"
		}
		parts = append(parts, text)
	}
	if s.mean != nil {
		text := "mean " + result.ScoreText(*s.mean)
		if s.low != nil {
			text += " [" + result.ScoreText(*s.low) + ", " + result.ScoreText(*s.high) + "]"
		}
		parts = append(parts, text)
	}
	if s.failed > 0 {
		parts = append(parts, diag.Thousands(s.failed)+" failed")
	}
	if s.unscored > 0 {
		parts = append(parts, diag.Thousands(s.unscored)+" unscored")
	}
	if s.load.Cap > 0 {
		parts = append(parts, fmt.Sprintf("judge %d in flight of %d", s.load.InFlight, s.load.Cap))
	}
	switch usd, known := s.spent.Cost(); {
	case s.spent.Calls > 0 && known:
		parts = append(parts, fmt.Sprintf("$%.4f", usd))
	case usd > 0:
		parts = append(parts, fmt.Sprintf("at least $%.4f", usd))
	}
	if s.load.Limited > 0 {
		parts = append(parts, fmt.Sprintf("%s rate-limited", diag.Thousands(s.load.Limited)))
	}
	line := parts[0]
	for _, part := range parts[1:] {
		if columns > 0 && utf8.RuneCountInString(line)+2+utf8.RuneCountInString(part) > columns {
			break
		}
		line += "  " + part
	}
	return line
}

// perSecond writes a rate with the digits that tell.
func perSecond(rate float64) string {
	if rate < 10 {
		return fmt.Sprintf("%.1f/s", rate)
	}
	return fmt.Sprintf("%s/s", diag.Thousands(int(rate)))
}

// record is the progress as a record of --display json. Unknown values are null.
func (s progress) record() map[string]any {
	r := map[string]any{
		"event": "progress", "finished": s.finished, "kept": s.kept, "total": nil, "eta_seconds": nil, "rows_per_second": s.rate, "mean": s.mean,
		"unscored": s.unscored, "failed": s.failed, "in_flight": s.load.InFlight, "rate_limited": s.load.Limited, "rate_limited_seconds": s.busy.Seconds(), "calls": s.spent.Calls, "cost_usd": nil,
	}
	if s.total > 0 {
		r["total"], r["eta_seconds"] = s.total, s.left.Seconds()
	}
	if s.spent.Calls > 0 && s.spent.Unpriced == 0 {
		r["cost_usd"] = s.spent.CostUSD
	}
	return r
}

// end is called once, after the last case, also if the run never began.
func (d *display) end(ev *host.Evaluation, err error) {
	if d.stop != nil {
		d.stop()
		d.done.Wait()
	}
	if d.kind != "json" {
		return
	}
	e := map[string]any{"event": "done", "exit": fault.ExitCode(err)}
	if ev != nil {
		e["run"], e["dir"], e["counts"], e["status"], e["resumed"] = ev.Run.ID, ev.Dir, ev.Run.Counts, ev.Run.Status, ev.Kept.Rows
		if err == nil {
			e["exit"] = fault.ExitCode(ev.Err())
		}
	}
	if err != nil {
		e["error"] = failureOf(err)
	}
	d.event(e)
}

// event prints one record of --display json.
func (d *display) event(v map[string]any) {
	if b, err := json.Marshal(v, json.Deterministic(true)); err == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		fmt.Fprintf(d.p.err, "%s\n", diag.EscapeJSON(b))
	}
}
