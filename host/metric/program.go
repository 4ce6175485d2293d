package metric

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
)

// forProgram extends the requests of the kind judge by the input of AgentV's code
// judges: the case under their names, beside the members of the contract, and first
// of all the command-line arguments, where a host finds them without reading the
// rest.
func (t *template) forProgram(args []string) error {
	list, err := json.Marshal(args, json.FormatNilSliceAsNull(false))
	if err != nil {
		return fault.New(fault.Invalid, "the arguments %q are not text: %w", args, err)
	}
	t.prefix = slices.Concat([]byte(`{"args":`), list, []byte(","), t.prefix[1:])
	t.program = true
	return nil
}

// appendProgram appends the case as AgentV names its parts.
func appendProgram(dst []byte, c *dataset.Case) []byte {
	put := func(name string, v jsontext.Value) {
		if v != nil {
			dst = append(fmt.Appendf(dst, ",%q:", name), v...)
		}
	}
	text := func(s string) jsontext.Value { return appendText(nil, s) }
	input, expected, output := present(c, dataset.FieldInput), present(c, dataset.FieldExpected), present(c, dataset.FieldOutput)
	if input != nil {
		put("question", text(c.Input))
	}
	put("expected_outcome", present(c, dataset.FieldOutcome))
	put("expected_messages", messages(expected, "assistant"))
	if len(c.References) > 0 {
		put("reference_answer", text(c.References[0]))
	}
	if c.HasOutput {
		put("candidate_answer", text(c.Output))
	}
	if output.Kind() != '[' {
		output = orJSON(present(c, "output_messages"), "null")
	}
	put("output_messages", output)
	put("guideline_files", orJSON(present(c, "guideline_files"), "[]"))
	put("input_files", orJSON(present(c, "input_files"), "[]"))
	put("input_messages", messages(input, "user"))
	put("trace_summary", orJSON(present(c, "trace_summary"), "null"))
	return dst
}

// messages returns a value as a list of messages: any other value is the content of
// one message.
func messages(v jsontext.Value, role string) jsontext.Value {
	switch v.Kind() {
	case 0, '[':
		return v
	}
	return fmt.Appendf(nil, `[{"role":%q,"content":%s}]`, role, v)
}

func orJSON(v jsontext.Value, other string) jsontext.Value {
	if v == nil {
		return jsontext.Value(other)
	}
	return v
}
