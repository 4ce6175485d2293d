package result_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// sampleRow is a row of sample i of a problem; score below 0: none.
func sampleRow(problem string, i int, score float64) *result.Row {
	id := problem
	if i > 0 {
		id = fmt.Sprintf("%s#%d", problem, i+1)
	}
	r := simpleRow(id, score)
	r.SampleOf, r.Cluster, r.Passed = problem, problem, new(score == 1)
	if score < 0 {
		r = unscoredRow(id, fault.Trap)
		r.SampleOf, r.Cluster = problem, problem
	}
	return r
}

// tries returns the rows of problems: "11-0" is four samples, one without a score.
func tries(problems ...string) (rows []*result.Row) {
	for p, samples := range problems {
		for i, s := range samples {
			rows = append(rows, sampleRow(fmt.Sprintf("p%d", p), i, map[rune]float64{'1': 1, '0': 0, '-': -1}[s]))
		}
	}
	return rows
}

func TestPassAtK(t *testing.T) {
	passing := &rubric.Rubric{ID: "r", Pass: rubric.Threshold(1)}
	tests := []struct {
		name     string
		rows     []*result.Row
		o        result.SummaryOptions
		want     string // k: pass@k pass^k problems/short …
		warnings string
	}{
		{"one sample each", tries("1", "0", "1", "0"), result.SummaryOptions{}, "1: 0.5 0.5 4/0", ""},
		{"two of four pass", tries("1100", "0000"), result.SummaryOptions{PassAt: []int{1, 2, 4}}, "1: 0.25 0.25 2/0; 2: 0.4167 0.0833 2/0; 4: 0.5 0 2/0", ""},
		{"default k", tries("110000", "111111"), result.SummaryOptions{}, "1: 0.6667 0.6667 2/0; 5: 1 0.5 2/0; 6: 1 0.5 2/0", ""},
		{"a sample without a score is not a failure", tries("1-", "10"), result.SummaryOptions{PassAt: []int{1, 2}}, "1: 0.75 0.75 2/0; 2: 1 0 1/1",
			"1 of 4 samples have no score; pass@2 is over 1 of 2 problems"},
		{"a problem without a score", tries("--", "10"), result.SummaryOptions{PassAt: []int{1}}, "1: 0.5 0.5 1/1", "2 of 4 samples have no score; pass@1 is over 1 of 2 problems"},
		{"no problem has k samples", tries("1", "0"), result.SummaryOptions{PassAt: []int{3, 4}}, "3: null null 0/2; 4: null null 0/2", "pass@3 is over 0 of 2 problems, pass@4 is over 0 of 2 problems: the others have fewer than k scored samples"},
		{"problems of different sizes", tries("1111", "0"), result.SummaryOptions{PassAt: []int{1, 4}}, "1: 0.5 0.5 2/0; 4: 1 1 1/1", "pass@4 is over 1 of 2"},
		{"repeats", []*result.Row{repeated("a", 1, 1), repeated("a", 2, 0), repeated("b", 1, 0), repeated("b", 2, 0)}, result.SummaryOptions{Repeats: 2}, "1: 0.25 0.25 2/0; 2: 0.5 0 2/0", ""},
		{"samples that are graded twice", append(again(1, tries("10", "11")), again(2, tries("10", "10"))...), result.SummaryOptions{Repeats: 2, PassAt: []int{1, 2, 3}}, "1: 0.625 0.625 2/0; 2: 1 0.25 2/0; 3: null null 0/2", "pass@3 is over 0 of 2 problems"},
		{"default k of samples that are graded twice", append(again(1, tries("10")), again(2, tries("0-"))...), result.SummaryOptions{Repeats: 2}, "1: 0.3333 0.3333 1/0; 2: 1 0 1/0", "1 of 4 samples have no score"},
		{"rows on their own", []*result.Row{repeated("a", 1, 1), repeated("b", 1, 0), unscoredRow("c", fault.Trap)}, result.SummaryOptions{}, "1: 0.5 0.5 2/1", "1 of 3 samples have no score"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Rubric, tt.o.Samples = passing, true
			s := summarize(tt.o, tt.rows...)
			var got []string
			number := func(x *float64) string {
				if x == nil {
					return "null"
				}
				return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.4f", *x), "0"), ".")
			}
			for _, a := range s.PassAtK.At {
				got = append(got, fmt.Sprintf("%d: %s %s %d/%d", a.K, number(a.PassAt), number(a.PassHat), a.Problems, a.Short))
				if a.PassAt != nil && a.Problems > 1 && !(a.PassAtInterval.Low <= *a.PassAt && *a.PassAt <= a.PassAtInterval.High && a.PassAtInterval.Low >= 0 && a.PassAtInterval.High <= 1) {
					t.Errorf("the interval of pass@%d is %+v", a.K, a.PassAtInterval)
				}
			}
			if line := strings.Join(got, "; "); line != tt.want {
				t.Errorf("got  %s\nwant %s", line, tt.want)
			}
			for _, part := range strings.Split(tt.warnings, "; ") {
				if !strings.Contains(strings.Join(s.Warnings, "\n"), part) {
					t.Errorf("no warning %q in %q", part, s.Warnings)
				}
			}
			if tt.warnings == "" && strings.Contains(strings.Join(s.Warnings, "\n"), "pass@") {
				t.Errorf("warnings %q", s.Warnings)
			}
		})
	}
	repeated := tries("110", "1-")
	for _, i := range []int{1, 4} { // the second has no score
		repeated[i].SameAs = "the first"
	}
	if s := summarize(result.SummaryOptions{Rubric: passing, Samples: true}, repeated...); s.PassAtK.Samples != 4 || s.PassAtK.Same != 1 {
		t.Errorf("%+v, want 1 of 4 scored samples to repeat another", s.PassAtK)
	}
	unruled := simpleRow("a", 0.5)
	unruled.Passed = nil
	if s := summarize(result.SummaryOptions{Samples: true}, unruled); s.PassAtK != nil {
		t.Errorf("without a pass rule: %+v", s.PassAtK)
	}
	if s := summarize(result.SummaryOptions{Rubric: passing}, tries("10")...); s.PassAtK != nil {
		t.Errorf("nobody asked: %+v", s.PassAtK)
	}
}

func again(repeat int, rows []*result.Row) []*result.Row {
	for _, r := range rows {
		r.Repeat = repeat
	}
	return rows
}

func repeated(id string, repeat int, score float64) *result.Row {
	r := simpleRow(id, score)
	r.Repeat, r.Passed = repeat, new(score == 1)
	return r
}

// The interval of pass@1 over one sample each is that of the pass rate, however
// the rows are grouped.
func TestPassAtK_IntervalOfOneSampleEach(t *testing.T) {
	var problems []string
	for i := range 40 {
		problems = append(problems, string("10"[i%2]))
	}
	s := summarize(result.SummaryOptions{Rubric: &rubric.Rubric{ID: "r", Pass: rubric.Threshold(1)}, Samples: true}, tries(problems...)...)
	a, b := s.PassAtK.At[0].PassAtInterval, s.Total.Pass.Interval
	if math.Abs(a.Low-b.Low) > 1e-12 || math.Abs(a.High-b.High) > 1e-12 || a.Method != b.Method {
		t.Errorf("pass@1 %+v, pass rate %+v", a, b)
	}
}

func TestGates_PassAtK(t *testing.T) {
	s := summarize(result.SummaryOptions{Rubric: &rubric.Rubric{ID: "r", Pass: rubric.Threshold(1)}, Samples: true, PassAt: []int{1, 2, 9}}, tries("10", "11", "00", "1-")...)
	tests := []struct {
		expr   string
		passed bool
		why    string
	}{
		{"pass@1>=0.6", true, "over 4 problems"},
		{"pass@1>=62.5%", true, "62.5%"},
		{"pass@ 1 >= 0.6", false, ""},
		{"pass@2>=0.7", false, "1 more have fewer than 2 scored samples"},
		{"pass^2<=0.34", true, "over 3 problems"},
		{"pass@9>=0", false, "nothing to measure"},
		{"pass@3>=0", false, "pass_at of the rubric"},
	}
	for _, tt := range tests {
		g, err := result.ParseGate(tt.expr)
		if tt.why == "" {
			if err == nil {
				t.Errorf("%s is taken", tt.expr)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.expr, err)
			continue
		}
		if o := g.Evaluate(s); o.Passed != tt.passed || !strings.Contains(o.Why, tt.why) {
			t.Errorf("%s: %+v", tt.expr, o)
		}
	}
	names := result.Names{Pass: true, PassAt: []int{1, 5}}
	refused := []struct {
		expr, code string
		names      result.Names
	}{
		{"pass@1>=0.5", "samples-missing", result.Names{Pass: true}},
		{"pass@2>=0.5", "figure-unknown", names},
		{"pass@1>=5", "limit-range", names},
		{"slice(lang=fr).pass@1>=0.5", "figure-unknown", names},
		{"pass@1>=0.5", "pass-missing", result.Names{PassAt: []int{1}}},
		{"pass@0>=0.5", "gate-syntax", names},
		{"pass@>=0.5", "gate-syntax", names},
		{"pass@99999999999999999999>=0.5", "gate-syntax", names},
	}
	for _, tt := range refused {
		g, err := result.ParseGate(tt.expr)
		if err == nil {
			err = g.Check(tt.names)
		}
		if err == nil || !strings.Contains(err.Error(), tt.code) {
			t.Errorf("%s: %v", tt.expr, err)
		}
	}
	g, _ := result.ParseGate("pass^5>=0.5")
	if err := g.Check(names); err != nil {
		t.Error(err)
	}
}
