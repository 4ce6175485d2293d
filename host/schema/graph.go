package schema

import (
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// A part is what validation needs of a part of a schema beside what the library
// gives.
type part struct {
	types     string              // that are expected, in words
	enum      map[string]struct{} // keys of the values that are allowed
	enumError string
	constant  string // key of the only value
	hasConst  bool
	constErr  string
	format    func(any) bool
	pattern   *pattern
	patterns  []pattern // of patternProperties, sorted
	dynamic   string    // anchor that the dynamic reference means
	anchors   map[string]*jsonschema.Schema
}

type pattern struct {
	*regexp.Regexp
	size   int // instructions
	schema *jsonschema.Schema
}

// extension is the name under which the library keeps a note.
const extension = "note"

// A note is what the library does not keep of a part.
type note struct{ dynamic string }

// Validate is never called: the library validates nothing.
func (note) Validate(jsonschema.ValidationContext, any) error { return nil }

// A grapher collects the parts of a schema while the library compiles it.
type grapher struct {
	*survey
	anchored []*jsonschema.Schema // parts with a dynamic anchor
	made     Schema
	byPlace  map[string]map[string]*jsonschema.Schema // anchors by resource
}

// Compile notes what the library forgets of a part.
func (g *grapher) Compile(ctx jsonschema.CompilerContext, m map[string]any) (jsonschema.ExtSchema, error) {
	if name, ok := m["$dynamicAnchor"].(string); ok {
		s, err := ctx.CompileRef("#"+name, "$dynamicAnchor", false)
		if err != nil {
			return nil, err
		}
		g.anchored = append(g.anchored, s)
	}
	if ref, ok := m["$dynamicRef"].(string); ok {
		_, name, _ := strings.Cut(ref, "#")
		if strings.HasPrefix(name, "/") { // a pointer is as good as a static reference
			name = ""
		}
		return &note{dynamic: name}, nil
	}
	return nil, nil
}

// graph makes the schema of all that can be reached from root.
func (g *grapher) graph(root *jsonschema.Schema) *Schema {
	g.made = Schema{root: root, parts: map[*jsonschema.Schema]*part{}}
	g.byPlace = map[string]map[string]*jsonschema.Schema{}
	for _, s := range g.anchored {
		r := g.resource(s)
		if g.byPlace[r] == nil {
			g.byPlace[r] = map[string]*jsonschema.Schema{}
		}
		g.byPlace[r][s.DynamicAnchor] = s
	}
	seen := map[*jsonschema.Schema]bool{}
	todo := append([]*jsonschema.Schema{root}, g.anchored...)
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s == nil || seen[s] {
			continue
		}
		seen[s] = true
		if p := g.part(s); p != nil {
			g.made.parts[s] = p
		}
		g.made.tracks = g.made.tracks || s.UnevaluatedItems != nil || s.UnevaluatedProperties != nil
		todo = append(todo, children(s)...)
	}
	return &g.made
}

// resource returns the pointer of the resource that a part belongs to.
func (g *grapher) resource(s *jsonschema.Schema) string {
	_, at, _ := strings.Cut(s.Location, "#")
	return g.survey.resource(at)
}

// children lists the parts that s names.
func children(s *jsonschema.Schema) []*jsonschema.Schema {
	out := []*jsonschema.Schema{s.Ref, s.RecursiveRef, s.DynamicRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Items2020, s.Contains, s.UnevaluatedItems, s.ContentSchema}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		out = append(out, list...)
	}
	for _, m := range []map[string]*jsonschema.Schema{s.Properties, s.DependentSchemas} {
		out = slices.AppendSeq(out, maps.Values(m))
	}
	out = slices.AppendSeq(out, maps.Values(s.PatternProperties))
	for _, d := range s.Dependencies {
		if one, ok := d.(*jsonschema.Schema); ok {
			out = append(out, one)
		}
	}
	for _, v := range []any{s.AdditionalProperties, s.Items, s.AdditionalItems} {
		switch v := v.(type) {
		case *jsonschema.Schema:
			out = append(out, v)
		case []*jsonschema.Schema:
			out = append(out, v...)
		}
	}
	return out
}

// part returns what validation needs of s, nil for nothing.
func (g *grapher) part(s *jsonschema.Schema) *part {
	p := &part{anchors: g.byPlace[g.resource(s)], dynamic: g.dynamic(s)}
	if s.DynamicAnchor != "" && p.anchors == nil { // a schema of schemas, which carries no notes
		p.anchors = map[string]*jsonschema.Schema{s.DynamicAnchor: s}
	}
	needed := p.anchors != nil || p.dynamic != ""
	if len(s.Types) > 0 {
		p.types, needed = strings.Join(slices.Sorted(slices.Values(s.Types)), " or "), true
	}
	if len(s.Enum) > 0 {
		p.enum, p.enumError, needed = enum(s.Enum), enumError(s.Enum), true
	}
	if len(s.Constant) > 0 {
		v := own(s.Constant[0])
		p.constant, p.hasConst, p.constErr, needed = key(v), true, "value must be "+brief(v), true
	}
	if f := jsonschema.Formats[s.Format]; f != nil && (g.formats || s.Draft == jsonschema.Draft4 || s.Draft == jsonschema.Draft6 || s.Draft == jsonschema.Draft7) {
		p.format, needed = f, true
	}
	if s.Pattern != nil {
		p.pattern, needed = sized(s.Pattern, nil), true
	}
	for re, schema := range s.PatternProperties {
		p.patterns, needed = append(p.patterns, *sized(re, schema)), true
	}
	slices.SortFunc(p.patterns, func(a, b pattern) int { return strings.Compare(a.String(), b.String()) })
	if !needed {
		return nil
	}
	return p
}

// dynamic returns the anchor that a dynamic reference means; empty: it is as
// good as a static one.
func (g *grapher) dynamic(s *jsonschema.Schema) string {
	switch n, _ := s.Extensions[extension].(*note); {
	case s.DynamicRef == nil || s.DynamicRef.DynamicAnchor == "":
		return ""
	case n == nil: // a schema of schemas, which carries no notes
		return s.DynamicRef.DynamicAnchor
	case n.dynamic == s.DynamicRef.DynamicAnchor:
		return n.dynamic
	}
	return ""
}

func sized(re *regexp.Regexp, s *jsonschema.Schema) *pattern {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil { // it has compiled
		return &pattern{re, maxProgram, s}
	}
	return &pattern{re, programSize(tree), s}
}

func enum(list []any) map[string]struct{} {
	out := make(map[string]struct{}, len(list))
	for _, v := range list {
		out[key(own(v))] = struct{}{}
	}
	return out
}

func enumError(list []any) string {
	text := "value must be " + brief(own(list[0]))
	if len(list) == 1 {
		return text
	}
	text = "value must be one of " + brief(own(list[0]))
	for _, v := range list[1:] {
		if len(text) > maxFinding {
			break
		}
		text += ", " + brief(own(v))
	}
	return clip(text)
}
