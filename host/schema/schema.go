// Package schema scores structured output against a JSON Schema: a valid output
// meets the criterion, the errors are the evidence.
//
// A schema without $schema is of draft 2020-12; drafts 4, 6, 7 and 2019-09 are
// known too. format is an assertion up to draft 7 only, as the drafts have it.
// Patterns are of Go's syntax (RE2), which has no look-around and no
// back-references. A reference that leaves the schema is refused: nothing is
// ever loaded.
//
// Schemas and outputs may be hostile. Both are bounded, and so is the work of
// one validation: references that multiply end it, and so does its context.
//
// Stability: experimental.
package schema

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/fault"
)

// MaxBytes is the size of the largest schema, in bytes.
const MaxBytes = 1 << 20

// A Schema is a compiled JSON Schema. It is immutable, and safe for concurrent
// use.
type Schema struct {
	root   *part
	tracks bool // some part asks what the others have evaluated
}

// Compile compiles a JSON Schema given as a decoded document or as its text, a
// jsontext.Value. The error, of class Invalid, says everything that is wrong
// with it, in the same words every time.
func Compile(doc any) (*Schema, error) {
	text, ok := doc.(jsontext.Value)
	if !ok {
		b, err := json.Marshal(doc, json.Deterministic(true))
		if err != nil {
			return nil, fault.New(fault.Invalid, "the schema is not JSON: %w", err)
		}
		text = b
	}
	if len(text) > MaxBytes {
		return nil, fault.New(fault.Invalid, "the schema has %d bytes, at most %d", len(text), MaxBytes)
	}
	v, err := decode(text, schemaBounds)
	if err != nil {
		return nil, fault.As(fault.Invalid, fmt.Errorf("the schema %w", err))
	}
	d, err := draftOf(v)
	if err != nil {
		return nil, err
	}
	s := &survey{}
	s.look(v, nil)
	if err := s.err(v); err != nil {
		return nil, err
	}
	if err := checkMeta(d, v); err != nil {
		return nil, err
	}
	r := &reader{check: checkMeta}
	made, err := r.read(base, d, v)
	if err != nil {
		return nil, refused(err)
	}
	return made, nil
}

// checkMeta holds a schema to the schema of its draft.
func checkMeta(d *draft, v any) error {
	wrong, err := metas[d]().apply(context.Background(), v)
	switch {
	case err != nil:
		return fault.New(fault.Invalid, "the schema cannot be checked: %w", err)
	case len(wrong) > 0:
		return fault.New(fault.Invalid, "the schema is not valid: %s", strings.Join(wrong, "; "))
	}
	return nil
}

// draftOf returns the draft that a schema names.
func draftOf(v any) (*draft, error) {
	o, _ := v.(*object)
	if o == nil {
		return newest, nil
	}
	switch name := o.at["$schema"].(type) {
	case nil:
		return newest, nil
	case string:
		if d := draftAt(name); d != nil {
			return d, nil
		}
		return nil, fault.New(fault.Invalid, "the schema is of %q, which is unknown: name draft 4, 6, 7, 2019-09 or 2020-12 in $schema, or none", clip(name))
	}
	return nil, fault.New(fault.Invalid, "the schema is not valid: /$schema: expected string")
}

// base is the made-up address of a schema.
const base = "schema:///"

func errOutside(url string) error {
	return fmt.Errorf("%s is outside of the schema: write it inline", clip(strings.TrimPrefix(url, base)))
}

// Validate holds a JSON value to the schema. The error, of class Invalid, names
// the places that are wrong; it is of class Fuel when that takes too much work.
func (s *Schema) Validate(value jsontext.Value) error {
	v, err := decode(value, valueBounds)
	if err != nil {
		return fault.As(fault.Invalid, fmt.Errorf("the value %w", err))
	}
	wrong, err := s.apply(context.Background(), v)
	if err != nil || len(wrong) == 0 {
		return err
	}
	return fault.New(fault.Invalid, "%s", strings.Join(wrong, "; "))
}
