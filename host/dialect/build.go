package dialect

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// Nodes of a document that is written.

func textOf(s string) *node { return &node{kind: textKind, value: s} }

func boolOf(b bool) *node { return &node{kind: boolKind, value: strconv.FormatBool(b)} }

func numberOf(x float64) *node { return &node{kind: numberKind, value: rubric.FormatNumber(x)} }

func integerOf(n int) *node { return &node{kind: numberKind, value: strconv.Itoa(n)} }

func listOf(items []*node) *node {
	if items == nil {
		items = []*node{}
	}
	return &node{kind: listKind, items: items}
}

func textsOf(list []string) *node {
	items := make([]*node, len(list))
	for i, s := range list {
		items[i] = textOf(s)
	}
	return listOf(items)
}

// lined lets a node stand on one line where it fits.
func (n *node) lined() *node {
	n.flow = true
	return n
}

func newObject() *node { return &node{kind: objectKind, members: []member{}} }

// weightOf writes a weight as its document wrote it, unless it was changed.
func weightOf(w rubric.Weight) *node {
	if x, why := parseNumber(w.Literal); why == "" && x == w.Value {
		literal, _ := jsonNumber(w.Literal)
		return &node{kind: numberKind, value: literal}
	}
	return numberOf(w.Value)
}

// put appends a member.
func (n *node) put(key string, value *node) *node {
	n.members = append(n.members, member{key: key, value: value})
	return n
}

// putText appends a text that is not empty.
func (n *node) putText(key, text string) {
	if text != "" {
		n.put(key, textOf(text))
	}
}

// putFree appends an object of free keys; nil is none.
func (n *node) putFree(key string, m map[string]any) {
	if m != nil {
		n.put(key, nodeOf(m))
	}
}

// nodeOf turns a plain Go value into a node, keys of maps in order.
func nodeOf(v any) *node {
	switch v := v.(type) {
	case nil:
		return &node{}
	case bool:
		return boolOf(v)
	case string:
		return textOf(v)
	case float64:
		return numberOf(v)
	case int:
		return integerOf(v)
	case jsontext.Value:
		return rawNode(v)
	case []any:
		items := make([]*node, len(v))
		for i := range v {
			items[i] = nodeOf(v[i])
		}
		return listOf(items)
	case []string:
		return textsOf(v)
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		n := newObject()
		for _, key := range keys {
			n.put(key, nodeOf(v[key]))
		}
		return n
	}
	b, err := json.Marshal(v)
	if err != nil {
		return textOf(fmt.Sprint(v))
	}
	return rawNode(b)
}

// rawNode turns JSON into a node, keys in the order written; what is not JSON
// becomes text.
func rawNode(b []byte) *node {
	d := newDecoder("", b)
	if n := d.readJSON(); n != nil && len(d.errs) == 0 {
		return n
	}
	return textOf(string(b))
}

// jsonOf returns a node as JSON on one line.
func jsonOf(n *node) jsontext.Value {
	w := jsonWriter{compact: true}
	w.value(n, 0)
	return jsontext.Value(w.out)
}
