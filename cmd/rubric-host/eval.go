package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
)

type evalFlags struct {
	evaluatorFlags
	judgeFlags
	gradingFlags
	dataFlags
	repeat      int
	gates       []string
	baseline    string
	different   []string
	out         []string
	sarif       string
	maxUnscored string
	timeout     limitFlag[time.Duration]
	caseTimeout limitFlag[time.Duration]
	failFast    bool
	fresh       bool
	resume      bool
	estimate    bool
	retry       string
	display     string
	noContent   bool
	slices      []string
}

func evalCommand(p *program) *cobra.Command {
	f := &evalFlags{}
	cmd := &cobra.Command{
		Use:   "eval RUBRIC [DATA...]",
		Short: "Evaluate a dataset",
		Long:  "Evaluate a dataset with a rubric. An eval file has its own cases. Re-run the same command\nto resume an interrupted run.",
		Example: `rubric-host eval rubric.yaml answers.jsonl -g 'mean>=0.8' -o report.html
rubric-host eval rubric.yaml answers.jsonl --judge openai:gpt-5-mini --max-tokens 200000
rubric-host eval evals.yaml --outputs outputs.jsonl -o junit:results.xml`,
		Args: f.args, ValidArgsFunction: p.complete.graded,
		RunE: func(cmd *cobra.Command, a []string) error {
			if f.retry != "" {
				return runRetry(p, cmd, f, a)
			}
			return runEval(p, cmd, f, a[0], a[1:])
		},
	}
	f.dataFlags.bind(p, cmd)
	bindRun(p, cmd, f)
	s := cmd.Flags()
	s.BoolVar(&f.resume, "resume", false, "resume the same run if it is unfinished (the default)")
	s.StringVar(&f.retry, "retry", "", "grade unscored rows of `RUN` again (--retry=CLASS RUN: of a class)")
	s.Lookup("retry").NoOptDefVal = retryAll
	completes(cmd, "retry", words(append(failureClasses(), retryAll)...))
	s.BoolVar(&f.estimate, "estimate", false, "estimate judge calls, tokens and cost; send nothing")
	s.BoolVar(&f.noContent, "no-content", false, "keep digests of cases and judge calls instead of their content; reasons and evidence in rows may quote content")
	advanced(cmd, "no-content", "resume", "estimate")
	return cmd
}

// bindRun adds the flags of every command that grades a run.
func bindRun(p *program, cmd *cobra.Command, f *evalFlags) {
	s := cmd.Flags()
	f.judgeFlags.bind(p, cmd)
	s.IntVarP(&f.repeat, "repeat", "n", 1, "gradings per case")
	s.Var(&f.timeout, "timeout", "time limit of the run, such as 30m; finished rows are kept")
	s.Var(&f.caseTimeout, "case-timeout", "time limit per case")
	s.BoolVar(&f.failFast, "fail-fast", false, "stop at the first unscored case")
	s.BoolVar(&f.fresh, "fresh", false, "start a new run instead of resuming an unfinished one")
	f.gradingFlags.bind(p, cmd)
	f.bindCache(cmd)
	f.bindOutcome(p, cmd)
	f.bindLimits(cmd)
	advanced(cmd, "case-timeout", "fresh", "fail-fast")
}

// bindOutcome adds the flags of every command that sums up a run.
func (f *evalFlags) bindOutcome(p *program, cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringArrayVarP(&f.gates, "gate", "g", nil, "condition on the run, such as 'mean>=0.8' (repeats)")
	s.StringVar(&f.baseline, "baseline", "", "compare with a run, for gates such as 'regressions==0'")
	completes(cmd, "baseline", p.complete.compared)
	bindDifferent(cmd, &f.different)
	s.StringArrayVar(&f.slices, "slice", nil, "report figures by the values of this field, metadata or column, or by tags (repeats)")
	s.StringArrayVarP(&f.out, "out", "o", nil, "write a report: "+outPaths+", gh; repeats")
	s.StringVar(&f.sarif, "sarif", "", sarifUsage)
	s.StringVar(&f.maxUnscored, "max-unscored", "0", "unscored rows to tolerate: a number or a percentage")
	s.StringVar(&f.display, "display", "auto", "progress display: auto, plain, json or none")
	bindRuns(p, cmd.Flags())
	f.evaluatorFlags.bind(p, cmd)
	advanced(cmd, "allow-different", "slice", "display", "runs")
	choices(cmd, "display", "auto", "plain", "json", "none")
}

func runEval(p *program, cmd *cobra.Command, f *evalFlags, path string, data []string) error {
	ctx := cmd.Context()
	f.data = append(f.data, data...)
	doc, err := p.load(path, f.dialect)
	if err != nil {
		return err
	}
	if len(f.data) == 0 && len(doc.Cases) == 0 {
		return fault.WithHint(fault.New(fault.Usage, "missing argument: DATA; %s has no cases of its own", path), "usage: %s", cmd.UseLine())
	}
	w, err := f.work(p, nil, filesOf(doc)...)
	if err != nil {
		return err
	}
	w.o.Command = pinned(w.o.Command, path, doc)
	if f.estimate {
		return estimateRun(ctx, p, f, doc, w)
	}
	return w.run(ctx, func(ev *host.Evaluator, o host.EvaluateOptions) (*host.Evaluation, error) {
		if err := f.checkSettings(ctx, ev, doc); err != nil {
			return nil, err
		}
		done, err := ev.Evaluate(ctx, doc, o)
		return done, p.located(err, doc, f.verdicts)
	})
}

// checkSettings refuses a rubric with criteria that never have a score, before anything is
// spent on the others.
func (f *evalFlags) checkSettings(ctx context.Context, ev *host.Evaluator, doc *dialect.Document) error {
	if f.verdicts != "" {
		return nil // they may have given ones
	}
	wrong := ev.CheckSettings(ctx, doc, f.criteria)
	if len(wrong) == 0 {
		return nil
	}
	return append(wrong, host.Unbound(doc, ev.Catalog(), diag.Error)...).Err()
}

func (f *evalFlags) evaluateOptions(p *program) (o host.EvaluateOptions, err error) {
	if o.PlanOptions, err = f.gradingFlags.options(p); err != nil {
		return o, err
	}
	if f.repeat < 1 || f.repeat > plan.MaxRepeat {
		return o, fault.New(fault.Usage, "--repeat %d: expected 1 to %d", f.repeat, plan.MaxRepeat)
	}
	if f.fresh && f.resume {
		return o, fault.New(fault.Usage, "--fresh and --resume cannot be combined")
	}
	if o.Dataset, err = f.dataFlags.options(p); err != nil {
		return o, err
	}
	if o.Gates, err = result.ParseGates(f.gates); err != nil {
		return o, err
	}
	if f.baseline != "" {
		if o.Baseline, err = p.finishedPath(f.baseline); err != nil {
			return o, err
		}
	}
	if o.AllowDifferent, err = differences(f.different); err != nil {
		return o, err
	}
	if o.MaxUnscored, err = result.ParseShare(f.maxUnscored); err != nil {
		return o, fault.New(fault.Usage, "--max-unscored %w", err)
	}
	o.Repeat, o.Runs, o.Fresh, o.FailFast = f.repeat, p.runs, f.fresh, f.failFast
	o.NoContent, o.Slices = f.noContent, f.slices
	o.Timeout, o.CaseTimeout = f.timeout.n, f.caseTimeout.n
	o.By, o.Version = p.whoever(), version()
	o.Command = pinRuns(append([]string{"rubric-host"}, withoutPasswords(p.args)...), map[string]string{"--baseline": o.Baseline, "--failed": f.failed})
	return o, nil
}
