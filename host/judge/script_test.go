package judge_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// A script is a model that plays steps in order, the last one again and again, and
// remembers its requests.
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
	o.Templates = judge.Engine()
	s, err := judge.New(context.Background(), r, list, m, o)
	must(t, err)
	return s
}

func rubricOf(criteria ...rubric.Criterion) *rubric.Rubric {
	return &rubric.Rubric{ID: "r", Criteria: criteria}
}

func ask(t testing.TB, s scorer.Scorer, c *dataset.Case) []rubric.Verdict {
	t.Helper()
	got, err := s.Score(context.Background(), c)
	must(t, err)
	return got
}
