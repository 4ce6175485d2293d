package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
)

// nextSteps returns the commands that a user may want to run after a run, which is in a
// directory.
func nextSteps(run *result.Run, dir string) []report.Step {
	if run.ID == "" || run.Error != nil && run.Error.Class == fault.Storage { // the hint names the next step
		return nil
	}
	failed, unscored := run.Counts.Failed, run.Counts.Unscored
	if run.Summary != nil {
		failed, unscored = run.Summary.Failing(), run.Summary.Counts.Unscored
	}
	var out []report.Step
	where, name := runsOf(dir), runName(run, dir)
	add := func(purpose string, command ...string) {
		out = append(out, report.Step{Purpose: purpose, Command: command})
	}
	// The run may be someone else's, whose command could be any.
	own := len(run.Command) > 0 && run.Command[0] == "rubric-host" && !slices.ContainsFunc(run.Command, piped)
	switch retry := append([]string{"rubric-host", "eval", "--retry", name}, where...); {
	case run.Status == result.Finished:
		if retriable(run) {
			add("retry unscored", retry...)
		}
	case run.Retrying:
		add("resume", retry...)
	case own:
		add("resume", slices.DeleteFunc(slices.Clone(run.Command), func(arg string) bool { // it would start anew
			name, _, _ := strings.Cut(arg, "=")
			return name == "--fresh"
		})...)
	}
	if failed+unscored > 0 {
		add("inspect", append([]string{"rubric-host", "failures", name}, where...)...)
	}
	if own && slices.Contains(run.Command, "eval") { // other commands have no --failed
		again := rerun(run.Command)
		end := slices.Index(again, "--") // arguments follow
		if end < 0 {
			end = len(again)
		}
		again = slices.Insert(again, end, "--failed", name)
		switch {
		case failed > 0:
			add("rerun failures", again...)
		case unscored > 0 && !retriable(run):
			add("rerun after a fix", again...) // as they are, they fail again
		}
	}
	if run.Error != nil && run.Counts.Rows == 0 { // there is nothing to report
		return out
	}
	add("report", append([]string{"rubric-host", "report", name, "-o", "report.html"}, where...)...)
	return out
}

// passing are the failures that depend on the load of the machine; lasting those that the same
// case and limits have again, whoever answers.
var (
	passing = []fault.Class{fault.Deadline, fault.Worker}
	lasting = []fault.Class{fault.Invalid, fault.Fuel, fault.Memory, fault.Depth, fault.Input, fault.Output}
)

// retriable reports whether rows have no score for a reason that may pass. What is computed
// without a judge and without grants gives the same answer again.
func retriable(run *result.Run) bool {
	outside := len(run.Judges) > 0 || slices.ContainsFunc(run.Plugins, func(p result.Plugin) bool { return len(p.Grants) > 0 })
	return !run.Dataset.NoContent && run.Summary != nil && slices.ContainsFunc(run.Summary.Unscored, func(u result.UnscoredClass) bool {
		return slices.Contains(passing, u.Class) || outside && !slices.Contains(lasting, u.Class)
	})
}

// piped reports whether an argument stands for data that is gone when the command has ended.
func piped(arg string) bool {
	arg = strings.TrimPrefix(arg, "--data=")
	return arg == "-" || arg == "-d-" || arg == "/dev/stdin" || strings.HasPrefix(arg, "/dev/fd/") || strings.HasPrefix(arg, "/proc/self/fd/")
}

// runName is the name by which commands find the run in a directory: the directory's, which a
// user may have changed.
func runName(run *result.Run, dir string) string {
	if dir == "" {
		return run.ID
	}
	return filepath.Base(dir)
}

// runsOf returns the flag with which a command finds the run in a directory, nil if it needs none.
func runsOf(dir string) []string {
	if root := filepath.Dir(dir); dir != "" && root != "runs" {
		return []string{"--runs", root}
	}
	return nil
}

// pinRuns returns a command whose flags name runs by their directories: latest and previous
// mean other runs later.
func pinRuns(command []string, dirs map[string]string) []string {
	for i, arg := range command {
		flag, _, joined := strings.Cut(arg, "=")
		switch dir := dirs[flag]; {
		case arg == "--":
			return command
		case dir == "":
		case joined:
			command[i] = flag + "=" + dir
		case i+1 < len(command):
			command[i+1] = dir
		}
	}
	return command
}

// rerun returns a command without the flags that must not be repeated for a part of its cases: reports, which
// would be overwritten, selections, and --limit.
func rerun(command []string) []string {
	var out []string
	for i := 0; i < len(command); i++ {
		name, _, joined := strings.Cut(command[i], "=")
		switch {
		case command[i] == "--":
			return append(out, command[i:]...)
		case slices.Contains([]string{"-o", "--out", "--sarif", "--failed", "--limit"}, name):
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
