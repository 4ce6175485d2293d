package strict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// An Object is one object that is read strictly: Close reports the keys that were not
// asked for. A method that finds an invalid value reports it, and returns a zero value.
// Where a method takes several keys, they are spellings of one.
type Object struct {
	Node *document.Node
	Path string // in the document; empty for the document itself

	reader *Reader
	what   string // "criterion", "level", ... for messages and suggestions
	asked  []string
	used   []bool
}

// A Need says whether a key must be written.
type Need bool

// Needs.
const (
	Must Need = true
	May  Need = false
)

// Object opens n for reading, nil if it is not an object. what is its kind, for messages.
func (r *Reader) Object(n *document.Node, path, what string) *Object {
	if n == nil {
		return nil
	}
	if n.Kind != document.Object {
		r.Wrong(n, path, "an object: "+what)
		return nil
	}
	if r.Seen != nil {
		for i := range n.Members {
			r.Seen(what, n.Members[i].Key, false)
		}
	}
	return &Object{reader: r, Node: n, Path: path, what: what, asked: make([]string, 0, 16), used: make([]bool, len(n.Members))}
}

// Sub returns the path of a member.
func (o *Object) Sub(key string) string { return document.Join(o.Path, key) }

// Ask marks keys as known, and returns the member that has one of them. Two spellings of
// a key at once are an error.
func (o *Object) Ask(keys ...string) *document.Member {
	for _, key := range keys {
		if !slices.Contains(o.asked, key) { // hints name it once
			o.asked = append(o.asked, key)
		}
	}
	if o.reader.Seen != nil {
		for _, key := range keys {
			o.reader.Seen(o.what, key, true)
		}
	}
	var found *document.Member
	for i := range o.Node.Members {
		m := &o.Node.Members[i]
		for _, key := range keys {
			if m.Key != key {
				continue
			}
			o.used[i] = true
			if found != nil {
				o.reader.Fail(m.At, o.Sub(m.Key), "said-twice", "remove one of the two", "%q and %q mean the same", found.Key, m.Key)
				continue
			}
			found = m
		}
	}
	return found
}

// Raw returns the value of a key, and the spelling that was used; nil if it is not written
// or null.
func (o *Object) Raw(need Need, keys ...string) (*document.Node, string) {
	m, r := o.Ask(keys...), o.reader
	switch {
	case m == nil && need == Must:
		r.Fail(o.Node.At, o.Sub(keys[0]), "key-missing", "", "%s needs %q", o.name(), keys[0])
	case m == nil:
	case m.Value.Kind == document.Null && (need == Must || r.NoNulls):
		r.Fail(m.At, o.Sub(m.Key), "value-missing", "write a value, or remove the key", "%q has no value", m.Key)
	case m.Value.Kind == document.Null:
		if m.Value.Empty {
			r.Warn(m.At, o.Sub(m.Key), "value-missing", "write a value, or remove the key", "%q has no value", m.Key)
		}
	default:
		return m.Value, m.Key
	}
	return nil, ""
}

func (o *Object) name() string {
	if o.Path == "" || o.what == "" {
		return o.reader.label(o.Path)
	}
	return "the " + o.what
}

// nearest is the hint for an unknown key.
func (o *Object) nearest(key string) string {
	for _, ours := range strings.Fields(o.reader.Synonyms[strings.ToLower(key)]) {
		if slices.Contains(o.asked, ours) {
			return fmt.Sprintf("did you mean %q?", ours)
		}
	}
	return diag.DidYouMean(key, o.asked)
}

// Close reports the unknown keys.
func (o *Object) Close() {
	for i := range o.Node.Members {
		if o.used[i] || o.reader.Full() {
			continue
		}
		m := &o.Node.Members[i]
		o.reader.Fail(m.At, o.Sub(m.Key), "unknown-key", o.nearest(m.Key), "unknown key %q in %s", fault.Clip(m.Key, 60), o.name())
	}
}

// Suggest marks keys as known without reading them, for objects whose shape is in doubt.
func (o *Object) Suggest(keys ...string) {
	o.asked = append(o.asked, keys...)
	for i := range o.Node.Members {
		o.used[i] = o.used[i] || slices.Contains(keys, o.Node.Members[i].Key)
	}
}

// Ignore marks every key as known.
func (o *Object) Ignore() {
	for i := range o.used {
		o.used[i] = true
	}
}

// Unread returns the members whose key is one of the map and was not asked for. They are
// known from then on.
func (o *Object) Unread(keys map[string]string) []*document.Member {
	var out []*document.Member
	for i := range o.Node.Members {
		if m := &o.Node.Members[i]; !o.used[i] && keys[m.Key] != "" {
			o.used[i] = true
			out = append(out, m)
		}
	}
	return out
}

// read returns the value of a key as f reads it, the zero value if none is written.
func read[T any](o *Object, need Need, keys []string, f func(r *Reader, n *document.Node, path string) T) (v T) {
	if n, key := o.Raw(need, keys...); n != nil {
		v = f(o.reader, n, o.Sub(key))
	}
	return v
}

// Text returns a text. Words that older YAML takes for booleans must be quoted.
func (o *Object) Text(need Need, keys ...string) string { return read(o, need, keys, (*Reader).Text) }

// Word is Text that must not be blank where it is written: an id, a name that others
// refer to.
func (o *Object) Word(need Need, keys ...string) string {
	n, key := o.Raw(need, keys...)
	if n == nil {
		return ""
	}
	if n.Kind == document.Text && strings.TrimSpace(n.Value) == "" {
		o.reader.Fail(n.At, o.Sub(key), "text-empty", "write a word, or remove the key", "%q is empty", key)
	}
	return o.reader.Text(n, o.Sub(key))
}

// Prose is Text for people: a word that older YAML takes for a boolean is a warning.
func (o *Object) Prose(need Need, keys ...string) string { return read(o, need, keys, (*Reader).Prose) }

// Choice returns one of a list of words, "" if none is written.
func (o *Object) Choice(need Need, known []string, keys ...string) string {
	n, key := o.Raw(need, keys...)
	if n == nil {
		return ""
	}
	word := o.reader.Text(n, o.Sub(key))
	if n.Kind != document.Text || word == "" && n.Value != "" {
		return ""
	}
	if slices.Contains(known, word) {
		return word
	}
	hint := "" // the message has all that are known
	if near := diag.Suggest(word, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	o.reader.Fail(n.At, o.Sub(key), "choice-unknown", hint, "%s: %s is not one of: %s", o.Sub(key), strconv.Quote(fault.Clip(word, 40)), strings.Join(known, ", "))
	return ""
}

// Flag returns a boolean, and whether it is written.
func (o *Object) Flag(keys ...string) (value, set bool) {
	n, key := o.Raw(May, keys...)
	if n == nil {
		return false, false
	}
	if n.Kind != document.Boolean {
		o.reader.Wrong(n, o.Sub(key), "true or false")
		return false, true
	}
	return n.Value == "true", true
}

// Number returns a finite number, and whether there is one.
func (o *Object) Number(need Need, keys ...string) (float64, bool) {
	n, key := o.Raw(need, keys...)
	if n == nil {
		return 0, false
	}
	return o.reader.Number(n, o.Sub(key))
}

// NumberTo is Number from 0 to a bound, both included.
func (o *Object) NumberTo(need Need, high float64, keys ...string) (float64, bool) {
	n, key := o.Raw(need, keys...)
	if n == nil {
		return 0, false
	}
	x, ok := o.reader.Number(n, o.Sub(key))
	if ok && (x < 0 || x > high) {
		o.reader.Fail(n.At, o.Sub(key), "number-range", "", "%s is %s, %s", o.Sub(key), n.Value, Outside(high))
		return 0, false
	}
	return x, ok
}

// Outside says how a number misses its range from 0 to high.
func Outside(high float64) string {
	if math.IsInf(high, 0) {
		return "below 0"
	}
	return "not in 0.." + strconv.FormatFloat(high, 'g', -1, 64)
}

// Integer returns a whole number of at least low, 0 if none is written.
func (o *Object) Integer(low int, keys ...string) (int, bool) {
	n, key := o.Raw(May, keys...)
	if n == nil {
		return 0, false
	}
	x, ok := o.reader.Number(n, o.Sub(key))
	if ok && (x != math.Trunc(x) || x < float64(low) || x > 1<<31) {
		o.reader.Fail(n.At, o.Sub(key), "number-range", "", "%s must be a whole number of at least %d, not %s", o.Sub(key), low, n.Value)
		return 0, false
	}
	return int(x), ok
}

// List returns the elements of a list and its path; nil if there is none, empty if it is.
func (o *Object) List(need Need, keys ...string) ([]*document.Node, string) {
	n, key := o.Raw(need, keys...)
	if n == nil {
		return nil, o.Sub(keys[0])
	}
	if n.Kind != document.List {
		o.reader.Wrong(n, o.Sub(key), "a list")
		return nil, o.Sub(key)
	}
	return n.Items, o.Sub(key)
}

// Texts returns a list of texts, nil if none is written.
func (o *Object) Texts(keys ...string) []string { return read(o, May, keys, (*Reader).Texts) }

// Free returns an object with any keys, nil if none is written.
func (o *Object) Free(keys ...string) map[string]any { return read(o, May, keys, (*Reader).Free) }
