package judge_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestScore_RetriesUnusableAnswers(t *testing.T) {
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
	for i, want := range []string{"", "does not name exactly one verdict", `expects "MET" or "UNMET", not "SO-SO"`} {
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
		if then[1].Role != "user" || !strings.Contains(then[1].Content, want) || !strings.Contains(then[1].Content, fmt.Sprintf("attempt %d", i+1)) || !strings.Contains(then[1].Content, `{"nonce": `) {
			t.Errorf("attempt %d is asked for with %q", i+1, then[1].Content)
		}
	}
}

func TestScore_AttemptsEnd(t *testing.T) {
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
		{"what brings no answer uses up no answers", []step{{text: unusable}, {err: busy}, {err: down}, {text: unusable}, {err: down}, {err: down}, {text: `{"verdict": "MET"}`}}, judge.Options{}, rubric.Judge{}, 3, fault.None},
		{"down to the end", []step{{text: unusable}, {err: down}}, judge.Options{}, rubric.Judge{}, 4, fault.JudgeUnreachable},
		{"busy longer than its attempts", []step{{err: busy}, {err: busy}, {err: busy}, {err: busy}, {err: busy}, {text: `{"verdict": "MET"}`}}, judge.Options{}, rubric.Judge{}, 1, fault.None},
		{"broken to the end", []step{{err: fault.New(fault.JudgeServer, "500")}}, judge.Options{}, rubric.Judge{}, 3, fault.JudgeServer},
		{"busy, then not", []step{{err: busy}, {text: `{"verdict": "MET"}`}}, judge.Options{}, rubric.Judge{}, 1, fault.None},
		{"unusable, busy, then not", []step{{text: unusable}, {err: busy}, {text: `{"verdict": "MET"}`}}, judge.Options{}, rubric.Judge{}, 2, fault.None},
		{"cut off, then not", []step{{text: `{"reas`, err: fault.New(fault.JudgeAnswer, "cut off")}, {text: `{"verdict": "MET"}`}}, judge.Options{}, rubric.Judge{}, 2, fault.None},
		{"cut off, told to be brief, cut off", []step{{text: `{"reas`, err: fault.New(fault.JudgeAnswer, "cut off"), res: llm.Response{Finish: "length"}}}, judge.Options{}, rubric.Judge{}, 2, fault.JudgeAnswer},
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
				if v.Class != tt.class || v.How.Attempts != tt.attempts || tt.class != fault.None && len(m.asked) != tt.attempts {
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
				if want := fmt.Sprintf("attempt %d of", tt.attempts); tt.attempts <= 3 && !strings.Contains(v.Message, want) {
					t.Errorf("message %q", v.Message)
				}
				if tt.name == "down to the end" && !strings.Contains(v.Message, "gave up after request 4") {
					t.Errorf("message %q: it had three attempts", v.Message)
				}
			})
		})
	}
}

// TestScore_GivesUpOnABusyEndpoint never answers anything but 429.
func TestScore_GivesUpOnABusyEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &script{steps: []step{{err: fault.New(fault.JudgeLimit, "slow down")}}}
		began := time.Now()
		v := ask(t, scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}), caseOf("q", "a"))[0]
		if took := time.Since(began); v.Class != fault.JudgeLimit || took < 5*time.Minute || took > 8*time.Minute || len(m.asked) < 8 || len(m.asked) > 30 {
			t.Errorf("gave up after %v and %d requests: %+v", took, len(m.asked), v)
		}
	})
}

func TestScore_PausesBetweenAttempts(t *testing.T) {
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

func TestScore_HonoursRetryAfter(t *testing.T) {
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

func TestScore_CancelEndsTheWait(t *testing.T) {
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

func TestScore_ErrorsThatEndTheRun(t *testing.T) {
	for _, class := range []fault.Class{fault.Budget, fault.Internal} {
		m := &script{steps: []step{{text: "oops"}, {err: fault.New(class, "enough")}}}
		got, err := scorerOf(t, rubricOf(criterion("clear")), m, judge.Options{}).Score(context.Background(), caseOf("q", "a"))
		if fault.Of(err) != class || got != nil {
			t.Errorf("%q: %v, %v", class, got, err)
		}
	}
}

func TestScore_KeepsUsableAnswers(t *testing.T) {
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
