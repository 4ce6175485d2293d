package main

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/llm"
)

func TestProgress_OnOneLine(t *testing.T) {
	mean, low, high := 0.704, 0.405, 1.0
	s := progress{finished: 1250, kept: 81, total: 5000, unscored: 2, failed: 7, rate: 31.4, left: 119 * time.Second, mean: &mean, low: &low, high: &high,
		load: llm.Load{InFlight: 12, Cap: 21, Limited: 3}, spent: llm.Usage{Calls: 1300, CostUSD: 0.0123}}
	const want = "1,250/5,000 cases  25%  31/s  ETA 1m59s  81 kept, the others:  mean 0.704 [0.405, 1.000]  7 failed  2 unscored  judge 12 in flight of 21  $0.0123  3 rate-limited"
	if got := s.line(0); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, columns := range []int{40, 60, 79, 120} {
		if got := s.line(columns); utf8.RuneCountInString(got) > columns || !strings.HasPrefix(got, "1,250/5,000 cases") {
			t.Errorf("%d columns: %s", columns, got)
		}
	}
	s.busy = 12 * time.Second
	if got := s.line(79); !strings.HasSuffix(got, "░  no answer for 12s, stops at 5m0s") {
		t.Errorf("a busy endpoint: %s", got)
	}
	s.busy = 0
	s.total, s.left = 0, 0
	if got := s.line(0); !strings.HasPrefix(got, "1,250 cases  31/s  81 kept, the others:  mean") {
		t.Errorf("without a total: %s", got)
	}
	if r := s.record(); r["total"] != nil || r["eta_seconds"] != nil || r["finished"] != 1250 || r["kept"] != 81 {
		t.Errorf("record: %v", r)
	}
}

// The interval of a mean of scores in 0..1 lies in 0..1, and rows kept by a resume
// are in the count and not in the rate.
func TestProgress_IsTrue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &display{ev: evaluatorWithoutJudge(t), start: time.Now().Add(-10 * time.Second), rows: 20, kept: 80, total: 200}
		for _, x := range []float64{0, 1, 1} {
			d.sample.Add(x)
		}
		s := d.now()
		if s.finished != 100 || s.rate != 2 || s.left != 50*time.Second {
			t.Errorf("%+v", s)
		}
		if s.low == nil || *s.low < 0 || *s.high > 1 {
			t.Errorf("interval [%v, %v]", s.low, s.high)
		}
		d.total = 50 // not the number of graded cases
		if s := d.now(); s.total != 0 || s.left != 0 {
			t.Errorf("a total below what is finished: %+v", s)
		}
	})
}

// A command without a display, such as grade, says once that its judge is busy.
func TestProgress_BusyJudgeIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		con := &console{err: &out}
		var busy atomic.Bool
		go con.watchJudge(t.Context(), func() (l llm.Load) {
			if busy.Load() {
				l.Refusing = time.Now()
			}
			return l
		})
		time.Sleep(time.Minute)
		if out.Len() > 0 {
			t.Errorf("told without a reason: %s", &out)
		}
		busy.Store(true)
		time.Sleep(time.Minute)
		if text := out.String(); strings.Count(text, "the judge answered 429") != 1 || strings.Count(text, "hint: ") != 1 {
			t.Errorf("told %q", text)
		}
	})
}

func evaluatorWithoutJudge(t *testing.T) *host.Evaluator {
	t.Helper()
	ev, err := host.New(context.Background(), host.Options{})
	must(t, err)
	t.Cleanup(func() { _ = ev.Close(context.Background()) }) // nothing was loaded
	return ev
}

func TestDisplay_APanicIsReportedAndEndsNothing(t *testing.T) {
	var out strings.Builder
	d := &display{p: newProgram(strings.NewReader(""), &out, &out)}
	d.background(func() { panic("a line that cannot be drawn") })
	d.done.Wait()
	if !strings.Contains(out.String(), "a line that cannot be drawn") {
		t.Errorf("printed %q", out.String())
	}
}
