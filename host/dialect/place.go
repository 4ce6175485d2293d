package dialect

import (
	"regexp"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/document"
)

// A trace is where an element of a rubric stands in its document, and where the
// criteria below it do.
type trace struct {
	node     *node
	path     string
	criteria []trace
	metrics  []trace
}

// find returns the place and the document's path of an element that
// rubric.Check or rubric.Lint names, as near as the document has it. spelling
// maps the model's words to the dialect's.
func (t trace) find(path string, spelling map[string]string) (document.Place, string) {
	t, path = t.below(path)
	if t.node == nil {
		return document.Place{}, t.path
	}
	n, shown := t.node, t.path
	for path != "" {
		var head string
		head, path, _ = strings.Cut(path, ".")
		name, i, indexed := document.CutIndex(head)
		next, at := step(n, shown, name, spelling)
		if next != nil {
			n, shown = next, at
		}
		if indexed { // if n has no such name, the dialect has the list one level up
			next, at = element(n, shown, i)
		}
		if next == nil {
			break
		}
		n, shown = next, at
	}
	return n.At, shown
}

// below follows a path as far as criteria and metrics go, and returns the rest of it.
func (t trace) below(path string) (trace, string) {
	for {
		head, rest, _ := strings.Cut(path, ".")
		name, i, indexed := document.CutIndex(head)
		kids := map[string][]trace{"criteria": t.criteria, "metrics": t.metrics}[name]
		if !indexed || i >= len(kids) {
			return t, path
		}
		t, path = kids[i], rest
	}
}

// elementName is how messages of package rubric name a criterion.
var elementName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:criteria|metrics)\[\d+\](?:\.criteria\[\d+\])*`)
})

// words puts the document's paths in place of the model's in a message.
func (t trace) words(message string, spelling map[string]string) string {
	return elementName().ReplaceAllStringFunc(message, func(path string) string {
		_, shown := t.find(path, spelling)
		return shown
	})
}

// step follows a key from the object at path, in the model's word or in the dialect's.
func step(n *node, path, name string, spelling map[string]string) (*node, string) {
	for _, key := range append(strings.Fields(spelling[name]), name) {
		if next := n.Get(key); next != nil {
			return next, document.Join(path, key)
		}
	}
	return nil, ""
}

// element returns the i-th part of the list at path, or of an object that stands for one.
func element(n *node, path string, i int) (*node, string) {
	switch {
	case n.Kind == document.List && i < len(n.Items):
		return n.Items[i], document.Index(path, i)
	case n.Kind == document.Object && i < len(n.Members):
		return n.Members[i].Value, path + "." + n.Members[i].Key // not cut: a problem at another long key is another one
	}
	return nil, ""
}
