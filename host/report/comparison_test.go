package report_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
)

// comparisonOf is a comparison in which every text is name.
func comparisonOf(name string) report.Compared {
	interval := &result.Interval{Low: -0.05, High: -0.01, Confidence: 0.95, Method: "t"}
	total := result.Change{N: 40, Base: new(0.83), Candidate: new(0.8), Delta: new(-0.03), Interval: interval, P: new(0.00001), Permutation: new(0.001), Verdict: result.GotWorse,
		Pass: &result.PassChange{N: 40, Regressions: 3, Improvements: 1, Permutation: new(0.625)}}
	criterion := total
	criterion.ID, criterion.Q = name, new(0.02)
	chance, missing := criterion, criterion
	chance.ID, chance.Q = "by-chance "+name, new(0.06)
	missing.ID, missing.Q = "untested "+name, nil
	content := func(text string) func(string) (*dataset.Case, error) {
		return func(digest string) (*dataset.Case, error) {
			if digest == "broken" {
				return nil, errors.New("the file is gone")
			}
			return &dataset.Case{File: name, Line: 7, Input: name, HasOutput: true, Output: "the refund takes " + text + " days, " + name, References: []string{name}}, nil
		}
	}
	return report.Compared{
		Comparison: &result.Comparison{Schema: 1, Base: result.Side{Run: name}, Candidate: result.Side{Source: name}, Paired: 40, OnlyBase: 2, Regressions: new(3), Improvements: new(1),
			Total: total, Criteria: []result.Change{criterion}, PassAtK: []result.PassAtChange{
				{K: 1, Problems: 9, PassAt: result.Change{ID: "pass@1", N: 9, Base: new(0.5), Candidate: new(0.75), Delta: new(0.25), Interval: interval, P: new(0.01), Verdict: result.GotBetter}, PassHat: result.Change{ID: "pass^1"}},
				{K: 5, Problems: 9, PassAt: result.Change{ID: "pass@5", N: 9, Delta: new(0.125), Verdict: result.NoChange}, PassHat: result.Change{ID: "pass^5", Delta: new(-0.0625)}}},
			Slices: []result.SliceChange{{Field: "topic", Value: name, Change: total, Criteria: []result.Change{chance, criterion}, Metrics: []result.Change{missing}}},
			Corpus: []result.CorpusChange{{Name: name, Base: new(30.0), Candidate: new(31.0), Delta: new(1.0), Bootstrap: new(0.02), Randomization: new(0.03)}, {Name: name, Error: &result.Failure{Class: fault.Trap, Message: name}}},
			Cases: []result.CaseChange{
				{Case: name, State: result.Regressed, Base: new(0.9), Candidate: new(0.2), BaseDigest: "a", CandidateDigest: "b", Criteria: []result.CriterionChange{{ID: name, Base: new(1.0)}}},
				{Case: name, State: result.LostScore, Base: new(0.9)},
			}, More: 5, Sentence: "worse by 0.030, 95 % 0.010 to 0.050; 3 cases regressed, 1 improved " + name, Notes: []string{name}, Resamples: 10000, Seed: 12345},
		Gates: []result.Outcome{{Expr: name, Why: name}},
		Base:  content("14"), Candidate: content("30"),
	}
}

func written(t *testing.T, f report.Format, c report.Compared) string {
	t.Helper()
	var b bytes.Buffer
	must(t, report.WriteComparison(&b, f, []report.Compared{c}, report.Options{}))
	return b.String()
}

func TestWriteComparison_TextCountsTheCasesThatItLeavesOut(t *testing.T) {
	c := comparisonOf("tone")
	c.Comparison.Cases = slices.Repeat(c.Comparison.Cases[:1], 2_012)
	c.Comparison.More = 0
	better := result.CaseChange{Case: "b", State: result.BetterCase}
	for _, tt := range []struct {
		cases []result.CaseChange
		more  int
		want  string
	}{
		{c.Comparison.Cases, 0, "  and 2,002 more in the other formats\n"},
		{c.Comparison.Cases, 5, "  and at least 2,002 more in the other formats\n"},
		{append(c.Comparison.Cases, better), 5, "  and 2,002 more in the other formats\n"},
		{c.Comparison.Cases[:3], 5, "  and perhaps more in the other formats\n"},
		{append(c.Comparison.Cases[:3:3], better), 5, ""},
	} {
		c.Comparison.Cases, c.Comparison.More = tt.cases, tt.more
		if text := written(t, report.Text, c); !strings.Contains(text, tt.want) || tt.want == "" && strings.Contains(text, "other formats") {
			t.Errorf("want %q in %s", tt.want, text)
		}
	}
}

func TestWriteComparison_SaysWhatChanged(t *testing.T) {
	c := comparisonOf("tone")
	for f, wants := range map[report.Format][]string{
		report.Text:     {"40 cases paired, 2 cases only in the base", "pass@1", "+0.250", "pass@5", "pass^5", "-0.062", "FAIL  tone", "-0.030", "[-0.050, -0.010]", "<0.0001", "     3       1  0.625", "regressed   0.900 → 0.200", "p 0.020 (paired bootstrap), 0.030 (randomization)"},
		report.Markdown: {"## ❌ worse by 0.030", "| TOTAL | 0.830 | 0.800 | -0.030 |", "| pass&#64;1 | 0.500 | 0.750 | +0.250 |", "pass&#64;k and pass^k: over problems", "| tone | regressed | 0.900 → 0.200 |", "and 5 more"},
		report.JSON:     {`"sentence": "worse by`, `"gates": [`, `"pass_at_k": [`, `"id": "pass@5"`},
		report.GitHub:   {"::error title=gate tone::tone", "::error file=tone,line=7,title=case tone%3A regressed::0.900 → 0.200", "::warning file=tone,line=7,title=case tone%3A lost score", "::notice"},
		report.HTML:     {"<del>14</del>", "<ins>30</ins>", "<th scope=\"row\">pass@1</th><td class=\"n\">0.500</td><td class=\"n\">0.750</td>", "<th scope=\"row\">pass^5</th>", "<td class=\"n\">-0.030</td>", "The most important 2 of 7"},
	} {
		text := written(t, f, c)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", f, want, text)
			}
		}
	}
	if len(report.ComparisonFormats()) != 5 {
		t.Error("a format has no test")
	}
	if err := report.WriteComparison(&bytes.Buffer{}, report.CSV, nil, report.Options{}); !fault.Is(err, fault.Usage) {
		t.Errorf("csv: %v", err)
	}
}

// TestWriteComparison_EscapesHostileText: a model's text neither steers a terminal
// nor becomes markup, a command or a link.
func TestWriteComparison_EscapesHostileText(t *testing.T) {
	c := comparisonOf(evil)
	for _, f := range report.ComparisonFormats() {
		text := written(t, f, c)
		for _, r := range text {
			if r != '\n' && diag.Plain(string(r)) != string(r) {
				t.Errorf("%s: %U gets through", f, r)
				break
			}
		}
		banned := map[report.Format][]string{
			report.HTML: {"<script", "onload=\"x", "<a "}, report.Markdown: {"<script", "[a](http", "@everyone", "://"},
			report.GitHub: {"\n::set-output", "\n::error::x"},
		}
		for _, s := range banned[f] {
			if strings.Contains(text, s) {
				t.Errorf("%s has %q:\n%s", f, s, text)
			}
		}
	}
}

// TestWriteComparison_CriteriaOfSlices: short reports list those that changed significantly,
// JSON and the page all.
func TestWriteComparison_CriteriaOfSlices(t *testing.T) {
	c := comparisonOf("tone")
	for _, f := range []report.Format{report.Text, report.Markdown, report.HTML, report.JSON} {
		text := written(t, f, c)
		listed := map[string]bool{"by-chance tone": f == report.HTML || f == report.JSON, "untested tone": f == report.HTML || f == report.JSON, "topic=tone": f != report.JSON, "topic=tone: tone": f != report.JSON}
		for want, is := range listed {
			if strings.Contains(text, want) != is {
				t.Errorf("%s lists %q: %v\n%s", f, want, !is, text)
			}
		}
	}
}

// The page has bounds for any number of changes, and counts the omitted ones.
func TestWriteComparison_BoundsThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	c := comparisonOf("tone")
	long := strings.Repeat("word and ", 5000)
	content := func(string) (*dataset.Case, error) {
		return &dataset.Case{Input: long, HasOutput: true, Output: long, References: slices.Repeat([]string{long}, 500)}, nil
	}
	c.Base, c.Candidate = content, content
	c.Cases = slices.Repeat(c.Cases[:1], 1500)
	c.Slices = slices.Repeat(c.Slices, 3000)
	page := written(t, report.HTML, c)
	if len(page) > 24<<20 {
		t.Errorf("%d bytes", len(page))
	}
	for _, want := range []string{"The most important 1,000 of 1,505 that changed.", "of 1,000 have their texts here; all are in the runs.", "(5,000 of 9,000 shown; all are in the JSON form)"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestWriteComparison_ReportsUnreadableContent(t *testing.T) {
	c := comparisonOf("tone")
	c.Cases[0].BaseDigest = "broken"
	var b bytes.Buffer
	err := report.WriteComparison(&b, report.HTML, []report.Compared{c}, report.Options{})
	if err == nil || !strings.Contains(err.Error(), "the file is gone") || !strings.Contains(b.String(), "lost score") {
		t.Errorf("%v", err)
	}
}
