package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// evalWork is the input of a run of eval, eval --retry or rescore.
type evalWork struct {
	p     *program
	f     *evalFlags
	outs  []output
	o     host.EvaluateOptions
	judge *host.Judge // nil: none

	embeddings *host.Embeddings // nil: none

	retry string // retryAll, or the failure classes to retry; empty: not a retry
}

// work turns flags into the input of a run. The judge of base, a run that is retried or rescored, is used unless
// a flag names another. reads are read files and directories of runs, beside those of flags.
func (f *evalFlags) work(p *program, base *result.Run, reads ...string) (*evalWork, error) {
	w := &evalWork{p: p, f: f}
	var err error
	if w.outs, err = parseOuts(f.out, f.sarif, p.json); err != nil {
		return nil, err
	}
	if w.o, err = f.evaluateOptions(p); err != nil {
		return nil, err
	}
	reads = append(append(append(reads, f.data...), p.settings.files()...), f.outputs, f.problems, f.verdicts, f.replay, f.systemPrompt)
	if err := spare(w.outs, append(reads, w.o.Baseline)...); err != nil {
		return nil, err
	}
	if base != nil && f.judge == "" && f.replay == "" && len(base.Judges) > 0 {
		f.judge = base.Judges[0].Name
	}
	if base != nil && f.embeddings == "" && f.replay == "" {
		if pinned, err := runner.PlanOf(base); err == nil && pinned.Embeddings != nil {
			f.embeddings = pinned.Embeddings.Name
		}
	}
	if w.judge, err = f.judgeFlags.options(p.settings); err != nil {
		return nil, err
	}
	onCost := slices.IndexFunc(f.gates, func(g string) bool { return strings.HasPrefix(strings.TrimSpace(g), "cost_usd") })
	if onCost >= 0 && w.judge != nil && f.replay == "" {
		if err := f.priced(p.settings, w.judge, fmt.Sprintf("--gate %q", f.gates[onCost]), ""); err != nil {
			return nil, err
		}
	}
	w.embeddings, err = p.settings.embedder(f.embeddings)
	return w, err
}

// run lets grade make the run, shows its progress, and writes its reports.
func (w *evalWork) run(ctx context.Context, grade func(*host.Evaluator, host.EvaluateOptions) (*host.Evaluation, error)) error {
	w.p.keeps.Store(true)
	if w.judge != nil {
		w.judge.RecordRuns = true
	}
	ev, err := w.p.evaluator(ctx, &w.f.evaluatorFlags, w.judge, w.embeddings)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	display := newDisplay(w, ev)
	done, err := grade(ev, w.o)
	display.end(done, err)
	if done == nil || done.Run.Summary == nil || fault.Is(err, fault.Empty) {
		return err
	}
	return w.finish(done, err)
}

// finish writes the reports of a run, and returns its outcome.
func (w *evalWork) finish(done *host.Evaluation, stopped error) error {
	p, doc := w.p, docOf(done)
	if c := done.Run.Summary.Baseline; c != nil {
		doc.Against, _ = againstOf(p.runs, c.Base.Source) // without it a report shows the change of the figures only
	}
	var problems []error
	toStdout, nothing := onStdout(w.outs), w.retry != "" && done.Kept.Redo == 0
	switch {
	case p.json:
		problems = append(problems, p.printJSON(done.Run))
	case nothing && !toStdout:
		why := "every row has a score"
		if n := done.Run.Counts.Unscored; n > 0 {
			why = fmt.Sprintf("no row to grade again for %s among %s; a row that cannot be read needs a corrected dataset", w.retry, diag.Count(n, "unscored row"))
		}
		_, err := fmt.Fprintf(p.out, "nothing to retry: %s\n", why)
		problems = append(problems, err)
	case !toStdout:
		problems = append(problems, report.Write(p.out, report.Text, doc, p.shown()))
	}
	if n := doc.Summary.Counts; doc.Rubric.Problems != "" && done.Run.Dataset.Preset == "" && n.Unscored == n.Rows {
		p.say("hint: the rubric names problems, whose form --preset NAME reads; rubric-host help samples lists the names")
	}
	for _, out := range w.outs {
		problems = append(problems, p.wrote(out, p.writeReport(out, doc, false)))
	}
	outcome := done.Err()
	if stopped != nil {
		outcome = stopped
	}
	p.told = !toStdout && (!nothing || p.json) // the summary, or the object, says it
	if p.told && stopped != nil && (!terminal(p.out) || done.Unkept != nil) && !p.stdoutFailed() {
		p.tellError(stopped) // standard output goes elsewhere, or its summary is not the whole story
	}
	for _, err := range problems {
		if err != nil && !p.stdoutFailed() {
			p.tellError(err)
		}
	}
	if outcome == nil {
		p.told = true
		return errors.Join(problems...)
	}
	return outcome
}

// docOf is the report of a run that was just made, or is being.
func docOf(done *host.Evaluation) report.Doc {
	wordRun(done.Run)
	d := report.Doc{Run: done.Run, Summary: done.Run.Summary, Rubric: done.Plan.Graders[0].Rubric, Next: nextSteps(done.Run, done.Dir)}
	if done.Dir != "" {
		d.Rows, d.Case, d.Calls = rowsOf(done.Dir), casesOf(done.Dir), callsOf(done.Dir)
	}
	return d
}

// casesOf finds the cases of rows in a run directory. The file is opened when
// first needed, and stays open until the program ends.
func casesOf(dir string) func(*result.Row) (*dataset.Case, error) {
	open := sync.OnceValues(func() (*runner.CaseFile, error) { return runner.OpenCases(dir) })
	return func(row *result.Row) (*dataset.Case, error) {
		cases, err := open()
		if err != nil {
			return nil, err
		}
		return cases.Of(row)
	}
}

// callsOf finds the judge's calls about rows in a run directory, like casesOf.
func callsOf(dir string) func(*result.Row, string) ([]llm.Call, error) {
	open := sync.OnceValues(func() (*llm.Calls, error) {
		calls, err := llm.OpenCalls(filepath.Join(dir, runner.CallsFile))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil //nolint:nilnil // no judge was asked
		}
		return calls, err
	})
	return func(row *result.Row, criterion string) ([]llm.Call, error) {
		calls, err := open()
		if err != nil || calls == nil {
			return nil, err
		}
		return calls.Of(row.Case, max(1, row.Repeat), criterion)
	}
}

// rowsOf returns an iterator over the rows of a run directory, which reads them each
// time.
func rowsOf(dir string) func(func(*result.Row, error) bool) {
	return func(yield func(*result.Row, error) bool) {
		for row, err := range runner.ReadRows(dir) {
			wordRow(row)
			if !yield(row, err) {
				return
			}
		}
	}
}
