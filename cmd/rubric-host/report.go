package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/compare"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/xslices"
)

type reportFlags struct {
	outs, different, slices []string
	against, sarif          string
	content                 bool
}

func reportCommand(p *program) *cobra.Command {
	f := &reportFlags{}
	cmd := &cobra.Command{
		Use:               "report [RUN]",
		Short:             "Write reports: html, md, csv, json, jsonl, junit, gh, sarif",
		Long:              "Write reports of a run, the latest if none is named.",
		Example:           "rubric-host report latest -o report.html -o junit:results.xml",
		Args:              args("[RUN]"),
		ValidArgsFunction: p.complete.run,
		RunE:              func(cmd *cobra.Command, a []string) error { return runReport(cmd.Context(), p, f, runOf(a)) },
	}
	cmd.Flags().StringArrayVarP(&f.outs, "out", "o", nil, outPaths+" or FORMAT:- (repeats)")
	cmd.Flags().StringVar(&f.sarif, "sarif", "", sarifUsage)
	cmd.Flags().StringArrayVar(&f.slices, "slice", nil, "show figures by the values of this field, metadata or column, or by tags (repeats)")
	cmd.Flags().BoolVar(&f.content, "content", false, "add the fields of each case to json and jsonl; the other formats show them anyway")
	bindRuns(p, cmd.Flags())
	cmd.Flags().StringVar(&f.against, "against", "", "show what changed since this run or file of rows")
	completes(cmd, "against", p.complete.compared)
	bindDifferent(cmd, &f.different)
	return cmd
}

func runReport(ctx context.Context, p *program, f *reportFlags, run string) error {
	doc, dir, err := openRun(p.runs, run)
	if err != nil {
		return err
	}
	against := ""
	if f.against != "" {
		if against, err = p.finishedPath(f.against); err != nil {
			return err
		}
	}
	if err := compareWith(ctx, p, &doc, dir, against, f.different); err != nil {
		return err
	}
	if len(f.slices) > 0 {
		sum := *cmp.Or(doc.Summary, doc.Run.Summary)
		if sum.Slices, err = runner.SlicesOf(dir, f.slices); err != nil {
			return err
		}
		doc.Summary = &sum
	}
	list, err := parseOuts(f.outs, f.sarif, false)
	if err != nil {
		return err
	}
	if err := spare(list, dir, against); err != nil {
		return err
	}
	if p.json || len(list) == 0 {
		list = p.withStdout(list)
	}
	return errors.Join(xslices.Map(list, func(o output) error { return p.wrote(o, p.writeReport(o, doc, f.content)) })...)
}

// compareWith adds the comparison with a base, if there is one, to the report of the run in dir.
func compareWith(ctx context.Context, p *program, doc *report.Doc, dir, base string, different []string) error {
	allow, err := differences(different)
	if err != nil || base == "" {
		return err
	}
	ev, err := p.evaluator(ctx, &evaluatorFlags{}, nil, nil)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	c, err := ev.Compare(ctx, base, dir, compare.Options{Allow: allow})
	if err != nil {
		return err
	}
	summary := *doc.Run.Summary
	summary.Baseline = c
	doc.Summary = &summary
	doc.Against, err = againstOf(p.runs, base)
	return err
}

// againstOf is the report of the run that another is compared with, nil if that is
// a file of rows, which has no content.
func againstOf(runs, path string) (*report.Doc, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, nil //nolint:nilnil // the caller handles nil
	}
	earlier, _, err := openRun(runs, path)
	if err != nil {
		return nil, err
	}
	return &earlier, nil
}

func failuresCommand(p *program) *cobra.Command {
	var criterion string
	var full bool
	var limit int
	cmd := &cobra.Command{
		Use:               "failures [RUN] [CASE]",
		Short:             "List failing cases, or explain one",
		Long:              "List failing cases, of the latest run if none is named, or explain one. --json prints JSON lines: the\nrow of each, as rows.jsonl has it.",
		Example:           "rubric-host failures\nrubric-host failures latest --criterion tone\nrubric-host failures latest q-0193",
		Args:              args("[RUN]", "[CASE]"),
		ValidArgsFunction: p.complete.run,
		RunE: func(cmd *cobra.Command, a []string) error {
			if limit < 0 {
				return fault.New(fault.Usage, "--limit %d: must not be negative", limit)
			}
			name, id := runOf(a), ""
			if len(a) > 1 {
				id = a[1]
			}
			if id != "" && criterion != "" {
				return fault.New(fault.Usage, "--criterion lists cases; it does not go with the case %q", id)
			}
			doc, dir, err := openRun(p.runs, name)
			if err != nil {
				return err
			}
			if ids := doc.Run.Summary.CriterionIDs(); criterion != "" && !slices.Contains(ids, criterion) {
				return fault.WithHint(fault.New(fault.NotFound, "run %s has no criterion %q", runName(doc.Run, dir), criterion), "%s", diag.DidYouMean(criterion, ids))
			}
			doc.Next = []report.Step{{Purpose: "details", Command: append([]string{"rubric-host", "failures", runName(doc.Run, dir), "CASE"}, runsOf(dir)...)}}
			o := p.shown()
			o.Full, o.Fuller, o.Limit, o.More, o.Criterion = full, "--full", limit, "--limit 0 lists all", criterion
			if p.json {
				o.Row = func(row *result.Row) error { return p.printLine(row) }
				if !cmd.Flags().Changed("limit") {
					o.Limit = 0
				}
			}
			return report.Failures(p.out, doc, id, o)
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "with a case: show long texts, such as prompts, whole")
	cmd.Flags().IntVar(&limit, "limit", 200, "how many to list; 0: all, as --json does without --limit")
	cmd.Flags().StringVar(&criterion, "criterion", "", "the cases that lost points by this criterion, or that it has no number for")
	keyed(cmd, "limit", "criterion")
	bindRuns(p, cmd.Flags())
	return cmd
}

// runOf is the run that the first argument names, or the latest.
func runOf(a []string) string { return append(a, "latest")[0] }

func openRun(runs, name string) (report.Doc, string, error) {
	dir, run, err := findRun(runs, name)
	if err != nil {
		return report.Doc{}, "", err
	}
	p := runner.KnownPlan(run)
	if !run.SummedUp() && p != nil {
		if err := sumUp(run, p, dir); err != nil {
			return report.Doc{}, "", err
		}
	}
	wordRun(run)
	d := report.Doc{Run: run, Rows: rowsOf(dir), Case: casesOf(dir), Calls: callsOf(dir), Next: nextSteps(run, dir)}
	if p != nil {
		d.Rubric = p.Graders[0].Rubric
	}
	if run.Summary == nil {
		return d, dir, fault.WithHint(fault.New(fault.Invalid, "run %s is not finished, and has no summary", run.ID), "re-run its command to resume it")
	}
	return d, dir, nil
}

// sumUp adds a summary of its rows to a run without one: it is being made, or its process was
// killed. Outcomes of gates are of earlier rows.
func sumUp(run *result.Run, p *plan.Plan, dir string) error {
	s, err := runner.SumUp(dir, runner.SummaryOptions(p))
	if err != nil {
		return err
	}
	run.Summary, run.Gates = s, nil
	run.Counts, run.Usage = run.Summary.Counts, run.Summary.Usage
	run.Summary.Warnings = append(run.Summary.Warnings, fmt.Sprintf("the run is not finished (%s): the figures are of the %s that it has so far", run.Status, diag.Count(run.Counts.Rows, "row")))
	return nil
}

// run completes the id of a run.
func (co completer) run(cmd *cobra.Command, given []string, word string) ([]string, cobra.ShellCompDirective) {
	return co.listed(func(_ *cobra.Command, given []string) []string {
		if len(given) > 0 {
			return nil
		}
		ids, _ := runner.List(co.runs)
		return append(ids, "latest", "previous")
	})(cmd, given, word)
}
