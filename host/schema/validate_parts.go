package schema

import (
	"encoding/base64"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/fault"
)

// object applies the keywords of objects.
func (h *held) object(o *object) bool {
	s, n := h.s, len(o.names)
	ok := true
	if s.minProperties >= 0 && n < s.minProperties {
		ok = h.fail(h.at, "minimum %d properties allowed, but found %d properties", s.minProperties, n)
	}
	if s.maxProperties >= 0 && n > s.maxProperties {
		ok = h.fail(h.at, "maximum %d properties allowed, but found %d properties", s.maxProperties, n)
	}
	ok = h.required(o) && ok
	ok = h.members(o) && ok
	return h.dependencies(o) && ok
}

func (h *held) required(o *object) bool {
	h.spend(len(h.s.required) / 4)
	var missing []string
	for _, name := range h.s.required {
		if _, ok := o.at[name]; !ok {
			missing = append(missing, name)
		}
	}
	return len(missing) == 0 || h.fail(h.at, "missing properties: %s", quoted(missing))
}

// members applies what the members of an object are held to.
func (h *held) members(o *object) bool {
	s, ok := h.s, true
	if s.properties == nil && s.propertyNames == nil && s.patternProperties == nil && s.additionalProperties == nil {
		return true
	}
	h.spend(len(o.names) / 4)
	var extra []string
	for _, name := range o.names {
		at := &place{h.at, name, -1}
		v, named := o.at[name], false
		if inner := s.properties[name]; inner != nil {
			named = true
			ok = h.inside(inner, v, at) && ok
		}
		if s.propertyNames != nil {
			ok = h.inside(s.propertyNames, name, at) && ok
		}
		for i := range s.patternProperties {
			if p := &s.patternProperties[i]; h.matches(p, name) {
				named = true
				ok = h.inside(p.part, v, at) && ok
			}
		}
		if named {
			h.saw.name(name)
			continue
		}
		extra = append(extra, name)
	}
	if s.additionalProperties == nil {
		return ok
	}
	ok = h.additional(o, extra) && ok
	h.saw.everything()
	return ok
}

// additional holds the members that nothing names to additionalProperties.
func (h *held) additional(o *object, extra []string) bool {
	more, ok := h.s.additionalProperties, true
	if more.never() && len(extra) > 0 {
		return h.fail(h.at, "additionalProperties %s not allowed", quoted(h.sorted(extra)))
	}
	for _, name := range extra {
		ok = h.inside(more, o.at[name], &place{h.at, name, -1}) && ok
	}
	return ok
}

// inside holds a part of the value to a part of the schema.
func (h *held) inside(s *part, v any, at *place) bool {
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
	if s.dependentRequired == nil && s.dependentSchemas == nil {
		return true
	}
	for _, name := range o.names {
		h.spend(1)
		ok = h.needs(o, name, s.dependentRequired[name]) && ok
		if d := s.dependentSchemas[name]; d != nil {
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
	s, ok := h.s.unevaluatedProperties, true
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
	if s.minItems >= 0 && len(v) < s.minItems {
		ok = h.fail(h.at, "minimum %d items required, but found %d items", s.minItems, len(v))
	}
	if s.maxItems >= 0 && len(v) > s.maxItems {
		ok = h.fail(h.at, "maximum %d items required, but found %d items", s.maxItems, len(v))
	}
	if s.uniqueItems {
		ok = h.unique(v) && ok
	}
	ok = h.first(v) && ok
	ok = h.rest(v) && ok
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
func (h *held) first(v []any) bool {
	parts, ok := h.s.first, true
	for i := range min(len(parts), len(v)) {
		h.saw.item(i)
		ok = h.inside(parts[i], v[i], &place{h.at, "", i}) && ok
	}
	return ok
}

// rest holds all other elements to one part.
func (h *held) rest(v []any) bool {
	s, from, ok := h.s.rest, len(h.s.first), true
	if s == nil {
		return true
	}
	if h.s.restIsAdditional && s.never() && len(v) > from {
		return h.fail(h.at, "only %d items are allowed, but found %d items", from, len(v))
	}
	for i := from; i < len(v); i++ {
		ok = h.inside(s, v[i], &place{h.at, "", i}) && ok
	}
	h.saw.everything()
	return ok
}

// contains counts the elements that match.
func (h *held) contains(v []any) bool {
	s := h.s
	if s.contains == nil {
		return true
	}
	matched := 0
	for i, item := range v {
		if h.tries(func() bool { return h.inside(s.contains, item, &place{h.at, "", i}) }) {
			matched++
			if s.draft.version >= 2020 {
				h.saw.item(i)
			}
		}
	}
	ok := true
	if s.minContains >= 0 && matched < s.minContains {
		ok = h.fail(h.at, "contains: %d must match at least, but %d do", s.minContains, matched)
	}
	if s.maxContains >= 0 && matched > s.maxContains {
		ok = h.fail(h.at, "contains: %d may match at most, but %d do", s.maxContains, matched)
	}
	return ok
}

func (h *held) unevaluatedItems(v []any) bool {
	s, ok := h.s.unevaluatedItems, true
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
	if s.minLength >= 0 || s.maxLength >= 0 {
		h.spend(len(v) / 256)
		n := utf8.RuneCountInString(v)
		if s.minLength >= 0 && n < s.minLength {
			ok = h.fail(h.at, "length must be >= %d, but got %d", s.minLength, n)
		}
		if s.maxLength >= 0 && n > s.maxLength {
			ok = h.fail(h.at, "length must be <= %d, but got %d", s.maxLength, n)
		}
	}
	if s.pattern != nil && !h.matches(s.pattern, v) {
		ok = h.fail(h.at, "does not match pattern '%s'", clip(s.pattern.String()))
	}
	if s.contentEncoding != "" || s.contentMediaType != "" {
		ok = h.content(v) && ok
	}
	return ok
}

// content applies what draft 7 says of a text that holds something else.
func (h *held) content(v string) bool {
	s := h.s
	h.spend(len(v) / 64)
	b := []byte(v)
	switch s.contentEncoding {
	case "":
	case "base64":
		var err error
		if b, err = base64.StdEncoding.DecodeString(v); err != nil {
			return h.fail(h.at, "value is not %s encoded", clip(s.contentEncoding))
		}
	default: // nobody knows what it holds
		return true
	}
	if s.contentMediaType != "application/json" {
		return true
	}
	switch _, err := decode(b, valueBounds); {
	case err == nil:
		return true
	case fault.Is(err, fault.Input):
		panic(stopped{fault.As(fault.Input, err)})
	}
	return h.fail(h.at, "value is not of mediatype '%s'", clip(s.contentMediaType))
}
