package schema

import (
	"context"
	"fmt"
	"maps"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rubric-host/rubric-host/host/fault"
)

const (
	// maxWork is the most work of one validation. A step is one schema applied to
	// one value, or as much work: about a microsecond.
	maxWork = 2_000_000
	// checkEvery is the work between two looks at the context.
	checkEvery = 1000
	// metaWork is the work of holding one element to a meta-schema.
	metaWork = 60
)

// A meter counts the work of one validation and ends it by a panic (stopped)
// when it exceeds maxWork or its context is done.
type meter struct {
	ctx         context.Context //nolint:containedctx // lives as long as the validation
	work, check int
	depth       int   // metered schemas entered and not left
	place       int   // longest path in the value, bytes
	name        int   // longest keyword or name in the schema, bytes
	refused     error // the value holds something that is not validated
}

var errWork = fault.WithHint(fault.New(fault.Fuel, "the schema takes more than %d steps for this value", maxWork),
	"write a simpler schema: references that multiply take most")

// refuse notes that the value holds something that is not validated. The
// validation continues: which place it reaches first is chance.
func (m *meter) refuse(err error) {
	if m.refused == nil || err.Error() < m.refused.Error() {
		m.refused = fault.As(fault.Input, err)
	}
}

// isRegex is the format "regex", in place of the library's, which compiles
// patterns of any size.
func (m *meter) isRegex(v any) bool {
	text, ok := v.(string)
	if !ok {
		return true
	}
	if len(text) > maxPattern {
		m.refuse(fault.New(fault.Input, "the value holds a regex of %d bytes; at most %d are validated", len(text), maxPattern))
		return false
	}
	re, err := syntax.Parse(text, syntax.Perl)
	return err == nil && programSize(re) <= maxProgram
}

// isJSON is the media type application/json, in place of the library's, which
// reads numbers of any size.
func (m *meter) isJSON(text []byte) error {
	_, err := decode(text, valueBounds)
	if fault.Is(err, fault.Input) {
		m.refuse(err)
	}
	return err
}

// stopped is the panic that ends a validation.
type stopped struct{ err error }

func (m *meter) spend(work int) {
	if m.work += work; m.work > maxWork {
		panic(stopped{errWork})
	}
	if m.work >= m.check {
		m.check = m.work + checkEvery
		if m.ctx.Err() != nil {
			panic(stopped{fmt.Errorf("the schema was not applied to the end: %w", context.Cause(m.ctx))})
		}
	}
}

// A meteredSchema takes the place of a compiled schema: as the only extension of an
// otherwise empty one, it charges for the work, then has the library apply the
// schema itself. The library calls extensions after the keywords of a schema, so
// counting from one beside them would come too late.
//
// It compares values itself (enum, const, uniqueItems): the library does so
// in pairs, or with a hash that an output can make collide.
type meteredSchema struct {
	*meter
	inner   *jsonschema.Schema
	fixed   int // work for any value
	errors  int // errors that the schema itself may have, beyond one
	program int // instructions of its patterns
	unique  bool
	values  []allowed
}

// allowed are the values of const or enum.
type allowed struct {
	keyword, text string
	keys          map[string]struct{}
}

// Validate implements jsonschema.ExtSchema.
func (g *meteredSchema) Validate(ctx jsonschema.ValidationContext, v any) error {
	// An error names the path through schema and value, built step by step.
	g.depth++
	path := 1 + g.depth*g.depth*g.name/500 + g.place/200
	g.spend(path*(1+g.errors) + g.fixed + g.cost(v))
	err := ctx.Validate(g.inner, "", v, "")
	g.depth--
	if wrong := g.compare(ctx, v); wrong != nil && err != nil {
		return jsonschema.ValidationError{}.Group(ctx.Error("", ""), err, wrong)
	} else if wrong != nil {
		return wrong
	}
	return err
}

// cost is the work that depends on the value.
func (g *meteredSchema) cost(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		n += len(v)
		if patterns := len(g.inner.PatternProperties); patterns > 0 {
			for name := range v {
				n += 4*patterns + len(name)*g.program/32
			}
		}
	case []any:
		n += len(v)
	case string:
		n += len(v) / 64
		if g.inner.Pattern != nil {
			n += 4 + len(v)*g.program/32
		}
	case number:
		n += weight(v)
	}
	if len(g.values) > 0 || g.unique {
		n += weight(v)
	}
	if metas()[g.inner.Ref] {
		n += metaWork * weight(v)
	}
	return n
}

func (g *meteredSchema) compare(ctx jsonschema.ValidationContext, v any) error {
	var wrong []error
	for _, a := range g.values {
		if _, ok := a.keys[string(appendKey(nil, v))]; !ok {
			wrong = append(wrong, ctx.Error(a.keyword, "%s", a.text))
		}
	}
	if list, ok := v.([]any); ok && g.unique {
		seen := make(map[string]int, len(list))
		for i, item := range list {
			key := string(appendKey(nil, item))
			if j, twice := seen[key]; twice {
				wrong = append(wrong, ctx.Error("uniqueItems", "items at index %d and %d are equal", j, i))
				break
			}
			seen[key] = i
		}
	}
	switch len(wrong) {
	case 0:
		return nil
	case 1:
		return wrong[0]
	}
	return jsonschema.ValidationError{}.Group(ctx.Error("", ""), wrong...)
}

// metas are the meta-schemas, which the library shares between all compilers:
// they are not metered.
var metas = sync.OnceValue(func() map[*jsonschema.Schema]bool {
	all := map[*jsonschema.Schema]bool{}
	for _, d := range drafts {
		all[jsonschema.MustCompileString(base, `{"$ref":"`+d.URL()+`"}`).Ref] = true
	}
	return all
})

// metered puts a meteredSchema before s and every schema that it leads to.
func (c *compiled) metered(s *jsonschema.Schema) {
	if s == nil || metas()[s] || c.wrapped[s] {
		return
	}
	c.wrapped[s] = true
	inner := *s
	g := &meteredSchema{meter: &c.meter, inner: &inner, unique: inner.UniqueItems}
	if inner.Constant != nil {
		g.allow("const", inner.Constant)
	}
	if inner.Enum != nil {
		g.allow("enum", inner.Enum)
	}
	g.tame()
	for _, child := range g.children() {
		c.metered(child)
	}
	c.schemas[s.Location] = &inner
	*s = jsonschema.Schema{
		Location: s.Location, Draft: s.Draft, DynamicAnchor: s.DynamicAnchor, RecursiveAnchor: s.RecursiveAnchor,
		MaxProperties: -1, MaxItems: -1, MaxLength: -1, Extensions: map[string]jsonschema.ExtSchema{"meter": g},
	}
}

func (g *meteredSchema) allow(keyword string, values []any) {
	a := allowed{keyword, valuesText(values), make(map[string]struct{}, len(values))}
	for _, v := range values {
		a.keys[string(appendKey(nil, v))] = struct{}{}
	}
	g.values = append(g.values, a)
}

// tame removes keywords that a meteredSchema checks itself and keywords that no draft has,
// gives every additional property an error of its own, and repairs bounds beyond an
// int.
func (g *meteredSchema) tame() {
	s := g.inner
	if s.AdditionalProperties == false {
		s.AdditionalProperties = &jsonschema.Schema{Location: s.Location + additional, Draft: s.Draft, Always: new(bool)}
	}
	s.Constant, s.Enum, s.UniqueItems = nil, nil, false
	s.RegexProperties, s.ContentSchema = false, nil
	for _, bound := range []*int{&s.MinProperties, &s.MaxProperties, &s.MinItems, &s.MaxItems, &s.MinLength, &s.MaxLength, &s.MinContains, &s.MaxContains} {
		if *bound < -1 {
			*bound = math.MaxInt
		}
	}
}

// children returns the schemas that a meteredSchema applies, and adds the cost
// of applying it.
func (g *meteredSchema) children() []*jsonschema.Schema {
	s := g.inner
	all := slices.Concat([]*jsonschema.Schema{
		s.Ref, s.RecursiveRef, s.DynamicRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Items2020, s.Contains, s.UnevaluatedItems,
	}, s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems)
	all = slices.AppendSeq(all, maps.Values(s.Properties))
	all = slices.AppendSeq(all, maps.Values(s.DependentSchemas))
	for p, child := range s.PatternProperties {
		g.program += programSizeOf(p)
		all = append(all, child)
	}
	for _, needed := range s.DependentRequired {
		g.errors += len(needed)
	}
	others := []any{s.AdditionalProperties, s.Items, s.AdditionalItems}
	for _, other := range slices.AppendSeq(others, maps.Values(s.Dependencies)) {
		switch other := other.(type) {
		case *jsonschema.Schema:
			all = append(all, other)
		case []*jsonschema.Schema:
			all = append(all, other...)
		case []string:
			g.errors += len(other)
		}
	}
	if s.Pattern != nil {
		g.program += programSizeOf(s.Pattern)
	}
	g.fixed = len(all)/4 + 2*len(s.Required) // every missing name is quoted
	return all
}

// programSizeOf returns about how many instructions a pattern has.
func programSizeOf(p *regexp.Regexp) int {
	re, err := syntax.Parse(p.String(), syntax.Perl)
	if err != nil { // it was compiled
		return maxProgram
	}
	return programSize(re)
}
