package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

// retryAll is --retry without classes: every row without a score.
const retryAll = "unscored"

// retried are the flags of eval that a retry obeys. The rest would make another plan or
// other cases, and a run has one of each.
var retried = []string{
	"retry", "gate", "baseline", "allow-different", "slice", "out", "sarif", "max-unscored", "runs", "display", "verdicts",
	"judge", "embeddings", "concurrency", "max-cost", "max-tokens", "record", "replay", "cache", "timeout", "case-timeout", "fail-fast",
	"plugins", "isolate", "allow", "deadline", "cpu", "cache-dir", "no-compile-cache", "interpreter",
}

// checkRetried refuses flags on the command line that a retry would ignore.
func checkRetried(cmd *cobra.Command) (err error) {
	own := cmd.LocalNonPersistentFlags()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && own.Lookup(f.Name) != nil && !slices.Contains(retried, f.Name) {
			err = fault.WithHint(fault.New(fault.Usage, "--%s cannot be combined with --retry, which keeps the plan and the cases of the run", f.Name),
				"remove it, or start a new run: eval RUBRIC DATA --fresh")
		}
	})
	return err
}

// args checks the arguments of eval: a rubric and data, or with --retry a run.
func (f *evalFlags) args(cmd *cobra.Command, given []string) error {
	if cmd.Flags().Changed("retry") {
		return args("RUN", "[RUN...]")(cmd, given) // the first may be the classes; more are refused below
	}
	return args("RUBRIC", "[DATA...]")(cmd, given)
}

// runRetry grades the rows of a run again that have no score.
func runRetry(p *program, cmd *cobra.Command, f *evalFlags, given []string) error {
	ctx := cmd.Context()
	if err := checkRetried(cmd); err != nil {
		return err
	}
	for flag, value := range map[string]*string{"judge": &f.judge, "embeddings": &f.embeddings} {
		if !cmd.Flags().Changed(flag) {
			*value = "" // that of the run, not of the configuration
		}
	}
	words, name := f.retry, given[len(given)-1]
	switch {
	case len(given) == 2 && words == retryAll:
		words = given[0]
	case len(given) > 1:
		return fault.WithHint(fault.New(fault.Usage, "--retry takes one run, not %d", len(given)), "usage: eval --retry RUN, or eval --retry CLASS[,CLASS] RUN")
	}
	classes, err := parseClasses(words)
	if err != nil {
		return err
	}
	dir, run, err := findRun(p.runs, name)
	if err != nil {
		return err
	}
	w, err := f.work(p, run, dir)
	if err != nil {
		return err
	}
	w.retry = words
	if len(f.gates) == 0 {
		w.o.Gates = nil // those of the run
	}
	if !cmd.Flags().Changed("cache") && run.Cache != "" {
		w.f.answers = run.Cache
	}
	if !cmd.Flags().Changed("max-unscored") && run.MaxUnscored != "" {
		if w.o.MaxUnscored, err = result.ParseShare(run.MaxUnscored); err != nil {
			return err
		}
	}
	return w.run(ctx, func(ev *host.Evaluator, o host.EvaluateOptions) (*host.Evaluation, error) {
		return ev.Retry(ctx, dir, classes, o)
	})
}

func failureClasses() (known []string) {
	for _, s := range fault.Surfaces() {
		if s.Class != fault.None {
			known = append(known, string(s.Class))
		}
	}
	return known
}

// parseClasses reads unscored, or failure classes with commas between them.
func parseClasses(words string) ([]fault.Class, error) {
	if words == retryAll {
		return nil, nil
	}
	known := failureClasses()
	var out []fault.Class
	for word := range strings.SplitSeq(words, ",") {
		if word == "" || !slices.Contains(known, word) {
			hint := "eval --retry RUN, or eval --retry CLASS[,CLASS] RUN; the report of a run lists the classes of its unscored rows"
			if near := diag.Suggest(word, known); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			return nil, fault.WithHint(fault.New(fault.Usage, "--retry %q: unknown failure class", word), "%s", hint)
		}
		out = append(out, fault.Class(word))
	}
	return out, nil
}
