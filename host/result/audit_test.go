package result_test

import (
	"strings"
	"testing"

	_ "github.com/rubric-host/rubric-host/host/amount" // less garbage collection
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestAudit(t *testing.T) {
	probe := func(id, kind string, score float64) *result.Row {
		r := repeated(id+"~"+kind, 1, score)
		if score < 0 {
			r = unscoredRow(id+"~"+kind, fault.Trap)
		}
		r.Cluster, r.Probe = id, kind
		return r
	}
	s := summarize(result.SummaryOptions{Rubric: &rubric.Rubric{ID: "r", Pass: rubric.Threshold(1)}, Samples: true, PassAt: []int{1}},
		probe("a", "reference", 1), probe("a", "empty", 0), probe("a", "mutant", 1), probe("b", "reference", 0), probe("b", "empty", 1), probe("b", "mutant", 0), probe("c", "empty", -1))
	a := s.Audit
	if s.PassAtK != nil {
		t.Errorf("pass@k of probes: %+v", s.PassAtK)
	}
	if a.Cases != 3 || a.Right.N != 6 || a.Right.Right != 3 || a.Right.Unscored != 1 || *a.Right.Rate != 0.5 || a.Right.Interval == nil || a.Wrong() != 2 {
		t.Fatalf("%+v, %d wrong", a.Right, a.Wrong())
	}
	if p := a.Probes[1]; p.Probe != "empty" || p.N != 2 || p.Right != 1 || p.Unscored != 1 || strings.Join(p.Wrong, " ") != "b~empty" {
		t.Errorf("%+v", p)
	}
	for expr, want := range map[string]bool{"audit>=0.5": true, "audit>50%": false} {
		g, err := result.ParseGate(expr)
		must(t, err)
		if o := g.Evaluate(s); o.Passed != want || !strings.Contains(o.Why, "right about 3 of 6 probes; 3 cases") {
			t.Errorf("%+v", o)
		}
	}
	if s := summarize(result.SummaryOptions{}, simpleRow("a", 1)); s.Audit != nil {
		t.Error("an audit of nothing")
	}
}
