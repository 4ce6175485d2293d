package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
)

// audited is a run of an audit that was right about five of seven probes.
func audited(wrong string) report.Doc {
	d := docOf(nil)
	interval := &result.Interval{Low: 0.25, High: 0.875, Confidence: 0.95, Method: "clustered t"}
	d.Run.Summary.Audit = &result.Audit{Cases: 3, Right: result.Probed{N: 7, Right: 5, Unscored: 1, Rate: new(5.0 / 7), Interval: interval},
		Probes: []result.Probed{{Probe: "reference", N: 3, Right: 3}, {Probe: "empty", N: 4, Right: 2, Unscored: 1, Wrong: []string{wrong, "b~empty"}}}}
	return d
}

// TestWrite_AuditsHaveATable: every kind of probe, what it was, and the rows that the
// grader was wrong about, in each report for people.
func TestWrite_AuditsHaveATable(t *testing.T) {
	for f, wants := range map[report.Format][]string{
		report.Text:     {" audit (7 scored probes of 3 cases; reference must pass, all others must not)", "a~empty, b~empty", "lowest probes"},
		report.Markdown: {"**audit** (7 scored probes of 3 cases", "| empty | 2 | 4 | - | 1 | a\\~empty, b\\~empty |", `| all | 5 | 7 | \[0.250, 0.875\] | 1 |  |`},
		report.HTML:     {"<h2>Audit</h2>", "<th scope=\"row\">empty</th><td class=\"n\">2</td><td class=\"n\">4</td>", "<td>a~empty, b~empty</td>", "[0.250, 0.875]", "7 scored probes of 3 cases"},
	} {
		var b bytes.Buffer
		must(t, report.Write(&b, f, audited("a~empty"), report.Options{}))
		for _, want := range wants {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s lacks %q:\n%.3000s", f, want, b.String())
			}
		}
	}
}

// TestWrite_AuditsEscapeIDs: ids of cases are written by others.
func TestWrite_AuditsEscapeIDs(t *testing.T) {
	for f, banned := range map[report.Format][]string{report.Markdown: {"<script", "[a](http", "@everyone", "| `rm`"}, report.HTML: {"<script>alert", "onload=\"x"}, report.Text: {"\x1b"}} {
		var b bytes.Buffer
		must(t, report.Write(&b, f, audited(evil), report.Options{}))
		if !strings.Contains(strings.ReplaceAll(b.String(), `\~`, "~"), "b~empty") {
			t.Errorf("%s has no audit", f)
		}
		for _, s := range banned {
			if strings.Contains(b.String(), s) {
				t.Errorf("%s has %q", f, s)
			}
		}
	}
}
