package main

import (
	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/runner"
)

func rescoreCommand(p *program) *cobra.Command {
	f := &evalFlags{}
	cmd := &cobra.Command{
		Use:   "rescore RUN [RUBRIC]",
		Short: "Grade the cases of a finished run with an edited rubric",
		Long: "Grade the cases of a finished run with another rubric, in a new run. Judge answers of the\n" +
			"run are reused for criteria that did not change. Without RUBRIC, the run's own file is read.",
		Example: `rubric-host rescore latest rubric.yaml
rubric-host rescore latest rubric.yaml --baseline latest --allow-different rubric`,
		Args: args("RUN", "[RUBRIC]"), ValidArgsFunction: p.complete.run,
		RunE: func(cmd *cobra.Command, a []string) error { return runRescore(p, cmd, f, a) },
	}
	bindRun(p, cmd, f)
	return cmd
}

func runRescore(p *program, cmd *cobra.Command, f *evalFlags, given []string) error {
	ctx := cmd.Context()
	dir, err := p.finished(p.runs, given[0])
	if err != nil {
		return err
	}
	base, err := runner.ReadRun(dir)
	if err != nil {
		return err
	}
	path := base.Rubric.File
	if len(given) > 1 {
		path = given[1]
	}
	if path == "" || path == "-" {
		return fault.WithHint(fault.New(fault.Usage, "missing argument: RUBRIC; run %s names no file", base.ID), "usage: %s", cmd.UseLine())
	}
	doc, err := p.load(path, f.dialect)
	if err != nil {
		return err
	}
	w, err := f.work(p, base, append(filesOf(doc), dir)...)
	if err != nil {
		return err
	}
	w.o.Command = pinned(w.o.Command, path, doc)
	if !cmd.Flags().Changed("repeat") {
		w.o.Repeat = 0 // the run's
	}
	return w.run(ctx, func(ev *host.Evaluator, o host.EvaluateOptions) (*host.Evaluation, error) {
		if err := f.checkSettings(ctx, ev, doc); err != nil {
			return nil, err
		}
		return ev.Rescore(ctx, dir, doc, o)
	})
}
