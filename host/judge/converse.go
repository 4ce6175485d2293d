package judge

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A Query asks a model for one JSON object that is not a verdict, such as a draft of
// a rubric. Its parts are untrusted: like a case, they stand between tags with a
// nonce that none of them contains.
type Query struct {
	System string // the task of the model; trusted
	Task   string // of this query, before the parts; trusted; may be empty
	Parts  []Part
	Form   string // how to answer; repeated when the model is asked again

	Schema     jsontext.Value // see llm.Request
	SchemaName string
	ID         llm.CallID // Attempt is set by Converse

	// Key is a member that the object has. The last object of an answer that has it
	// counts: models write others before it, and inside of it.
	Key string

	// Accept reads the object of an answer. problem says to the model why the
	// answer cannot be used; empty: it can. It is called once for each attempt.
	Accept func(object jsontext.Value) (problem string)
}

// A Part is untrusted text in a Query. Tag is a lower-case word.
type Part = part

// Converse asks until Accept takes the answer, the attempts are used up, or asking
// again is useless. It waits and retries as a judge does. How has tokens and cost,
// with an error too, which has one of the judge's classes, fault.Budget or
// fault.ReplayMiss, or is the context's own.
func Converse(ctx context.Context, m llm.Model, o Options, q Query) (rubric.How, error) {
	o = o.over(&rubric.Judge{})
	size := len(q.Task) + len(q.Form)
	parts := make([]part, len(q.Parts))
	for i, p := range q.Parts {
		parts[i] = part{p.Tag, strings.ToValidUTF8(p.Text, "\uFFFD")}
		size += len(parts[i].Text)
	}
	if size > maxMessage {
		return rubric.How{}, fault.New(fault.Input, "the message to the model would have %d bytes, more than the %d that are sent", size, maxMessage)
	}
	key := sha256.Sum256([]byte(q.System + "\x00" + q.Task + "\x00" + q.Form))
	word := nonce(key[:], parts)
	user := strings.TrimSpace(render("query.tmpl", map[string]any{"Task": q.Task, "Form": q.Form, "Parts": parts, "Nonce": word}))
	s := &reply{how: rubric.How{By: "judge", Judge: o.Model, PromptHash: hash(user), Nondeterministic: true}}
	c := &conversation{judge: &judge{model: m, o: o}, form: q.Form, accept: func(text string) string { return acceptObject(text, q.Key, q.Accept) }}
	req := llm.Request{
		Model: o.Model, System: q.System, User: user, Temperature: o.Temperature, MaxTokens: o.MaxTokens,
		Seed: o.Seed, Schema: q.Schema, SchemaName: q.SchemaName, ID: q.ID,
	}
	if err := c.run(ctx, req, s); err != nil {
		return s.how, err
	}
	if s.err != nil {
		return s.how, s.gaveUp(o.Attempts)
	}
	return s.how, nil
}

// acceptObject gives the last JSON object of an answer with a key to accept.
func acceptObject(text, key string, accept func(jsontext.Value) string) (problem string) {
	if len(text) > maxText {
		return "it is longer than a megabyte"
	}
	text = withoutThoughts(text)
	var last jsontext.Value
	objects(text, func(f found) bool {
		has := slices.ContainsFunc(f.members, func(m member) bool { return m.name == key })
		if has {
			last = jsontext.Value(text[f.start:f.end])
		}
		return has
	})
	if last == nil {
		return fmt.Sprintf("it holds no valid JSON object with %q", key)
	}
	return accept(last)
}

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
	s := &reply{how: rubric.How{Judge: o.Model}}
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
