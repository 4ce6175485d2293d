package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

func runsCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "runs", Short: "List, show, merge and delete runs", Long: "List, show, merge and delete runs. Without a command, list them. Commands find a run by its id,\n" +
			"a part of it, latest or previous; for compare, --failed and --baseline these are finished runs. To give a\n" +
			"run a name, rename its directory: mv runs/ID runs/NAME.",
		RunE: func(*cobra.Command, []string) error { return listRuns(p.console, p.runs) },
	}
	bindRuns(p, cmd.PersistentFlags())
	list := &cobra.Command{
		Use: "list", Short: "List runs, newest first",
		RunE: func(*cobra.Command, []string) error { return listRuns(p.console, p.runs) },
	}
	show := &cobra.Command{
		Use: "show [RUN]", Short: "Show details of a run, the latest if none is named", Args: args("[RUN]"), ValidArgsFunction: p.complete.run,
		RunE: func(_ *cobra.Command, a []string) error { return showRun(p.console, p.runs, runOf(a)) },
	}
	remove := &cobra.Command{
		Use: "remove RUN...", Short: "Delete runs", Args: args("RUN..."), ValidArgsFunction: p.complete.run,
		RunE: func(_ *cobra.Command, a []string) error { return removeRuns(p.console, p.runs, a) },
	}
	cmd.AddCommand(list, show, mergeCommand(p), remove)
	return cmd
}

func listRuns(con *console, root string) error {
	ids, err := runner.List(root)
	if err != nil {
		return err
	}
	var list []map[string]any
	t := con.table("RUN", "STATUS", "RUBRIC", "ROWS", "UNSCORED", "MEAN", "STARTED")
	for _, id := range slices.Backward(ids) {
		r, err := readRun(filepath.Join(root, id))
		if err != nil {
			con.say("%v", err)
			continue
		}
		mean := "-"
		if m := meanOf(r); m != nil {
			mean = result.ScoreText(*m)
		}
		list = append(list, map[string]any{"id": r.ID, "name": id, "status": r.Status, "started": r.Started, "rubric": r.Rubric.ID,
			"counts": r.Counts, "mean": meanOf(r), "exit": r.Exit})
		t.row(id, r.Status, r.Rubric.ID, r.Counts.Rows, r.Counts.Unscored, mean, r.Started.Local().Format("2006-01-02 15:04"))
	}
	return con.list(map[string]any{"runs": list}, len(list), t, "no runs in "+root)
}

// readRun reads the record of a run. Of one that has not ended, or was killed, it counts the rows
// so far, which the record does not.
func readRun(dir string) (*result.Run, error) {
	run, err := runner.ReadRun(dir)
	if err != nil || !run.Finished.IsZero() {
		return run, err
	}
	s, _ := runner.SumUp(dir, result.SummaryOptions{})      // it may have no rows yet
	run.Counts, run.Summary, run.Gates = s.Counts, nil, nil // a retry begins with those of earlier rows
	return run, nil
}

func meanOf(r *result.Run) *float64 {
	if r.Summary == nil {
		return nil
	}
	return r.Summary.Total.Mean
}

func showRun(con *console, root, name string) error {
	dir, err := runner.Find(root, name)
	if err != nil {
		return err
	}
	run, err := readRun(dir)
	if err != nil {
		return err
	}
	if con.json {
		return con.printJSON(run)
	}
	t := con.table()
	t.line("run", "%s (%s)", run.ID, run.Status)
	t.row("directory", dir)
	t.row("command", diag.Shell(run.Command...))
	t.line("started", "%s by %s", moment(run.Started), run.EvaluatedBy())
	if !run.Finished.IsZero() {
		t.row("took", run.Took().Round(time.Millisecond))
	}
	t.line("rubric", "%s %s (%s) %s", run.Rubric.ID, run.Rubric.Version, run.Rubric.Dialect, run.Rubric.Digest)
	t.row("plan", run.PlanDigest)
	t.line("dataset", "%s %s", diag.Count(run.Dataset.Cases, "case"), run.Dataset.Digest)
	for _, pl := range run.Plugins {
		t.line("plugin", "%s %s %s %s", pl.Name, pl.Version, pl.Digest, pl.Wall)
	}
	for _, j := range run.Judges {
		t.line("judge", "%s (%s)", j.Name, j.Model)
	}
	t.line("versions", "rubric-host %s, %s, wazero %s, fuel table %s", run.Versions.RubricHost, run.Versions.Go, run.Versions.Wazero, run.Versions.FuelTable)
	passed := ""
	if n := run.Counts.Passed; n != nil {
		passed = fmt.Sprintf(", %d passed", *n)
	}
	t.line("rows", "%d, %d unscored%s", run.Counts.Rows, run.Counts.Unscored, passed)
	return t.Flush()
}

// findRun finds a run by its name, and reads its record.
func findRun(root, name string) (dir string, run *result.Run, err error) {
	if dir, err = runner.Find(root, name); err != nil {
		return "", nil, err
	}
	run, err = runner.ReadRun(dir)
	return dir, run, err
}

// findRuns returns the directories of runs.
func findRuns(root string, names []string) ([]string, error) {
	dirs := make([]string, len(names))
	for i, name := range names {
		var err error
		if dirs[i], err = runner.Find(root, name); err != nil {
			return nil, err
		}
	}
	return dirs, nil
}

func removeRuns(con *console, root string, names []string) error {
	dirs, err := findRuns(root, names)
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		if run, err := runner.ReadRun(dir); err == nil && run.Status == result.Running {
			return fault.WithHint(fault.New(fault.Conflict, "run %s is running: nothing was removed", run.ID), "stop its process first")
		}
	}
	for _, dir := range dirs {
		if err := os.RemoveAll(dir); err != nil {
			return fault.New(fault.Invalid, "%w", err)
		}
		con.say("removed %s", dir)
	}
	return nil
}
