package main

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
)

// maxInput is the size of the largest single case, in bytes.
const maxInput = 64 << 20

// caseFields returns the fields of the case that a command is given: those of the input, a JSON object or the
// output as text, with name=value arguments on top.
func (con *console) caseFields(input string, pairs []string) ([]dataset.Field, error) {
	var fields []dataset.Field
	if input != "" {
		b, err := con.read(input, maxInput)
		if err != nil {
			return nil, err
		}
		if fields, err = fieldsOf(input, b); err != nil {
			return nil, err
		}
	}
	given := map[string]bool{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fault.WithHint(fault.New(fault.Usage, "invalid argument %q: expected name=value", pair), "such as output='The answer is 42.'; --input FILE reads a case")
		}
		if given[name] {
			return nil, fault.WithHint(fault.New(fault.Usage, "the field %s is given twice", name), `give it once; a list is written %s='["...", "..."]'`, name)
		}
		given[name] = true
		fields = dataset.Set(fields, name, valueOf(value))
	}
	return fields, nil
}

// tellNearMisses warns of name=value arguments that are not usual fields, nor inputs of the
// plan's plugins, but nearly: a case may have any, and without its output most plugins give no score.
func (con *console) tellNearMisses(pairs []string, p *plan.Plan) {
	usual := append(dataset.FieldNames(), "config")
	for t := range p.Tasks() {
		usual = append(usual, t.Inputs...)
	}
	for _, pair := range pairs {
		name, _, _ := strings.Cut(pair, "=")
		if near := diag.Suggest(name, usual); near != "" && !slices.Contains(usual, name) {
			con.say("warning: the case has a field %q of its own; did you mean %s?", diag.Plain(name), near)
		}
	}
}

// fieldsOf reads a case: a JSON object, else text that is the output.
func fieldsOf(name string, b []byte) ([]dataset.Field, error) {
	b = bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF"))
	switch {
	case !utf8.Valid(b):
		return nil, fault.WithHint(fault.New(fault.Invalid, "%s is not valid UTF-8", name), "save it as UTF-8")
	case len(bytes.TrimSpace(b)) == 0:
		return nil, fault.WithHint(fault.New(fault.Invalid, "%s is empty", name), `write the case as JSON, such as {"output": "..."}`)
	}
	if text := bytes.TrimSpace(b); text[0] != '{' {
		if strings.HasSuffix(name, ".json") {
			return nil, fault.New(fault.Invalid, "%s is not a JSON object", name)
		}
		return []dataset.Field{{Name: dataset.FieldOutput, Value: dataset.Quote(strings.TrimRight(string(b), "\r\n"))}}, nil
	}
	fields, err := dataset.Fields(b, diag.Pos{File: name})
	if err != nil && several(b) {
		return nil, fault.WithHint(fault.New(fault.Invalid, "%s has more than one case", name), "a dataset is evaluated: rubric-host eval RUBRIC %s", diag.Shell(name))
	}
	return fields, err
}

// several reports whether a text is JSON values one after the other.
func several(b []byte) bool {
	dec := jsontext.NewDecoder(bytes.NewReader(b))
	for range 2 {
		if _, err := dec.ReadValue(); err != nil {
			return false
		}
	}
	return true
}

// valueOf reads a value from the command line: a JSON list or object as such,
// anything else as text. references='["a","b"]' is a list, output=42 is text.
func valueOf(s string) jsontext.Value {
	if t := strings.TrimSpace(s); strings.HasPrefix(t, "[") || strings.HasPrefix(t, "{") {
		if v := jsontext.Value(t); v.IsValid() {
			return v
		}
	}
	return dataset.Quote(s)
}
