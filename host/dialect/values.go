package dialect

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// text returns a text. Words that older YAML takes for booleans must be quoted.
func (s *scope) text(n need, keys ...string) string {
	t, _ := s.spelled(n, keys...)
	return t
}

// spelled is text, with the key that was used.
func (s *scope) spelled(n need, keys ...string) (value, key string) {
	v, key := s.raw(n, keys...)
	if v == nil {
		return "", key
	}
	return s.d.text(v, s.sub(key)), key
}

// text returns the text that v is.
func (d *decoder) text(v *node, path string) string {
	if v.kind != textKind {
		d.wrong(v, path, "text")
		return ""
	}
	if v.bare && oldBoolean(v.value) {
		d.fail(v.at, path, "ambiguous-word", fmt.Sprintf("quote it: %q", v.value), ambiguousWord, v.value)
		return ""
	}
	return v.value
}

// word is text that must not be blank where it is written: an id, a name that
// others refer to.
func (s *scope) word(n need, keys ...string) string {
	v, key := s.raw(n, keys...)
	if v == nil {
		return ""
	}
	t := s.d.text(v, s.sub(key))
	if v.kind == textKind && strings.TrimSpace(v.value) == "" {
		s.d.fail(v.at, s.sub(key), "text-empty", "write a word, or remove the key", "%q is empty", key)
	}
	return t
}

const ambiguousWord = "%s is text to some YAML readers and a boolean to others"

// prose is text for people, where a word that older YAML takes for a boolean
// harms nobody here: it is a warning.
func (s *scope) prose(n need, keys ...string) string {
	v, key := s.raw(n, keys...)
	if v == nil {
		return ""
	}
	return s.d.prose(v, s.sub(key))
}

func (d *decoder) prose(v *node, path string) string {
	if v.kind == textKind && v.bare && oldBoolean(v.value) {
		d.warn(v.at, path, "ambiguous-word", fmt.Sprintf("quote it: %q", v.value), ambiguousWord, v.value)
		return v.value
	}
	return d.text(v, path)
}

// oldBoolean reports whether YAML 1.1 reads a bare word as true or false where
// YAML 1.2 reads text.
func oldBoolean(s string) bool {
	switch s {
	case "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF":
		return true
	}
	return false
}

// choice returns one of a list of words, "" if none is written.
func (s *scope) choice(n need, known []string, keys ...string) string {
	v, key := s.raw(n, keys...)
	if v == nil {
		return ""
	}
	word := s.d.text(v, s.sub(key))
	if v.kind != textKind || word == "" && v.value != "" {
		return ""
	}
	for _, k := range known {
		if k == word {
			return word
		}
	}
	s.d.fail(v.at, s.sub(key), "choice-unknown", diag.DidYouMean(word, known), "%s is not one of: %s", strconv.Quote(clip(word, 40)), strings.Join(known, ", "))
	return ""
}

// flag returns a boolean and whether it is written.
func (s *scope) flag(keys ...string) (value, set bool) {
	v, key := s.raw(may, keys...)
	if v == nil {
		return false, false
	}
	if v.kind != boolKind {
		s.d.wrong(v, s.sub(key), "true or false")
		return false, true
	}
	return v.value == "true", true
}

// number returns a finite number, and whether there is one.
func (s *scope) number(n need, keys ...string) (float64, bool) {
	v, key := s.raw(n, keys...)
	if v == nil {
		return 0, false
	}
	return s.d.number(v, s.sub(key))
}

// numberIn is number within bounds, both included.
func (s *scope) numberIn(n need, lo, hi float64, keys ...string) (float64, bool) {
	v, key := s.raw(n, keys...)
	if v == nil {
		return 0, false
	}
	x, ok := s.d.number(v, s.sub(key))
	if ok && (x < lo || x > hi) {
		s.d.fail(v.at, s.sub(key), "number-range", "", "%s is %s, %s", s.sub(key), v.value, outside(lo, hi))
		return 0, false
	}
	return x, ok
}

// outside says where a number should be and is not.
func outside(lo, hi float64) string {
	if math.IsInf(hi, 0) {
		return "below " + rubric.FormatNumber(lo)
	}
	return "not in " + rubric.FormatNumber(lo) + ".." + rubric.FormatNumber(hi)
}

// number returns the finite number that v is.
func (d *decoder) number(v *node, path string) (float64, bool) {
	if v.kind != numberKind {
		d.wrong(v, path, "a number")
		return 0, false
	}
	x, why := parseNumber(v.value)
	if why != "" {
		d.fail(v.at, path, "number-form", "write a finite decimal number such as 0.5", "%s %s: %s", label(path), why, clip(v.value, 40))
		return 0, false
	}
	return x, true
}

// integer returns a whole number of at least low, 0 if none is written.
func (s *scope) integer(n need, low int, keys ...string) (int, bool) {
	v, key := s.raw(n, keys...)
	if v == nil {
		return 0, false
	}
	x, ok := s.d.number(v, s.sub(key))
	if ok && (x != math.Trunc(x) || x < float64(low) || x > 1<<31) {
		s.d.fail(v.at, s.sub(key), "number-range", "", "%s wants a whole number of at least %d, not %s", s.sub(key), low, v.value)
		return 0, false
	}
	return int(x), ok
}

// weight returns a weight within bounds with its literal; the default if none
// is written.
func (s *scope) weight(n need, lo, hi float64, otherwise rubric.Weight, keys ...string) rubric.Weight {
	v, key := s.raw(n, keys...)
	if v == nil {
		return otherwise
	}
	x, ok := s.d.number(v, s.sub(key))
	if !ok {
		return otherwise
	}
	if x < lo || x > hi {
		s.d.fail(v.at, s.sub(key), "weight-range", "", "the weight %s is %s", v.value, outside(lo, hi))
		return otherwise
	}
	return rubric.Weight{Value: x, Literal: v.value}
}

// list returns the elements of a list; nil if there is none, empty if it is.
func (s *scope) list(n need, keys ...string) ([]*node, string) {
	v, key := s.raw(n, keys...)
	if v == nil {
		return nil, s.sub(keys[0])
	}
	if v.kind != listKind {
		s.d.wrong(v, s.sub(key), "a list")
		return nil, s.sub(key)
	}
	return v.items, s.sub(key)
}

// texts returns a list of texts; a single text is one where single says so.
func (s *scope) texts(single bool, keys ...string) []string {
	v, key := s.raw(may, keys...)
	if v == nil {
		return nil
	}
	if single && v.kind == textKind {
		return []string{s.d.text(v, s.sub(key))}
	}
	if v.kind != listKind {
		s.d.wrong(v, s.sub(key), "a list of texts")
		return nil
	}
	out := make([]string, 0, len(v.items))
	for i, item := range v.items {
		out = append(out, s.d.text(item, at(s.sub(key), i)))
	}
	return out
}

// free returns an object whose keys are free; nil if none is written.
func (s *scope) free(keys ...string) map[string]any {
	v, key := s.raw(may, keys...)
	if v == nil {
		return nil
	}
	if v.kind != objectKind {
		s.d.wrong(v, s.sub(key), "an object")
		return nil
	}
	m, _ := s.d.value(v, s.sub(key)).(map[string]any)
	return m
}

// any returns a value of any form; nil if none is written.
func (s *scope) any(keys ...string) any {
	v, key := s.raw(may, keys...)
	if v == nil {
		return nil
	}
	return s.d.value(v, s.sub(key))
}
