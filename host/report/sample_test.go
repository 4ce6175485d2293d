package report_test

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/report"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// evil is a hostile model's text: it tries to steer a terminal, to turn text around,
// to become markup, a formula, a workflow command, a link.
const evil = "\x1b[2J\x1b]8;;http://evil.example\x07=cmd|' /C calc'!A0 \u202egnp.exe\u2066 <script>alert(1)</script>\" onload=\"x ]]> --> | `rm` [a](http://evil.example) @everyone %0A::error::x\r\n::set-output name=a::b\n\x00\ufffe\ufeff\u2028end"

func support() *rubric.Rubric {
	return &rubric.Rubric{
		ID: "support-quality", Version: "2.1.0", Pass: rubric.Threshold(0.6), Policy: rubric.Policy{Required: rubric.RequiredMet},
		Criteria: []rubric.Criterion{
			{ID: "accuracy", Text: "Every claim is supported by the policy text.", Weight: rubric.Weight{Value: 3}, Required: true},
			{ID: "tone", Text: "How warm is the answer?", Weight: rubric.One, Answer: rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "cold"}, {ID: "neutral", Score: 0.6}, {ID: "warm", Score: 1}}}},
			{ID: "blames_customer", Text: "Blames the customer.", Weight: rubric.Weight{Value: -2}},
			{ID: "rouge-l", Weight: rubric.Weight{Value: 0.5}, Scorer: rubric.Binding{Way: rubric.ByMetric, Metric: &rubric.Metric{Plugin: "rouge"}}},
		},
	}
}

// supportRow makes a row as the evaluator would.
func supportRow(id string, accurate bool, tone string, blames bool, rouge float64) *result.Row {
	r := &result.Row{Schema: 1, Case: id, CaseDigest: "sha256:" + strings.Repeat("c", 64), Status: rubric.Scored, GateFailures: []string{}, Metrics: []result.Criterion{}, Warnings: []string{}}
	level := map[string]float64{"cold": 0, "neutral": 0.6, "warm": 1}[tone]
	judge := func(n int) *rubric.How {
		return &rubric.How{By: "judge", Judge: "mini", Digest: "sha256:" + strings.Repeat("d", 64), TokensIn: 812, TokensOut: n, Attempts: 1, CostUSD: 0.001}
	}
	truth := func(b bool) *float64 {
		if b {
			return new(1.0)
		}
		return new(0.0)
	}
	why := "Every claim is in the policy text."
	var cites []rubric.Evidence
	if !accurate {
		why = "States that refunds take 30 days. The policy text given in the prompt says 14, and says so twice, so that the reader cannot have missed it."
		cites = []rubric.Evidence{{Field: "output", Start: 211, End: 248, Text: "...you will get the money within 30 days..."}}
		r.GateFailures = []string{"accuracy"}
	}
	r.Criteria = []result.Criterion{
		{ID: "accuracy", Status: rubric.Scored, Value: truth(accurate), Native: &result.Native{Met: &accurate}, Weight: 3, Reason: why, Evidence: cites, How: judge(90)},
		{ID: "tone", Status: rubric.Scored, Value: &level, Native: &result.Native{Level: &tone}, Weight: 1, Reason: "The greeting is " + tone + ".", How: judge(31)},
		{ID: "blames_customer", Status: rubric.Scored, Value: truth(blames), Native: &result.Native{Met: &blames}, Weight: -2, How: judge(20)},
		{ID: "rouge-l", Status: rubric.Scored, Value: &rouge, Weight: 0.5, How: &rubric.How{By: "metric", Plugin: "rouge", Export: "rouge_l", Digest: "sha256:" + strings.Repeat("9", 64), Fuel: 18234}},
	}
	sum := 3**r.Criteria[0].Value + level - 2**r.Criteria[2].Value + 0.5*rouge
	r.Score = new(max(0, min(1, sum/4.5)))
	r.Passed = new(accurate && *r.Score >= 0.6)
	r.Verdict = new("fail")
	if *r.Passed {
		r.Verdict = new("pass")
	}
	r.Judge = result.Usage{Calls: 3, TokensIn: 2436, TokensOut: 141, CostUSD: 0.003}
	return r
}

func unscoredRow(id string) *result.Row {
	r := supportRow(id, true, "warm", false, 0.5)
	r.Status, r.Score, r.Verdict, r.Passed, r.PartialScore = rubric.Unscored, nil, new("unscored"), new(false), new(0.62)
	r.Reason = `criterion "accuracy" is failed: no verdict after 3 attempts (judge-answer)`
	r.Criteria[0] = result.Criterion{ID: "accuracy", Status: rubric.Failed, Weight: 3, Error: &result.Failure{Class: fault.JudgeAnswer, Message: "no verdict after 3 attempts", Hint: "use a model that keeps to a JSON answer"}}
	return r
}

// evilRow is hostile wherever a model, a dataset or a plugin has a say.
func evilRow() *result.Row {
	r := supportRow(evil, false, "cold", true, 0.01)
	r.Cluster, r.Reason, r.Feedback = evil, evil, evil
	r.Warnings = []string{evil}
	c := &r.Criteria[0]
	c.Reason, c.Evidence, c.Hits, c.Misses, c.Warnings = evil, []rubric.Evidence{{Field: evil, Start: 1, End: 2, Text: evil}}, []string{evil}, []string{evil}, []string{evil}
	c.How = &rubric.How{By: evil, Judge: evil, Plugin: evil, Export: evil, Digest: evil}
	r.Criteria[3] = result.Criterion{ID: "rouge-l", Status: rubric.Failed, Weight: 0.5, Error: &result.Failure{Class: fault.Class(evil), Message: evil, Hint: evil}}
	return r
}

// docOf is the document of a finished run over rows.
func docOf(rows []*result.Row, exprs ...string) report.Doc {
	s := result.NewSummarizer(result.SummaryOptions{Rubric: support()})
	for _, r := range rows {
		s.Add(r)
	}
	sum := s.Summary()
	sum.Corpus = []result.Corpus{{Name: "bleu", Score: new(31.4159), N: len(rows), Bootstrap: &result.Bootstrap{Mean: 31.5, Half: 2.25, Resamples: 1000, Seed: 12345}}, {Name: "chrf", Error: &result.Failure{Class: fault.Trap, Message: "unreachable executed"}}}
	at := func(k int, any, all float64) result.PassAt {
		i := func(x float64) *result.Interval {
			return &result.Interval{Low: x - 0.05, High: x + 0.05, Confidence: 0.95, Method: "t"}
		}
		return result.PassAt{K: k, Problems: 164, PassAt: &any, PassAtInterval: i(any), PassHat: &all, PassHatInterval: i(all)}
	}
	sum.PassAtK = &result.PassAtK{Problems: 164, Samples: 1640, Same: 12, At: []result.PassAt{at(1, 0.5, 0.5), at(10, 0.8125, 0.25)}}
	usage := sum.Usage
	usage.Calls, usage.Retries = usage.Calls+2, 2 // requests that brought no answer are of the run, not of its rows
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	digest := "sha256:" + strings.Repeat("ab12", 16)
	run := &result.Run{
		Schema: 1, ID: "7f3c", Status: result.Finished, Started: start, Finished: start.Add(161 * time.Second), Seconds: 161,
		Command: []string{"rubric-host", "eval", "support.rubric.yaml", "--data", "my answers.jsonl", "-g", "mean>=0.80"},
		Rubric:  result.Rubric{ID: "support-quality", Version: "2.1.0", Dialect: "native", Digest: digest}, PlanDigest: digest,
		Dataset: result.Dataset{Sources: []dataset.Source{{Name: "my answers.jsonl", Format: dataset.JSONL, Rows: len(rows), Digest: digest}}, Digest: digest, Rows: len(rows), Cases: len(rows)},
		Plugins: []result.Plugin{{Name: "rouge", Version: "1.4.0", Digest: digest}}, Judges: []result.Judge{{Name: "mini", Model: "mini-2026", Settings: []byte(`{"temperature":0}`)}},
		Versions: result.Versions{RubricHost: "0.1.0", Go: "go1.26", Wazero: "v1.12.0", FuelTable: "1"}, Environment: result.Environment{OS: "linux", Arch: "amd64", CPUs: 2},
		Counts: sum.Counts, Usage: usage, Summary: sum,
	}
	for _, e := range exprs {
		g, err := result.ParseGate(e)
		if err != nil {
			panic(err)
		}
		o := g.Evaluate(sum)
		run.Gates = append(run.Gates, o)
		if !o.Passed {
			run.End(1)
		}
	}
	slicer := result.NewSlicer([]string{"category"}, result.SummaryOptions{Rubric: support()})
	for _, r := range rows {
		if r == nil {
			continue
		}
		c, err := caseOf(r)
		if err != nil {
			panic(err)
		}
		slicer.Add(r, c)
	}
	sum.Slices = slicer.Slices()
	next := []report.Step{{Purpose: "rerun failures", Command: []string{"rubric-host", "eval", "my rubric.yaml", "--failed", run.ID}}, {Purpose: "report", Command: []string{"rubric-host", "report", run.ID}}}
	return report.Doc{Run: run, Rubric: support(), Rows: seq(rows), Case: caseOf, Next: next}
}

// answers is the text of the cases of samples: the words at 211 to 248 are cited.
const answers = "Thank you for writing to us. I have looked at your order, and at our policy, too. You sent the parcel back on the third, and it came here on the sixth, so that nothing more is left for you to do. If all is well you will get the money within 30 days, to the card that you paid with."

// caseOf returns the case of a sample row.
func caseOf(row *result.Row) (*dataset.Case, error) {
	text := func(s string) jsontext.Value {
		q, _ := jsontext.AppendQuote(nil, s)
		return q
	}
	output := answers
	if strings.Contains(row.Case, "\x1b") || !strings.HasPrefix(row.Case, "q-") {
		output = row.Case // hostile
	}
	object := slices.Concat([]byte(`{"input":`), text("When do I get my money back? ("+row.Case+")"), []byte(`,"output":`), text(output),
		[]byte(`,"references":[`), text("Within 14 days."), []byte(`],"metadata":{"category":`), text([]string{"refunds", "delivery", "account"}[len(row.Case)%3]), []byte(`,"lang":"en"}}`))
	return dataset.Restore(object, row.Case, diag.Pos{File: "my answers.jsonl", Line: 7})
}

func seq(rows []*result.Row) iter.Seq2[*result.Row, error] {
	return func(yield func(*result.Row, error) bool) {
		for _, r := range rows {
			if r == nil {
				if !yield(nil, errors.New("line 3 is torn")) {
					return
				}
			} else if !yield(r, nil) {
				return
			}
		}
	}
}

// sample is a run of every kind of row.
func sample() report.Doc {
	return docOf([]*result.Row{
		supportRow("q-0001", true, "warm", false, 0.71), supportRow("q-0002", true, "neutral", false, 0.44),
		supportRow("q-0193", false, "neutral", false, 0.28), supportRow("q-0007", true, "cold", true, 0.12), unscoredRow("q-0021"), evilRow(),
	}, "mean>=0.80", "criterion(accuracy).pass_rate>=90%", "unscored<=20%")
}

// large is a run of n rows with plausible figures.
func large(n int) report.Doc {
	rng := rand.New(rand.NewPCG(1, 2))
	rows := make([]*result.Row, n)
	for i := range rows {
		tone := []string{"cold", "neutral", "warm", "warm"}[rng.IntN(4)]
		rows[i] = supportRow(fmt.Sprintf("q-%04d", i+1), rng.Float64() < 0.9, tone, rng.Float64() < 0.06, math.Abs(0.4+0.18*rng.NormFloat64()))
		if *rows[i].Criteria[3].Value > 1 {
			*rows[i].Criteria[3].Value = 1
		}
		if i%97 == 13 {
			rows[i] = unscoredRow(rows[i].Case)
		}
	}
	return docOf(rows, "mean>=0.80", "criterion(accuracy).pass_rate>=90%", "unscored<=2%")
}
