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
// one validation: references that multiply end it, and so does its context. The
// library reads a schema, with its drafts, references and addresses; values are
// held to it here, because the library neither counts nor stops.
//
// Stability: experimental.
package schema

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rubric-host/rubric-host/host/fault"
)

// MaxBytes is the size of the largest schema, in bytes.
const MaxBytes = 1 << 20

// A Schema is a compiled JSON Schema. It is immutable, and safe for concurrent
// use.
type Schema struct {
	root   *jsonschema.Schema
	parts  map[*jsonschema.Schema]*part // of those that need more than the library gives
	tracks bool                         // some part asks what the others have evaluated
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
	v, err := decode(text, schemaBounds) // with numbers that the compiler bears
	if err != nil {
		return nil, fault.As(fault.Invalid, fmt.Errorf("the schema %w", err))
	}
	draft, err := draftOf(v)
	if err != nil {
		return nil, err
	}
	s := &survey{draft: draft}
	s.look(v, nil)
	if err := s.err(v); err != nil {
		return nil, err
	}
	if err := checkMeta(draft, v); err != nil {
		return nil, err
	}
	return compile(text, s)
}

// checkMeta holds a schema to the schema of its draft.
func checkMeta(d *jsonschema.Draft, v any) error {
	wrong, err := metas[d]().apply(context.Background(), v)
	switch {
	case err != nil:
		return fault.New(fault.Invalid, "the schema cannot be checked: %w", err)
	case len(wrong) > 0:
		return fault.New(fault.Invalid, "the schema is not valid: %s", strings.Join(wrong, "; "))
	}
	return nil
}

// metas are the schemas of schemas.
var metas = map[*jsonschema.Draft]func() *Schema{
	jsonschema.Draft4:    meta(jsonschema.Draft4),
	jsonschema.Draft6:    meta(jsonschema.Draft6),
	jsonschema.Draft7:    meta(jsonschema.Draft7),
	jsonschema.Draft2019: meta(jsonschema.Draft2019),
	jsonschema.Draft2020: meta(jsonschema.Draft2020),
}

func meta(d *jsonschema.Draft) func() *Schema {
	return sync.OnceValue(func() *Schema {
		s, err := compile(jsontext.Value(`{"$ref":"`+d.URL()+`"}`), &survey{draft: d, formats: true})
		if err != nil { // the library carries it
			panic(err)
		}
		return s
	})
}

// draftOf returns the draft that a schema names.
func draftOf(v any) (*jsonschema.Draft, error) {
	o, _ := v.(*object)
	if o == nil {
		return jsonschema.Draft2020, nil
	}
	switch name := o.at["$schema"].(type) {
	case nil:
		return jsonschema.Draft2020, nil
	case string:
		short := strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(name, "http://"), "https://"), "#/")
		for d := range metas {
			if strings.TrimPrefix(d.URL(), "https://") == short {
				return d, nil
			}
		}
		return nil, fault.New(fault.Invalid, "the schema is of %q, which is unknown: name draft 4, 6, 7, 2019-09 or 2020-12 in $schema, or none", clip(name))
	}
	return nil, fault.New(fault.Invalid, "the schema is not valid: /$schema: expected string")
}

// base is the made-up address of a schema.
const base = "schema:///"

// compile has the library read a schema that was surveyed.
func compile(text jsontext.Value, s *survey) (made *Schema, err error) {
	defer func() {
		if p := recover(); p != nil { // a defect of the library
			made, err = nil, fault.New(fault.Invalid, "the schema cannot be compiled: %s", plain(fmt.Sprint(p)))
		}
	}()
	g := &grapher{survey: s}
	c := jsonschema.NewCompiler()
	c.Draft = s.draft
	c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, errOutside(url) }
	c.RegisterExtension(extension, nil, g)
	if err := c.AddResource(base, bytes.NewReader(text)); err != nil {
		return nil, fault.New(fault.Invalid, "the schema is not JSON: %s", plain(err.Error()))
	}
	root, err := c.Compile(base)
	if err != nil {
		return nil, fault.New(fault.Invalid, "the schema is not valid: %s", compileMessage(err))
	}
	return g.graph(root), nil
}

func errOutside(url string) error {
	return fmt.Errorf("%s is outside of the schema: write it inline", clip(strings.TrimPrefix(url, base)))
}

// compileMessage returns what the library finds wrong with a schema that its
// own schema takes.
func compileMessage(err error) string {
	var loop jsonschema.InfiniteLoopError
	if errors.As(err, &loop) { // which place of the loop it names is chance
		return "infinite loop: a reference leads back to itself"
	}
	var failed *jsonschema.SchemaError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return plain(err.Error())
}

// plain takes the library's name and the made-up address out of a message.
func plain(message string) string {
	return clip(strings.ReplaceAll(strings.TrimPrefix(message, "jsonschema: "), base, ""))
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
