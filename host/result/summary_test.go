package result_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/stats"
)

// support is a rubric with one criterion of each sort.
func support() *rubric.Rubric {
	return &rubric.Rubric{
		ID: "support", Version: "2.1.0", Pass: rubric.Threshold(0.6), Policy: rubric.Policy{Required: rubric.RequiredMet},
		Criteria: []rubric.Criterion{
			{ID: "accurate", Text: "Is it accurate?", Weight: rubric.Weight{Value: 3}, Required: true},
			{ID: "tone", Text: "How warm?", Weight: rubric.One, Answer: levels()},
			{ID: "blames", Text: "Blames the customer.", Weight: rubric.Weight{Value: -2}},
			{ID: "overlap", Weight: rubric.Weight{Value: 0.5}, Scorer: rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: "rouge"}}},
		},
		Metrics: []rubric.Criterion{{ID: "bleu", Weight: rubric.Weight{Value: 0.2}, Scorer: rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: "bleu"}}}},
	}
}

func met(id string, weight float64, met bool) result.Criterion {
	value := 0.0
	if met {
		value = 1
	}
	return result.Criterion{ID: id, Status: rubric.Scored, Value: &value, Native: &result.Native{Met: &met}, Weight: weight, How: &rubric.How{By: "judge", Judge: "mini"}}
}

func value(id string, weight, x float64) result.Criterion {
	return result.Criterion{ID: id, Status: rubric.Scored, Value: &x, Weight: weight, How: &rubric.How{By: "metric", Plugin: "rouge"}}
}

// TestSummarizer_WarnsOfScoresWithoutACriterion: a score that does without an answer, or
// has the rubric's fallback, is never silent.
func TestSummarizer_WarnsOfScoresWithoutACriterion(t *testing.T) {
	dead := result.Criterion{ID: "accurate", Status: rubric.Failed, Weight: 3, Error: &result.Failure{Class: fault.JudgeServer, Message: "HTTP 500"}}
	mute := result.Criterion{ID: "tone", Status: rubric.Unscored, Weight: 1, Reason: "cannot tell"}
	free := result.Criterion{ID: "note", Status: rubric.Unscored, Reason: "no weight"}
	part, stand := supportRow("a", 1, true, false, 1, 1), supportRow("b", 1, true, false, 1, 1)
	part.Criteria = []result.Criterion{dead, mute, free}
	stand.Criteria[0].Fallback, stand.Criteria[0].Warnings = true, []string{"no verdict"}
	none := unscoredRow("c", fault.JudgeServer)
	none.Criteria = []result.Criterion{dead}
	for mode, want := range map[score.Unscored]string{
		score.Drop: "which are scored without them", score.Worst: "which count them as the worst",
	} {
		s := summarize(result.SummaryOptions{Rubric: support(), Unscored: mode}, part, stand, none)
		text := strings.Join(s.Warnings, "\n")
		for _, w := range []string{
			"accurate: 1 verdict missing (judge-server) in rows with a score, " + want + "; such as a: HTTP 500",
			"tone: 1 verdict missing (unscored) in rows with a score, " + want + "; such as a: cannot tell",
			"accurate: the rubric's fallback in place of 1 unusable answer; such as b: no verdict",
		} {
			if !strings.Contains(text, w) {
				t.Errorf("%q\nlacks %q", text, w)
			}
		}
		if s.Criteria[0].Fallback != 1 || strings.Contains(text, "note") {
			t.Errorf("%d by fallback; %q", s.Criteria[0].Fallback, text)
		}
	}
}

// TestSummarizer_WarnsOfEqualZeros: a metric that most cases get 0 from for one reason may not
// be able to judge them.
func TestSummarizer_WarnsOfEqualZeros(t *testing.T) {
	const reason = "compares a-z only"
	rows := make([]*result.Row, 0, 7)
	for i, why := range []string{reason, "other", reason, "", reason, reason, reason} {
		row := supportRow(strconv.Itoa(i), 1, true, false, 1, 0)
		for j := range row.Criteria {
			row.Criteria[j].Reason = why
		}
		rows = append(rows, row)
	}
	if got, want := strings.Join(summarize(result.SummaryOptions{Rubric: support()}, rows...).Warnings, "\n"), "overlap: 5 of 7 scores are 0 for the same reason: "+reason; !strings.Contains(got, want) || strings.Count(got, reason) != 1 {
		t.Errorf("%q lacks %q", got, want)
	}
	if got := strings.Join(summarize(result.SummaryOptions{Rubric: support()}, rows[:4]...).Warnings, "\n"); strings.Contains(got, reason) {
		t.Errorf("of half of the rows: %q", got)
	}
	for _, row := range rows {
		row.Probe = "empty"
	}
	if got := strings.Join(summarize(result.SummaryOptions{Rubric: support()}, rows...).Warnings, "\n"); strings.Contains(got, reason) {
		t.Errorf("of an audit, whose probes should have 0: %q", got)
	}
}

func supportRow(id string, score float64, accurate, blames bool, tone, overlap float64) *result.Row {
	r := simpleRow(id, score)
	r.Verdict, r.Passed = new("pass"), new(score >= 0.6 && accurate)
	if !*r.Passed {
		r.Verdict = new("fail")
	}
	if !accurate {
		r.GateFailures = []string{"accurate"}
	}
	r.Criteria = []result.Criterion{met("accurate", 3, accurate), value("tone", 1, tone), met("blames", -2, blames), value("overlap", 0.5, overlap)}
	r.Metrics = []result.Criterion{value("bleu", 0.2, overlap)}
	r.Judge = result.Usage{Calls: 2, TokensIn: 100, TokensOut: 10, CostUSD: 0.01}
	return r
}

func unscoredRow(id string, class fault.Class) *result.Row {
	return &result.Row{Schema: 1, Case: id, Status: rubric.Unscored, Verdict: new("unscored"), Reason: `criterion "accurate" is failed`,
		Criteria: []result.Criterion{{ID: "accurate", Status: rubric.Failed, Weight: 3, Error: &result.Failure{Class: class, Message: "no verdict after 3 attempts"}}, value("tone", 1, 0.7)}}
}

func summarize(opts result.SummaryOptions, rows ...*result.Row) *result.Summary {
	s := result.NewSummarizer(opts)
	for _, r := range rows {
		s.Add(r)
	}
	return s.Summary()
}

func TestSummarizer_CountsAndAverages(t *testing.T) {
	s := summarize(result.SummaryOptions{Rubric: support()},
		supportRow("a", 0.9, true, false, 1, 0.4), supportRow("b", 0.7, false, false, 0.7, 0.6), supportRow("c", 0.3, true, true, 0, 0.2),
		unscoredRow("d", fault.JudgeAnswer), unscoredRow("e", fault.JudgeAnswer),
		&result.Row{Schema: 1, Case: "f", Status: rubric.Unscored, Error: &result.Failure{Class: fault.Invalid, Message: "the row has no output"}},
	)
	if diff := cmp.Diff(result.Counts{Cases: 6, Rows: 6, Scored: 3, Unscored: 3, Passed: new(1), FailedGates: 1, Failed: 2}, s.Counts); diff != "" {
		t.Error(diff)
	}
	// The unscored are excluded from the mean: (0.9+0.7+0.3)/3.
	if got := *s.Total.Mean; math.Abs(got-1.9/3) > 1e-15 || s.Total.N != 3 || s.Total.Unscored != 3 {
		t.Errorf("mean %g of %d", got, s.Total.N)
	}
	if p := s.Total.Pass; p.Passed != 1 || p.Of != 3 || p.Interval.Method != stats.ByWilson {
		t.Errorf("pass rate %+v", p)
	}
	if *s.Total.Min != 0.3 || *s.Total.Max != 0.9 || *s.Total.Median != 0.7 {
		t.Errorf("min %g, median %g, max %g", *s.Total.Min, *s.Total.Median, *s.Total.Max)
	}
	if i := s.Total.Interval; i.Low < 0 || i.High > 1 || i.Method != stats.T {
		t.Errorf("interval %+v", i)
	}
	var names []string
	for _, f := range s.Criteria {
		names = append(names, f.ID)
	}
	if diff := cmp.Diff([]string{"accurate", "tone", "blames", "overlap"}, names); diff != "" {
		t.Error(diff)
	}
	accurate, tone, blames, overlap := s.Criteria[0], s.Criteria[1], s.Criteria[2], s.Criteria[3]
	if accurate.N != 3 || accurate.Failed != 2 || !accurate.Gate || accurate.Pass.Passed != 2 || accurate.Scorer != "mini" || *accurate.Weight != 3 {
		t.Errorf("accurate %+v", accurate)
	}
	if diff := cmp.Diff([]result.Low{{Case: "b", Value: 0}}, accurate.Worst); diff != "" {
		t.Error(diff)
	}
	if tone.N != 5 || tone.Pass != nil || len(tone.Worst) == 0 || !slices.IsSortedFunc(tone.Worst, func(a, b result.Low) int { return int(100 * (a.Value - b.Value)) }) {
		t.Errorf("the rubric's threshold is about the score: tone %+v, %+v", tone, tone.Pass)
	}
	if diff := cmp.Diff([]result.Low{{Case: "c", Value: 1}}, blames.Worst); diff != "" || blames.Pass.Passed != 2 {
		t.Errorf("a penalty that is met does not pass: %s", diff)
	}
	if overlap.Pass != nil || overlap.By != "metric" || len(s.Metrics) != 1 || s.Metrics[0].ID != "bleu" {
		t.Errorf("overlap %+v, metrics %+v", overlap, s.Metrics)
	}
	wantUnscored := []result.UnscoredClass{
		{Class: fault.JudgeAnswer, Count: 2, Case: "d", Message: "accurate: no verdict after 3 attempts"},
		{Class: fault.Invalid, Count: 1, Case: "f", Message: "the row has no output"},
	}
	if diff := cmp.Diff(wantUnscored, s.Unscored); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]result.LabelCount{{Label: "pass", Count: 1}, {Label: "fail", Count: 2}, {Label: "unscored", Count: 3}}, s.Verdicts); diff != "" {
		t.Error(diff)
	}
	if s.Usage.Calls != 6 || math.Abs(s.Usage.CostUSD-0.03) > 1e-15 {
		t.Errorf("usage %+v", s.Usage)
	}
	if w := strings.Join(s.Warnings, "\n"); !strings.Contains(w, "only 3 scored cases") || !strings.Contains(w, "3 of 6 rows are unscored") {
		t.Errorf("warnings %q", w)
	}
}

func TestSummarizer_EmptyRuns(t *testing.T) {
	s := summarize(result.SummaryOptions{Rubric: support()})
	if s.Total.Mean != nil || s.Total.Pass != nil || len(s.Criteria) != 4 || !strings.Contains(s.Warnings[0], "no rows") {
		t.Errorf("%+v", s)
	}
	s = summarize(result.SummaryOptions{}, unscoredRow("a", fault.Trap))
	if s.Total.Mean != nil || s.Total.Interval != nil || s.Total.Pass != nil || !strings.Contains(s.Warnings[0], "no case has a score") {
		t.Errorf("%+v", s)
	}
	// Under the holistic strategy the criteria are not asked for.
	holistic := simpleRow("a", 0.5)
	holistic.Criteria = []result.Criterion{value("overall", 1, 0.5)}
	if s = summarize(result.SummaryOptions{Rubric: support()}, holistic); len(s.Criteria) != 1 || s.Criteria[0].ID != "overall" {
		t.Errorf("criteria %+v", s.Criteria)
	}
}

// TestSummarizer_RepeatsAreClusters: five repeats of the same ten cases say no more than
// the ten cases, nor do five cases each of ten clusters.
func TestSummarizer_RepeatsAreClusters(t *testing.T) {
	var once, five, clustered []*result.Row
	for i := range 10 {
		score := float64(i) / 10
		r := simpleRow(fmt.Sprint(i), score)
		once = append(once, r)
		for n := range 5 {
			c := *r
			c.Repeat = n + 1
			five = append(five, &c)
			of := simpleRow(fmt.Sprint(i, n), score)
			of.Cluster = fmt.Sprint(i)
			clustered = append(clustered, of)
		}
	}
	a := summarize(result.SummaryOptions{}, once...)
	b := summarize(result.SummaryOptions{Repeats: 5}, five...)
	for _, s := range []*result.Summary{b, summarize(result.SummaryOptions{}, clustered...)} {
		if math.Abs(*a.Total.SE-*s.Total.SE) > 1e-12 || s.Total.Clusters != 10 || s.Total.Interval.Method != stats.Clustered {
			t.Errorf("SE once %g, five times %g; %d clusters", *a.Total.SE, *s.Total.SE, s.Total.Clusters)
		}
	}
	if b.Counts.Cases != 10 || b.Counts.Rows != 50 {
		t.Errorf("counts %+v", b.Counts)
	}
	untold := summarize(result.SummaryOptions{}, five...)
	if !slices.ContainsFunc(untold.Warnings, func(w string) bool { return strings.Contains(w, "repeatedly") }) {
		t.Errorf("warnings %q", untold.Warnings)
	}
}

// TestSummarizer_ClustersMayComeLate: rows before the first cluster stand alone, and the
// result is the same in any order.
func TestSummarizer_ClustersMayComeLate(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var rows []*result.Row
		for i := range rapid.IntRange(2, 20).Draw(rt, "n") {
			r := simpleRow(fmt.Sprint(i), rapid.Float64Range(0, 1).Draw(rt, "score"))
			r.Cluster = rapid.SampledFrom([]string{"", "x", "y"}).Draw(rt, "cluster")
			rows = append(rows, r)
		}
		a := summarize(result.SummaryOptions{}, rows...)
		slices.Reverse(rows)
		b := summarize(result.SummaryOptions{}, rows...)
		if diff := cmp.Diff(a.Total, b.Total, cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }), cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Worst" }, cmp.Ignore())); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestSummarizer_ScoresOutsideZeroToOne(t *testing.T) {
	r := support()
	r.Policy.RawAsScore = true
	var rows []*result.Row
	for i, x := range []float64{0.1, 0.9, 0.95, 1} {
		rows = append(rows, simpleRow(fmt.Sprint(i), x))
	}
	if i := summarize(result.SummaryOptions{Rubric: r}, rows...).Total.Interval; i.High <= 1 {
		t.Errorf("raw scores are not bounded by 1: %+v", i)
	}
	if i := summarize(result.SummaryOptions{}, rows...).Total.Interval; i.High != 1 {
		t.Errorf("scores are: %+v", i)
	}
	s := summarize(result.SummaryOptions{}, append(rows, simpleRow("x", math.Inf(1)), simpleRow("y", math.NaN()))...)
	if s.Total.N != 4 || !slices.ContainsFunc(s.Warnings, func(w string) bool { return strings.HasPrefix(w, "2 scores are not finite") }) {
		t.Errorf("n %d, warnings %q", s.Total.N, s.Warnings)
	}
}

func TestSummarizer_CasesWithOwnRubrics(t *testing.T) {
	var rows []*result.Row
	for i := range 600 {
		r := simpleRow(fmt.Sprint(i), 1)
		r.Rubric = fmt.Sprintf("sha256:%064d", i)
		r.Criteria = []result.Criterion{met("#1", 1, i%2 == 0)}
		rows = append(rows, r)
	}
	own := &rubric.Rubric{Criteria: []rubric.Criterion{{ID: "#1", Name: "First", Weight: rubric.One}}}
	s := summarize(result.SummaryOptions{Rubrics: map[string]*rubric.Rubric{rows[0].Rubric: own}}, rows...)
	if len(s.Criteria) != 500 || s.Criteria[0].Name != "First" || s.Criteria[0].N != 1 || s.Criteria[1].Rubric != rows[1].Rubric {
		t.Errorf("%d figures, the first %+v", len(s.Criteria), s.Criteria[0])
	}
	if !slices.ContainsFunc(s.Warnings, func(w string) bool { return strings.Contains(w, "more than 500") }) {
		t.Errorf("warnings %q", s.Warnings)
	}
}

func TestSummarizer_WeightsThatDiffer(t *testing.T) {
	a, b := simpleRow("a", 1), simpleRow("b", 1)
	a.Criteria, b.Criteria = []result.Criterion{met("x", 1, true)}, []result.Criterion{met("x", 2, true)}
	if s := summarize(result.SummaryOptions{}, a, b); s.Criteria[0].Weight != nil {
		t.Errorf("weight %g", *s.Criteria[0].Weight)
	}
}

func TestSummarizer_WorstRows(t *testing.T) {
	var rows []*result.Row
	for _, x := range []float64{0.4, 0.1, 0.3, 0.1, 0.9, 0.2, 0.45, 0} {
		rows = append(rows, simpleRow(fmt.Sprintf("%g/%d", x, len(rows)), x))
	}
	var got []string
	for _, w := range summarize(result.SummaryOptions{}, rows...).Total.Worst {
		got = append(got, w.Case)
	}
	if diff := cmp.Diff([]string{"0/7", "0.1/1", "0.1/3", "0.2/5", "0.3/2"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestSummarizer_APassRateIsThatOfTheGate: what meets the gate of a criterion passes, and
// nothing else does.
func TestSummarizer_APassRateIsThatOfTheGate(t *testing.T) {
	metric := rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: "exact"}}
	r := &rubric.Rubric{Pass: rubric.Threshold(0.8), Policy: rubric.Policy{Required: rubric.RequiredMet}, Criteria: []rubric.Criterion{
		{ID: "scale", Text: "t", Weight: rubric.One, Answer: rubric.Answer{Kind: rubric.KindNumber}, Required: true},
		{ID: "metric", Weight: rubric.One, Scorer: metric, Required: true},
		{ID: "floor", Weight: rubric.One, Scorer: metric, Required: true, Min: new(0.5)},
		{ID: "free", Weight: rubric.One, Scorer: metric},
	}}
	row := func(x float64) *result.Row {
		row := simpleRow("a", x)
		for _, c := range r.Criteria {
			row.Criteria = append(row.Criteria, value(c.ID, 1, x))
		}
		return row
	}
	got := summarize(result.SummaryOptions{Rubric: r}, row(0.7), row(0.1), row(0))
	for i, want := range []int{2, 0, 1} { // required is above 0 on a scale, and all of anything else
		if p := got.Criteria[i].Pass; p == nil || p.Passed != want || p.Of != 3 || (p.Mark == nil) != (i == 0) {
			t.Errorf("%s: %+v, want %d of 3", got.Criteria[i].ID, p, want)
		}
	}
	if p := got.Criteria[3].Pass; p != nil {
		t.Errorf("a metric without a gate has the pass rate %+v", p)
	}
}

// TestSummarizer_WithoutAPassRule: without a pass rule no row passes, a rate would be
// made up, and a gate on it is refused before anything is scored.
func TestSummarizer_WithoutAPassRule(t *testing.T) {
	row := func(score float64, passed *bool) *result.Row {
		r := simpleRow("a", score)
		r.Passed = passed
		return r
	}
	for _, tt := range []struct {
		name string
		pass rubric.Pass
		rows []*result.Row
		want *int
		rate bool
	}{
		{"no rule", rubric.Pass{}, []*result.Row{row(0, nil), row(1, nil)}, nil, false},
		{"no rule, and a gate that failed", rubric.Pass{}, []*result.Row{row(0, new(false)), row(1, nil)}, nil, false},
		{"a rule", rubric.Threshold(0.5), []*result.Row{row(0, new(false)), row(1, new(true))}, new(1), true},
		{"a rule that nothing meets", rubric.Threshold(0.5), []*result.Row{row(0, new(false))}, new(0), true},
		{"a rule and no rows", rubric.Threshold(0.5), nil, new(0), false},
	} {
		s := result.NewSummarizer(result.SummaryOptions{Rubric: &rubric.Rubric{Pass: tt.pass}})
		for _, r := range tt.rows {
			s.Add(r)
		}
		got := s.Summary()
		if diff := cmp.Diff(tt.want, got.Counts.Passed); diff != "" || (got.Total.Pass != nil) != tt.rate {
			t.Errorf("%s: %s, rate %+v", tt.name, diff, got.Total.Pass)
		}
	}
	g, err := result.ParseGate("pass_rate>=95%")
	must(t, err)
	err = g.Check(result.NamesOf(&rubric.Rubric{}))
	if list := diag.In(err); fault.Of(err) != fault.Invalid || len(list) != 1 || !strings.Contains(list[0].Hint, "pass: 0.8") {
		t.Errorf("a gate on the pass rate: %v", err)
	}
	if err := g.Check(result.NamesOf(&rubric.Rubric{Pass: rubric.Threshold(0.5)})); err != nil {
		t.Error(err)
	}
}

// TestSummarizer_BoundsWhatRowsMakeUp: bands and classes of hostile rows take no memory without end.
func TestSummarizer_BoundsWhatRowsMakeUp(t *testing.T) {
	var rows []*result.Row
	for i := range 500 {
		word := strconv.Itoa(i)
		banded := simpleRow("b"+word, 1)
		banded.Verdict = &word
		rows = append(rows, banded, &result.Row{Schema: 1, Case: "c" + word, Status: rubric.Unscored, Error: &result.Failure{Class: fault.Class(word)}})
	}
	s := summarize(result.SummaryOptions{}, rows...)
	if s.Counts.Unscored != 500 || len(s.Unscored) != 100 || len(s.Verdicts) != 100 {
		t.Errorf("%d unscored rows, %d classes, %d bands", s.Counts.Unscored, len(s.Unscored), len(s.Verdicts))
	}
}
