package schema

import (
	"math"
	"math/big"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// keywords are what an object of a schema says, on its way into a part. Values of
// a kind that the schema of schemas does not allow say nothing.
type keywords struct {
	*reader
	*part
	*object
	err error // the first
}

// read reads every keyword.
func (k *keywords) read() {
	k.references()
	if _, refers := k.at["$ref"].(string); refers && k.draft.version <= 7 {
		return // what is beside a reference counts no more
	}
	k.values()
	k.numbers()
	k.texts()
	k.combined()
	k.ofObjects()
	k.ofLists()
	if k.draft.version >= 2019 {
		k.part.unevaluatedProperties, k.part.unevaluatedItems = k.one("unevaluatedProperties"), k.one("unevaluatedItems")
		k.tracks = k.tracks || k.part.unevaluatedProperties != nil || k.part.unevaluatedItems != nil
	}
}

// of reads a schema within this one.
func (k *keywords) of(v any) *part {
	if k.err != nil {
		return nil
	}
	var p *part
	p, k.err = k.reader.part(v, k.home)
	return p
}

// one reads the schema of a keyword, nil if there is none.
func (k *keywords) one(keyword string) *part {
	if v, ok := k.at[keyword]; ok {
		return k.of(v)
	}
	return nil
}

// list reads the schemas of a keyword.
func (k *keywords) list(keyword string) (out []*part) {
	list, _ := k.at[keyword].([]any)
	for _, v := range list {
		out = append(out, k.of(v))
	}
	return out
}

// each calls visit with every member of a keyword's object.
func (k *keywords) each(keyword string, visit func(name string, v any)) {
	if o, ok := k.at[keyword].(*object); ok {
		for _, name := range o.names {
			visit(name, o.at[name])
		}
	}
}

// to reads a reference.
func (k *keywords) to(keyword string) (*part, any) {
	ref, ok := k.at[keyword].(string)
	if !ok || k.err != nil {
		return nil, nil
	}
	var p *part
	var v any
	p, v, k.err = k.follow(ref, k.home)
	return p, v
}

func (k *keywords) references() {
	k.part.ref, _ = k.to("$ref")
	if k.draft.version >= 2019 {
		k.part.recursiveRef, _ = k.to("$recursiveRef")
		k.part.recursiveAnchor, _ = k.at["$recursiveAnchor"].(bool)
	}
	if k.draft.version >= 2020 {
		var to any
		k.part.dynamicRef, to = k.to("$dynamicRef")
		ref, _ := k.at["$dynamicRef"].(string)
		_, name := split(ref)
		if o, ok := to.(*object); ok && name != "" && o.at["$dynamicAnchor"] == name {
			k.part.dynamic = name
		}
	}
}

// values reads what any value can be held to.
func (k *keywords) values() {
	switch t := k.at["type"].(type) {
	case string:
		k.part.types = []string{t}
	case []any:
		k.part.types = textsOf(t)
	}
	k.part.typeWords = strings.Join(slices.Sorted(slices.Values(k.part.types)), " or ")
	if list, ok := k.at["enum"].([]any); ok {
		k.part.enum, k.part.enumWords = make(map[string]struct{}, len(list)), enumWords(list)
		for _, v := range list {
			k.part.enum[key(v)] = struct{}{}
		}
	}
	if v, ok := k.at["const"]; ok && k.draft.version >= 6 {
		text := key(v)
		k.part.constant, k.part.constWord = &text, "value must be "+brief(v)
	}
	if name, _ := k.at["format"].(string); k.formats || k.draft.asserts() {
		k.part.format = formatOf(name)
	}
}

func enumWords(list []any) string {
	switch len(list) {
	case 0:
		return "no value is allowed"
	case 1:
		return "value must be " + brief(list[0])
	}
	text := "value must be one of " + brief(list[0])
	for _, v := range list[1:] {
		if len(text) > maxFinding {
			break
		}
		text += ", " + brief(v)
	}
	return clip(text)
}

func (k *keywords) numbers() {
	p := k.part
	p.minimum, p.maximum, p.multipleOf = k.rat("minimum"), k.rat("maximum"), k.rat("multipleOf")
	p.exclusiveMinimum, p.exclusiveMaximum = k.rat("exclusiveMinimum"), k.rat("exclusiveMaximum")
	if k.at["exclusiveMinimum"] == true { // as draft 4 has it
		p.minimum, p.exclusiveMinimum = nil, p.minimum
	}
	if k.at["exclusiveMaximum"] == true {
		p.maximum, p.exclusiveMaximum = nil, p.maximum
	}
}

func (k *keywords) rat(keyword string) *big.Rat {
	if n, ok := k.at[keyword].(*number); ok {
		return n.rat()
	}
	return nil
}

// count reads a whole number that is not negative.
func (k *keywords) count(keyword string) int {
	r := k.rat(keyword)
	switch {
	case r == nil || !r.IsInt() || r.Sign() < 0:
		return none
	case !r.Num().IsInt64() || r.Num().Int64() > math.MaxInt32:
		return math.MaxInt32
	}
	return int(r.Num().Int64())
}

func (k *keywords) texts() {
	p := k.part
	p.minLength, p.maxLength = k.count("minLength"), k.count("maxLength")
	if text, ok := k.at["pattern"].(string); ok {
		p.pattern = k.compiled(text, nil)
	}
	if k.draft.version == 7 {
		p.contentEncoding, _ = k.at["contentEncoding"].(string)
		p.contentMediaType, _ = k.at["contentMediaType"].(string)
	}
}

// compiled compiles a pattern.
func (k *keywords) compiled(text string, p *part) *pattern {
	tree, err := syntax.Parse(text, syntax.Perl)
	re, compiling := regexp.Compile(text)
	if err != nil || compiling != nil {
		if k.err == nil {
			k.err = compiling
		}
		return nil
	}
	return &pattern{re, programSize(tree), p}
}

func (k *keywords) combined() {
	p := k.part
	p.not, p.allOf, p.anyOf, p.oneOf = k.one("not"), k.list("allOf"), k.list("anyOf"), k.list("oneOf")
	if _, ok := k.at["if"]; ok && k.draft.version >= 7 {
		p.when, p.then, p.otherwise = k.one("if"), k.one("then"), k.one("else")
	}
}

func (k *keywords) ofObjects() {
	p := k.part
	p.minProperties, p.maxProperties = k.count("minProperties"), k.count("maxProperties")
	if list, ok := k.at["required"].([]any); ok {
		p.required = textsOf(list)
	}
	k.each("properties", func(name string, v any) { put(&p.properties, name, k.of(v)) })
	k.each("patternProperties", func(text string, v any) {
		if re := k.compiled(text, k.of(v)); re != nil {
			p.patternProperties = append(p.patternProperties, *re)
		}
	})
	slices.SortFunc(p.patternProperties, func(a, b pattern) int { return strings.Compare(a.String(), b.String()) })
	p.additionalProperties = k.one("additionalProperties")
	if k.draft.version >= 6 {
		p.propertyNames = k.one("propertyNames")
	}
	k.dependent("dependencies")
	if k.draft.version >= 2019 {
		k.dependent("dependentSchemas")
		k.dependent("dependentRequired")
	}
}

// dependent reads what the presence of a member asks for.
func (k *keywords) dependent(keyword string) {
	k.each(keyword, func(name string, v any) {
		if list, ok := v.([]any); ok {
			put(&k.part.dependentRequired, name, append(k.part.dependentRequired[name], textsOf(list)...))
			return
		}
		to := k.of(v)
		if before := k.part.dependentSchemas[name]; before != nil { // both spellings are there
			both := newPart(k.draft, k.home)
			both.allOf = []*part{before, to}
			to = both
		}
		put(&k.part.dependentSchemas, name, to)
	})
}

func (k *keywords) ofLists() {
	p := k.part
	p.minItems, p.maxItems = k.count("minItems"), k.count("maxItems")
	p.uniqueItems, _ = k.at["uniqueItems"].(bool)
	_, isList := k.at["items"].([]any)
	switch {
	case k.draft.version >= 2020:
		p.first, p.rest = k.list("prefixItems"), k.one("items")
	case isList:
		p.first, p.rest, p.restIsAdditional = k.list("items"), k.one("additionalItems"), true
	default:
		p.rest = k.one("items")
	}
	if k.draft.version >= 6 {
		p.contains = k.one("contains")
	}
	if n := k.count("minContains"); n != none && k.draft.version >= 2019 {
		p.minContains = n
	}
	if k.draft.version >= 2019 {
		p.maxContains = k.count("maxContains")
	}
}

// textsOf returns the texts of a list.
func textsOf(list []any) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func put[V any](m *map[string]V, name string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[name] = v
}
