package judge

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// Embed asks for the embeddings of texts, at least one, and returns a JSON list of numbers for
// each. It waits and retries as a judge does. Of o, Model, Attempts and the waiting count. The
// error has one of the judge's classes, fault.Budget or fault.ReplayMiss, or is the context's own.
func Embed(ctx context.Context, m llm.Model, o Options, id llm.CallID, texts []string) ([]jsontext.Value, rubric.How, error) {
	o = o.over(&rubric.Judge{})
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	if size > maxMessage {
		return nil, rubric.How{}, fault.New(fault.Input, "the texts to embed have %d bytes, more than the %d that are sent", size, maxMessage)
	}
	var vectors []jsontext.Value
	s := &said{how: rubric.How{Judge: o.Model}}
	c := &conversation{judge: &judge{model: m, o: o}, accept: func(text string) (problem string) {
		var err error
		if vectors, err = llm.Vectors(text, len(texts)); err != nil {
			problem = err.Error()
		}
		return problem
	}}
	if err := c.run(ctx, llm.Request{Model: o.Model, Embed: texts, ID: id}, s); err != nil {
		return nil, s.how, err
	}
	s.how.Embeddings, s.how.Judge = s.how.Judge, ""
	return vectors, s.how, s.err
}
