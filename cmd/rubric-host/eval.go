package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// evalFlags are the flags of eval.
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
	maxUnscored string
	timeout     durationFlag
	caseTimeout durationFlag
	failFast    bool
	fresh       bool
	resume      bool
	estimate    bool
	retry       string
	runs        string
	display     string
	noContent   bool
	slices      []string
}

func (p *program) evalCommand() *cobra.Command {
	f := &evalFlags{}
	cmd := &cobra.Command{
		Use:   "eval RUBRIC [DATA...]",
		Short: "Evaluate a dataset",
		Long:  "Evaluate a dataset with a rubric. An eval file has its own cases. Re-run the same command\nto resume an interrupted run.",
		Example: `rubric-host eval rubric.yaml answers.jsonl -g 'mean>=0.8' -o report.html
rubric-host eval rubric.yaml answers.jsonl --judge openai:gpt-5-mini --max-cost 5
rubric-host eval evals.yaml --outputs outputs.jsonl -o junit:results.xml`,
		Args: evalArgs, ValidArgsFunction: completeGraded,
		RunE: func(cmd *cobra.Command, a []string) error {
			if f.retry != "" {
				return p.retry(cmd, f, a)
			}
			return p.eval(cmd, f, a[0], a[1:])
		},
	}
	f.dataFlags.bind(cmd)
	p.bindRun(cmd, f)
	s := cmd.Flags()
	s.BoolVar(&f.resume, "resume", false, "resume the same run if it is unfinished (the default)")
	s.StringVar(&f.retry, "retry", "", "grade a run's unscored rows again: --retry RUN")
	s.Lookup("retry").NoOptDefVal = retryAll
	s.BoolVar(&f.estimate, "estimate", false, "estimate judge calls, tokens and cost; send nothing")
	s.BoolVar(&f.noContent, "no-content", false, "keep digests of the cases instead of their content; reports cannot show it")
	advanced(cmd, "no-content", "resume", "estimate")
	return cmd
}

// bindRun adds the flags of every command that makes a run.
func (p *program) bindRun(cmd *cobra.Command, f *evalFlags) {
	s := cmd.Flags()
	f.judgeFlags.bind(cmd)
	cmd.RegisterFlagCompletionFunc("judge", p.completeJudges) //nolint:errcheck // the flag exists
	s.IntVarP(&f.repeat, "repeat", "n", 1, "gradings per case")
	s.StringArrayVarP(&f.gates, "gate", "g", nil, "condition on the run, such as 'mean>=0.8' (repeats)")
	s.StringVar(&f.baseline, "baseline", "", "compare with a run, for gates such as 'regressions==0'")
	cmd.RegisterFlagCompletionFunc("baseline", completeCompared) //nolint:errcheck // the flag exists
	bindDifferent(cmd, &f.different)
	s.StringArrayVar(&f.slices, "slice", nil, "report figures by the values of this field, metadata or column, or by tags (repeats)")
	s.StringArrayVarP(&f.out, "out", "o", nil, "write a report: PATH.{html,md,csv,json,jsonl,xml}, FORMAT:PATH, gh; repeats")
	s.StringVar(&f.maxUnscored, "max-unscored", "0", "unscored rows to tolerate: a number or a percentage")
	s.Var(&f.timeout, "timeout", "time limit of the run, such as 30m; finished rows are kept")
	s.Var(&f.caseTimeout, "case-timeout", "time limit per case")
	s.BoolVar(&f.failFast, "fail-fast", false, "stop at the first unscored case")
	s.BoolVar(&f.fresh, "fresh", false, "start a new run instead of resuming an unfinished one")
	s.StringVar(&f.runs, "runs", "runs", "directory that holds the runs")
	s.StringVar(&f.display, "display", "auto", "progress display: auto, plain, json or none")
	f.gradingFlags.bind(cmd)
	f.evaluatorFlags.bind(cmd)
	f.bindCache(cmd)
	advanced(cmd, "allow-different", "case-timeout", "fresh", "slice", "fail-fast", "display", "runs")
	choices(cmd, "display", "auto", "plain", "json", "none")
}

func (p *program) eval(cmd *cobra.Command, f *evalFlags, path string, data []string) error {
	ctx := cmd.Context()
	p.keeps.Store(true)
	f.data = append(f.data, data...)
	doc, err := p.load(path, f.dialect)
	if err != nil {
		return swapped(err, cmd, path, f.data)
	}
	if len(f.data) == 0 && len(doc.Cases) == 0 {
		return fault.WithHint(fault.New(fault.Usage, "missing argument: DATA; %s has no cases of its own", path), "usage: %s", cmd.UseLine())
	}
	outs, err := parseOuts(f.out)
	if err != nil {
		return err
	}
	o, err := f.evaluateOptions(p)
	if err != nil {
		return err
	}
	j, err := f.judgeFlags.options(p.settings)
	if err != nil {
		return err
	}
	if err := f.priced(j); err != nil {
		return err
	}
	if f.estimate {
		return p.estimateRun(ctx, f, doc, o, j)
	}
	if j != nil {
		j.RecordRuns = true
	}
	ev, err := p.evaluator(ctx, &f.evaluatorFlags, j)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	display, err := newDisplay(p, f.display, ev)
	if err != nil {
		return err
	}
	display.watch(&o)
	done, err := ev.Evaluate(ctx, doc, o)
	display.end(done, err)
	if done == nil || done.Run.Summary == nil || fault.Is(err, fault.Empty) {
		return f.located(err, doc, f.verdicts)
	}
	return p.finishEval(done, outs, err)
}

// priced refuses gates on the cost of a judge whose prices nobody knows.
func (f *evalFlags) priced(j *host.Judge) error {
	if j == nil || f.replay != "" || j.Endpoint.PriceIn != 0 || j.Endpoint.PriceOut != 0 {
		return nil
	}
	for _, g := range f.gates {
		if strings.HasPrefix(strings.TrimSpace(g), "cost_usd") {
			return fault.WithHint(fault.New(fault.Usage, "--gate %q: the judge %q has no prices", g, j.Name), "give price_in and price_out in %s", configName)
		}
	}
	return nil
}

// swapped returns an error that says how a command is meant, if what was given as
// the rubric is a dataset; else the error of reading the rubric.
func swapped(err error, cmd *cobra.Command, path string, data []string) error {
	for _, d := range data {
		if d == "-" {
			continue
		}
		if _, problem := host.Load(d); problem == nil {
			return fault.WithHint(fault.New(fault.Usage, "%s is the rubric and %s the dataset: write %s %s %s", d, path, cmd.CommandPath(), shellLine([]string{d}), shellLine([]string{path})),
				"the rubric comes first")
		}
	}
	if slices.Contains([]string{".jsonl", ".ndjson", ".jsonlines", ".csv", ".tsv"}, strings.ToLower(filepath.Ext(path))) && !fault.Is(err, fault.NotFound) {
		return fault.WithHint(fault.New(fault.Usage, "%s is a dataset, not a rubric: write %s RUBRIC %s", path, cmd.CommandPath(), shellLine([]string{path})),
			"rubric-host help rubrics shows a rubric")
	}
	return err
}

// evaluateOptions turns flags into options.
func (f *evalFlags) evaluateOptions(p *program) (o host.EvaluateOptions, err error) {
	if o.PlanOptions, err = f.gradingFlags.options(p); err != nil {
		return o, err
	}
	if f.repeat < 1 {
		return o, fault.New(fault.Usage, "--repeat %d: at least 1", f.repeat)
	}
	if f.fresh && f.resume {
		return o, fault.New(fault.Usage, "--fresh and --resume cannot be combined")
	}
	if o.Dataset, err = f.dataFlags.options(p, f.runs); err != nil {
		return o, err
	}
	if o.Gates, err = result.ParseGates(f.gates); err != nil {
		return o, err
	}
	if f.baseline != "" {
		if o.Baseline, err = runPath(f.runs, f.baseline); err != nil {
			return o, err
		}
	}
	if o.AllowDifferent, err = differences(f.different); err != nil {
		return o, err
	}
	if o.MaxUnscored, err = parseShare(f.maxUnscored); err != nil {
		return o, err
	}
	o.Repeat, o.Runs, o.Fresh, o.FailFast = f.repeat, f.runs, f.fresh, f.failFast
	o.NoContent, o.Slices = f.noContent, f.slices
	o.Timeout, o.CaseTimeout = f.timeout.d, f.caseTimeout.d
	o.Command, o.Version = append([]string{"rubric-host"}, os.Args[1:]...), version()
	return o, nil
}

// parseShare reads a number of rows or a percentage.
func parseShare(s string) (host.Share, error) {
	bad := fault.New(fault.Usage, "--max-unscored %q: must be a number of rows or a percentage, such as 1%%", s)
	if part, ok := strings.CutSuffix(s, "%"); ok {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || !(x >= 0 && x <= 100) {
			return host.Share{}, bad
		}
		return host.Share{Percent: x, IsPart: true}, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return host.Share{}, bad
	}
	return host.Share{Count: n}, nil
}

// finishEval writes the reports of a run, and says what it means.
func (p *program) finishEval(done *host.Evaluation, outs []output, stopped error) error {
	doc := docOf(done)
	var problems []error
	toStdout := false
	var wrote []string
	for _, out := range outs {
		toStdout = toStdout || out.path == "-"
		err := p.writeReport(out, doc, false)
		if problems = append(problems, err); err == nil && out.path != "-" {
			wrote = append(wrote, out.path)
		}
	}
	switch {
	case p.json:
		problems = append(problems, p.printJSON(done.Run))
	case !toStdout:
		_, color := terminal(p.out)
		problems = append(problems, report.Write(p.out, report.Text, doc, report.Options{Color: color, Width: width(p.out)}))
	}
	for _, path := range wrote {
		p.say("wrote %s", diag.Plain(path))
	}
	outcome := done.Err()
	if stopped != nil {
		outcome = stopped
	}
	p.told = !toStdout // the summary, or the object, says it
	if outcome == nil {
		return errors.Join(problems...)
	}
	for _, err := range problems {
		if err != nil {
			fmt.Fprintf(p.err, "error: %v\n", err)
		}
	}
	return outcome
}

// docOf is the report of a run that was just made, or is being.
func docOf(done *host.Evaluation) report.Doc {
	d := report.Doc{Run: done.Run, Summary: done.Run.Summary, Rubric: done.Plan.Sheets[0].Rubric}
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

// rowsOf goes over the rows of a run directory, every time anew.
func rowsOf(dir string) func(func(*result.Row, error) bool) {
	return func(yield func(*result.Row, error) bool) {
		rows, closeRows, err := host.ReadRows(dir)
		if err != nil {
			yield(nil, err)
			return
		}
		defer closeRows() //nolint:errcheck // it was only read
		rows(yield)
	}
}

// dataFlags say which cases are evaluated.
type dataFlags struct {
	data    []string
	format  string
	mapping []string
	outputs string
	limit   string
	sample  int
	seed    uint64
	ids     string
	tags    []string
	shard   string
	failed  string
}

func (f *dataFlags) bind(cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringArrayVarP(&f.data, "data", "d", nil, "dataset file or glob, or - for standard input (repeats)")
	s.StringVar(&f.outputs, "outputs", "", "file with the outputs, joined by case id")
	s.StringArrayVar(&f.mapping, "map", nil, "read a field from another path: output=response.text (repeats)")
	s.StringVar(&f.format, "format", "", "dataset format: jsonl, json, csv or yaml (default: detected)")
	s.StringVar(&f.limit, "limit", "", "only the first N cases, or cases A:B")
	s.IntVar(&f.sample, "sample", 0, "only this many cases, chosen at random")
	s.Uint64Var(&f.seed, "seed", 0, "random seed for --sample")
	s.StringVar(&f.ids, "id", "", "only cases whose id matches, such as 'q-*'")
	s.StringArrayVar(&f.tags, "tag", nil, "cases with this tag or field, key=value (repeats)")
	s.StringVar(&f.shard, "shard", "", "run shard I of N, written I/N")
	s.StringVar(&f.failed, "failed", "", "only cases that did not pass in this run")
	advanced(cmd, "format", "sample", "seed", "tag", "shard", "failed")
	var formats []string
	for _, x := range dataset.Formats() {
		formats = append(formats, string(x))
	}
	choices(cmd, "format", formats...)
	cmd.RegisterFlagCompletionFunc("failed", func(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) { //nolint:errcheck // the flag exists
		return completeRuns(cmd, nil, word)
	})
}

// options turns flags into dataset options.
func (f *dataFlags) options(p *program, runs string) (o dataset.Options, err error) {
	o = dataset.Options{Paths: f.data, Stdin: p.in, Format: dataset.Format(f.format)}
	for _, m := range f.mapping {
		mapping, err := dataset.ParseMap(m)
		if err != nil {
			return o, err
		}
		o.Map = append(o.Map, mapping)
	}
	if f.outputs != "" {
		if o.Outputs, err = dataset.OpenOutputs(f.outputs); err != nil {
			return o, err
		}
	}
	o.Select, err = f.selection(runs)
	return o, err
}

func (f *dataFlags) selection(runs string) (s dataset.Selection, err error) {
	s = dataset.Selection{Match: f.ids, Tags: f.tags, Sample: f.sample, Seed: f.seed}
	if f.limit != "" {
		if s.From, s.To, err = dataset.ParseLimit(f.limit); err != nil {
			return s, err
		}
	}
	if f.shard != "" {
		if s.Shard, s.Shards, err = dataset.ParseShard(f.shard); err != nil {
			return s, err
		}
	}
	if f.failed != "" {
		if s.IDs, err = failedIn(runs, f.failed); err != nil {
			return s, err
		}
	}
	return s, nil
}

// failedIn returns the ids of the cases that did not pass in a run.
func failedIn(runs, name string) (map[string]bool, error) {
	dir, err := runner.Find(runs, name)
	if err != nil {
		return nil, err
	}
	rows, closeRows, err := host.ReadRows(dir)
	if err != nil {
		return nil, err
	}
	defer closeRows() //nolint:errcheck // it was only read
	return result.Failing(rows)
}
