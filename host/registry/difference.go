package registry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Bounds of a conflict's message.
const (
	maxDifferences = 10 // lines
	maxShown       = 60 // bytes of a value
)

// difference returns the fields in which two snapshots of a version differ, a line each:
// "criteria[clarity].weight: 0.4 -> 0.5".
func difference(old, now *Snapshot) []string {
	var d differing
	a, b := tree(old), tree(now)
	if old.Dialect != now.Dialect {
		d.line("dialect", old.Dialect, now.Dialect)
		a, b = meaning(old), meaning(now) // the words differ, too
	}
	d.compare("", a, b)
	if len(d.lines) == 0 {
		d.lines = []string{"  digest: " + old.Digest + " -> " + now.Digest}
	}
	if more := len(d.lines) - maxDifferences; more > 0 {
		d.lines = append(d.lines[:maxDifferences], fmt.Sprintf("  and %d more", more))
	}
	return d.lines
}

// tree is the document of a snapshot; nil if it cannot be read.
func tree(s *Snapshot) *document.Node {
	return document.Read("", s.Document, document.Options{Format: s.Format}).Root
}

// meaning is a snapshot in the terms of the model.
func meaning(s *Snapshot) *document.Node {
	doc, err := s.Decode()
	if err != nil {
		return nil
	}
	r := *doc.Rubric
	r.Source.Dialect, r.Source.Format, r.Source.Digest, r.Source.Shape = "", "", "", ""
	text, err := json.Marshal(&r, json.Deterministic(true))
	if err != nil {
		return nil
	}
	return document.Read("", text, document.Options{Format: document.JSON}).Root
}

// differing collects the differences of two trees.
type differing struct{ lines []string }

func (d *differing) line(path, was, is string) {
	d.lines = append(d.lines, fmt.Sprintf("  %s: %s -> %s", path, was, is))
}

func (d *differing) compare(path string, a, b *document.Node) {
	switch {
	case a == nil || b == nil || a.Kind != b.Kind:
		d.line(path, shown(a), shown(b))
	case a.Kind == document.Object:
		for i := range a.Members {
			d.compareAt(document.Join(path, a.Members[i].Key), a.Members[i].Value, b.Get(a.Members[i].Key))
		}
		for i := range b.Members {
			if key := b.Members[i].Key; a.Get(key) == nil {
				d.compareAt(document.Join(path, key), nil, b.Members[i].Value)
			}
		}
	case a.Kind == document.List:
		d.lists(path, a.Items, b.Items)
	case a.Value != b.Value:
		d.line(path, shown(a), shown(b))
	}
}

// compareAt compares members, one of which may be missing.
func (d *differing) compareAt(path string, a, b *document.Node) {
	switch {
	case a == nil:
		d.lines = append(d.lines, fmt.Sprintf("  %s: added, %s", path, shown(b)))
	case b == nil:
		d.lines = append(d.lines, fmt.Sprintf("  %s: removed, was %s", path, shown(a)))
	default:
		d.compare(path, a, b)
	}
}

// lists compares lists: by the ids of their elements if all have one, else in order.
func (d *differing) lists(path string, a, b []*document.Node) {
	idsA, okA := ids(a)
	idsB, okB := ids(b)
	if !okA || !okB {
		for i := range max(len(a), len(b)) {
			var x, y *document.Node
			if i < len(a) {
				x = a[i]
			}
			if i < len(b) {
				y = b[i]
			}
			d.compareAt(path+"["+strconv.Itoa(i)+"]", x, y)
		}
		return
	}
	before := len(d.lines)
	for i, id := range idsA {
		var y *document.Node
		if j := slices.Index(idsB, id); j >= 0 {
			y = b[j]
		}
		d.compareAt(path+"["+id+"]", a[i], y)
	}
	for j, id := range idsB {
		if !slices.Contains(idsA, id) {
			d.compareAt(path+"["+id+"]", nil, b[j])
		}
	}
	if before == len(d.lines) && !slices.Equal(idsA, idsB) {
		d.lines = append(d.lines, fmt.Sprintf("  %s: order %s -> %s", path, fault.Clip(strings.Join(idsA, ", "), maxShown), fault.Clip(strings.Join(idsB, ", "), maxShown)))
	}
}

// ids are the ids of elements; not ok if one has none, or two have the same.
func ids(list []*document.Node) (out []string, ok bool) {
	for _, n := range list {
		id := n.Get("id")
		if id == nil || id.Kind != document.Text || slices.Contains(out, id.Value) {
			return nil, false
		}
		out = append(out, id.Value)
	}
	return out, len(out) > 0
}

// shown is a value on one line.
func shown(n *document.Node) string {
	switch {
	case n == nil:
		return "nothing"
	case n.Kind == document.Null:
		return "null"
	case n.Kind == document.Object:
		if id := n.Get("id"); id != nil && id.Kind == document.Text {
			return "{id: " + fault.Clip(id.Value, maxShown) + ", ...}"
		}
		return fmt.Sprintf("an object of %d keys", len(n.Members))
	case n.Kind == document.List:
		return fmt.Sprintf("a list of %d", len(n.Items))
	case n.Kind == document.Text:
		return strconv.Quote(fault.Clip(n.Value, maxShown))
	}
	return fault.Clip(n.Value, maxShown)
}
