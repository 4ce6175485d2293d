package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
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

// longPath is where a path stops growing: hostile keys would make it as long as
// the document, once for each element below them.
const longPath = 400

func join(path, key string) string {
	switch key = clip(key, 80); {
	case path == "":
		return key
	case len(path) > longPath:
		return path
	}
	return path + "." + key
}

func at(path string, i int) string {
	if len(path) > longPath {
		return path
	}
	return path + "[" + strconv.Itoa(i) + "]"
}

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
