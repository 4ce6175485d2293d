package dialect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// A scope reads one object strictly: keys that were read are known, and the others
// are reported as unknown when it closes. For an invalid value, every getter reports
// an error at its place and returns a zero value.
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
	if n.Kind != document.Object {
		d.wrong(n, path, "an object: "+what)
		return nil
	}
	if v := d.vocabulary(what); v != nil {
		for i := range n.Members {
			v.written[n.Members[i].Key] = true
		}
	}
	return &scope{d: d, n: n, path: path, what: what, asked: make([]string, 0, 16), used: make([]bool, len(n.Members))}
}

// wrong reports a value of another kind than wanted.
func (d *decoder) wrong(n *node, path, want string) {
	hint := ""
	switch {
	case n.Kind == document.Invalid: // reported
		return
	case n.Kind == document.Null:
		d.fail(n.At, path, "value-missing", "write "+want+", or remove the key", "%s has no value", label(path))
		return
	case strings.HasPrefix(want, "text") && (n.Kind == document.Number || n.Kind == document.Boolean):
		hint = fmt.Sprintf("quote it: %q", n.Value)
	case strings.HasPrefix(want, "a number") && n.Kind == document.Text && isNumber(strings.TrimSpace(n.Value)):
		hint = "remove the quotes: " + strings.TrimSpace(n.Value)
	case strings.HasPrefix(want, "true or false") && n.Kind == document.Text:
		hint = "write true or false, without quotes"
	}
	d.fail(n.At, path, "wrong-type", hint, "%s must be %s, not %s", label(path), want, shown(n))
}

// label is how a message calls an element.
func label(path string) string { return cmp.Or(path, "the document") }

// shown describes a value in a message: scalars with their literals.
func shown(n *node) string {
	switch n.Kind {
	case document.Boolean, document.Number:
		return n.Kind.String() + " " + fault.Clip(n.Value, 40)
	case document.Text:
		return "the text " + strconv.Quote(fault.Clip(n.Value, 40))
	}
	return n.Kind.String()
}

// sub returns the path of a member.
func (s *scope) sub(key string) string { return document.Join(s.path, key) }

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
	for i := range s.n.Members {
		m := &s.n.Members[i]
		for _, key := range keys {
			if m.Key != key {
				continue
			}
			s.used[i] = true
			if found != nil {
				s.d.fail(m.At, s.sub(m.Key), "said-twice", "remove one of the two", "%q and %q mean the same", found.Key, m.Key)
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

// keep notes that a member of an object of s is kept and means nothing there.
func (d *decoder) keep(s *scope, key, member string) {
	if s.n.Get(key).Get(member) != nil {
		d.kept = append(d.kept, document.Join(s.sub(key), member))
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
		s.d.fail(s.n.At, s.sub(keys[0]), "key-missing", "", "%s needs %q", s.name(), keys[0])
	case m == nil:
	case m.Value.Kind == document.Null && n == must:
		s.d.fail(m.At, s.sub(m.Key), "value-missing", "", "%q has no value", m.Key)
	case m.Value.Kind == document.Null:
		if m.Value.Empty {
			s.d.warn(m.At, s.sub(m.Key), "value-missing", "write a value, or remove the key", "%q has no value", m.Key)
		}
	default:
		return m.Value, m.Key
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

// others are words that people write for a key of ours which is spelt otherwise:
// plugins have a configuration, and rubrics call it with.
var others = map[string]string{"config": "with", "configuration": "with", "options": "with", "params": "with", "parameters": "with", "plugin": "metric", "script": "metric"}

// nearest is the hint for an unknown key.
func (s *scope) nearest(key string) string {
	if ours := others[strings.ToLower(key)]; slices.Contains(s.asked, ours) {
		return fmt.Sprintf("did you mean %q?", ours)
	}
	return diag.DidYouMean(key, s.asked)
}

// close reports the unknown keys.
func (s *scope) close() {
	if s == nil {
		return
	}
	for i := range s.n.Members {
		if s.used[i] || s.d.full() {
			continue
		}
		m := &s.n.Members[i]
		s.d.fail(m.At, s.sub(m.Key), "unknown-key", s.nearest(m.Key), "unknown key %q in %s", fault.Clip(m.Key, 60), s.name())
	}
}

// suggest marks keys as known without reading them, for documents whose shape
// is in doubt.
func (s *scope) suggest(keys ...string) {
	s.asked = append(s.asked, keys...)
	for i := range s.n.Members {
		s.used[i] = s.used[i] || slices.Contains(keys, s.n.Members[i].Key)
	}
}

// ignore marks every key as known.
func (s *scope) ignore() {
	for i := range s.used {
		s.used[i] = true
	}
}
