package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// audit is the table of an audit, a line per kind of probe; nil if the run has no probes.
func (v *view) audit() *table {
	a := v.sum.Audit
	if a == nil {
		return nil
	}
	t := &table{
		title: "audit",
		Note:  fmt.Sprintf("%s of %s; reference must pass, all others must not", diag.Count(a.Right.N, "scored probe"), diag.Count(a.Cases, "case")),
		right: []bool{false, true, true, false, true, false},
		Heads: []string{"probe", "right", "of", "95% CI", "unscored", "wrong"},
	}
	for _, p := range append(append([]result.Probed{}, a.Probes...), a.Right) {
		t.Lines = append(t.Lines, []string{plain(cmp.Or(p.Probe, "all")), diag.Thousands(p.Right), diag.Thousands(p.N), v.interval(p.Interval), diag.Thousands(p.Unscored), plain(strings.Join(p.Wrong, ", "))})
	}
	return t
}

// samples is the table of pass@k, a line per k; nil: the run has none.
func (v *view) samples() *table {
	s := v.sum.PassAtK
	if s == nil {
		return nil
	}
	t := &table{
		title: "pass@k",
		Note:  fmt.Sprintf("%s of %s", diag.Count(s.Samples, "scored sample"), diag.Count(s.Problems, "problem")),
		right: []bool{true, true, false, true, false, true},
		Heads: []string{"k", "pass@k", "95% CI", "pass^k", "95% CI", "problems"},
	}
	if s.Same > 0 {
		t.Note += fmt.Sprintf(", %s repeated", diag.Thousands(s.Same))
	}
	for _, a := range s.At {
		t.Lines = append(t.Lines, []string{strconv.Itoa(a.K), v.score(a.PassAt), v.interval(a.PassAtInterval), v.score(a.PassHat), v.interval(a.PassHatInterval), diag.Thousands(a.Problems)})
	}
	return t
}
