package judge_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/llm/llmtest"
	"github.com/rubric-host/rubric-host/host/rubric"
)

const benchAnswer = `{"reason": "The response gives the departure time as 07:40 and names pier 3, as the criterion asks.", "verdict": "MET"}`

func benchCase() *dataset.Case {
	return caseOf("When does the ferry go, and what does a bicycle cost?", strings.Repeat("Our ferry leaves at 07:40 from pier 3; bicycles travel free of charge. ", 12))
}

// BenchmarkCallsOverHTTP is the whole stack over loopback HTTP against a server
// in the same process that answers at once: calls a second are 1e9 ÷ ns/op.
func BenchmarkCallsOverHTTP(b *testing.B) {
	c := llmtest.Instant(b, benchAnswer).Client(b)
	m := llm.NewBudget(llm.NewGate(llm.NewRecorder(c, io.Discard), 64), c.Endpoint(), llm.Limits{Tokens: 1 << 60})
	s := scorerOf(b, rubricOf(criterion("clear")), m, judge.Options{})
	benchScore(b, s.Score)
}

// BenchmarkScore is the judge alone, with a model that answers at once.
func BenchmarkScore(b *testing.B) {
	m := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: benchAnswer, TokensIn: 800, TokensOut: 60}, nil
	})
	s := scorerOf(b, rubricOf(criterion("clear")), m, judge.Options{})
	benchScore(b, s.Score)
}

// BenchmarkReplay is the judge with answers from a recording.
func BenchmarkReplay(b *testing.B) {
	var calls strings.Builder
	m := llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{Text: benchAnswer}, nil })
	r := rubricOf(criterion("clear"))
	ask(b, scorerOf(b, r, llm.NewRecorder(m, &calls), judge.Options{}), benchCase())
	p, err := llm.NewReplay(strings.NewReader(calls.String()), "calls.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	benchScore(b, scorerOf(b, r, p, judge.Options{}).Score)
}

func benchScore(b *testing.B, score func(context.Context, *dataset.Case) ([]rubric.Verdict, error)) {
	c := benchCase()
	b.ReportAllocs()
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			v, err := score(context.Background(), c)
			if err != nil || v[0].Status != rubric.Scored {
				b.Errorf("%+v, %v", v, err)
				return
			}
		}
	})
}
