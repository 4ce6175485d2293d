// Package schema scores structured output against a JSON Schema: a valid output
// meets the criterion, the errors are the evidence.
//
// Stability: experimental.
package schema

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// maxEvidence is how many errors of one output a verdict shows.
const maxEvidence = 20

// Compile compiles a JSON Schema given as a decoded document or as its bytes.
// Nothing is loaded from outside: a reference that leaves the document is an
// error. It is safe for concurrent use.
func Compile(doc any) (*jsonschema.Schema, error) {
	text, ok := doc.(jsontext.Value)
	if !ok {
		b, err := json.Marshal(doc, json.Deterministic(true))
		if err != nil {
			return nil, fault.New(fault.Invalid, "the schema is not JSON: %w", err)
		}
		text = b
	}
	const name = "schema.json"
	c := jsonschema.NewCompiler()
	c.LoadURL = func(url string) (io.ReadCloser, error) {
		return nil, fmt.Errorf("%s is outside the schema; write it inline", url)
	}
	if err := c.AddResource(name, bytes.NewReader(text)); err != nil {
		return nil, fault.New(fault.Invalid, "the schema is not JSON: %w", err)
	}
	s, err := c.Compile(name)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s", strings.TrimPrefix(err.Error(), "jsonschema "))
	}
	return s, nil
}

// Validate holds a JSON value to a schema. The error names every place that is
// wrong.
func Validate(s *jsonschema.Schema, value jsontext.Value) error {
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return fault.New(fault.Invalid, "not JSON: %w", err)
	}
	err := s.Validate(v)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return fault.As(fault.Invalid, err)
	}
	var places []string
	for _, e := range evidence(invalid) {
		places = append(places, e.Text)
	}
	return fault.New(fault.Invalid, "%s", strings.Join(places, "; "))
}

// New returns a scorer that validates a case's output against schema. A
// criterion with levels gets the highest-scoring level for a valid output and
// the lowest-scoring one otherwise; any other is met or not. digest goes into
// the verdicts.
func New(r *rubric.Rubric, c *rubric.Criterion, schema *jsonschema.Schema, digest string) (scorer.Scorer, error) {
	valid, invalid := rubric.MetIs(true), rubric.MetIs(false)
	if c.Answer.KindOrMet() == rubric.Level {
		high, low := extremes(c.Answer.Levels)
		valid, invalid = rubric.LevelIs(high), rubric.LevelIs(low)
	}
	s := &validator{criterion: c.ID, schema: schema, digest: digest}
	for _, answer := range []struct {
		native rubric.Native
		into   *answer
	}{{valid, &s.valid}, {invalid, &s.invalid}} {
		value, err := r.Value(c, answer.native)
		if err != nil {
			return nil, fault.As(fault.Invalid, err)
		}
		answer.into.native, answer.into.value = answer.native, value
	}
	return s, nil
}

// extremes returns the ids of the highest-scoring level, the last of equals,
// and of the lowest-scoring one, the first of equals.
func extremes(levels []rubric.Rung) (high, low string) {
	hi, lo := 0, 0
	for i, l := range levels {
		if l.Score >= levels[hi].Score {
			hi = i
		}
		if l.Score < levels[lo].Score {
			lo = i
		}
	}
	return levels[hi].ID, levels[lo].ID
}

type answer struct {
	native rubric.Native
	value  float64
}

type validator struct {
	criterion      string
	schema         *jsonschema.Schema
	digest         string
	valid, invalid answer
}

// Score validates the output of c. Text that is not JSON is a string to the
// schema.
func (s *validator) Score(_ context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
	v := rubric.Verdict{
		Criterion: s.criterion, Status: rubric.Scored, Native: s.valid.native, Value: s.valid.value,
		Reason: "the output is valid", How: rubric.How{By: "schema", Digest: s.digest},
	}
	value, err := decode(c)
	if err != nil {
		return nil, err
	}
	err = s.schema.Validate(value)
	var invalid *jsonschema.ValidationError
	switch {
	case errors.As(err, &invalid):
		v.Native, v.Value, v.Reason = s.invalid.native, s.invalid.value, "the output is not valid"
		v.Evidence = evidence(invalid)
	case err != nil:
		return nil, fault.New(fault.Invalid, "the schema cannot be applied: %w", err)
	}
	return []rubric.Verdict{v}, nil
}

// decode returns what is validated: the target object of a case whose output is
// structured or absent, the JSON in a text output, or the text itself.
func decode(c *dataset.Case) (any, error) {
	raw := c.Raw(dataset.FieldOutput)
	switch {
	case raw == nil:
		return c.Object(), nil
	case raw.Kind() == '"':
		raw = jsontext.Value(strings.TrimSpace(c.Output))
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return c.Output, nil //nolint:nilerror // text that is not JSON is a string to the schema
	}
	return v, nil
}

// evidence lists the leaves of a validation error, the deepest places first
// named by their JSON pointer.
func evidence(e *jsonschema.ValidationError) []rubric.Evidence {
	var out []rubric.Evidence
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 && len(out) < maxEvidence {
			where := e.InstanceLocation
			if where == "" {
				where = "/"
			}
			out = append(out, rubric.Evidence{Field: dataset.FieldOutput, Text: where + ": " + e.Message})
		}
		for _, c := range e.Causes {
			walk(c)
		}
	}
	walk(e)
	slices.SortStableFunc(out, func(a, b rubric.Evidence) int { return strings.Compare(a.Text, b.Text) })
	return out
}
