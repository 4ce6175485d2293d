package judge_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// A script is a model that plays steps in order, the last one again and again,
// and remembers what it was asked.
type script struct {
	mu    sync.Mutex
	steps []step
	asked []llm.Request
	at    []time.Time
}

type step struct {
	text string
	err  error
	res  llm.Response // with text put in
}

func says(texts ...string) *script {
	s := &script{}
	for _, t := range texts {
		s.steps = append(s.steps, step{text: t})
	}
	return s
}

func (s *script) Complete(_ context.Context, req llm.Request) (llm.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.steps[min(len(s.asked), len(s.steps)-1)]
	s.asked, s.at = append(s.asked, req), append(s.at, time.Now())
	one.res.Text = one.text
	return one.res, one.err
}

func criterion(id string) rubric.Criterion {
	return rubric.Criterion{ID: id, Text: "The response is " + id + ".", Weight: rubric.One}
}

func answering(c rubric.Criterion, a rubric.Answer) rubric.Criterion {
	c.Answer = a
	return c
}

func weighing(c rubric.Criterion, w float64) rubric.Criterion {
	c.Weight.Value = w
	return c
}

func caseOf(input, output string) *dataset.Case {
	return &dataset.Case{ID: "q1", Input: input, Output: output, HasOutput: true,
		Fields: []dataset.Field{{Name: "output", Value: quoted(output)}}}
}

func quoted(s string) jsontext.Value {
	b, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "?"))
	if err != nil {
		panic(err)
	}
	return b
}

func scorerOf(t testing.TB, r *rubric.Rubric, m llm.Model, o judge.Options) scorer.Scorer {
	t.Helper()
	var list []*rubric.Criterion
	for i := range r.Criteria {
		list = append(list, &r.Criteria[i])
	}
	s, err := judge.New(r, list, m, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func rubricOf(criteria ...rubric.Criterion) *rubric.Rubric {
	return &rubric.Rubric{ID: "r", Criteria: criteria}
}

func ask(t testing.TB, s scorer.Scorer, c *dataset.Case) []rubric.Verdict {
	t.Helper()
	got, err := s.Score(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestAVerdictHoldsWhatWasAnswered(t *testing.T) {
	m := says(`{"reason": "It says so.", "verdict": "MET"}`)
	m.steps[0].res = llm.Response{Model: "gpt-x", TokensIn: 100, TokensOut: 20, CostUSD: 0.5}
	got := ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{Model: "x"}), caseOf("q", "a"))
	want := []rubric.Verdict{{
		Criterion: "clear", Status: rubric.Scored, Native: rubric.MetIs(true), Value: 1, Reason: "It says so.",
		How: rubric.How{By: "judge", Digest: judge.Prompts()[0].Digest, Judge: "gpt-x", TokensIn: 100, TokensOut: 20, CostUSD: 0.5, Attempts: 1, Nondeterministic: true},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestKindsMixInOneCall(t *testing.T) {
	r := rubricOf(
		criterion("clear"),
		answering(criterion("tone"), rubric.Answer{Kind: rubric.Level, Levels: []rubric.Rung{{ID: "cold"}, {ID: "warm", Score: 0.75}}}),
		answering(weighing(criterion("padding"), -2), rubric.Answer{Kind: rubric.Number, Scale: rubric.ZeroToTen(true)}),
	)
	m := says(`{"verdicts": {"padding": {"reason": "p", "verdict": 4}, "tone": {"reason": "t", "verdict": "warm"}, "clear": {"reason": "c", "verdict": false}}}`)
	m.steps[0].res = llm.Response{TokensIn: 100, TokensOut: 20, CostUSD: 0.5}
	got := ask(t, scorerOf(t, r, m, judge.Options{}), caseOf("q", "a"))
	want := []rubric.Verdict{
		{Criterion: "clear", Status: rubric.Scored, Native: rubric.MetIs(false), Value: 0, Reason: "c"},
		{Criterion: "tone", Status: rubric.Scored, Native: rubric.LevelIs("warm"), Value: 0.75, Reason: "t"},
		{Criterion: "padding", Status: rubric.Scored, Native: rubric.NumberIs(4), Value: 0.4, Reason: "p"},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(rubric.Verdict{}, "How")); d != "" {
		t.Error(d)
	}
	var sum rubric.How
	for _, v := range got {
		sum.TokensIn += v.How.TokensIn
		sum.TokensOut += v.How.TokensOut
		sum.CostUSD += v.How.CostUSD
		sum.Attempts += v.How.Attempts
		if v.How.By != "judge" || v.How.Digest == "" {
			t.Errorf("%s: how = %+v", v.Criterion, v.How)
		}
	}
	if sum.TokensIn != 100 || sum.TokensOut != 20 || sum.CostUSD != 0.5 || sum.Attempts != 1 {
		t.Errorf("the usage of the call adds up to %+v", sum)
	}
}

func TestAnUnusableAnswerIsAskedForAgain(t *testing.T) {
	m := says("oops", `{"verdict": "SO-SO"}`, `{"reason": "r", "verdict": "UNMET"}`)
	for i := range m.steps {
		m.steps[i].res = llm.Response{TokensIn: 10, TokensOut: 1, CostUSD: 0.25}
	}
	got := ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}), caseOf("q", "a"))[0]
	if got.Status != rubric.Scored || got.Native.Met {
		t.Errorf("verdict %+v", got)
	}
	if h := got.How; h.Attempts != 3 || h.TokensIn != 30 || h.TokensOut != 3 || h.CostUSD != 0.75 {
		t.Errorf("how = %+v", h)
	}
	if n := len(m.asked); n != 3 {
		t.Fatalf("asked %d times", n)
	}
	for i, want := range []string{"", "does not name exactly one verdict", `wants "MET" or "UNMET", not "SO-SO"`} {
		then := m.asked[i].Then
		if (len(then) == 0) != (want == "") {
			t.Fatalf("attempt %d: then = %+v", i+1, then)
		}
		if want == "" {
			continue
		}
		if then[0].Role != "assistant" || then[0].Content != m.steps[i-1].text {
			t.Errorf("attempt %d quotes %+v", i+1, then[0])
		}
		if then[1].Role != "user" || !strings.Contains(then[1].Content, want) || !strings.Contains(then[1].Content, fmt.Sprintf("attempt %d", i+1)) || !strings.Contains(then[1].Content, `{"reason"`) {
			t.Errorf("attempt %d is asked for with %q", i+1, then[1].Content)
		}
	}
}

func TestAttemptsEnd(t *testing.T) {
	unusable, busy, down := "oops", fault.New(fault.JudgeLimit, "slow down"), fault.New(fault.JudgeUnreachable, "no route")
	tests := []struct {
		name     string
		steps    []step
		o        judge.Options
		own      rubric.Judge
		attempts int
		class    fault.Class // None: scored
	}{
		{"three by default", []step{{text: unusable}}, judge.Options{}, rubric.Judge{}, 3, fault.JudgeAnswer},
		{"as the rubric says", []step{{text: unusable}}, judge.Options{}, rubric.Judge{Attempts: 2}, 2, fault.JudgeAnswer},
		{"as the caller says", []step{{text: unusable}}, judge.Options{Attempts: 1}, rubric.Judge{Attempts: 2}, 1, fault.JudgeAnswer},
		{"never more than ten", []step{{text: unusable}}, judge.Options{Attempts: 1000}, rubric.Judge{}, 10, fault.JudgeAnswer},
		{"one budget for all that goes wrong", []step{{text: unusable}, {err: busy}, {err: down}, {text: `{"verdict": "MET"}`}}, judge.Options{}, rubric.Judge{}, 3, fault.JudgeUnreachable},
		{"busy to the end", []step{{err: busy}}, judge.Options{}, rubric.Judge{}, 3, fault.JudgeLimit},
		{"broken to the end", []step{{err: fault.New(fault.JudgeServer, "500")}}, judge.Options{}, rubric.Judge{}, 3, fault.JudgeServer},
		{"busy, then not", []step{{err: busy}, {text: `{"verdict": "MET"}`}}, judge.Options{}, rubric.Judge{}, 2, fault.None},
		{"unusable, busy, then not", []step{{text: unusable}, {err: busy}, {text: `{"verdict": "MET"}`}}, judge.Options{}, rubric.Judge{}, 3, fault.None},
		{"cut off, then not", []step{{text: `{"reas`, err: fault.New(fault.JudgeAnswer, "cut off")}, {text: `{"verdict": "MET"}`}}, judge.Options{}, rubric.Judge{}, 2, fault.None},
		{"a wrong key is not tried again", []step{{err: fault.New(fault.JudgeAuth, "401")}}, judge.Options{}, rubric.Judge{}, 1, fault.JudgeAuth},
		{"a refused request is not tried again", []step{{err: fault.New(fault.JudgeRequest, "400")}}, judge.Options{}, rubric.Judge{}, 1, fault.JudgeRequest},
		{"a refusal is not tried again", []step{{err: fault.New(fault.JudgeRefusal, "no")}}, judge.Options{}, rubric.Judge{}, 1, fault.JudgeRefusal},
		{"a recording has no second answer", []step{{err: fault.New(fault.ReplayMiss, "not there")}}, judge.Options{}, rubric.Judge{}, 1, fault.ReplayMiss},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rubricOf(criterion("clear"))
				r.Judge = tt.own
				m := &script{steps: tt.steps}
				v := ask(t, scorerOf(t, r, m, tt.o), caseOf("q", "a"))[0]
				if v.Class != tt.class || v.How.Attempts != tt.attempts || len(m.asked) != tt.attempts {
					t.Errorf("class %q after %d attempts (%d asked), want %q after %d: %s", v.Class, v.How.Attempts, len(m.asked), tt.class, tt.attempts, v.Message)
				}
				if tt.class == fault.None {
					if v.Status != rubric.Scored {
						t.Errorf("verdict %+v", v)
					}
					return
				}
				if v.Status != rubric.Failed || v.Native != (rubric.Native{}) || v.Value != 0 || v.Fallback {
					t.Errorf("a failed verdict with a number: %+v", v)
				}
				if !strings.Contains(v.Message, fmt.Sprintf("attempt %d of", tt.attempts)) {
					t.Errorf("message %q", v.Message)
				}
			})
		})
	}
}

func TestPausesBetweenAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &script{steps: []step{{err: fault.New(fault.JudgeServer, "500")}}}
		ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{Attempts: 4, Wait: time.Second}), caseOf("q", "a"))
		for i, middle := range []time.Duration{time.Second, 1500 * time.Millisecond, 2250 * time.Millisecond} {
			if d := m.at[i+1].Sub(m.at[i]); d < middle/2 || d > middle*3/2 {
				t.Errorf("pause %d was %v, want %v give or take half", i+1, d, middle)
			}
		}
	})
	synctest.Test(t, func(t *testing.T) {
		m := says("oops", "oops", "oops")
		ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}), caseOf("q", "a"))
		if d := m.at[2].Sub(m.at[0]); d != 0 {
			t.Errorf("unusable answers were waited for: %v", d)
		}
	})
}

func TestAnEndpointThatAsksForAPauseGetsIt(t *testing.T) {
	server := llmtest.New(t, func(c llmtest.Call) llmtest.Answer {
		return llmtest.Answer{Status: 429, Error: "slow down", Header: map[string]string{"Retry-After": c.User()}}
	})
	asks := func(seconds string) error {
		_, err := server.Client(t).Complete(context.Background(), llm.Request{User: seconds})
		return err
	}
	minute, tooLong := asks("60"), asks("600")
	synctest.Test(t, func(t *testing.T) {
		m := &script{steps: []step{{err: minute}, {text: `{"verdict": "MET"}`}}}
		v := ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}), caseOf("q", "a"))[0]
		if d := m.at[1].Sub(m.at[0]); d != time.Minute || v.Status != rubric.Scored {
			t.Errorf("waited %v; %+v", d, v)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		m := &script{steps: []step{{err: tooLong}}}
		began := time.Now()
		v := ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}), caseOf("q", "a"))[0]
		if v.Class != fault.JudgeLimit || len(m.asked) != 1 || time.Since(began) != 0 {
			t.Errorf("asked %d times in %v: %+v", len(m.asked), time.Since(began), v)
		}
	})
}

func TestCancelEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &script{steps: []step{{err: fault.New(fault.JudgeServer, "500")}}}
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		s := scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{Wait: time.Hour})
		began := time.Now()
		time.AfterFunc(time.Minute, func() { cancel(why) })
		_, err := s.Score(ctx, caseOf("q", "a"))
		if !errors.Is(err, why) || time.Since(began) != time.Minute {
			t.Errorf("err = %v after %v", err, time.Since(began))
		}
	})
}

func TestWhatEndsTheRunIsAnError(t *testing.T) {
	for _, class := range []fault.Class{fault.Budget, fault.Internal} {
		m := &script{steps: []step{{text: "oops"}, {err: fault.New(class, "enough")}}}
		got, err := scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}).Score(context.Background(), caseOf("q", "a"))
		if fault.Of(err) != class || got != nil {
			t.Errorf("%q: %v, %v", class, got, err)
		}
	}
}

func TestWhatIsRightIsKept(t *testing.T) {
	m := says(`{"verdicts": {"a": {"reason": "r", "verdict": "MET"}, "b": {"reason": "r", "verdict": "SO-SO"}}}`)
	got := ask(t, scorerOf(t, rubricOf(criterion("a"), criterion("b"), criterion("c")), m, judge.Options{}), caseOf("q", "a"))
	if got[0].Status != rubric.Scored || !got[0].Native.Met {
		t.Errorf("a: %+v", got[0])
	}
	for _, v := range got[1:] {
		if v.Status != rubric.Failed || v.Class != fault.JudgeAnswer {
			t.Errorf("%s: %+v", v.Criterion, v)
		}
	}
	if len(m.asked) != 3 || got[0].How.Attempts != 3 {
		t.Errorf("asked %d times", len(m.asked))
	}
}

func TestFallback(t *testing.T) {
	unusable := []step{{text: "oops"}}
	tests := []struct {
		name     string
		fallback *rubric.Fallback
		weight   float64
		steps    []step
		kind     rubric.Kind
		met      string // "met", "not met" or empty: failed
	}{
		{"none is none", nil, 1, unusable, "", ""},
		{"by the sign of the weight, wanted", &rubric.Fallback{Positive: "UNMET", Negative: "MET"}, 1, unusable, "", "not met"},
		{"by the sign of the weight, unwanted", &rubric.Fallback{Positive: "UNMET", Negative: "MET"}, -1, unusable, "", "met"},
		{"a weight of 0 is not unwanted", &rubric.Fallback{Positive: "UNMET", Negative: "MET"}, 0, unusable, "", "not met"},
		{"a side that is empty has none", &rubric.Fallback{Negative: "MET"}, 1, unusable, "", ""},
		{"never for a connection", &rubric.Fallback{Positive: "MET"}, 1, []step{{err: fault.New(fault.JudgeUnreachable, "down")}}, "", ""},
		{"never for a busy endpoint", &rubric.Fallback{Positive: "MET"}, 1, []step{{err: fault.New(fault.JudgeLimit, "busy")}}, "", ""},
		{"never for a refusal", &rubric.Fallback{Positive: "MET"}, 1, []step{{err: fault.New(fault.JudgeRefusal, "no")}}, "", ""},
		{"never if the last attempt found nobody", &rubric.Fallback{Positive: "MET"}, 1, []step{{text: "oops"}, {text: "oops"}, {err: fault.New(fault.JudgeServer, "500")}}, "", ""},
		{"for an answer cut off", &rubric.Fallback{Positive: "MET"}, 1, []step{{text: "{", err: fault.New(fault.JudgeAnswer, "cut off")}}, "", "met"},
		{"never for a number", &rubric.Fallback{Positive: "MET"}, 1, unusable, rubric.Number, ""},
		{"a word that is none", &rubric.Fallback{Positive: "MAYBE"}, 1, unusable, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rubricOf(weighing(criterion("clear"), tt.weight))
				r.Criteria[0].Answer.Kind, r.Fallback = tt.kind, tt.fallback
				v := ask(t, scorerOf(t, r, &script{steps: tt.steps}, judge.Options{}), caseOf("q", "a"))[0]
				if tt.met == "" {
					if v.Status != rubric.Failed || v.Fallback {
						t.Errorf("verdict %+v", v)
					}
					return
				}
				if v.Status != rubric.Scored || !v.Fallback || v.Native.String() != tt.met || len(v.Warnings) == 0 {
					t.Errorf("verdict %+v", v)
				}
			})
		})
	}
}

func TestOnlyWhatIsMissingFallsBack(t *testing.T) {
	r := rubricOf(criterion("a"), criterion("b"))
	r.Fallback = &rubric.Fallback{Positive: "UNMET"}
	got := ask(t, scorerOf(t, r, says(`{"verdicts": {"a": {"verdict": "MET"}}}`), judge.Options{}), caseOf("q", "a"))
	if got[0].Fallback || !got[0].Native.Met || !got[1].Fallback || got[1].Native.Met {
		t.Errorf("verdicts %+v", got)
	}
}

func TestAJudgeThatCannotDecide(t *testing.T) {
	m := says(`{"reason": "the file is not there", "verdict": "CANNOT_ASSESS"}`)
	v := ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{Abstain: true}), caseOf("q", "a"))[0]
	if v.Status != rubric.Unscored || v.Reason != "the file is not there" || v.How.Attempts != 1 {
		t.Errorf("verdict %+v", v)
	}
	if !strings.Contains(m.asked[0].System, "CANNOT_ASSESS") || !strings.Contains(m.asked[0].User, "CANNOT_ASSESS") {
		t.Error("the judge was not told that it may")
	}
	m = says(`{"reason": "the file is not there", "verdict": "CANNOT_ASSESS"}`)
	v = ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}), caseOf("q", "a"))[0]
	if v.Status != rubric.Failed || v.Class != fault.JudgeAnswer || strings.Contains(m.asked[0].System+m.asked[0].User, "CANNOT_ASSESS") {
		t.Errorf("verdict %+v", v)
	}
}

func TestNothingToGrade(t *testing.T) {
	m := says(`{"verdict": "MET"}`)
	v := ask(t, scorerOf(t, rubricOf(criterion("a"), criterion("b")), m, judge.Options{}), &dataset.Case{ID: "q"})
	if len(v) != 2 || v[0].Status != rubric.Unscored || v[1].Status != rubric.Unscored || len(m.asked) != 0 {
		t.Errorf("verdicts %+v", v)
	}
}

func TestACaseThatIsTooBigIsNotSent(t *testing.T) {
	m := says(`{"verdict": "MET"}`)
	v := ask(t, scorerOf(t, rubricOf(criterion("a")), m, judge.Options{}), caseOf("q", strings.Repeat("x", 9<<20)))[0]
	if v.Class != fault.Input || len(m.asked) != 0 || len(v.Message) > 300 {
		t.Errorf("verdict %+v", v)
	}
}

func TestHolistic(t *testing.T) {
	tests := []struct {
		name   string
		r      *rubric.Rubric
		answer string
		native float64
		value  float64
		class  fault.Class
	}{
		{"a number from 0 to 100", rubricOf(weighing(criterion("a"), 10), weighing(criterion("b"), -5)), `{"reason": "r", "verdict": 72.5}`, 72.5, 0.725, fault.None},
		{"beyond the scale is no answer", rubricOf(criterion("a")), `{"verdict": 101}`, 0, 0, fault.JudgeAnswer},
		{"nor is anything but a number", rubricOf(criterion("a")), `{"verdict": "MET"}`, 0, 0, fault.JudgeAnswer},
	}
	scaled := rubricOf(criterion("a"))
	scaled.Policy.Overall = &rubric.Scale{Min: 1, Max: 5, Discrete: true}
	tests = append(tests, struct {
		name   string
		r      *rubric.Rubric
		answer string
		native float64
		value  float64
		class  fault.Class
	}{"the rubric's own scale", scaled, `{"verdict": 4}`, 4, 0.75, fault.None})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := judge.NewHolistic(tt.r, says(tt.answer), judge.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := ask(t, s, caseOf("q", "a"))
			if len(got) != 1 || got[0].Criterion != rubric.Overall || got[0].Class != tt.class {
				t.Fatalf("verdicts %+v", got)
			}
			if tt.class == fault.None && (got[0].Native != rubric.NumberIs(tt.native) || got[0].Value != tt.value) {
				t.Errorf("verdict %+v", got[0])
			}
			if got[0].How.Digest != judge.Prompts()[1].Digest {
				t.Errorf("digest %q", got[0].How.Digest)
			}
		})
	}
	if _, err := judge.NewHolistic(&rubric.Rubric{ID: "r"}, says(""), judge.Options{}); fault.Of(err) != fault.Invalid {
		t.Errorf("err = %v", err)
	}
}

func TestTheJudgesOwnNumberIsACrossCheck(t *testing.T) {
	r := rubricOf(answering(criterion("a"), rubric.Answer{Kind: rubric.Number}), answering(criterion("b"), rubric.Answer{Kind: rubric.Number}))
	r.Scale, r.Policy = &rubric.Scale{Min: 0, Max: 10}, rubric.Policy{Raw: rubric.RawOnScale, Overall: &rubric.Scale{Min: 0, Max: 10}}
	m := says(`{"verdicts": {"a": {"verdict": 8}, "b": {"verdict": 6}}, "overall": 3}`)
	got := ask(t, scorerOf(t, r, m, judge.Options{}), caseOf("q", "a"))
	if len(got) != 3 || got[2].Criterion != rubric.Overall || got[2].Native != rubric.NumberIs(3) || got[2].How.Attempts != 0 || got[2].How.TokensIn != 0 {
		t.Fatalf("verdicts %+v", got)
	}
	total := score.Combine(r, got, score.Options{})
	if total.Score == nil || *total.Score != 0.7 || *total.Overall != 3 || !slices.ContainsFunc(total.Warnings, func(w string) bool { return strings.Contains(w, "overall score 3 differs") }) {
		t.Errorf("total %+v", total)
	}
	if !strings.Contains(m.asked[0].User, `"overall": <a number from 0 to 10>`) || !strings.Contains(string(m.asked[0].Schema), `"overall"`) {
		t.Error("the judge was not asked for its own number")
	}
	part, err := judge.New(r, []*rubric.Criterion{&r.Criteria[0]}, says(`{"verdict": 8, "overall": 3}`), judge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t, part, caseOf("q", "a")); len(got) != 1 {
		t.Errorf("a part of the rubric gave a verdict on the whole: %+v", got)
	}
}

func TestWhatIsAsked(t *testing.T) {
	three := 3
	r := rubricOf(criterion("clear"))
	r.Judge = rubric.Judge{Model: "m1", MaxTokens: 77, Temperature: new(float64)}
	*r.Judge.Temperature = 0.5
	m := says(`{"verdict": "MET"}`)
	s := scorerOf(t, r, m, judge.Options{Seed: &three})
	for _, repeat := range []int{1, 2} {
		if _, err := s.Score(llm.WithRepeat(context.Background(), repeat), caseOf("q", "a")); err != nil {
			t.Fatal(err)
		}
	}
	if q := m.asked[0]; q.Model != "m1" || q.MaxTokens != 77 || *q.Temperature != 0.5 || *q.Seed != 3 || q.Repeat != 1 || q.Schema == nil {
		t.Errorf("request %+v", q)
	}
	if q := m.asked[1]; *q.Seed != 4 || q.Repeat != 2 {
		t.Errorf("the second repeat: %+v", q)
	}
	m = says(`{"verdict": "MET"}`)
	ask(t, scorerOf(t, r, m, judge.Options{Model: "m2", MaxTokens: 5, Temperature: new(float64)}), caseOf("q", "a"))
	if q := m.asked[0]; q.Model != "m2" || q.MaxTokens != 5 || *q.Temperature != 0 || q.Seed != nil {
		t.Errorf("request %+v", q)
	}
	m = says(`{"verdict": "MET"}`)
	ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}), caseOf("q", "a"))
	if q := m.asked[0]; q.Temperature == nil || *q.Temperature != 0 || q.MaxTokens != 0 {
		t.Errorf("request %+v", q)
	}
}

func TestDroppedParametersAreSaid(t *testing.T) {
	m := says(`{"verdict": "MET"}`)
	m.steps[0].res.Dropped = []string{"temperature"}
	v := ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}), caseOf("q", "a"))[0]
	if len(v.Warnings) != 1 || !strings.Contains(v.Warnings[0], "does not take temperature") {
		t.Errorf("warnings %q", v.Warnings)
	}
}

func TestRecordThenReplayGivesEqualVerdicts(t *testing.T) {
	r := rubricOf(criterion("a"), criterion("b"))
	m := &script{steps: []step{
		{text: "oops", res: llm.Response{TokensIn: 1, TokensOut: 2}},
		{text: `{"verdicts": {"a": {"reason": "r", "verdict": "MET"}, "b": {"reason": "s", "verdict": "UNMET"}}}`, res: llm.Response{Model: "m-1", TokensIn: 3, TokensOut: 4, CostUSD: 1}},
		{text: `{"verdicts": {"a": {"verdict": "UNMET"}, "b": {"verdict": "UNMET"}}}`},
		{err: fault.New(fault.JudgeRefusal, "no")},
	}}
	var calls bytes.Buffer
	cases := []*dataset.Case{caseOf("q", "one"), caseOf("q", "two"), caseOf("q", "three")}
	run := func(m llm.Model) (out [][]rubric.Verdict) {
		s := scorerOf(t, r, m, judge.Options{Model: "m"})
		for _, c := range cases {
			out = append(out, ask(t, s, c))
		}
		return out
	}
	want := run(llm.NewRecorder(m, &calls))
	p, err := llm.NewReplay(&calls, "calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got := run(p)
	for i := range want {
		for j := range want[i] {
			want[i][j].How.Replayed = true
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	v := ask(t, scorerOf(t, r, p, judge.Options{Model: "m"}), caseOf("q", "four"))[0]
	if v.Class != fault.ReplayMiss || !strings.Contains(v.Message, "the case, the criterion or the prompt changed") {
		t.Errorf("verdict %+v", v)
	}
}

func TestRepeatsAreRecordedApart(t *testing.T) {
	m := says(`{"verdict": "MET"}`, `{"verdict": "UNMET"}`, `{"verdict": "MET"}`)
	var calls bytes.Buffer
	run := func(m llm.Model, order ...int) (out string) {
		s := scorerOf(t, rubricOf(criterion("a")), m, judge.Options{})
		for _, n := range order {
			got, err := s.Score(llm.WithRepeat(context.Background(), n), caseOf("q", "a"))
			if err != nil {
				t.Fatal(err)
			}
			out += fmt.Sprintf("%d %s; ", n, got[0].Native)
		}
		return out
	}
	run(llm.NewRecorder(m, &calls), 1, 2, 3)
	p, err := llm.NewReplay(&calls, "calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := run(p, 3, 1, 2), "3 met; 1 met; 2 not met; "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAJudgeIsSharedBetweenCalls(t *testing.T) {
	m := llm.Func(func(_ context.Context, q llm.Request) (llm.Response, error) {
		if strings.Contains(q.User, "good output") {
			return llm.Response{Text: `{"verdicts": {"a": {"verdict": "MET"}, "b": {"verdict": "MET"}}}`}, nil
		}
		return llm.Response{Text: `{"verdicts": {"a": {"verdict": "UNMET"}, "b": {"verdict": "UNMET"}}}`}, nil
	})
	s := scorerOf(t, rubricOf(criterion("a"), criterion("b")), m, judge.Options{})
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			text := []string{"good output", "bad output"}[i%2]
			got, err := s.Score(context.Background(), caseOf("q", text))
			if err != nil || got[0].Native.Met != (i%2 == 0) || got[1].Native.Met != (i%2 == 0) {
				t.Errorf("%s: %+v, %v", text, got, err)
			}
		})
	}
	wg.Wait()
}

func TestTasksThatCannotBe(t *testing.T) {
	templated := criterion("t")
	templated.Scorer.Prompt = &rubric.Prompt{Template: "{{ x"}
	r := rubricOf(criterion("a"), templated)
	for name, list := range map[string][]*rubric.Criterion{
		"no criteria":                        nil,
		"a template that does not parse":     {&r.Criteria[1]},
		"a template in one call with others": {&r.Criteria[0], &r.Criteria[1]},
	} {
		if _, err := judge.New(r, list, says(""), judge.Options{}); fault.Of(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestATemplateOfTheCriterion(t *testing.T) {
	c := answering(criterion("level"), rubric.Answer{Kind: rubric.Level, Levels: []rubric.Rung{{ID: "low", Description: "little"}, {ID: "high", Score: 1}}})
	c.Scorer.Prompt = &rubric.Prompt{Template: "Judge:\n{% for q in questions %}- {{ q }}\n{% endfor %}"}
	m := says(`{"reason": "r", "verdict": "high"}`)
	s := scorerOf(t, rubricOf(c), m, judge.Options{})
	v := ask(t, s, caseOf("", `{"questions": ["one", "two"]}`))[0]
	if v.Native != rubric.LevelIs("high") || v.How.Digest == judge.Prompts()[0].Digest {
		t.Errorf("verdict %+v", v)
	}
	if q := m.asked[0].User; !strings.Contains(q, "Judge:\n- one\n- two\n") || !strings.Contains(q, "<task nonce=") || strings.Contains(q, "<response") || !strings.Contains(q, "- low: little") {
		t.Errorf("asked %s", q)
	}
	whole := &dataset.Case{ID: "w", Fields: []dataset.Field{{Name: "questions", Value: jsontext.Value(`["three"]`)}}}
	if v = ask(t, s, whole)[0]; v.Status != rubric.Scored || !strings.Contains(m.asked[1].User, "- three") {
		t.Errorf("a case without an output: %+v", v)
	}
	v = ask(t, s, caseOf("", `{"answers": []}`))[0]
	if v.Status != rubric.Failed || v.Class != fault.Invalid || !strings.Contains(v.Message, `"questions"`) || len(m.asked) != 2 {
		t.Errorf("verdict %+v, asked %d times", v, len(m.asked))
	}
}
