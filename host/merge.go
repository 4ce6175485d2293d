package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// Merge joins finished runs of all the shards of one evaluation in a run of its own:
// their rows, shard by shard, with the cases and the judge's calls. Nothing is graded;
// the summary and the gates are made from all rows. Of o only Runs, Command, By, Gates (nil:
// those of the first shard), MaxUnscored, Slices, Baseline and AllowDifferent count. The
// evaluator needs the plugins of metrics that have figures of the whole set. A fault has the
// class Mismatch if the runs are not shards of one evaluation, NotFound if one is missing.
func (e *Evaluator) Merge(ctx context.Context, dirs []string, o EvaluateOptions) (*Evaluation, error) {
	shards, dirs, err := shardsIn(dirs)
	if err != nil {
		return nil, err
	}
	first := shards[0]
	p, err := runner.PlanOf(first)
	if err != nil {
		return nil, err
	}
	e = e.limitedAs(p)
	if err := o.keep(first); err != nil {
		return nil, err
	}
	o.NoContent, o.Repeat, o.Unscored, o.Given = first.Dataset.NoContent, p.Repeat, p.Unscored, nil
	run := mergedRun(shards, o)
	usage := run.Usage // finish writes that of the rows
	w, err := e.newEvaluating(&Evaluation{Plan: p, Run: run, opts: o})
	if err != nil {
		return nil, err
	}
	w.resumed, w.usage = true, &usage
	w.dir, w.ev.Kept, err = runner.Merge(o.Runs, run, dirs)
	if err != nil {
		return nil, err
	}
	if w.ev.Kept.Rows == 0 {
		return nil, errors.Join(fault.New(fault.Empty, "no case matched: the shards have no rows"), w.dir.Discard())
	}
	w.ev.Dir, w.ev.Total = w.dir.Path(), w.ev.Kept.Rows
	err = w.finish(ctx, w.order(true))
	return w.ev, also(err, w.close())
}

// mergedRun is the record of a run with the rows of shards.
func mergedRun(shards []*result.Run, o EvaluateOptions) *result.Run {
	run := *shards[0]
	now := time.Now()
	run.ID, run.Started, run.Status, run.By, run.Command = runner.NewID(now), now.UTC(), result.Running, o.By, o.Command
	run.Dataset.Selection.Shard, run.Dataset.Selection.Shards = 0, 0
	run.Dataset.Cases, run.Usage, run.Seconds = 0, result.Usage{}, 0
	// The outcome of one shard is not that of all: a merge that is killed must not show it.
	run.Finished, run.Counts, run.Gates, run.Summary, run.Error, run.Exit = time.Time{}, result.Counts{}, nil, nil, nil, nil
	for _, s := range shards {
		run.MergedFrom = append(run.MergedFrom, s.ID)
		run.Dataset.Cases += s.Dataset.Cases
		run.Usage.Add(s.Usage)
		run.Seconds += s.Seconds
	}
	return &run
}

// maxShards bounds what a record can have its reader hold.
const maxShards = 1 << 16

// shardsIn reads the runs of the shards of one evaluation, and puts them and their
// directories in the order of the shards.
func shardsIn(dirs []string) (runs []*result.Run, ordered []string, err error) {
	var first *result.Run
	for _, dir := range dirs {
		run, err := runner.ReadRun(dir)
		if err != nil {
			return nil, nil, err
		}
		i, of := run.Dataset.Selection.Shard-1, run.Dataset.Selection.Shards
		switch {
		case run.Status != result.Finished:
			return nil, nil, fault.WithHint(fault.New(fault.Conflict, "run %s is not finished (%s)", run.ID, run.Status), "re-run its command to resume it")
		case i < 0 || i >= of:
			return nil, nil, fault.WithHint(fault.New(fault.Mismatch, "run %s is not of a shard", run.ID), "give the runs of all the shards of one dataset, each made with "+fault.OptionDatasetShard)
		case of > maxShards:
			return nil, nil, fault.WithHint(fault.New(fault.Invalid, "run %s is one of %d shards, but %d can be merged", run.ID, of, maxShards), "evaluate the dataset in fewer shards")
		case first == nil:
			first, runs, ordered = run, make([]*result.Run, of), make([]string, of)
		}
		if what := differentWork(first, run); what != "" {
			return nil, nil, fault.WithHint(fault.New(fault.Mismatch, "runs %s and %s have different %s", first.ID, run.ID, what), "evaluate all shards with the same rubric, dataset and flags")
		}
		if runs[i] != nil {
			return nil, nil, fault.WithHint(fault.New(fault.Mismatch, "runs %s and %s are both of shard %d", runs[i].ID, run.ID, i+1), "name one of them")
		}
		runs[i], ordered[i] = run, dir
	}
	var missing []string
	for i, run := range runs {
		if run == nil {
			missing = append(missing, fmt.Sprintf("%d/%d", i+1, len(runs)))
		}
	}
	if missing != nil {
		return nil, nil, fault.WithHint(fault.New(fault.NotFound, "no run of shard %s is given", strings.Join(missing, ", ")), "name the runs of all %d shards", len(runs))
	}
	return runs, ordered, nil
}

// differentWork says in which way two runs do not belong to one evaluation. The empty
// string: they differ in their shards at most.
func differentWork(a, b *result.Run) string {
	whole := func(s dataset.Selection) string {
		s.Shard = 0
		text, _ := json.Marshal(s)
		return string(text)
	}
	switch {
	case a.PlanDigest != b.PlanDigest:
		return "plans"
	case a.RescoredFrom != "" || b.RescoredFrom != "":
		return "cases" // each those of the run that it grades again
	case a.Dataset.Digest != b.Dataset.Digest:
		return "datasets"
	case whole(a.Dataset.Selection) != whole(b.Dataset.Selection):
		return "selections"
	case a.Dataset.NoContent != b.Dataset.NoContent:
		return "content: one keeps none"
	}
	return ""
}
