package dataset

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// The presets of results read what other evaluators write about their runs: their
// outputs become cases. Rows that are not of the evaluator stay as they are, so that
// outputs may be joined with cases of one's own.

// results returns the rows of a file of results: of an object that holds them all, or of one
// of them.
func (p *preset) results(fields []Field) [][]Field {
	list := rawAt(fields, p.list)
	if list.Kind() != '[' {
		return [][]Field{p.made(fields)}
	}
	var out [][]Field
	each(list, func(e jsontext.Value) bool {
		out = append(out, p.made(membersOf(e)))
		return true
	})
	return out
}

func (p *preset) made(row []Field) []Field {
	if !p.holds(row, "") {
		return row
	}
	return p.result(row)
}

// holds reports whether a row has all keys of a result, below a path that ends with a point.
func (p *preset) holds(row []Field, below string) bool {
	return !slices.ContainsFunc(p.keys, func(key string) bool { return rawAt(row, below+key) == nil })
}

// resultsIn returns the preset of results that a row holds, nil if it holds none.
func resultsIn(fields []Field) *preset {
	return xslices.Find(presets, func(p *preset) bool {
		return p.result != nil && (p.holds(fields, "") || p.holds(fields, p.list+".0."))
	})
}

// A made row has the fields that are there.
type made []Field

func (m *made) add(name string, v jsontext.Value) {
	if v != nil && v.Kind() != 'n' && indexOf(*m, name) < 0 {
		*m = append(*m, Field{name, v})
	}
}

// answered adds a null in place of an output that is not there: the case is unscored.
func (m *made) answered() {
	if indexOf(*m, FieldOutput) < 0 {
		*m = append(*m, Field{FieldOutput, jsontext.Value("null")})
	}
}

// Fields of results whose model gave no output, or whose case failed.
const (
	fieldPromptfooError = "promptfoo_error"
	fieldInspectError   = "inspect_error"
)

// promptfooResult is a row of promptfoo's results: one of its tests with one prompt and
// provider. Rows of further prompts or providers have ids of their own. Variables are columns
// unless they mean the id, input or output. Rows with the same variables are one cluster: each repeat of
// a test has a testIdx of its own.
func promptfooResult(row []Field) []Field {
	test := rawAt(row, "testIdx")
	id := string(test)
	if column := rawAt(row, "promptIdx"); column.Kind() == '0' && string(column) != "0" {
		id += "/" + string(column)
	}
	var m made
	m.add(FieldID, Quote(id))
	if vars := slices.Clone(rawAt(row, "vars")); len(membersOf(vars)) > 0 && tidy(&vars) == nil {
		test = jsontext.Value(digest.Of(vars))
	}
	m.add(FieldCluster, Quote(string(test)))
	m.add(FieldInput, asMessages(rawAt(row, "prompt.raw")))
	m.add(FieldOutput, rawAt(row, "response.output"))
	m.answered()
	m.add(FieldMetadata, rawAt(row, "metadata"))
	for _, field := range [][2]string{
		{"description", "testCase.description"}, {"prompt_label", "prompt.label"}, {"provider", "provider.label"}, {"provider", "provider.id"},
		{"vars", "vars"}, {"promptfoo_score", "score"}, {"promptfoo_success", "success"}, {fieldPromptfooError, "error"},
	} {
		if v := rawAt(row, field[1]); string(v) != `""` {
			m.add(field[0], v)
		}
	}
	eachMember(rawAt(row, "vars"), func(name, v jsontext.Value) bool {
		if c, known := claims[text(name)]; !known || c.role == roleReferences || c.role == roleExpected || c.role == roleContext {
			m.add(text(name), v)
		}
		return true
	})
	return m
}

// asMessages returns the messages that a text holds, or else the text.
func asMessages(prompt jsontext.Value) jsontext.Value {
	if v := jsontext.Value(text(prompt)); v.IsValid() && tidy(&v) == nil {
		if _, chat := messagesIn(v); chat {
			return v
		}
	}
	return prompt
}

// deepevalResult is a test case of a test run of DeepEval. Its fields have the names that DeepEval's datasets have.
// Names of test cases may repeat, so the place in the run is the id. Its calls of tools have the names of metrics besides.
func deepevalResult(row []Field) []Field {
	var m made
	m.add(FieldID, rawAt(row, "order"))
	m.add(FieldOutput, rawAt(row, "actualOutput"))
	m.answered()
	for _, field := range [][2]string{
		{FieldInput, "input"}, {FieldExpected, "expectedOutput"}, {FieldContext, "context"}, {"retrieval_context", "retrievalContext"},
		{"tools_called", "toolsCalled"}, {"expected_tools", "expectedTools"}, {"tool_calls", "toolsCalled"}, {"expected_tool_calls", "expectedTools"}, {FieldTags, "tags"}, {FieldMetadata, "metadata"},
		{"name", "name"}, {"comments", "comments"}, {"deepeval_success", "success"}, {"deepeval_metrics", "metricsData"},
	} {
		m.add(field[0], rawAt(row, field[1]))
	}
	return m
}

// inspectSample is a sample of a log of Inspect. Epochs are samples of one problem.
func inspectSample(row []Field) []Field {
	var m made
	m.add(FieldID, rawAt(row, "id"))
	m.add(FieldInput, rawAt(row, "input"))
	if rawAt(row, "output.choices.0") != nil { // else it failed
		m.add(FieldOutput, rawAt(row, "output.completion"))
		m.add(FieldOutput, rawAt(row, "output.choices.0.message.content"))
	}
	m.answered()
	if target := rawAt(row, "target"); string(target) != `""` && string(target) != "[]" {
		m.add(FieldReferences, target)
	}
	m.add("output_messages", answeredMessages(row))
	m.add(FieldMetadata, rawAt(row, "metadata"))
	for _, field := range [][2]string{{"epoch", "epoch"}, {"choices", "choices"}, {"model", "output.model"}, {"inspect_scores", "scores"}, {fieldInspectError, "error.message"}} {
		m.add(field[0], rawAt(row, field[1]))
	}
	return m
}

// answeredMessages returns the messages of an Inspect sample behind its system prompts and its input, in which an
// example may call tools. Nil if the log has none.
func answeredMessages(row []Field) jsontext.Value {
	messages := rawAt(row, "messages")
	if messages.Kind() != '[' {
		return nil
	}
	out := jsontext.Value("[")
	each(messages, func(e jsontext.Value) bool {
		if text(member(e, "source")) != "input" && text(member(e, "role")) != "system" {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, e...)
		}
		return true
	})
	if len(out) == 1 {
		return nil // a log without the answer tells nothing of its calls
	}
	return append(out, ']')
}
