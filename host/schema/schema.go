// Package schema scores structured output against a JSON Schema: a valid output
// meets the criterion, the errors are the evidence.
//
// A schema without $schema is of draft 2020-12; drafts 4, 6, 7 and 2019-09 are
// known too. format is an assertion up to draft 7 only, as the drafts have it.
// Patterns are of Go's syntax (RE2), which has no look-around and no
// back-references. A reference that leaves the schema is refused: nothing is
// ever loaded.
//
// Schemas and outputs are untrusted. Both are bounded, and so is the work of one
// validation, which the library santhosh-tekuri/jsonschema does through wrappers of
// ours (meter.go).
//
// Stability: experimental.
package schema

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

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
	text  jsontext.Value
	draft *jsonschema.Draft
	name  int            // longest name in it, bytes
	texts bool           // only texts are valid
	idle  chan *compiled // each of one validation at a time
	spare chan struct{}  // how many more may be compiled: one per processor
}

// compiled is a schema with a meter of its own.
type compiled struct {
	meter
	root    *jsonschema.Schema
	wrapped map[*jsonschema.Schema]bool
	schemas map[string]*jsonschema.Schema // by location
}

// Check returns the error of Compile.
func Check(doc any) error {
	_, err := Compile(doc)
	return err
}

// Compile compiles a JSON Schema given as a decoded document or as its text, a
// jsontext.Value. The error, of class Invalid, says what is wrong with it. Of several
// references that lead nowhere it names one.
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
	draft, err := draftOf(v)
	if err != nil {
		return nil, err
	}
	look := &survey{}
	if err := look.over(v); err != nil {
		return nil, err
	}
	processors := runtime.GOMAXPROCS(0)
	s := &Schema{text: named(text, v, draft), draft: draft, name: look.name, texts: wantsText(v), idle: make(chan *compiled, processors), spare: make(chan struct{}, processors)}
	first, err := s.compile()
	if err != nil {
		return nil, err
	}
	s.idle <- first
	for range processors - 1 {
		s.spare <- struct{}{}
	}
	return s, nil
}

// wantsText reports whether a schema says at its root that only texts are valid.
func wantsText(v any) bool {
	o, _ := v.(map[string]any)
	if t, ok := o["type"]; ok {
		return t == "string"
	}
	list, _ := o["enum"].([]any)
	if c, ok := o["const"]; ok {
		list = []any{c}
	}
	return len(list) > 0 && !slices.ContainsFunc(list, func(v any) bool { _, ok := v.(string); return !ok })
}

var drafts = []*jsonschema.Draft{jsonschema.Draft4, jsonschema.Draft6, jsonschema.Draft7, jsonschema.Draft2019, jsonschema.Draft2020}

func draftOf(v any) (*jsonschema.Draft, error) {
	o, _ := v.(map[string]any)
	switch name := o["$schema"].(type) {
	case nil:
		return jsonschema.Draft2020, nil
	case string:
		if d := draftAt(name); d != nil {
			return d, nil
		}
		return nil, fault.New(fault.Invalid, "the schema is of %q, which is unknown: name draft 4, 6, 7, 2019-09 or 2020-12 in $schema, or none", fault.Clip(name, maxFinding))
	}
	return nil, fault.New(fault.Invalid, "the schema is not valid: /$schema: expected string")
}

// named returns the text of a schema with its draft in $schema: without it, the
// library takes format for an assertion in every draft.
func named(text jsontext.Value, v any, d *jsonschema.Draft) jsontext.Value {
	o, ok := v.(map[string]any)
	if _, has := o["$schema"]; !ok || has {
		return bytes.Clone(text)
	}
	head := `{"$schema":"` + d.URL() + `"`
	if len(o) > 0 {
		head += ","
	}
	return append(jsontext.Value(head), bytes.TrimSpace(text)[1:]...)
}

// draftAt returns the draft with an address, nil if there is none. Both schemes,
// and an empty fragment, are in use.
func draftAt(address string) *jsonschema.Draft {
	bare := func(s string) string {
		return strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(s, "http://"), "https://"), "#/")
	}
	for _, d := range drafts {
		if bare(d.URL()) == bare(address) {
			return d
		}
	}
	return nil
}

// base is the made-up address of a schema.
const base = "schema:///"

// compile has the library compile the schema, and puts meters into it.
func (s *Schema) compile() (made *compiled, err error) {
	defer func() {
		if p := recover(); p != nil { // a defect of the library
			made, err = nil, fault.New(fault.Invalid, "the schema cannot be compiled: %s", plain(fmt.Sprint(p)))
		}
	}()
	made = &compiled{wrapped: map[*jsonschema.Schema]bool{}, schemas: map[string]*jsonschema.Schema{}}
	c := jsonschema.NewCompiler()
	c.Draft = s.draft
	c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, errOutside(url) }
	c.Formats["regex"] = made.isRegex
	c.MediaTypes["application/json"] = made.isJSON
	var anchors anchored
	c.RegisterExtension("anchored", nil, &anchors)
	if err := c.AddResource(base, bytes.NewReader(s.text)); err != nil {
		return nil, fault.New(fault.Invalid, "the schema is not JSON: %s", plain(err.Error()))
	}
	if made.root, err = c.Compile(base); err != nil {
		return nil, fault.New(fault.Invalid, "the schema is not valid: %s", compileMessage(err))
	}
	for _, root := range append(anchors, made.root) {
		made.metered(root)
	}
	return made, nil
}

// anchored collects the schemas with a dynamic anchor: the possible targets of
// dynamic references, which the library does not tell otherwise.
type anchored []*jsonschema.Schema

// Compile implements jsonschema.ExtCompiler.
func (a *anchored) Compile(ctx jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	if name, ok := m["$dynamicAnchor"].(string); ok {
		if s, err := ctx.CompileRef("#"+name, "", false); err == nil { // else the draft has none
			*a = append(*a, s)
		}
	}
	return nil, nil
}

func errOutside(url string) error {
	return fmt.Errorf("%s is outside of the schema: write it inline", fault.Clip(strings.TrimPrefix(url, base), maxFinding))
}

// compileMessage returns the library's error about a schema. Of several
// places, it names one by chance: the message then names none.
func compileMessage(err error) string {
	if failed, ok := errors.AsType[*jsonschema.SchemaError](err); ok {
		err = failed.Err
	}
	var loop jsonschema.InfiniteLoopError
	var invalid *jsonschema.ValidationError
	switch message := err.Error(); {
	case errors.As(err, &loop):
		return "infinite loop: a reference leads back to itself"
	case errors.As(err, &invalid):
		return strings.Join(findings(invalid, nil), "; ")
	case strings.Contains(message, "have same canonical-uri"):
		return "duplicate address ($id)"
	case strings.Contains(message, "unsupported vocab"):
		return "it requires a vocabulary ($vocabulary) that is unknown"
	default:
		return plain(message)
	}
}

// plain takes the library's name and the made-up address out of a message.
func plain(message string) string {
	return fault.Clip(strings.ReplaceAll(strings.TrimPrefix(message, "jsonschema: "), base, ""), maxFinding)
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

// apply validates a decoded value: wrong lists its problems. The error
// says why the schema could not be applied to the end.
func (s *Schema) apply(ctx context.Context, v any) (wrong []string, err error) {
	c, err := s.take(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { s.idle <- c }()
	defer func() {
		if p := recover(); p != nil {
			stop, ok := p.(stopped)
			if !ok {
				panic(p)
			}
			wrong, err = nil, stop.err
		}
	}()
	c.meter = meter{ctx: ctx, name: 20 + s.name, place: longestPath(v)}
	var invalid *jsonschema.ValidationError
	switch err := c.root.Validate(v); {
	case err != nil && !errors.As(err, &invalid): // references that never end
		return nil, errWork
	case c.refused != nil:
		return nil, c.refused
	case err != nil:
		return findings(invalid, c.schemas), nil
	}
	return nil, nil
}

// take returns a compiled schema for one validation.
func (s *Schema) take(ctx context.Context) (*compiled, error) {
	select {
	case c := <-s.idle:
		return c, nil
	default:
	}
	select {
	case c := <-s.idle:
		return c, nil
	case <-s.spare:
		return s.compile()
	case <-ctx.Done():
		return nil, fmt.Errorf("the schema was not applied: %w", context.Cause(ctx))
	}
}
