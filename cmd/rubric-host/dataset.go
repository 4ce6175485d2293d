package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// datasetCommand shows the cases as eval reads them, to check --map and --preset.
func datasetCommand(p *program) *cobra.Command {
	f := &dataFlags{}
	cmd := &cobra.Command{
		Use:   "dataset [DATA...]",
		Short: "Print the cases of a dataset as they are graded",
		Long:  "Print the cases of a dataset as they are graded, one JSON object per line: after --map, --preset\nand --outputs, as far as they are selected.",
		Example: `rubric-host dataset answers.jsonl --map output=response.text --limit 1
rubric-host dataset HumanEval.jsonl.gz --outputs samples.jsonl --preset humaneval`,
		Args: args("[DATA...]"),
		RunE: func(_ *cobra.Command, a []string) error {
			f.data = append(f.data, a...)
			o, err := f.options(p)
			if err != nil {
				return err
			}
			return printCases(p.console, o)
		},
	}
	f.bind(p, cmd)
	bindRuns(p, cmd.Flags())
	advanced(cmd, "runs")
	return cmd
}

// printCases prints the cases, and the problems of the other rows.
func printCases(con *console, o dataset.Options) error {
	o.OutputOptional = o.Outputs == nil && o.Problems == ""
	r, err := dataset.Open(o)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it was only read
	bad := 0
	for c, err := range r.Cases() {
		if err != nil {
			bad++
			con.diagnostics(diag.In(err))
			continue
		}
		if _, err := fmt.Fprintf(con.out, "%s\n", c.AppendFields(nil)); err != nil {
			return err
		}
	}
	t := r.Totals()
	if !con.quiet {
		con.diagnostics(t.Warnings)
	}
	switch {
	case bad > 0:
		con.told = true
		return fault.New(fault.Invalid, "%d of %d rows cannot be used", bad, t.Rows)
	case t.Cases == 0:
		return r.NoneSelected()
	}
	return nil
}
