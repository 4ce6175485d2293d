package metric

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A template writes the requests of one task: everything but the case is
// encoded once.
type template struct {
	prefix []byte // {"contract":1,"kind":...,"config":...,"criterion":...,"case":{
	fields []field

	program bool // a program may read the request; see forProgram
}

// A field is one member of the case that is sent.
type field struct {
	name       string
	key        []byte   // "name":
	references []string // paths of the references; empty: the case's own
	write      writer
}

// A writer appends the value of a field, or nothing if the case has none.
type writer func(f *field, dst []byte, c *dataset.Case) []byte

// newTemplate returns the template of a task. Every name of inputs is sent
// once.
func newTemplate(kind string, config jsontext.Value, c *rubric.Criterion, inputs, references []string) (*template, error) {
	if len(config) == 0 {
		config = jsontext.Value("{}")
	}
	if config.Kind() != '{' || !config.IsValid() {
		return nil, fault.New(fault.Invalid, "the configuration is not a JSON object")
	}
	t := &template{prefix: fmt.Appendf(nil, `{"contract":%d,"kind":%q,"config":%s`, ContractVersion, kind, config)}
	if c != nil && kind != KindMetric {
		desc, err := json.Marshal(describe(c))
		if err != nil {
			return nil, fault.New(fault.Invalid, "the criterion is not text: %w", err)
		}
		t.prefix = append(append(t.prefix, `,"criterion":`...), desc...)
	}
	t.prefix = append(t.prefix, `,"case":{`...)
	if len(inputs) == 0 {
		inputs = DefaultInputs(kind)
	}
	for i, name := range inputs {
		if slices.Contains(inputs[:i], name) {
			continue
		}
		key, err := jsontext.AppendQuote(nil, name)
		if err != nil {
			return nil, fault.New(fault.Invalid, "the input %q is not text: %w", name, err)
		}
		t.fields = append(t.fields, field{name: name, key: append(key, ':'), references: references, write: writerOf(kind, name)})
	}
	return t, nil
}

func describe(c *rubric.Criterion) Criterion {
	out := Criterion{ID: c.ID, Name: c.Name, Text: c.Text}
	for _, l := range c.Answer.Levels {
		out.Levels = append(out.Levels, Level{ID: l.ID, Label: l.Label, Description: l.Description, Score: l.Score})
	}
	return out
}

// writerOf returns the writer of a field. A metric gets output and input as text;
// the other kinds get them as the dataset has them.
func writerOf(kind, name string) writer {
	switch {
	case name == dataset.FieldID:
		return writeID
	case name == dataset.FieldReferences:
		return writeReferences
	case name == FieldTarget:
		return writeTarget
	case name == dataset.FieldMetadata:
		return writeMetadata
	case kind == KindMetric && (name == dataset.FieldOutput || name == dataset.FieldInput):
		return writeText
	}
	return writeRaw
}

// room returns about the bytes of the request for c.
func (t *template) room(c *dataset.Case) int {
	n := len(t.prefix) + 64
	for i := range c.Fields {
		n += len(c.Fields[i].Name) + len(c.Fields[i].Value) + 4
	}
	return n
}

func (t *template) appendTo(dst []byte, c *dataset.Case) []byte {
	dst = append(dst, t.prefix...)
	first := true
	for i := range t.fields {
		f := &t.fields[i]
		mark := len(dst)
		if !first {
			dst = append(dst, ',')
		}
		dst = append(dst, f.key...)
		empty := len(dst)
		if dst = f.write(f, dst, c); len(dst) == empty {
			dst = dst[:mark]
			continue
		}
		first = false
	}
	dst = append(dst, '}')
	if t.program {
		dst = appendProgram(dst, c)
	}
	return append(dst, '}')
}

// present returns the value of a field, nil if it is absent or null.
func present(c *dataset.Case, name string) jsontext.Value {
	if v := c.Raw(name); v.Kind() != 'n' {
		return v
	}
	return nil
}

func writeRaw(f *field, dst []byte, c *dataset.Case) []byte {
	return append(dst, present(c, f.name)...)
}

func writeID(_ *field, dst []byte, c *dataset.Case) []byte { return appendText(dst, c.ContentID()) }

// writeText writes the output or the input as text. A list of texts as output stays one: it is
// the outputs of a whole corpus.
func writeText(f *field, dst []byte, c *dataset.Case) []byte {
	text, corpus := c.Input, false
	v := present(c, f.name)
	if f.name == dataset.FieldOutput {
		text, corpus = c.Output, v.Kind() == '[' && listOf(v, '"')
	}
	switch {
	case v == nil:
		return dst
	case v.Kind() == '"' || corpus:
		return append(dst, v...)
	}
	return appendText(dst, text)
}

// writeReferences writes the references as a list of texts: the case's own, or
// those of every field that the criterion names. A list of lists of texts stays one
// beside a list of outputs: it is the references of a whole corpus.
func writeReferences(f *field, dst []byte, c *dataset.Case) []byte {
	if paths := f.references; len(paths) < 2 {
		name := f.name
		if len(paths) == 1 {
			name = paths[0]
		}
		if v := present(c, name); corpus(c, v) {
			return append(dst, v...)
		}
	}
	texts := referencesOf(c, f.references)
	if texts == nil {
		return dst
	}
	dst = append(dst, '[')
	for i, s := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, s)
	}
	return append(dst, ']')
}

// referencesOf returns the texts of the fields that a criterion names, or the case's own if
// it names none; nil if there are none.
func referencesOf(c *dataset.Case, paths []string) (texts []string) {
	if len(paths) == 0 {
		return c.References
	}
	for _, path := range paths {
		if more, ok := c.ReferencesAt(path); ok {
			if texts == nil {
				texts = []string{}
			}
			texts = append(texts, more...)
		}
	}
	return texts
}

// corpus reports whether v is the references of a case that is a whole corpus.
func corpus(c *dataset.Case, v jsontext.Value) bool {
	if out := present(c, dataset.FieldOutput); v.Kind() != '[' || out.Kind() != '[' || !listOf(out, '"') || !listOf(v, '[') {
		return false
	}
	var lists [][]string
	return json.Unmarshal(v, &lists) == nil
}

// listOf reports whether a list has elements, and all begin with the same byte.
func listOf(v jsontext.Value, first byte) bool {
	if rest := bytes.TrimLeft(v[1:], " \t\r\n"); rest[0] != first {
		return false
	}
	var list []jsontext.Value
	return json.Unmarshal(v, &list) == nil && !slices.ContainsFunc(list, func(v jsontext.Value) bool { return v[0] != first })
}

// writeMetadata writes the metadata of a case: its field of that name, and every
// column that is no other field of a case, which a table has no better place for.
// A member of the field goes before a column of its name.
func writeMetadata(_ *field, dst []byte, c *dataset.Case) []byte {
	own := present(c, dataset.FieldMetadata)
	if own != nil && own.Kind() != '{' {
		return append(dst, own...)
	}
	var members map[string]jsontext.Value // of own; read for the first column
	mark, first := len(dst), true
	dst = append(dst, '{')
	if inner := bytes.TrimSpace(own); len(inner) > 2 {
		dst = append(dst, bytes.TrimSpace(inner[1:len(inner)-1])...)
		first = dst[len(dst)-1] == '{'
	}
	for i := range c.Fields {
		f := &c.Fields[i]
		if !dataset.IsColumn(f.Name) || f.Value.Kind() == 'n' {
			continue
		}
		if members == nil && own != nil {
			members = membersOf(own)
		}
		if members[f.Name] != nil {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		dst, first = append(append(appendText(dst, f.Name), ':'), f.Value...), false
	}
	if first && own == nil {
		return dst[:mark]
	}
	return append(dst, '}')
}

// membersOf is apart from writeMetadata so that its map is allocated only when it is read.
func membersOf(object jsontext.Value) (members map[string]jsontext.Value) {
	_ = json.Unmarshal(object, &members) // it is one
	return members
}

// writeTarget writes the graded thing as an object, numbers as they are
// written.
func writeTarget(_ *field, dst []byte, c *dataset.Case) []byte {
	switch v := c.Raw(dataset.FieldOutput); v.Kind() {
	case '{':
		return append(dst, v...)
	case '"':
		if text := strings.TrimSpace(c.Output); strings.HasPrefix(text, "{") {
			if out, err := jsontext.AppendFormat(dst, text); err == nil {
				return out
			}
		}
	}
	dst = append(dst, '{')
	for i := range c.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(appendText(dst, c.Fields[i].Name), ':'), c.Fields[i].Value...)
	}
	return append(dst, '}')
}

// appendText appends s in quotes. A case is valid UTF-8; of one that is not,
// made in Go, the wrong bytes are replaced.
func appendText(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

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
