package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

func verifyCommand(p *program) *cobra.Command {
	f := &evaluatorFlags{}
	d := &dataFlags{}
	cmd := &cobra.Command{
		Use:   "verify [RUN]",
		Short: "Recompute a run's scores and report differences",
		Long: "Recompute the scores of a run, or of the latest, and report differences: plugins, schemas, judges whose calls were\n" +
			"recorded, every total, the summary, the gates; with --data also that no case was left out.\n" +
			"Nothing is sent anywhere.",
		Example:           "rubric-host verify latest\nrubric-host verify runs/20260102-150405-7f3c --data answers.jsonl",
		Args:              args("[RUN]"),
		ValidArgsFunction: p.complete.run,
		RunE:              func(cmd *cobra.Command, a []string) error { return runVerify(cmd.Context(), p, f, d, runOf(a)) },
	}
	bindRuns(p, cmd.Flags())
	cmd.Flags().StringArrayVarP(&d.data, "data", "d", nil, "verify against this data instead of the cases kept in the run (repeats)")
	cmd.Flags().StringArrayVar(&d.mapping, "map", nil, "with --data: overrides the mapping of the run (repeats)")
	cmd.Flags().StringVar(&d.outputs, "outputs", "", "with --data: overrides the outputs file of the run")
	f.bind(p, cmd)
	return cmd
}

func runVerify(ctx context.Context, p *program, f *evaluatorFlags, d *dataFlags, name string) error {
	dir, run, err := findRun(p.runs, name)
	if err != nil {
		return err
	}
	var data *dataset.Options // nil: the cases that the run keeps
	if run.Dataset.NoContent || len(d.data)+len(d.mapping) > 0 || d.outputs != "" {
		if data, err = datasetOf(p, run, d); err != nil {
			return err
		}
	}
	ev, err := p.evaluator(ctx, f, nil, nil)
	if err != nil {
		return err
	}
	defer ev.Close(ctx) //nolint:errcheck // the process ends
	v, err := ev.Verify(ctx, dir, data)
	if err != nil {
		return err
	}
	for i, note := range v.Notes {
		v.Notes[i] = worded(note)
	}
	if p.json {
		return p.printOutcome(v, v.Err())
	}
	fmt.Fprintf(p.out, "run %s: %s\n", diag.Plain(v.Run), diag.Count(v.Rows, "row"))
	fmt.Fprintf(p.out, "  %s computed again and the same\n  %s combined again and the same\n", diag.Count(v.Derived, "verdict"), diag.Count(v.Totals, "total"))
	if v.Taken > 0 {
		fmt.Fprintf(p.out, "  %s taken as %s:\n    given ones, a judge's without a recording, those of plugins with a grant, and failures\n", diag.Count(v.Taken, "verdict"), diag.Plural(v.Taken, "it is", "they are"))
	}
	if v.Uncombined > 0 {
		fmt.Fprintf(p.out, "  %s taken as %s, by aggregates in Go code\n", diag.Count(v.Uncombined, "total"), diag.Plural(v.Uncombined, "it is", "they are"))
	}
	for _, n := range v.Notes {
		fmt.Fprintf(p.out, "  note: %s\n", diag.Plain(n))
	}
	for _, d := range v.Differences {
		what := d.What
		if d.Case != "" {
			what = "case " + d.Case + ": " + what
		}
		fmt.Fprintf(p.out, "  DIFFERS %s\n", diag.Plain(what))
		for _, part := range d.Parts() {
			fmt.Fprintf(p.out, "    %s %s, is %s\n", diag.Plain(strings.TrimLeft(part.Path+" was", " ")), diag.Plain(cmp.Or(part.Was, "nothing")), diag.Plain(cmp.Or(part.Is, "nothing")))
		}
	}
	for _, id := range v.Unseen {
		fmt.Fprintf(p.out, "  NOT SEEN %s\n", diag.Plain(id))
	}
	if v.Err() == nil {
		fmt.Fprintln(p.out, "VERIFIED")
	}
	return v.Err()
}

// datasetOf returns the dataset of a run, as changed by flags.
func datasetOf(p *program, run *result.Run, d *dataFlags) (*dataset.Options, error) {
	if len(d.data) == 0 {
		d.data = run.Dataset.Paths
	}
	if len(d.mapping) == 0 {
		d.mapping = run.Dataset.Map
	}
	d.outputs = cmp.Or(d.outputs, run.Dataset.Outputs)
	d.format, d.preset = run.Dataset.Format, run.Dataset.Preset
	if slices.Contains(d.data, "-") {
		return nil, fault.WithHint(fault.New(fault.Usage, "run %s read standard input", run.ID), "name its data with --data")
	}
	o, err := d.options(p)
	if err != nil {
		return nil, err
	}
	o.Audit = run.Dataset.Audit
	o.Problems, o.Samples = run.Dataset.Problems, run.Dataset.Samples
	o.Select = run.Dataset.Selection
	return &o, nil
}
