package main

import (
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
)

// nextSteps returns the commands that a user may want to run after a run.
func nextSteps(run *result.Run) []report.Step {
	if run.ID == "" || run.Error != nil && run.Error.Class == fault.Storage { // the hint names the next step
		return nil
	}
	counts := run.Counts
	if run.Summary != nil {
		counts = run.Summary.Counts
	}
	var out []report.Step
	add := func(purpose string, command ...string) {
		out = append(out, report.Step{Purpose: purpose, Command: command})
	}
	if run.Status != result.Finished && len(run.Command) > 0 {
		add("resume", run.Command...)
	}
	if run.Status == result.Finished && retriable(run) {
		add("retry unscored", append([]string{"rubric-host", "eval", "--retry", run.ID}, flagOf(run.Command, "--runs")...)...)
	}
	if counts.Failed+counts.Unscored > 0 {
		add("inspect", "rubric-host", "failures", run.ID)
		if len(run.Command) > 0 {
			add("rerun failures", append(rerun(run.Command), "--failed", run.ID)...)
		}
	}
	add("report", "rubric-host", "report", run.ID, "-o", "report.html")
	return out
}

// retriable reports whether rows have no score for a reason that may pass.
func retriable(run *result.Run) bool {
	return !run.Dataset.NoContent && run.Summary != nil &&
		slices.ContainsFunc(run.Summary.Unscored, func(u result.UnscoredClass) bool { return u.Class != fault.Invalid })
}

// flagOf returns a flag of a command with its value, nil if the command lacks it.
func flagOf(command []string, name string) []string {
	for i, word := range command {
		switch {
		case word == "--":
			return nil
		case word == name && i+1 < len(command):
			return command[i : i+2]
		case strings.HasPrefix(word, name+"="):
			return command[i : i+1]
		}
	}
	return nil
}

// rerun returns a command without the flags that must not be repeated for a part of its
// cases: reports, which would overwrite the full ones, and the flags that select a run or
// its failures.
func rerun(command []string) []string {
	var out []string
	for i := 0; i < len(command); i++ {
		name, _, joined := strings.Cut(command[i], "=")
		switch {
		case command[i] == "--":
			return append(out, command[i:]...)
		case name == "--out" || name == "--failed" || name == "-o" || name == "--sarif":
			if !joined {
				i++ // its value
			}
		case name == "--fresh" || name == "--resume" || name == "--estimate":
		case strings.HasPrefix(command[i], "-o") && !strings.HasPrefix(command[i], "--"):
		default:
			out = append(out, command[i])
		}
	}
	return out
}
