package dialect

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// A scope reads one object strictly: what is asked for is known, and whatever
// is left when it closes is an unknown key. Every getter reports what it finds
// wrong at its place and returns a zero value.
type scope struct {
	d     *decoder
	n     *node
	path  string // of the object in the document; empty for the document itself
	what  string // "criterion", "level", ... for messages and suggestions
	asked []string
	used  []bool
}

// A need says whether a key must be there.
type need bool

const (
	must need = true
	may  need = false
)

// object opens n for reading, nil if it is not an object.
func (d *decoder) object(n *node, path, what string) *scope {
	if n == nil {
		return nil
	}
	if n.kind != objectKind {
		d.wrong(n, path, "an object: "+what)
		return nil
	}
	if v := d.vocabulary(what); v != nil {
		for i := range n.members {
			v.written[n.members[i].key] = true
		}
	}
	return &scope{d: d, n: n, path: path, what: what, asked: make([]string, 0, 16), used: make([]bool, len(n.members))}
}

// wrong reports a value of another kind than wanted.
func (d *decoder) wrong(n *node, path, want string) {
	hint := ""
	switch {
	case n.kind == nullKind:
		d.fail(n.at, path, "value-missing", "write "+want+", or remove the key", "%s has no value", label(path))
		return
	case strings.HasPrefix(want, "text") && (n.kind == numberKind || n.kind == boolKind):
		hint = fmt.Sprintf("quote it: %q", n.value)
	case strings.HasPrefix(want, "a number") && n.kind == textKind && isNumber(strings.TrimSpace(n.value)):
		hint = "remove the quotes: " + strings.TrimSpace(n.value)
	case strings.HasPrefix(want, "true or false") && n.kind == textKind:
		hint = "write true or false, without quotes"
	}
	d.fail(n.at, path, "wrong-type", hint, "%s wants %s, not %s", label(path), want, shown(n))
}

// label is how a message calls an element.
func label(path string) string {
	if path == "" {
		return "the document"
	}
	return path
}

// shown describes a value in a message: scalars with what is written.
func shown(n *node) string {
	switch n.kind {
	case boolKind, numberKind:
		return n.kind.String() + " " + clip(n.value, 40)
	case textKind:
		return "the text " + strconv.Quote(clip(n.value, 40))
	}
	return n.kind.String()
}

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// sub returns the path of a member.
func (s *scope) sub(key string) string { return join(s.path, key) }

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func at(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// ask marks keys as known and returns the member that has one of them. Two
// spellings of one thing at once are an error.
func (s *scope) ask(keys ...string) *member {
	if s == nil {
		return nil
	}
	s.asked = append(s.asked, keys...)
	if v := s.d.vocabulary(s.what); v != nil {
		for _, key := range keys {
			v.asked[key] = true
		}
	}
	var found *member
	for i := range s.n.members {
		m := &s.n.members[i]
		for _, key := range keys {
			if m.key != key {
				continue
			}
			s.used[i] = true
			if found != nil {
				s.d.fail(m.at, s.sub(m.key), "said-twice", "remove one of the two", "%q and %q mean the same", found.key, m.key)
				continue
			}
			found = m
		}
	}
	return found
}

// known marks keys as known; their values are kept in the document and not read.
func (s *scope) known(keys ...string) {
	for _, key := range keys {
		if m := s.ask(key); m != nil {
			s.d.kept = append(s.d.kept, s.sub(key))
		}
	}
}

// raw returns the value of the first of keys that is written, nil if none is or
// it is null. A key that must be there and is not is reported.
func (s *scope) raw(n need, keys ...string) (*node, string) {
	if s == nil {
		return nil, ""
	}
	m := s.ask(keys...)
	switch {
	case m == nil && n == must:
		s.d.fail(s.n.at, s.sub(keys[0]), "key-missing", "", "%s needs %q", s.name(), keys[0])
	case m == nil:
	case m.value.kind == nullKind && n == must:
		s.d.fail(m.at, s.sub(m.key), "value-missing", "", "%q has no value", m.key)
	case m.value.kind == nullKind:
		if m.value.empty {
			s.d.warn(m.at, s.sub(m.key), "value-missing", "write a value, or remove the key", "%q has no value", m.key)
		}
	default:
		return m.value, m.key
	}
	return nil, ""
}

func (s *scope) name() string {
	switch {
	case s.path == "":
		return "the document"
	case s.what == "":
		return s.path
	}
	return "the " + s.what
}

// close reports the keys that nobody asked for.
func (s *scope) close() {
	if s == nil {
		return
	}
	for i := range s.n.members {
		if s.used[i] || s.d.full() {
			continue
		}
		m := &s.n.members[i]
		s.d.fail(m.at, s.sub(m.key), "unknown-key", diag.DidYouMean(m.key, s.asked), "unknown key %q in %s", clip(m.key, 60), s.name())
	}
}

// suggest marks keys as known without reading them, for documents whose shape
// is in doubt.
func (s *scope) suggest(keys ...string) {
	s.asked = append(s.asked, keys...)
	for i := range s.n.members {
		s.used[i] = s.used[i] || slices.Contains(keys, s.n.members[i].key)
	}
}

// ignore marks every key as known.
func (s *scope) ignore() {
	for i := range s.used {
		s.used[i] = true
	}
}

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
