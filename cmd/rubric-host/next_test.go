package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

func TestNextSteps_AreCommandsThatWork(t *testing.T) {
	summary := &result.Summary{Counts: result.Counts{Unscored: 1}, Unscored: []result.UnscoredClass{{Class: fault.Deadline}}}
	run := result.Run{ID: "R", Status: result.Finished, Summary: summary, Command: strings.Fields("rubric-host eval r.yaml d.jsonl --runs other")}
	steps := func(run result.Run, dir string) string {
		var lines []string
		for _, s := range nextSteps(&run, dir) {
			lines = append(lines, strings.Join(s.Command, " "))
		}
		return strings.Join(lines, "\n")
	}
	if got, want := steps(run, "other/R"), `rubric-host eval --retry R --runs other
rubric-host failures R --runs other
rubric-host report R -o report.html --runs other`; got != want {
		t.Errorf("another place:\n%s\nwant\n%s", got, want)
	}
	failed := run
	failed.Summary = &result.Summary{Counts: result.Counts{Unscored: 1, Failed: 1}}
	if got, want := steps(failed, "other/R"), `rubric-host failures R --runs other
rubric-host eval r.yaml d.jsonl --runs other --failed R
rubric-host report R -o report.html --runs other`; got != want {
		t.Errorf("a failed case:\n%s\nwant\n%s", got, want)
	}
	failed.Command = strings.Fields("rubric-host eval -- -r.yaml -d.jsonl")
	if got, want := steps(failed, "runs/R"), "rubric-host eval --failed R -- -r.yaml -d.jsonl"; !strings.Contains(got, want) {
		t.Errorf("arguments with a leading dash:\n%s\nwant\n%s", got, want)
	}
	failed.Command = run.Command
	failed.Summary = &result.Summary{Counts: result.Counts{Unscored: 1}}
	if got := nextSteps(&failed, "other/R"); got[1].Purpose != "rerun after a fix" {
		t.Errorf("no case failed: %+v", got)
	}
	run.RescoredFrom, run.Command = "Q", strings.Fields("rubric-host rescore Q r.yaml")
	if got, want := steps(run, "runs/R"), `rubric-host eval --retry R
rubric-host failures R
rubric-host report R -o report.html`; got != want {
		t.Errorf("a rescore:\n%s\nwant\n%s", got, want)
	}
	run.Command = strings.Fields("rubric-host artifact submit lesson")
	if got := steps(run, "runs/R"); strings.Contains(got, "--failed") {
		t.Errorf("an artifact:\n%s", got)
	}
	for _, status := range []result.RunStatus{result.Finished, result.OverBudget} {
		run = result.Run{ID: "R", Status: status, Summary: summary, Command: []string{"sh", "-c", "eval x"}}
		if got := steps(run, "runs/R"); strings.Contains(got, "sh -c") {
			t.Errorf("the command of a stranger:\n%s", got)
		}
	}
	for _, data := range []string{"-", "-d -", "-d-", "--data=-", "/dev/stdin", "/dev/fd/63"} { // it has been read
		for _, status := range []result.RunStatus{result.Finished, result.OverBudget} {
			run = result.Run{ID: "R", Status: status, Summary: failed.Summary, Command: strings.Fields("rubric-host eval r.yaml " + data)}
			if got := steps(run, "runs/R"); strings.Contains(got, "eval") {
				t.Errorf("%s, %s:\n%s", data, status, got)
			}
		}
	}
	run = result.Run{ID: "R", Status: result.OverBudget, Retrying: true, Command: strings.Fields("rubric-host eval r.yaml d.jsonl")}
	if got, want := steps(run, "runs/R"), "rubric-host eval --retry R\nrubric-host report R -o report.html"; got != want {
		t.Errorf("a retry to resume:\n%s\nwant\n%s", got, want)
	}
	run = result.Run{ID: "R", Status: result.OverBudget, Command: strings.Fields("rubric-host eval r.yaml d.jsonl --fresh -q")}
	if got, want := steps(run, "runs/R"), "rubric-host eval r.yaml d.jsonl -q\nrubric-host report R -o report.html"; got != want {
		t.Errorf("a run to resume:\n%s\nwant\n%s", got, want)
	}
}

func TestRetriable_NeedsAnAnswerThatMayChange(t *testing.T) {
	local, judged, granted := result.Run{}, result.Run{Judges: []result.Judge{{}}}, result.Run{Plugins: []result.Plugin{{Grants: []string{"clock"}}}}
	for _, c := range []struct {
		class                  fault.Class
		local, judged, granted bool
	}{
		{fault.Unscored, false, true, true},
		{fault.Trap, false, true, true},
		{fault.PluginError, false, true, true},
		{fault.Deadline, true, true, true},
		{fault.Worker, true, true, true},
		{fault.Fuel, false, false, false},
		{fault.Invalid, false, false, false},
	} {
		for run, want := range map[*result.Run]bool{&local: c.local, &judged: c.judged, &granted: c.granted} {
			run.Summary = &result.Summary{Unscored: []result.UnscoredClass{{Class: c.class}}}
			if got := retriable(run); got != want {
				t.Errorf("%s, %d judges, %d plugins: %v, want %v", c.class, len(run.Judges), len(run.Plugins), got, want)
			}
		}
	}
}

func TestRerun_KeepsReportsAndDoublesNothing(t *testing.T) {
	for given, want := range map[string]string{
		"rubric-host eval r.yaml d.jsonl": "rubric-host eval r.yaml d.jsonl",
		"rubric-host eval r.yaml d.jsonl -o r.html --out=r.md -ox.csv -o=y --sarif=z --sarif z": "rubric-host eval r.yaml d.jsonl",
		"rubric-host eval r.yaml --failed OLD d.jsonl --failed=OLD -j 4":                        "rubric-host eval r.yaml d.jsonl -j 4",
		"rubric-host eval r.yaml --out a --fresh --outputs o.jsonl":                             "rubric-host eval r.yaml --outputs o.jsonl",
		"rubric-host eval --judge mini r.yaml -- -o.jsonl":                                      "rubric-host eval --judge mini r.yaml -- -o.jsonl",
		"rubric-host eval r.yaml d.jsonl --limit 38:60 --id q-* --limit=3":                      "rubric-host eval r.yaml d.jsonl --id q-*",
		"rubric-host eval r.yaml d.jsonl -o":                                                    "rubric-host eval r.yaml d.jsonl",
	} {
		if got := rerun(strings.Fields(given)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q, want %s", given, got, want)
		}
	}
}
