package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/xslices"
)

type compareFlags struct {
	evaluatorFlags
	different []string
	gates     []string
	out       []string
	slices    []string
}

func compareCommand(p *program) *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare BASE CANDIDATE...",
		Short: "Compare runs: what changed, and whether it is more than chance",
		Long: "Compare one or more runs with a base: run ids, run directories, or files of rows. Cases are\n" +
			"paired by id. Runs with different rubrics or scorers are refused with exit code 6.",
		Example: `rubric-host compare previous latest
rubric-host compare main.jsonl latest -g 'regressions==0' -g 'mean.delta>=-0.01' -o md:comment.md
rubric-host compare 7f3c latest -o compare.html`,
		Args: args("BASE", "CANDIDATE..."), ValidArgsFunction: p.complete.compared,
		RunE: func(cmd *cobra.Command, a []string) error { return runCompare(cmd.Context(), p, f, a[0], a[1:]) },
	}
	s := cmd.Flags()
	s.StringArrayVarP(&f.gates, "gate", "g", nil, "condition on each candidate, such as 'regressions==0', 'mean.delta>=-0.01' (repeats)")
	s.StringArrayVarP(&f.out, "out", "o", nil, "write a report: PATH.{txt,md,json,html}, FORMAT:PATH or gh (repeats)")
	s.StringArrayVar(&f.slices, "slice", nil, "compare by the values of this field, too, such as metadata.lang (repeats)")
	bindDifferent(cmd, &f.different)
	bindRuns(p, cmd.Flags())
	f.evaluatorFlags.bind(p, cmd)
	advanced(cmd, "plugins")
	return cmd
}

// bindDifferent binds the flag that allows a comparison of unlike runs.
func bindDifferent(cmd *cobra.Command, to *[]string) {
	cmd.Flags().StringSliceVar(to, "allow-different", nil, "compare although the runs differ in: rubric, scorers or partial, few cases in common (repeats)")
	completes(cmd, "allow-different", words(compare.Differences()...))
}

// differences parses the values of --allow-different.
func differences(list []string) ([]compare.Difference, error) {
	known := texts(compare.Differences())
	var out []compare.Difference
	for _, s := range list {
		if !slices.Contains(known, s) {
			return nil, fault.WithHint(fault.New(fault.Usage, "--allow-different %q: use %s", s, strings.Join(known, ", ")), "%s", diag.DidYouMean(s, known))
		}
		out = append(out, compare.Difference(s))
	}
	return out, nil
}

func runCompare(ctx context.Context, p *program, f *compareFlags, base string, candidates []string) error {
	allow, err := differences(f.different)
	if err != nil {
		return err
	}
	gates, err := result.ParseGates(f.gates)
	if err != nil {
		return err
	}
	outs, err := parseOuts(f.out, "", p.json)
	if err != nil {
		return err
	}
	listed := 0
	for _, o := range outs {
		if err := report.CheckComparison(o.format); err != nil {
			return err
		}
		if o.format == report.HTML {
			listed = 1000
		}
	}
	ev, err := p.evaluator(ctx, &f.evaluatorFlags, nil, nil)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	o := compare.Options{Allow: allow, MaxCases: listed, Slices: f.slices}
	basePath, err := p.finishedPath(base)
	if err != nil {
		return err
	}
	reads := []string{basePath}
	for _, name := range candidates {
		path, err := p.finishedPath(name)
		if err != nil {
			return err
		}
		reads = append(reads, path)
	}
	if err := spare(outs, reads...); err != nil {
		return err
	}
	var list []report.Compared
	failed, all := 0, 0
	for _, path := range reads[1:] {
		c, err := ev.Compare(ctx, basePath, path, o)
		if err != nil {
			return err
		}
		outcomes, err := host.CheckGates(path, c, gates)
		if err != nil {
			return err
		}
		failed, all = failed+result.Missed(outcomes), all+len(outcomes)
		list = append(list, report.Compared{Comparison: c, Gates: outcomes, Base: contentOf(basePath), Candidate: contentOf(path)})
	}
	if err := writeComparisons(p.console, list, outs); err != nil {
		return err
	}
	if failed > 0 {
		return fault.New(fault.Gate, "%d of %d gates failed", failed, all)
	}
	return nil
}

// writeComparisons writes the reports that were asked for, and one to standard output.
func writeComparisons(con *console, list []report.Compared, outs []output) error {
	err := errors.Join(xslices.Map(con.withStdout(outs), func(o output) error {
		return con.wrote(o, con.writeOut(o, func(w *bufio.Writer, opts report.Options) error {
			return report.WriteComparison(w, o.format, list, opts)
		}))
	})...)
	if con.json {
		if err != nil && !con.stdoutFailed() {
			con.tellError(err)
		}
		con.told = true // the object says the rest
	}
	return err
}

// finished finds a run that another one starts from or is compared with, and says which one latest and previous mean
// if that is not the newest.
func (con *console) finished(runs, name string) (string, error) {
	dir, past, err := runner.FindFinished(runs, name)
	if past != "" && err == nil {
		con.say("%s is run %s: run %s is not finished", name, diag.Plain(filepath.Base(dir)), diag.Plain(past))
	}
	return dir, err
}

// finishedPath returns the run directory, by finished, or the file of rows that a name means.
func (p *program) finishedPath(name string) (string, error) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() && filepath.Base(name) != runner.RunFile {
		return name, nil
	}
	return p.finished(p.runs, name)
}

// contentOf finds the content of a run's cases by digest.
func contentOf(path string) func(digest string) (*dataset.Case, error) {
	find := casesOf(path)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil
	}
	return func(digest string) (*dataset.Case, error) { return find(&result.Row{CaseDigest: digest}) }
}

// compared completes runs and files.
func (co completer) compared(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	ids, _ := co.run(cmd, nil, word)
	return ids, cobra.ShellCompDirectiveDefault
}
