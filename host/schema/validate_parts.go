package schema

import (
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rubric-host/rubric-host/host/fault"
)

// object applies the keywords of objects.
func (h *held) object(o *object) bool {
	s, n := h.s, len(o.names)
	ok := true
	if s.MinProperties >= 0 && n < s.MinProperties {
		ok = h.fail(h.at, "minimum %d properties allowed, but found %d properties", s.MinProperties, n)
	}
	if s.MaxProperties >= 0 && n > s.MaxProperties {
		ok = h.fail(h.at, "maximum %d properties allowed, but found %d properties", s.MaxProperties, n)
	}
	ok = h.required(o) && ok
	ok = h.members(o) && ok
	return h.dependencies(o) && ok
}

func (h *held) required(o *object) bool {
	h.spend(len(h.s.Required) / 4)
	var missing []string
	for _, name := range h.s.Required {
		if _, ok := o.at[name]; !ok {
			missing = append(missing, name)
		}
	}
	return len(missing) == 0 || h.fail(h.at, "missing properties: %s", quoted(missing))
}

// members applies what the members of an object are held to.
func (h *held) members(o *object) bool {
	s, ok := h.s, true
	if s.Properties == nil && s.PropertyNames == nil && s.PatternProperties == nil && s.AdditionalProperties == nil && !s.RegexProperties {
		return true
	}
	h.spend(len(o.names) / 4)
	var extra []string
	for _, name := range o.names {
		at := &place{h.at, name, -1}
		v, named := o.at[name], false
		if inner := s.Properties[name]; inner != nil {
			named = true
			ok = h.inside(inner, v, at) && ok
		}
		if s.PropertyNames != nil {
			ok = h.inside(s.PropertyNames, name, at) && ok
		}
		if s.RegexProperties && !isRegex(name) {
			ok = h.fail(h.at, "patternProperty '%s' is not valid regex", clip(name))
		}
		for i := range h.p.patterns {
			if p := &h.p.patterns[i]; h.matches(p, name) {
				named = true
				ok = h.inside(p.schema, v, at) && ok
			}
		}
		if named {
			h.saw.name(name)
			continue
		}
		extra = append(extra, name)
	}
	if s.AdditionalProperties == nil {
		return ok
	}
	ok = h.additional(o, extra) && ok
	h.saw.everything()
	return ok
}

// additional holds the members that nothing names to additionalProperties.
func (h *held) additional(o *object, extra []string) bool {
	ok := true
	switch more := h.s.AdditionalProperties.(type) {
	case bool:
		if !more && len(extra) > 0 {
			return h.fail(h.at, "additionalProperties %s not allowed", quoted(h.sorted(extra)))
		}
	case *jsonschema.Schema:
		for _, name := range extra {
			ok = h.inside(more, o.at[name], &place{h.at, name, -1}) && ok
		}
	}
	return ok
}

// inside holds a part of the value to a part of the schema.
func (h *held) inside(s *jsonschema.Schema, v any, at *place) bool {
	ok, _ := h.hold(s, v, at, 0)
	return ok
}

// matches holds text to a pattern.
func (h *held) matches(p *pattern, text string) bool {
	h.spend(4 + len(text)*p.size/32)
	return p.MatchString(text)
}

// dependencies applies what the presence of a member asks for.
func (h *held) dependencies(o *object) bool {
	s, ok := h.s, true
	if s.Dependencies == nil && s.DependentRequired == nil && s.DependentSchemas == nil {
		return true
	}
	for _, name := range o.names {
		h.spend(1)
		switch d := s.Dependencies[name].(type) {
		case *jsonschema.Schema:
			ok = h.inPlace(d) && ok
		case []string:
			ok = h.needs(o, name, d) && ok
		}
		ok = h.needs(o, name, s.DependentRequired[name]) && ok
		if d := s.DependentSchemas[name]; d != nil {
			ok = h.inPlace(d) && ok
		}
	}
	return ok
}

func (h *held) needs(o *object, name string, needed []string) bool {
	ok := true
	h.spend(len(needed) / 4)
	for _, other := range needed {
		if _, is := o.at[other]; !is {
			ok = h.fail(h.at, "property '%s' is required, if '%s' property exists", clip(other), clip(name))
		}
	}
	return ok
}

func (h *held) unevaluatedProperties(o *object) bool {
	s, ok := h.s.UnevaluatedProperties, true
	if s == nil {
		return true
	}
	if !h.saw.all {
		for _, name := range o.names {
			if _, seen := h.saw.names[name]; !seen {
				ok = h.inside(s, o.at[name], &place{h.at, name, -1}) && ok
			}
		}
	}
	h.saw.everything()
	return ok
}

// list applies the keywords of lists.
func (h *held) list(v []any) bool {
	s, ok := h.s, true
	if s.MinItems >= 0 && len(v) < s.MinItems {
		ok = h.fail(h.at, "minimum %d items required, but found %d items", s.MinItems, len(v))
	}
	if s.MaxItems >= 0 && len(v) > s.MaxItems {
		ok = h.fail(h.at, "maximum %d items required, but found %d items", s.MaxItems, len(v))
	}
	if s.UniqueItems {
		ok = h.unique(v) && ok
	}
	switch items := s.Items.(type) { // up to draft 2019-09
	case *jsonschema.Schema:
		ok = h.rest(items, v, 0) && ok
	case []*jsonschema.Schema:
		ok = h.first(items, v) && ok
		ok = h.additionalItems(v, len(items)) && ok
	}
	ok = h.first(s.PrefixItems, v) && ok
	if s.Items2020 != nil {
		ok = h.rest(s.Items2020, v, len(s.PrefixItems)) && ok
	}
	return h.contains(v) && ok
}

// unique looks for equal elements.
func (h *held) unique(v []any) bool {
	seen := make(map[string]int, len(v))
	for i, item := range v {
		k := h.keyOf(item)
		if j, twice := seen[k]; twice {
			return h.fail(h.at, "items at index %d and %d are equal", j, i)
		}
		seen[k] = i
	}
	return true
}

// first holds the first elements to parts of their own.
func (h *held) first(parts []*jsonschema.Schema, v []any) bool {
	ok := true
	for i := range min(len(parts), len(v)) {
		h.saw.item(i)
		ok = h.inside(parts[i], v[i], &place{h.at, "", i}) && ok
	}
	return ok
}

// rest holds the elements from an index on to one part.
func (h *held) rest(s *jsonschema.Schema, v []any, from int) bool {
	ok := true
	for i := from; i < len(v); i++ {
		ok = h.inside(s, v[i], &place{h.at, "", i}) && ok
	}
	h.saw.everything()
	return ok
}

func (h *held) additionalItems(v []any, from int) bool {
	switch more := h.s.AdditionalItems.(type) {
	case *jsonschema.Schema:
		return h.rest(more, v, from)
	case bool:
		if !more && len(v) > from {
			return h.fail(h.at, "only %d items are allowed, but found %d items", from, len(v))
		}
		h.saw.everything()
	}
	return true
}

// contains counts the elements that match.
func (h *held) contains(v []any) bool {
	s := h.s
	if s.Contains == nil {
		return true
	}
	matched := 0
	for i, item := range v {
		if h.tries(func() bool { return h.inside(s.Contains, item, &place{h.at, "", i}) }) {
			matched++
			if s.ContainsEval {
				h.saw.item(i)
			}
		}
	}
	ok := true
	if s.MinContains >= 0 && matched < s.MinContains {
		ok = h.fail(h.at, "contains: %d must match at least, but %d do", s.MinContains, matched)
	}
	if s.MaxContains >= 0 && matched > s.MaxContains {
		ok = h.fail(h.at, "contains: %d may match at most, but %d do", s.MaxContains, matched)
	}
	return ok
}

func (h *held) unevaluatedItems(v []any) bool {
	s, ok := h.s.UnevaluatedItems, true
	if s == nil {
		return true
	}
	if !h.saw.all {
		for i, item := range v {
			if _, seen := h.saw.items[i]; !seen {
				ok = h.inside(s, item, &place{h.at, "", i}) && ok
			}
		}
	}
	h.saw.everything()
	return ok
}

// text applies the keywords of texts.
func (h *held) text(v string) bool {
	s, ok := h.s, true
	if s.MinLength >= 0 || s.MaxLength >= 0 {
		h.spend(len(v) / 256)
		n := utf8.RuneCountInString(v)
		if s.MinLength >= 0 && n < s.MinLength {
			ok = h.fail(h.at, "length must be >= %d, but got %d", s.MinLength, n)
		}
		if s.MaxLength >= 0 && n > s.MaxLength {
			ok = h.fail(h.at, "length must be <= %d, but got %d", s.MaxLength, n)
		}
	}
	if h.p.pattern != nil && !h.matches(h.p.pattern, v) {
		ok = h.fail(h.at, "does not match pattern '%s'", clip(s.Pattern.String()))
	}
	if s.Draft == jsonschema.Draft7 && (s.ContentEncoding != "" || s.ContentMediaType != "") {
		ok = h.content(v) && ok
	}
	return ok
}

// content applies what draft 7 says of a text that holds something else.
func (h *held) content(v string) bool {
	s := h.s
	h.spend(len(v) / 64)
	b, decoder := []byte(v), jsonschema.Decoders[s.ContentEncoding]
	if decoder != nil {
		var err error
		if b, err = decoder(v); err != nil {
			return h.fail(h.at, "value is not %s encoded", clip(s.ContentEncoding))
		}
	}
	if s.ContentMediaType != "application/json" || s.ContentEncoding != "" && decoder == nil {
		return true
	}
	switch _, err := decode(b, valueBounds); {
	case err == nil:
		return true
	case fault.Is(err, fault.Input):
		panic(stopped{fault.As(fault.Input, err)})
	}
	return h.fail(h.at, "value is not of mediatype '%s'", clip(s.ContentMediaType))
}
