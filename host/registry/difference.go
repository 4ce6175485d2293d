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
	case a == nil || b == nil || a.Kind != b.Kind || a.Value != b.Value:
		d.line(path, shown(a), shown(b))
	case a.Kind == document.Object:
		d.parts(a.Members, b.Members, func(key string) string { return document.Join(path, key) })
	case a.Kind == document.List:
		before := len(d.lines)
		x, idsA := elements(a.Items, true)
		y, idsB := elements(b.Items, true)
		if idsA == nil || idsB == nil {
			x, idsA = elements(a.Items, false)
			y, idsB = elements(b.Items, false)
		}
		d.parts(x, y, func(key string) string { return path + "[" + key + "]" })
		if before == len(d.lines) && !slices.Equal(idsA, idsB) {
			d.line(path, "order "+fault.Clip(strings.Join(idsA, ", "), maxShown), fault.Clip(strings.Join(idsB, ", "), maxShown))
		}
	}
}

// parts compares what has the same key.
func (d *differing) parts(a, b []document.Member, path func(key string) string) {
	old, now := map[string]*document.Node{}, map[string]*document.Node{}
	for _, m := range a {
		old[m.Key] = m.Value
	}
	for _, m := range b {
		now[m.Key] = m.Value
	}
	for _, m := range a {
		if now[m.Key] == nil {
			d.lines = append(d.lines, fmt.Sprintf("  %s: removed, was %s", path(m.Key), shown(m.Value)))
		} else {
			d.compare(path(m.Key), m.Value, now[m.Key])
		}
	}
	for _, m := range b {
		if old[m.Key] == nil {
			d.lines = append(d.lines, fmt.Sprintf("  %s: added, %s", path(m.Key), shown(m.Value)))
		}
	}
}

// elements are those of a list by their ids, or their places. By id the keys are nil if
// there are none, an element has none, or two have the same.
func elements(list []*document.Node, byID bool) (members []document.Member, keys []string) {
	for i, n := range list {
		key := strconv.Itoa(i)
		if byID {
			id := n.Get("id")
			if !id.Is(document.Text) || slices.Contains(keys, id.Value) {
				return nil, nil
			}
			key = id.Value
		}
		keys, members = append(keys, key), append(members, document.Member{Key: key, Value: n})
	}
	return members, keys
}

// shown is a value on one line.
func shown(n *document.Node) string {
	switch {
	case n == nil:
		return "nothing"
	case n.Kind == document.Null:
		return "null"
	case n.Kind == document.Object:
		if id := n.Get("id"); id.Is(document.Text) {
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
