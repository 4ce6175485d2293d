package judge_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
)

func TestScore_RecordAndReplayAgree(t *testing.T) {
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
	must(t, err)
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
	if v.Class != fault.ReplayMiss || !strings.Contains(v.Message, "which has another case content") {
		t.Errorf("verdict %+v", v)
	}
}

func TestScore_RepeatsAreRecordedApart(t *testing.T) {
	m := says(`{"verdict": "MET"}`, `{"verdict": "UNMET"}`, `{"verdict": "MET"}`)
	var calls bytes.Buffer
	run := func(m llm.Model, order ...int) (out string) {
		s := scorerOf(t, rubricOf(criterion("a")), m, judge.Options{})
		for _, n := range order {
			got, err := s.Score(llm.WithRepeat(context.Background(), n), caseOf("q", "a"))
			must(t, err)
			out += fmt.Sprintf("%d %s; ", n, got[0].Native)
		}
		return out
	}
	run(llm.NewRecorder(m, &calls), 1, 2, 3)
	p, err := llm.NewReplay(&calls, "calls.jsonl")
	must(t, err)
	if got, want := run(p, 3, 1, 2), "3 met; 1 met; 2 not met; "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestJudge_IsSharedBetweenCalls(t *testing.T) {
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
