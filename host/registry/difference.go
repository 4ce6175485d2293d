package registry

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
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
		d.line("dialect", "%s -> %s", old.Dialect, now.Dialect)
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

func (d *differing) line(path, format string, args ...any) {
	d.lines = append(d.lines, "  "+path+": "+fmt.Sprintf(format, args...))
}

func (d *differing) compare(path string, a, b *document.Node) {
	if a == nil || b == nil || a.Kind != b.Kind || a.Value != b.Value {
		d.line(path, "%s -> %s", shown(a), shown(b))
		return
	}
	before, was, is := len(d.lines), children(a), children(b)
	at := func(key string) string {
		if a.Kind == document.List {
			return path + "[" + key + "]"
		}
		return document.Join(path, key)
	}
	in := func(list []document.Member, key string) *document.Member {
		return xslices.Find(list, func(m *document.Member) bool { return m.Key == key })
	}
	for _, m := range was {
		if now := in(is, m.Key); now != nil {
			d.compare(at(m.Key), m.Value, now.Value)
		} else {
			d.line(at(m.Key), "removed, was %s", shown(m.Value))
		}
	}
	for _, m := range is {
		if in(was, m.Key) == nil {
			d.line(at(m.Key), "added, %s", shown(m.Value))
		}
	}
	if a.Kind == document.List && before == len(d.lines) && !slices.EqualFunc(was, is, func(x, y document.Member) bool { return x.Key == y.Key }) {
		d.line(path, "other order")
	}
}

// children are the members of an object, or the elements of a list: by their ids, or by their places where not all
// have an id of their own.
func children(n *document.Node) []document.Member {
	list := n.Members
	ids := map[string]bool{}
	for _, item := range n.Items {
		if id := item.Get("id"); id.Is(document.Text) {
			ids[id.Value] = true
		}
	}
	for i, item := range n.Items {
		key := strconv.Itoa(i)
		if len(ids) == len(n.Items) {
			key = item.Get("id").Value
		}
		list = append(list, document.Member{Key: key, Value: item})
	}
	return list
}

// shown is the beginning of a value on one line.
func shown(n *document.Node) string {
	if n == nil {
		return "nothing"
	}
	return fault.Clip(string(document.Compact(n)), maxShown)
}
