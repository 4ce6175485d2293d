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
	for {
		head, rest, _ := strings.Cut(path, ".")
		name, i, indexed := document.CutIndex(head)
		kids := t.criteria
		if name == "metrics" {
			kids = t.metrics
		}
		if !indexed || name != "criteria" && name != "metrics" || i >= len(kids) {
			break
		}
		t, path = kids[i], rest
	}
	n, shown := t.node, t.path
	if n == nil {
		return document.Place{}, shown
	}
	place := n.At
	for path != "" && n != nil {
		var head string
		head, path, _ = strings.Cut(path, ".")
		name, i, indexed := document.CutIndex(head)
		next, key := step(n, name, spelling)
		if next == nil && indexed { // the dialect has the list one level up
			next, key = element(n, i)
			indexed = false
		}
		if next == nil {
			break
		}
		if strings.HasPrefix(key, ".") || strings.HasPrefix(key, "[") {
			n, place, shown = next, next.At, shown+key
		} else {
			n, place, shown = next, next.At, document.Join(shown, key)
		}
		if indexed {
			if n, key = element(n, i); n == nil {
				break
			}
			place, shown = n.At, shown+key
		}
	}
	return place, shown
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

// step follows a key, in the model's word or in the dialect's.
func step(n *node, name string, spelling map[string]string) (*node, string) {
	for _, key := range append(strings.Fields(spelling[name]), name) {
		if next := n.Get(key); next != nil {
			return next, key
		}
	}
	return nil, ""
}

// element returns the i-th part of a list, or of an object that stands for one.
func element(n *node, i int) (*node, string) {
	switch {
	case n.Kind == document.List && i < len(n.Items):
		return n.Items[i], document.Index("", i)
	case n.Kind == document.Object && i < len(n.Members):
		return n.Members[i].Value, "." + n.Members[i].Key
	}
	return nil, ""
}
