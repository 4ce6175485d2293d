package main

import (
	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/score"
)

func mergeCommand(p *program) *cobra.Command {
	f := &evalFlags{repeat: 1, gradingFlags: gradingFlags{unscored: string(score.Null)}}
	cmd := &cobra.Command{
		Use:   "merge RUN...",
		Short: "Join the runs of all shards in one run",
		Long: "Join the runs of all shards of one evaluation, such as eval --shard 1/2 and 2/2 on two machines,\n" +
			"in a new run. Nothing is graded again: the summary, the gates and the reports are made from\nall rows.",
		Example: `rubric-host runs merge shard1/* shard2/* -g 'mean>=0.8' -o report.html`,
		Args:    args("RUN..."), ValidArgsFunction: p.complete.run,
		RunE: func(cmd *cobra.Command, a []string) error { return runMerge(p, cmd, f, a) },
	}
	f.bindOutcome(p, cmd)
	return cmd
}

func runMerge(p *program, cmd *cobra.Command, f *evalFlags, names []string) error {
	ctx := cmd.Context()
	dirs, err := findRuns(p.runs, names)
	if err != nil {
		return err
	}
	w, err := f.work(p, nil, dirs...)
	if err != nil {
		return err
	}
	return w.run(ctx, func(ev *host.Evaluator, o host.EvaluateOptions) (*host.Evaluation, error) {
		if len(f.gates) == 0 {
			o.Gates = nil // those of the shards
		}
		return ev.Merge(ctx, dirs, o)
	})
}
