package host_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// dollarJudge evaluates cases with a judge whose answers cost a dollar each.
type dollarJudge struct {
	t      *testing.T
	dir    string
	doc    *dialect.Document
	server *llmtest.Server
	o      host.EvaluateOptions
}

func newDollarJudge(t *testing.T, cases int, play func(llmtest.Call) llmtest.Answer) *dollarJudge {
	var data strings.Builder
	for i := range cases {
		fmt.Fprintf(&data, `{"id":"c%02d","output":"answer %d"}`+"\n", i, i)
	}
	dir, doc, _ := evaluating(t, map[string]string{"rubric.yaml": "rubric: r\nversion: 1.0.0\ncriteria:\n  - {id: kind, judge: It is kind.}\n", "data.jsonl": data.String()})
	return &dollarJudge{t: t, dir: dir, doc: doc, server: llmtest.New(t, play), o: host.EvaluateOptions{
		Runs: filepath.Join(dir, "runs"), Dataset: dataset.Options{Paths: []string{filepath.Join(dir, "data.jsonl")}}}}
}

// evaluator is that of a new process with a limit in dollars; 0: none.
func (d *dollarJudge) evaluator(limit float64) *host.Evaluator {
	d.t.Helper()
	j := &host.Judge{Endpoint: d.server.Endpoint(), Limits: llm.Limits{CostUSD: limit}, RecordRuns: true, Options: judge.Options{Attempts: 1}}
	j.Endpoint.PriceOut = 1e6
	ev, err := host.New(d.t.Context(), host.Options{Judge: j, CacheDir: wasmtest.CacheDir(d.t)})
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { ev.Close(d.t.Context()) })
	return ev
}

// check compares the figures of a run with the requests that the server received.
func (d *dollarJudge) check(what string, done *host.Evaluation, err error, class fault.Class, status result.RunStatus, calls int) {
	d.t.Helper()
	if done == nil || fault.Of(err) != class {
		d.t.Fatalf("%s: %v", what, err)
	}
	asked := len(d.server.Calls())
	u := done.Run.Usage
	if asked != calls || u.Calls != calls || u.CostUSD != float64(calls) || u.TokensOut != calls || done.Run.Status != status {
		d.t.Errorf("%s: %d requests, want %d; run %s says %+v", what, asked, calls, done.Run.Status, u)
	}
}

// TestEvaluate_CostLimitHoldsForAllExecutions stops, resumes and retries a run with
// limits: each execution reports the requests of all of them, and a limit that was
// reached lets no further request through.
func TestEvaluate_CostLimitHoldsForAllExecutions(t *testing.T) {
	unsure := true
	d := newDollarJudge(t, 20, func(c llmtest.Call) llmtest.Answer {
		a := llmtest.Answer{Text: `{"reason":"it is","verdict":"MET"}`, TokensIn: 1, TokensOut: 1}
		if unsure && c.N%5 == 0 {
			a.Text = "I am not sure."
		}
		return a
	})
	evaluate := func(limit float64) (*host.Evaluation, error) {
		return d.evaluator(limit).Evaluate(t.Context(), d.doc, d.o)
	}
	done, err := evaluate(5)
	d.check("first", done, err, fault.Budget, result.OverBudget, 5)
	first := done.Dir
	done, err = evaluate(5)
	d.check("same limit", done, err, fault.Budget, result.OverBudget, 5)
	ev := d.evaluator(12)
	done, err = ev.Evaluate(t.Context(), d.doc, d.o)
	d.check("higher limit", done, err, fault.Budget, result.OverBudget, 12)
	done, err = ev.Evaluate(t.Context(), d.doc, d.o)
	d.check("same evaluator", done, err, fault.Budget, result.OverBudget, 12)
	done, err = evaluate(0)
	d.check("no limit", done, err, fault.None, result.Finished, 20)
	if done.Dir != first || done.Run.Counts.Unscored != 4 {
		t.Fatalf("%s, %+v", done.Dir, done.Run.Counts)
	}

	unsure = false
	done, err = d.evaluator(20).Retry(t.Context(), first, nil, host.EvaluateOptions{})
	d.check("retry at the limit", done, err, fault.Budget, result.OverBudget, 20)
	done, err = d.evaluator(22).Retry(t.Context(), first, nil, host.EvaluateOptions{})
	d.check("retry with room for two", done, err, fault.Budget, result.OverBudget, 22)
	done, err = d.evaluator(30).Retry(t.Context(), first, nil, host.EvaluateOptions{})
	d.check("retry", done, err, fault.None, result.Finished, 24)
	if done.Run.Counts.Unscored != 0 || done.Run.Counts.Rows != 20 {
		t.Errorf("%+v", done.Run.Counts)
	}
	if v, err := ev.Verify(t.Context(), first, nil); err != nil || v.Err() != nil || v.Derived != 20 {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestEvaluate_FailFastCanBeResumed stops a run at its first case without a score: it is not
// finished, and the same command resumes it.
func TestEvaluate_FailFastCanBeResumed(t *testing.T) {
	d := newDollarJudge(t, 10, func(c llmtest.Call) llmtest.Answer {
		if c.N == 3 {
			return llmtest.Answer{Text: "I am not sure.", TokensIn: 1, TokensOut: 1}
		}
		return llmtest.Answer{Text: `{"reason":"it is","verdict":"MET"}`, TokensIn: 1, TokensOut: 1}
	})
	d.o.FailFast, d.o.InFlight = true, 1
	ev := d.evaluator(0)
	done, err := ev.Evaluate(t.Context(), d.doc, d.o)
	asked := len(d.server.Calls())
	d.check("stopped", done, err, fault.Unscored, result.StoppedEarly, asked)
	if asked == 10 || done.Run.Counts.Unscored != 1 || !done.Run.EndsWith(3) {
		t.Fatalf("%d requests, %+v, exit %v", asked, done.Run.Counts, done.Run.Exit)
	}
	if v, err := ev.Verify(t.Context(), done.Dir, nil); err != nil || !fault.Is(v.Err(), fault.Incomparable) {
		t.Errorf("%+v, %v", v, err)
	}
	again, err := ev.Evaluate(t.Context(), d.doc, d.o)
	d.check("resumed", again, err, fault.None, result.Finished, 10)
	if again.Dir != done.Dir || again.Run.Counts.Rows != 10 {
		t.Errorf("%s, %+v", again.Dir, again.Run.Counts)
	}
}

// TestRetry_ReplacesTheLastRow retries a run of which only the last row has no
// score: the new row follows the old one in the file.
func TestRetry_ReplacesTheLastRow(t *testing.T) {
	unsure := true
	d := newDollarJudge(t, 3, func(c llmtest.Call) llmtest.Answer {
		if unsure && strings.Contains(c.User(), "answer 2") {
			return llmtest.Answer{Text: "I am not sure."}
		}
		return llmtest.Answer{Text: `{"reason":"it is","verdict":"MET"}`}
	})
	d.o.InFlight = 1
	ev := d.evaluator(0)
	done, err := ev.Evaluate(t.Context(), d.doc, d.o)
	if err != nil || done.Run.Counts.Unscored != 1 {
		t.Fatal(err, done.Run.Counts)
	}
	for _, unsure = range []bool{true, false} {
		if done, err = ev.Retry(t.Context(), done.Dir, nil, host.EvaluateOptions{}); err != nil {
			t.Fatal(err)
		}
		if c := done.Run.Counts; c.Rows != 3 || (c.Unscored == 0) == unsure {
			t.Errorf("unsure %v: %+v", unsure, c)
		}
	}
}

// TestRetry_KeepsTheBaseline retries a run that was compared with another: it is
// compared again, with the run's own gates.
func TestRetry_KeepsTheBaseline(t *testing.T) {
	unsure := false
	d := newDollarJudge(t, 4, func(c llmtest.Call) llmtest.Answer {
		if unsure && strings.Contains(c.User(), "answer 2") {
			return llmtest.Answer{Text: "I am not sure."}
		}
		return llmtest.Answer{Text: `{"reason":"it is","verdict":"MET"}`}
	})
	ev := d.evaluator(0)
	base, err := ev.Evaluate(t.Context(), d.doc, d.o)
	must(t, err)
	gate, err := result.ParseGate("mean.delta>=-0.1")
	must(t, err)
	unsure = true
	d.o.Fresh, d.o.Baseline, d.o.Gates = true, base.Dir, []result.Gate{gate}
	done, err := ev.Evaluate(t.Context(), d.doc, d.o)
	if err != nil || done.Run.Summary.Baseline.LostScore != 1 {
		t.Fatal(err)
	}
	unsure = false
	again, err := ev.Retry(t.Context(), done.Dir, nil, host.EvaluateOptions{})
	must(t, err)
	if c := again.Run.Summary.Baseline; c == nil || c.Base.Run != base.Run.ID || c.LostScore != 0 || c.Paired != 4 || len(again.Run.Gates) != 1 || !again.Run.Gates[0].Passed {
		t.Errorf("%+v, gates %+v", c, again.Run.Gates)
	}
}

// TestEvaluate_CallsWithoutContentCount resumes a run that keeps no content: the cost
// of its judge adds up, and its recording has no text of a request or an answer.
func TestEvaluate_CallsWithoutContentCount(t *testing.T) {
	d := newDollarJudge(t, 10, func(c llmtest.Call) llmtest.Answer {
		if c.N == 3 {
			return llmtest.Answer{Text: "mumbled secret", TokensIn: 1, TokensOut: 1}
		}
		return llmtest.Answer{Text: `{"reason":"whispered secret","verdict":"MET"}`, TokensIn: 1, TokensOut: 1}
	})
	d.o.NoContent = true
	for i, limit := range []float64{4, 7, 0} {
		class, status, calls := fault.Budget, result.OverBudget, int(limit)
		if limit == 0 {
			class, status, calls = fault.None, result.Finished, 10
		}
		done, err := d.evaluator(limit).Evaluate(t.Context(), d.doc, d.o)
		d.check(fmt.Sprint("execution ", i+1), done, err, class, status, calls)
		b, err := os.ReadFile(filepath.Join(done.Dir, runner.CallsFile))
		if err != nil || bytes.Count(b, []byte("\n")) != calls {
			t.Fatalf("%s, %v", b, err)
		}
		for _, text := range []string{"answer ", "secret", "It is kind", "MET"} {
			if bytes.Contains(b, []byte(text)) {
				t.Errorf("%s has %q: %s", runner.CallsFile, text, b)
			}
		}
		if limit > 0 {
			continue
		}
		v, err := d.evaluator(0).Verify(t.Context(), done.Dir, &d.o.Dataset)
		if err != nil || !slices.ContainsFunc(v.Notes, func(s string) bool { return strings.Contains(s, "without texts") }) {
			t.Errorf("%v, %+v", err, v)
		}
		if _, err := llm.NewReplay(bytes.NewReader(b), "calls.jsonl"); !fault.Is(err, fault.Invalid) {
			t.Errorf("a replay without texts: %v", err)
		}
	}
}

// TestRetry_ThatCannotBeginLeavesTheJudgeAsItWas: outside of runs an endpoint that refuses
// fails a row each time, and stops nothing.
func TestRetry_ThatCannotBeginLeavesTheJudgeAsItWas(t *testing.T) {
	refuses := false
	d := newDollarJudge(t, 1, func(llmtest.Call) llmtest.Answer {
		if refuses {
			return llmtest.Answer{Status: 401, Error: "wrong key"}
		}
		return llmtest.Answer{Text: "I am not sure."}
	})
	d.o.MaxUnscored = result.Share{Count: 1}
	ev := d.evaluator(0)
	done, err := ev.Evaluate(t.Context(), d.doc, d.o)
	if err != nil || done.Run.Counts.Unscored != 1 {
		t.Fatal(err)
	}
	must(t, os.WriteFile(filepath.Join(done.Dir, runner.CallsFile), []byte("no call\n"), 0o600))
	if _, err := ev.Retry(t.Context(), done.Dir, nil, host.EvaluateOptions{}); !fault.Is(err, fault.Invalid) {
		t.Fatal(err)
	}
	refuses = true
	c, err := host.Case(`{"id":"c","output":"an answer"}`)
	must(t, err)
	for n := range 6 {
		row, err := ev.Grade(t.Context(), d.doc, c, host.GradeOptions{})
		if err != nil || row.Criteria[0].Error == nil || row.Criteria[0].Error.Class != fault.JudgeAuth {
			t.Fatalf("grading %d: %+v, %v", n, row, err)
		}
	}
}
