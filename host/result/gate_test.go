package result_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/stats"
)

// gated is a summary with something for every gate.
func gated() *result.Summary {
	s := summarize(result.SummaryOptions{Rubric: support()},
		supportRow("a", 0.9, true, false, 1, 0.4), supportRow("b", 0.7, false, false, 0.7, 0.6), supportRow("c", 0.8, true, false, 1, 0.2), unscoredRow("d", fault.JudgeAnswer))
	s.Corpus = []result.Corpus{{Name: "bleu", Score: new(31.5), N: 4}, {Name: "broken", Error: &result.Failure{Class: fault.Trap, Message: "it trapped"}}, {Name: "none"}}
	low := &result.Interval{Low: -0.03, High: 0.01, Confidence: 0.95, Method: stats.T}
	s.Baseline = &result.Comparison{Schema: 1, Paired: 4, LostScore: 1, Regressions: new(1), Improvements: new(0), Worse: 2, Better: 1,
		Base: result.Side{Run: "r1"}, Candidate: result.Side{Run: "r2", Mean: new(0.8)},
		Total: result.Change{N: 4, Delta: new(-0.01), Interval: low, Verdict: result.NoChange,
			Pass: &result.PassChange{N: 4, Delta: new(-0.25), Interval: low, McNemar: &stats.McNemar{Exact: 1}}},
		PassAtK: []result.PassAtChange{{K: 1, Problems: 3, PassAt: result.Change{N: 3, Delta: new(-0.02), Interval: low, Verdict: result.NoChange}, PassHat: result.Change{N: 3, Delta: new(-0.3), Verdict: result.GotWorse}},
			{K: 9, PassAt: result.Change{Verdict: result.TooFew}, PassHat: result.Change{Verdict: result.TooFew}}},
		Criteria: []result.Change{{ID: "tone", N: 4, Delta: new(0.02), Verdict: result.GotBetter}},
		Corpus:   []result.CorpusChange{{Name: "bleu", N: 4, Delta: new(1.5), Interval: &result.Interval{Low: 0.5, High: 2.5, Method: stats.ByBootstrap}}},
		Cases:    []result.CaseChange{{Case: "b", State: result.Regressed, Base: new(0.9), Criteria: []result.CriterionChange{{ID: "tone", Base: new(1.0)}}}}}
	return s
}

func TestGate_PassesOrSaysWhy(t *testing.T) {
	tests := []struct {
		expr   string
		passed bool
		value  float64 // NaN: none
		why    string
	}{
		{"mean>=0.80", true, 0.8, "inside the 95% interval"},
		{"mean >= 80 %", true, 0.8, "80%"},
		{"mean>0.8", false, 0.8, ""}, // (0.9+0.7+0.8)/3 is 0.8 on paper
		{"mean<=0.8", true, 0.8, ""},
		{"mean<0.8", false, 0.8, ""},
		{"mean==0.8", true, 0.8, "over 3 of 4"},
		{"mean!=0.8", false, 0.8, ""},
		{"min>=0.7", true, 0.7, ""},
		{"max<=0.85", false, 0.9, ""},
		{"median==0.8", true, 0.8, ""},
		{"pass_rate>=95%", false, 2.0 / 3, "66.67% (2 of 3; 1 unscored)"},
		{"unscored<=1%", false, 0.25, "25% (1 of 4)"},
		{"unscored<=1", true, 1, "1 (of 4)"},
		{"unscored==0", false, 1, ""},
		{"failed<=1", true, 1, ""},
		{"failed_gates==0", false, 1, ""},
		{"cases>=4", true, 4, ""},
		{"cost_usd<0.05", true, 0.03, ""},
		{"regressions==0", false, 1, "of 4 paired cases"},
		{"regressions<=25%", true, 0.25, ""},
		{"regressions<=1", true, 1, "1 more lost their score"},
		{"improvements>=1", false, 0, ""},
		{"worse<=2", true, 2, ""},
		{"better<=25%", true, 0.25, ""},
		{"mean.delta>=-0.01", true, -0.01, "95% -0.030 to +0.010, over 4 paired cases"},
		{"mean.delta >= -1%", true, -0.01, "-1%"},
		{"mean.delta.low>=-0.02", false, -0.03, ""},
		{"mean.delta.high>=0", true, 0.01, ""},
		{"pass_rate.delta>=-10%", false, -0.25, ""},
		{"pass@1.delta>=-2%", true, -0.02, "95% -0.030 to +0.010, over 3 paired problems"},
		{"pass@1.delta.low>=-0.02", false, -0.03, "over 3 paired problems"},
		{"pass^1.delta>=0", false, -0.3, ""},
		{"pass^1.delta.high>=0", false, math.NaN(), "the difference has no interval"},
		{"pass@9.delta>=-1", false, math.NaN(), "no problem has 9 scored samples in both runs"},
		{"pass@2.delta>=-1", false, math.NaN(), "2 is not in pass_at of the rubric"},
		{"criterion(tone).mean.delta>0", true, 0.02, ""},
		{"metric(tone).mean.delta>0", true, 0.02, ""},
		{"corpus(bleu).delta>=1", true, 1.5, "95% +0.500 to +2.500"},
		{"corpus(bleu).delta.low>=1", false, 0.5, ""},
		{"criterion(accurate)>=0.5", true, 2.0 / 3, ""},
		{"criterion(accurate).min==1", false, 0, "over 3 of 4; the others are unscored"},
		{"criterion( \"accurate\" ) pass_rate >= 60%", true, 2.0 / 3, ""},
		{"criterion('tone').median>=0.7", true, 0.85, ""},
		{"criterion(tone).unscored==0", true, 0, ""},
		{"criterion(accurate).unscored<=25%", true, 0.25, ""},
		{"criterion(blames).max==0", true, 0, ""},
		{"metric(bleu).mean>0.39", true, 0.4, ""},
		{"metric(overlap).mean>0.39", true, 0.4, ""}, // a metric among the criteria
		{"corpus(bleu)>=30", true, 31.5, "over 4 cases"},

		// A gate over nothing is not passed, whichever way it points.
		{"corpus(broken)<=30", false, math.NaN(), "it trapped: nothing to measure"},
		{"corpus(none)<=30", false, math.NaN(), "no score"},
		{"corpus(other)<=30", false, math.NaN(), "no corpus score"},
		{"criterion(other).mean<=1", false, math.NaN(), "no row has"},
		{"criterion(overlap).pass_rate<=1", false, math.NaN(), "no pass rule"},
	}
	s := gated()
	for _, tt := range tests {
		t.Run(tt.expr, func(t *testing.T) {
			g, err := result.ParseGate(tt.expr)
			must(t, err)
			o := g.Evaluate(s)
			if o.Passed != tt.passed || o.Expr != tt.expr {
				t.Errorf("%+v", o)
			}
			switch {
			case math.IsNaN(tt.value) != (o.Value == nil):
				t.Errorf("value %v, want %g", o.Value, tt.value)
			case o.Value != nil && math.Abs(*o.Value-tt.value) > 1e-12:
				t.Errorf("value %g, want %g", *o.Value, tt.value)
			}
			if !strings.Contains(o.Why, tt.why) {
				t.Errorf("why %q, want %q", o.Why, tt.why)
			}
		})
	}
}

func TestGates_OverNothingFail(t *testing.T) {
	empty := summarize(result.SummaryOptions{Rubric: support()})
	for _, expr := range []string{"mean>=0", "pass_rate>=0%", "unscored<=100%", "unscored==0", "failed==0", "criterion(tone).min>=0", "criterion(tone).unscored==0", "regressions==0", "better>=0", "mean.delta>=-1", "pass_rate.delta.low>=-1", "pass@1.delta>=-1", "criterion(tone).mean.delta>=-1", "corpus(x).delta>=-1"} {
		g, err := result.ParseGate(expr)
		must(t, err)
		if o := g.Evaluate(empty); o.Passed || o.Value != nil || !strings.Contains(o.Why, "not passed") {
			t.Errorf("%s: %+v", expr, o)
		}
	}
}

func TestGates_WithoutAScoreSaySo(t *testing.T) {
	s := summarize(result.SummaryOptions{Rubric: support()}, unscoredRow("d", fault.JudgeAnswer))
	for expr, want := range map[string]string{"pass_rate>=0": "none of 1 has a score", "mean>=0": "none of 1 has a score"} {
		g, err := result.ParseGate(expr)
		must(t, err)
		if o := g.Evaluate(s); o.Passed || !strings.HasPrefix(o.Why, want) {
			t.Errorf("%s: %+v", expr, o)
		}
	}
}

func TestGates_RefusesWrongExpressions(t *testing.T) {
	tests := []struct {
		expr   string
		code   string
		column int
		says   string
	}{
		{"", "gate-syntax", 1, "mean>=0.80"},
		{"mean", "gate-syntax", 5, "quote the gate in a shell"},
		{"meen>=0.8", "figure-unknown", 1, `did you mean "mean"`},
		{"passrate>=0.8", "figure-unknown", 1, `did you mean "pass_rate"`},
		{"mean=0.8", "gate-syntax", 5, "== or !="},
		{"mean>>0.8", "gate-syntax", 6, "expected a number"},
		{"mean>=0,8", "gate-syntax", 8, "a point in decimals"},
		{"mean>=0.8 and min>0", "gate-syntax", 11, "one condition for each gate"},
		{"mean>=0.8, min>0", "gate-syntax", 10, "must all hold"},
		{"mean>=NaN", "gate-syntax", 7, "expected a number"},
		{"mean>=1e999", "gate-syntax", 7, "expected a number"},
		{"mean>=", "gate-syntax", 7, "found the end"},
		{"0.8<=mean", "gate-syntax", 1, "expected a figure"},
		{"nope>=1", "figure-unknown", 1, "that of a criterion is criterion(nope).mean; known: criterion(ID), metric(ID), corpus(NAME), mean,"},
		{"criterio(x)>=1", "figure-unknown", 1, `did you mean "criterion"`},
		{"criterion(x.min>=1", "gate-syntax", 10, "not closed"},
		{"criterion()>=1", "gate-syntax", 11, "empty"},
		{`criterion("x)>=1`, "gate-syntax", 10, "not closed"},
		{`criterion("x"y)>=1`, "gate-syntax", 10, "not closed"},
		{"criterion(x).slice(c=d).mean>=1", "figure-unknown", 14, `unknown figure "slice"`},
		{"criterion(x).mean(y)>=1", "gate-syntax", 18, `found "(y)>=1"`},
		{".criterion(x)>=1", "gate-syntax", 1, `found ".criteri"`},
		{"mean.delta(x)>=1", "gate-syntax", 11, `found "(x)>=1"`},
		{"criterion(x).minimum>=1", "figure-unknown", 14, "minimum"},
		{"criterion(x).>=1", "gate-syntax", 14, "expected a figure"},
		{"mean.dela>=0", "figure-unknown", 6, `did you mean "delta"`},
		{"min.delta>=0", "figure-unknown", 5, "mean.delta"},
		{"mean.delta.middle>=0", "figure-unknown", 6, "delta"},
		{"corpus(bleu).mean>=30", "figure-unknown", 14, "no figures of its own"},
		{"corpus(bleu)>=30%", "limit-unit", 15, "not a share"},
		{"cost_usd<=5%", "limit-unit", 11, "not a share"},
		{strings.Repeat("m", 2000), "gate-syntax", 1, "longer"},
	}
	for _, tt := range tests {
		t.Run(tt.expr[:min(30, len(tt.expr))], func(t *testing.T) {
			_, err := result.ParseGate(tt.expr)
			list := diag.In(err)
			if !fault.Is(err, fault.Invalid) || len(list) != 1 {
				t.Fatalf("error %v", err)
			}
			d := list[0]
			if d.Code != tt.code || d.Pos.Column != tt.column || !strings.Contains(d.Message+d.Hint, tt.says) {
				t.Errorf("%v", d)
			}
		})
	}
	_, err := result.ParseGates([]string{"meen>=1", "mean>=0.5", "mean"})
	if len(diag.In(err)) != 2 {
		t.Errorf("not every bad gate is named: %v", err)
	}
}

func TestGates_AreCheckedBeforeScoring(t *testing.T) {
	names := result.NamesOf(support())
	names.Corpus = []string{"bleu"}
	tests := []struct{ expr, says string }{
		{"criterion(acurate).min==1", `did you mean "accurate"`},
		{"metric(blue).mean>0", `did you mean "bleu"`},
		{"metric(tone).mean>0", "known: overlap, bleu"},
		{"corpus(rouge)>=1", "known: bleu"},
		{"regressions==0", "host.EvaluateOptions.Baseline"},
		{"mean.delta>=0", "host.EvaluateOptions.Baseline"},
		{"corpus(bleu).delta>=0", "host.EvaluateOptions.Baseline"},
		{"pass@1.delta>=0", "host.EvaluateOptions.Baseline"},
		{"pass@1.delta>=0", "pass@1.delta needs samples"},
		{"mean>=80", "80%"},
		{"criterion(tone)>=1.5", "between 0 and 1"},
		{"unscored<=0.01", "write 1%"},
		{"criterion(tone).pass_rate>=0.5", "criterion(tone).mean>=0.8"},
	}
	for _, tt := range tests {
		g, err := result.ParseGate(tt.expr)
		must(t, err)
		if err := g.Check(names); !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.expr, err)
		}
	}
	names.Baseline, names.Raw = true, true
	for _, expr := range []string{"criterion(accurate).min==1", "criterion(accurate).pass_rate>0", "metric(overlap)>0", "metric(bleu)>0", "corpus(bleu)>=30", "regressions==0", "mean>=80", "unscored<=1%", "cost_usd<0.5"} {
		g, err := result.ParseGate(expr)
		must(t, err)
		if err := g.Check(names); err != nil {
			t.Errorf("%s: %v", expr, err)
		}
	}
	g, _ := result.ParseGate("metric(x)>0")
	if err := g.Check(result.Names{}); err == nil || !strings.Contains(err.Error(), "nothing in this run is a metric") {
		t.Errorf("%v", err)
	}
}

func TestNamesOf_ListsCriteriaAndMetrics(t *testing.T) {
	r := support()
	r.Criteria[1].Criteria = []rubric.Criterion{{ID: "inner"}}
	if n := result.NamesOf(r); strings.Join(n.Criteria, " ") != "accurate tone inner blames overlap" || strings.Join(n.Metrics, " ") != "overlap bleu" {
		t.Errorf("%+v", n)
	}
}

// FuzzGate holds gates to their promise on any text: no panic, errors of class
// invalid with a column inside the text, and a gate that parses evaluates.
func FuzzGate(f *testing.F) {
	for _, s := range []string{"mean>=0.8", "criterion(a).min==1", "corpus(\"x y\") >= 30", "unscored<=1%", "metric('a') mean<1", "mean≥1", "criterion(", "((", "mean>=-"} {
		f.Add(s)
	}
	s := gated()
	f.Fuzz(func(t *testing.T, expr string) {
		g, err := result.ParseGate(expr)
		if err != nil {
			list := diag.In(err)
			if len(list) != 1 || list[0].Pos.Column < 1 || list[0].Pos.Column > len(expr)+1 || list[0].Message == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		o := g.Evaluate(s)
		if o.Passed && o.Value == nil || o.Why == "" {
			t.Fatalf("%+v", o)
		}
		_ = g.Check(result.Names{})
	})
}

// TestGate_ShowsEnoughDigits: what is shown meets the limit if the value does, and not
// otherwise; and no value other than 0 and 1 is shown as one of them.
func TestGate_ShowsEnoughDigits(t *testing.T) {
	for _, tt := range []struct {
		expr  string
		value float64
		want  string
	}{
		{"mean>=0.9999", 0.99985, "0.99985"},
		{"mean>=0.5", 0.49999, "0.49999"},
		{"mean>=0.5", 0.5, "0.5"},
		{"mean>=0.9", 0.999999, "0.999999"},
		{"mean>0.5", 0.5000001, "0.5000001"},
		{"mean<0.001", 0.00099999, "0.00099999"},
		{"mean>=0.1", 0.3333333, "0.3333"},
		{"mean==0.3333", 1.0 / 3, "0.33333"},
		{"pass_rate>=99.97%", 0.999699, "99.9699%"},
		{"pass_rate>=0.5", 2.0 / 3, "66.67%"},
		{"pass_rate>=0.5", 0.9999999, "99.99999%"},
		{"pass_rate>=0.5", 1, "100%"},
	} {
		g, err := result.ParseGate(tt.expr)
		must(t, err)
		s := &result.Summary{Counts: result.Counts{Rows: 1}}
		s.Total = result.Figure{N: 1, Mean: &tt.value, Pass: &result.Rate{Of: 1, Rate: &tt.value}}
		if got, _, _ := strings.Cut(g.Evaluate(s).Why, " ("); got != tt.want {
			t.Errorf("%s of %v: %q, want %q", tt.expr, tt.value, got, tt.want)
		}
	}
}

func TestGate_SeparatesThousands(t *testing.T) {
	s := gated()
	s.Total.N, s.Total.Unscored, s.Total.Pass = 99_000, 1_000, &result.Rate{Passed: 99_000, Of: 99_000, Rate: new(1.0)}
	g, err := result.ParseGate("pass_rate>=95%")
	must(t, err)
	if got := g.Evaluate(s).Why; got != "100% (99,000 of 99,000; 1,000 unscored)" {
		t.Error(got)
	}
}

// TestGate_CountsRowsThatCouldNotBeRead: no criterion has a verdict on them.
func TestGate_CountsRowsThatCouldNotBeRead(t *testing.T) {
	unread := &result.Row{Schema: 1, Case: "rows.jsonl:2", Status: rubric.Unscored, Error: &result.Failure{Class: fault.Invalid, Message: "the row is not JSON"}}
	s := summarize(result.SummaryOptions{Rubric: support()}, supportRow("a", 0.9, true, false, 1, 0.4), unread)
	for expr, why := range map[string]string{
		"criterion(tone).unscored==0":    "1 (of 2)",
		"criterion(tone).unscored<=10%":  "50% (1 of 2)",
		"criterion(tone).mean>=0":        "1 (over 1 of 2; the others are unscored)",
		"criterion(accurate).min==2":     "",
		"criterion(accurate).unscored<1": "1 (of 2)",
	} {
		g, err := result.ParseGate(expr)
		must(t, err)
		if o := g.Evaluate(s); o.Passed != (expr == "criterion(tone).mean>=0") || why != "" && o.Why != why {
			t.Errorf("%s: %+v", expr, o)
		}
	}
}
