package judge_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestScore_Fallback(t *testing.T) {
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
		{"never for a number", &rubric.Fallback{Positive: "MET"}, 1, unusable, rubric.KindNumber, ""},
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

func TestScore_OnlyMissingCriteriaFallBack(t *testing.T) {
	r := rubricOf(criterion("a"), criterion("b"))
	r.Fallback = &rubric.Fallback{Positive: "UNMET"}
	got := ask(t, scorerOf(t, r, says(`{"verdicts": {"a": {"verdict": "MET"}}}`), judge.Options{}), caseOf("q", "a"))
	if got[0].Fallback || !got[0].Native.Met || !got[1].Fallback || got[1].Native.Met {
		t.Errorf("verdicts %+v", got)
	}
}

func TestScore_AJudgeThatCannotDecide(t *testing.T) {
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
