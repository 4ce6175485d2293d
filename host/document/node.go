package document

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Kind is the kind of a Node. The zero value is Null.
type Kind uint8

// The kinds. A Node that is Invalid could not be read and is reported already:
// code that meets one reports nothing more.
const (
	Null Kind = iota
	Boolean
	Number
	Text
	List
	Object
	Invalid
)

// String names the kind, with its article, for messages.
func (k Kind) String() string {
	return [...]string{"nothing", "a boolean", "a number", "text", "a list", "an object", "nothing that can be read"}[k]
}

// A Node is one element of a document, read from JSON or YAML alike. An alias is
// replaced by a copy of its target, with the places of the original.
type Node struct {
	Kind  Kind
	Bare  bool // a YAML scalar without quotes or tag
	Empty bool // a YAML key without a value
	Flow  bool // YAML that is written {like: this}
	At    Place

	// Value is the text of a Text, the literal of a Number as it is written,
	// "true" or "false" of a Boolean, and of a Null its literal.
	Value    string
	Items    []*Node   // of a List
	Members  []Member  // of an Object, in the order written, each key once
	Comments *Comments // around it, in YAML; nil: there are none
}

// A Member is a key of an object and its value, which is never nil.
type Member struct {
	Key      string
	Whole    bool // YAML writes the key as an integer, not as text
	At       Place
	Value    *Node
	Comments *Comments
}

// Comments are those that go with an element, each with its marks.
type Comments struct{ Head, Line, Foot string }

// Get returns the value of a key, nil if n is not an object or lacks it. n may
// be nil.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			return n.Members[i].Value
		}
	}
	return nil
}

// Has reports whether n is an object that has one of keys. n may be nil.
func (n *Node) Has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return n.Get(k) != nil })
}

// Is reports whether n exists and is of a kind. n may be nil.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Scalar reports whether n exists and is a null, a boolean, a number or a text.
// n may be nil.
func (n *Node) Scalar() bool { return n != nil && n.Kind <= Text }

// Put appends a member without a check for duplicates, and returns n.
func (n *Node) Put(key string, value *Node) *Node {
	n.Members = append(n.Members, Member{Key: key, Value: value})
	return n
}

// longPath is where a path stops growing: hostile keys would make it as long as
// the document, once for each element below them.
const longPath = 400 // bytes

// Join returns the path of a member of the object at path, such as
// "criteria[2].weight". Paths are for people: long keys are cut.
func Join(path, key string) string {
	switch key = fault.Clip(key, 80); {
	case path == "":
		return key
	case len(path) > longPath:
		return path
	}
	return path + "." + key
}

// Index returns the path of element i, from 0, of the list at path.
func Index(path string, i int) string {
	if len(path) > longPath {
		return path
	}
	return path + "[" + strconv.Itoa(i) + "]"
}

// CutIndex splits a step of a path that Index made, "name[3]", into name and index.
func CutIndex(step string) (name string, i int, ok bool) {
	name, rest, found := strings.Cut(step, "[")
	i, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	if !found || err != nil || i < 0 {
		return step, 0, false
	}
	return name, i, true
}

// Find returns the element at a path below n, nil if there is none.
func (n *Node) Find(path string) *Node {
	for step := range strings.SplitSeq(path, ".") {
		name, i, indexed := CutIndex(step)
		if name != "" {
			n = n.Get(name)
		}
		switch {
		case !indexed:
		case n.Is(List) && i < len(n.Items):
			n = n.Items[i]
		default:
			return nil
		}
	}
	return n
}
