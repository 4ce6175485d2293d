package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
)

// TestWrite_JUnitAgreesWithTheExitCode: a run that passed has no failure and no error, one that
// stopped has an error.
func TestWrite_JUnitAgreesWithTheExitCode(t *testing.T) {
	rows := func() []*result.Row {
		return []*result.Row{supportRow("a", true, "warm", false, 0.7), supportRow("b", false, "cold", false, 0.1), unscoredRow("c")}
	}
	unruled := supportRow("a", true, "warm", false, 0.7)
	unruled.Passed, unruled.Verdict = nil, nil
	for name, tc := range map[string]struct {
		rows []*result.Row
		end  func(*result.Run)
		want []string
	}{
		"gates passed": {rows(), func(r *result.Run) { r.Status = result.Finished; r.End(0) },
			[]string{`tests="3" failures="0" errors="0" skipped="2"`, `<skipped type="FAIL"`, `<skipped type="`}},
		"a gate failed": {rows(), func(r *result.Run) { r.Status = result.Finished; r.End(1) },
			[]string{`tests="3" failures="1" errors="1" skipped="0"`, `<failure type="FAIL"`, `<error type="`}},
		"the budget was reached": {nil, func(r *result.Run) {
			r.End(4)
			r.Status, r.Error = result.OverBudget, &result.Failure{Class: fault.Budget, Message: "it has cost $1"}
		}, []string{`tests="1" failures="0" errors="1" skipped="0"`, `<testsuite name="run" tests="1" failures="0" errors="1">`, `<error type="budget" message="it has cost $1">`}},
		"no pass rule": {[]*result.Row{unruled}, func(r *result.Run) { r.Status = result.Finished; r.End(0) },
			[]string{`tests="1" failures="0" errors="0" skipped="1"`, `<skipped type="no pass rule" message="score 0.967; the rubric does not say`}},
	} {
		d := docOf(tc.rows)
		tc.end(d.Run)
		var b bytes.Buffer
		must(t, report.Write(&b, report.JUnit, d, report.Options{}))
		checkJUnit(t, b.String())
		for _, want := range tc.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: %s is missing:\n%s", name, want, b.String())
			}
		}
	}
}

// TestWrite_GitHubAgreesWithTheExitCode: a run that passed has no error; the cases that it
// tolerates are warnings.
func TestWrite_GitHubAgreesWithTheExitCode(t *testing.T) {
	for code, want := range []string{"::warning file=my answers.jsonl,line=7,title=case b%3A FAIL", "::error file=my answers.jsonl,line=7,title=case b%3A FAIL"} {
		d := docOf([]*result.Row{supportRow("a", true, "warm", false, 0.7), supportRow("b", false, "cold", false, 0.1)})
		d.Run.Status = result.Finished
		d.Run.End(code)
		if out := render(t, report.GitHub, d, report.Options{}); !strings.Contains(out, want) || strings.Contains(out, "::error") != (code == 1) {
			t.Errorf("exit %d:\n%s", code, out)
		}
	}
}

// TestFailures_OfARunThatStopped: nothing is said of cases that were not graded.
func TestFailures_OfARunThatStopped(t *testing.T) {
	for n, want := range []string{"no case was graded", "each of the 1 case that was graded passed", "each of the 2 cases that were graded passed"} {
		var rows []*result.Row
		for k := range n {
			rows = append(rows, supportRow(fmt.Sprint(k), true, "warm", false, 1))
		}
		d := docOf(rows)
		d.Run.Status, d.Run.Error = result.OverBudget, &result.Failure{Class: fault.Budget, Message: "it has cost $1"}
		var b bytes.Buffer
		if err := report.Failures(&b, d, "", report.Options{}); err != nil || !strings.Contains(b.String(), want) || !strings.Contains(b.String(), "the run stopped: it has cost $1") || strings.Contains(b.String(), "every case passed") {
			t.Errorf("%d rows: %s, %v", n, b.String(), err)
		}
	}
	d := docOf([]*result.Row{supportRow("a", true, "warm", false, 1)})
	d.Rows = seq([]*result.Row{supportRow("a", true, "warm", false, 1), nil})
	var b bytes.Buffer
	if err := report.Failures(&b, d, "", report.Options{}); err == nil || strings.Contains(b.String(), "passed") {
		t.Errorf("%s, %v", b.String(), err)
	}
}

// TestWrite_CostThatIsNotAllKnown: one call without a price does not hide what the others cost.
func TestWrite_CostThatIsNotAllKnown(t *testing.T) {
	for _, f := range []report.Format{report.Text, report.HTML} {
		d := sample()
		d.Run.Usage.Unpriced = 1
		if out := render(t, f, d, report.Options{}); !strings.Contains(out, "at least $") || !strings.Contains(out, "(1 call without a price)") {
			t.Errorf("%s:\n%s", f, out)
		}
		d.Run.Usage.CostUSD = 0
		if out := render(t, f, d, report.Options{}); !strings.Contains(out, "not known") || !strings.Contains(out, "(1 call without a price)") || strings.Contains(out, "at least $") {
			t.Errorf("%s:\n%s", f, out)
		}
	}
}
