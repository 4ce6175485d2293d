package dialect

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
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
	if v.Kind != document.Text {
		d.wrong(v, path, "text")
		return ""
	}
	if v.Bare && document.OldBoolean(v.Value) {
		d.fail(v.At, path, "ambiguous-word", fmt.Sprintf("quote it: %q", v.Value), ambiguousWord, v.Value)
		return ""
	}
	return v.Value
}

// word is text that must not be blank where it is written: an id, a name that
// others refer to.
func (s *scope) word(n need, keys ...string) string {
	v, key := s.raw(n, keys...)
	if v == nil {
		return ""
	}
	t := s.d.text(v, s.sub(key))
	if v.Kind == document.Text && strings.TrimSpace(v.Value) == "" {
		s.d.fail(v.At, s.sub(key), "text-empty", "write a word, or remove the key", "%q is empty", key)
	}
	return t
}

const ambiguousWord = "%s is text to some YAML readers and a boolean to others"

// prose is text for people, where a word that older YAML takes for a boolean
// does no harm here: it is a warning.
func (s *scope) prose(n need, keys ...string) string {
	v, key := s.raw(n, keys...)
	if v == nil {
		return ""
	}
	return s.d.prose(v, s.sub(key))
}

func (d *decoder) prose(v *node, path string) string {
	if v.Kind == document.Text && v.Bare && document.OldBoolean(v.Value) {
		d.warn(v.At, path, "ambiguous-word", fmt.Sprintf("quote it: %q", v.Value), ambiguousWord, v.Value)
		return v.Value
	}
	return d.text(v, path)
}

// choice returns one of a list of words, "" if none is written.
func (s *scope) choice(n need, known []string, keys ...string) string {
	v, key := s.raw(n, keys...)
	if v == nil {
		return ""
	}
	word := s.d.text(v, s.sub(key))
	if v.Kind != document.Text || word == "" && v.Value != "" {
		return ""
	}
	if slices.Contains(known, word) {
		return word
	}
	s.d.fail(v.At, s.sub(key), "choice-unknown", diag.DidYouMean(word, known), "%s is not one of: %s", strconv.Quote(fault.Clip(word, 40)), strings.Join(known, ", "))
	return ""
}

// flag returns a boolean and whether it is written.
func (s *scope) flag(keys ...string) (value, set bool) {
	v, key := s.raw(may, keys...)
	if v == nil {
		return false, false
	}
	if v.Kind != document.Boolean {
		s.d.wrong(v, s.sub(key), "true or false")
		return false, true
	}
	return v.Value == "true", true
}

// number returns a finite number, and whether there is one.
func (s *scope) number(n need, keys ...string) (float64, bool) {
	v, key := s.raw(n, keys...)
	if v == nil {
		return 0, false
	}
	return s.d.number(v, s.sub(key))
}

// numberTo is number from 0 to a bound, both included.
func (s *scope) numberTo(n need, hi float64, keys ...string) (float64, bool) {
	v, key := s.raw(n, keys...)
	if v == nil {
		return 0, false
	}
	x, ok := s.d.number(v, s.sub(key))
	if ok && (x < 0 || x > hi) {
		s.d.fail(v.At, s.sub(key), "number-range", "", "%s is %s, %s", s.sub(key), v.Value, outside(hi))
		return 0, false
	}
	return x, ok
}

// outside says how a number misses its range from 0 to hi.
func outside(hi float64) string {
	if math.IsInf(hi, 0) {
		return "below 0"
	}
	return "not in 0.." + rubric.FormatNumber(hi)
}

// number returns the finite number that v is.
func (d *decoder) number(v *node, path string) (float64, bool) {
	if v.Kind != document.Number {
		d.wrong(v, path, "a number")
		return 0, false
	}
	x, why := parseNumber(v.Value)
	if why != "" {
		d.fail(v.At, path, "number-form", "write a finite decimal number such as 0.5", "%s %s: %s", label(path), why, fault.Clip(v.Value, 40))
		return 0, false
	}
	return x, true
}

// integer returns a whole number of at least low, 0 if none is written.
func (s *scope) integer(low int, keys ...string) (int, bool) {
	v, key := s.raw(may, keys...)
	if v == nil {
		return 0, false
	}
	x, ok := s.d.number(v, s.sub(key))
	if ok && (x != math.Trunc(x) || x < float64(low) || x > 1<<31) {
		s.d.fail(v.At, s.sub(key), "number-range", "", "%s must be a whole number of at least %d, not %s", s.sub(key), low, v.Value)
		return 0, false
	}
	return int(x), ok
}

// integers returns a list of whole numbers.
func (s *scope) integers(key string) []int {
	list, path := s.list(may, key)
	var out []int
	for i, v := range list {
		x, ok := s.d.number(v, document.Index(path, i))
		if ok && (x != math.Trunc(x) || math.Abs(x) > 1<<31) {
			s.d.fail(v.At, document.Index(path, i), "number-range", "", "%s must be a whole number, not %s", document.Index(path, i), v.Value)
			ok = false
		}
		if ok {
			out = append(out, int(x))
		}
	}
	return out
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
		s.d.fail(v.At, s.sub(key), "weight-range", "", "the weight %s is %s", v.Value, outside(hi))
		return otherwise
	}
	return rubric.Weight{Value: x, Literal: v.Value}
}

// list returns the elements of a list; nil if there is none, empty if it is.
func (s *scope) list(n need, keys ...string) ([]*node, string) {
	v, key := s.raw(n, keys...)
	if v == nil {
		return nil, s.sub(keys[0])
	}
	if v.Kind != document.List {
		s.d.wrong(v, s.sub(key), "a list")
		return nil, s.sub(key)
	}
	return v.Items, s.sub(key)
}

// texts returns a list of texts; a single text is one where single says so.
func (s *scope) texts(single bool, keys ...string) []string {
	v, key := s.raw(may, keys...)
	if v == nil {
		return nil
	}
	if single && v.Kind == document.Text {
		return []string{s.d.text(v, s.sub(key))}
	}
	if v.Kind != document.List {
		s.d.wrong(v, s.sub(key), "a list of texts")
		return nil
	}
	out := make([]string, 0, len(v.Items))
	for i, item := range v.Items {
		out = append(out, s.d.text(item, document.Index(s.sub(key), i)))
	}
	return out
}

// free returns an object whose keys are free; nil if none is written.
func (s *scope) free(keys ...string) map[string]any {
	v, key := s.raw(may, keys...)
	if v == nil {
		return nil
	}
	if v.Kind != document.Object {
		s.d.wrong(v, s.sub(key), "an object")
		return nil
	}
	m, _ := s.d.value(v, s.sub(key)).(map[string]any)
	return m
}
