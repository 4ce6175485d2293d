package dialect

import (
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Nodes of a document that is written.

func textOf(s string) *node { return &node{Kind: document.Text, Value: s} }

func boolOf(b bool) *node { return &node{Kind: document.Boolean, Value: strconv.FormatBool(b)} }

func numberOf(x float64) *node { return &node{Kind: document.Number, Value: rubric.FormatNumber(x)} }

func integerOf(n int) *node { return &node{Kind: document.Number, Value: strconv.Itoa(n)} }

func listOf(items []*node) *node {
	if items == nil {
		items = []*node{}
	}
	return &node{Kind: document.List, Items: items}
}

func listFrom[T any](list []T, f func(T) *node) *node {
	return listOf(xslices.Map(list, f))
}

// criteriaFrom makes a list of the nodes that write makes of criteria; nil is none.
func criteriaFrom(path string, list []rubric.Criterion, write func(path string, c rubric.Criterion) *node) []*node {
	items := []*node{}
	for i := range list {
		if n := write(document.Index(path, i), list[i]); n != nil {
			items = append(items, n)
		}
	}
	return items
}

func textsOf(list []string) *node { return listFrom(list, textOf) }

// onOneLine lets a node stand on one line where it fits.
func onOneLine(n *node) *node {
	n.Flow = true
	return n
}

func newObject() *node { return &node{Kind: document.Object, Members: []member{}} }

// weightOf writes a weight as its document wrote it, unless it was changed.
func weightOf(w rubric.Weight) *node {
	if x, why := document.ParseNumber(w.Literal); why == "" && x == w.Value {
		literal, _ := document.JSONNumber(w.Literal)
		return &node{Kind: document.Number, Value: literal}
	}
	return numberOf(w.Value)
}

// putText appends a text that is not empty.
func putText(n *node, key, text string) {
	if text != "" {
		n.Put(key, textOf(text))
	}
}

// putInteger appends a number that is not 0.
func putInteger(n *node, key string, x int) {
	if x != 0 {
		n.Put(key, integerOf(x))
	}
}

// putFree appends an object of free keys; nil is none.
func putFree(n *node, key string, m map[string]any) {
	if m != nil {
		n.Put(key, nodeOf(m))
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
		return listFrom(v, nodeOf)
	case []string:
		return textsOf(v)
	case map[string]any:
		n := newObject()
		for _, key := range sortedKeys(v) {
			n.Put(key, nodeOf(v[key]))
		}
		return n
	}
	b, err := json.Marshal(v)
	if err != nil {
		return textOf(fmt.Sprint(v))
	}
	return rawNode(b)
}

// rawNode turns JSON into a node, keys in the order written; invalid JSON becomes
// text.
func rawNode(b []byte) *node {
	in := document.Read("", b, document.Options{Format: document.JSON})
	if in.Root != nil && len(in.Problems) == 0 {
		return in.Root
	}
	return textOf(string(b))
}
