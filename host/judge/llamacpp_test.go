package judge_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// TestLlamaCpp_GradesAndReplays grades with a server that others wrote, from case to verdict and
// back from a recording. Its model goes by words; see llmtest.LlamaCpp.
func TestLlamaCpp_GradesAndReplays(t *testing.T) {
	e := llmtest.LlamaCpp(t, "--ctx", "4096")
	client := func(t *testing.T, form llm.Structured) *llm.Client {
		t.Helper()
		e := e
		e.Structured, e.PriceIn, e.PriceOut = form, 1e6, 1e6
		c, err := llm.New(e)
		must(t, err)
		t.Cleanup(c.Close)
		return c
	}
	good := caseOf("When does the ferry go?", "The ferry goes at 07:40. "+strings.Repeat("It is correct, clear, right and complete. ", 10))
	bad := caseOf("When does the ferry go?", "The ferry is late. "+strings.Repeat("It is not there, no time, missing, fails. ", 10))
	o := judge.Options{MaxTokens: 400}

	t.Run("met by the words of the response, for either sign of the weight", func(t *testing.T) {
		for _, w := range []float64{1, -1} {
			s := scorerOf(t, rubricOf(weighing(criterion("clear"), w)), client(t, llm.Auto), o)
			for c, want := range map[*dataset.Case]bool{good: true, bad: false} {
				v := ask(t, s, c)[0]
				if v.Status != rubric.Scored || v.Native.Met != want || v.Reason == "" {
					t.Errorf("%.20s: %+v", c.Output, v)
				}
				if h := v.How; h.Attempts != 1 || h.TokensIn == 0 || h.TokensOut == 0 || h.CostUSD != float64(h.TokensIn+h.TokensOut) || h.Judge != "tiny-judge" {
					t.Errorf("how = %+v", h)
				}
			}
		}
	})
	levels := rubric.Answer{Kind: rubric.KindLevel, Levels: []rubric.Level{{ID: "fail"}, {ID: "pass", Score: 0.7}, {ID: "very good", Score: 1}}}
	t.Run("a level, and a number on a scale", func(t *testing.T) {
		for _, c := range []rubric.Criterion{
			answering(criterion("quality"), levels),
			answering(criterion("detail"), rubric.Answer{Kind: rubric.KindNumber, Scale: rubric.ZeroToTen(true)}),
			answering(criterion("share"), rubric.Answer{Kind: rubric.KindNumber, Scale: &rubric.Scale{Min: 0, Max: 1}}),
		} {
			for _, of := range []*dataset.Case{good, bad} {
				v := ask(t, scorerOf(t, rubricOf(c), client(t, llm.Auto), o), of)[0]
				if v.Status != rubric.Scored && v.Class != fault.JudgeAnswer {
					t.Errorf("%s: %+v", c.ID, v)
				}
				if v.Status == rubric.Scored && !(v.Value >= 0 && v.Value <= 1) {
					t.Errorf("%s: %+v", c.ID, v)
				}
				if c.Answer.Kind == rubric.KindLevel && v.Status != rubric.Scored {
					t.Errorf("a schema that lists the levels gave none: %+v", v)
				}
			}
		}
	})
	t.Run("several in one call, and what it used is counted once", func(t *testing.T) {
		r := rubricOf(criterion("clear"), answering(criterion("quality"), levels), weighing(criterion("rude"), -1))
		got := ask(t, scorerOf(t, r, client(t, llm.Auto), o), bad)
		var in, out int
		var usd float64
		for _, v := range got {
			if v.Status != rubric.Scored {
				t.Errorf("%+v", v)
			}
			in, out, usd = in+v.How.TokensIn, out+v.How.TokensOut, usd+v.How.CostUSD
		}
		if in != got[0].How.TokensIn || in == 0 || usd != float64(in+out) || got[0].Native.Met || got[2].Native.Met {
			t.Errorf("in %d, out %d, $%g: %+v", in, out, usd, got)
		}
	})
	t.Run("a model that keeps to no form fails, and never scores", func(t *testing.T) {
		o := judge.Options{MaxTokens: 60} // which cuts its answers off
		v := ask(t, scorerOf(t, rubricOf(criterion("clear")), client(t, llm.PlainText), o), good)[0]
		if v.Status != rubric.Failed || v.Class != fault.JudgeAnswer || v.How.Attempts != 2 || v.How.TokensOut == 0 {
			t.Errorf("verdict %+v", v)
		}
		r := rubricOf(criterion("clear"))
		r.Fallback = &rubric.Fallback{Positive: "UNMET"}
		if v := ask(t, scorerOf(t, r, client(t, llm.PlainText), o), good)[0]; !v.Fallback || v.Native.Met {
			t.Errorf("verdict %+v", v)
		}
	})
	t.Run("a response beyond the context", func(t *testing.T) {
		v := ask(t, scorerOf(t, rubricOf(criterion("clear")), client(t, llm.Auto), o), caseOf("q", strings.Repeat("word ", 5000)))[0]
		if v.Class != fault.JudgeRequest || v.How.Attempts != 1 {
			t.Errorf("verdict %+v", v)
		}
	})
	t.Run("recorded, then replayed, for several repeats at once", func(t *testing.T) {
		var calls bytes.Buffer
		hot, seed := 0.8, 7
		o := judge.Options{MaxTokens: 400, Temperature: &hot, Seed: &seed}
		r := rubricOf(criterion("clear"), answering(criterion("quality"), levels))
		run := func(m llm.Model) map[string][]rubric.Verdict {
			s := scorerOf(t, r, m, o)
			type done struct {
				key string
				v   []rubric.Verdict
				err error
			}
			results := make(chan done)
			for n := 1; n <= 2; n++ {
				for _, c := range []*dataset.Case{good, bad} {
					go func() {
						v, err := s.Score(llm.WithRepeat(context.Background(), n), c)
						results <- done{fmt.Sprintf("%.20s %d", c.Output, n), v, err}
					}()
				}
			}
			out := map[string][]rubric.Verdict{}
			for range 4 {
				d := <-results
				if d.err != nil {
					t.Error(d.err)
				}
				out[d.key] = d.v
			}
			return out
		}
		want := run(llm.NewGate(llm.NewRecorder(client(t, llm.Auto), &calls), 4))
		if strings.Contains(calls.String(), string(e.Key)) {
			t.Error("the recording holds the key")
		}
		p, err := llm.NewReplay(&calls, "calls.jsonl")
		must(t, err)
		got := run(p)
		for _, list := range want {
			for i := range list {
				list[i].How.Replayed = true
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	})
}
