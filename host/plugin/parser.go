package plugin

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// manifestLimits bound a manifest.
var manifestLimits = document.Limits{Bytes: maxManifest, Nodes: 50_000, Depth: 64}

// A parser checks the form of a manifest and collects its problems.
type parser struct {
	doc      *document.Document
	problems diag.List
}

// read reads the manifest of src, nil when there is none.
func (p *parser) read(file string, src []byte) *document.Node {
	p.doc = document.Read(file, src, document.Options{Format: document.YAML, Noun: "manifest", Limits: manifestLimits})
	for _, d := range p.doc.Problems {
		p.add(d)
	}
	if p.doc.Root == nil && len(p.problems) == 0 {
		p.add(diag.Diagnostic{Code: "empty", Pos: diag.Pos{File: file}, Message: "the manifest is empty", Hint: "write at least plugin and version"})
	}
	return p.doc.Root
}

// add keeps a problem. Its message names the element.
func (p *parser) add(d diag.Diagnostic) {
	if d.Path = fault.Clip(d.Path, 60); d.Path != "" {
		d.Message = d.Path + ": " + d.Message
	}
	p.problems.Add(d)
}

// A field reads the value of one key.
type field func(n *document.Node, at string)

// keys are the allowed keys of an object.
type keys map[string]field

// fail reports a problem at a node, or with the manifest when n is nil.
func (p *parser) fail(n *document.Node, at, code, hint, format string, args ...any) {
	if n == nil {
		p.add(diag.Diagnostic{Code: code, Path: at, Pos: diag.Pos{File: p.doc.File}, Message: fmt.Sprintf(format, args...), Hint: hint})
		return
	}
	p.failAt(n.At, at, code, hint, format, args...)
}

// failAt reports a problem at a place.
func (p *parser) failAt(place document.Place, at, code, hint, format string, args ...any) {
	if len(p.problems) <= diag.Limit {
		p.add(diag.Diagnostic{Code: code, Path: at, Pos: p.doc.Pos(place), Message: fmt.Sprintf(format, args...), Hint: hint})
	}
}

// each reads an object of any keys, and reports keys that are not text.
func (p *parser) each(n *document.Node, at, what string, visit func(m *document.Member, at string)) {
	if n.Kind != document.Object {
		p.wrong(n, at, "an object: "+what)
		return
	}
	for i := range n.Members {
		m := &n.Members[i]
		if m.Whole {
			p.failAt(m.At, at, "key-type", fmt.Sprintf("quote it: %q", fault.Clip(m.Key, 60)), "the key %s is not text", fault.Clip(m.Key, 60))
			continue
		}
		visit(m, keyPath(at, m.Key))
	}
}

// keyPath appends a key to a path.
func keyPath(at, key string) string {
	if at == "" {
		return fault.Clip(key, 60)
	}
	return fault.Clip(at+"."+key, 60)
}

// object reads an object of known keys.
func (p *parser) object(n *document.Node, at, what string, known keys) {
	p.each(n, at, what, func(m *document.Member, at string) {
		read, ok := known[m.Key]
		switch {
		case !ok:
			names := slices.Sorted(maps.Keys(known))
			p.failAt(m.At, "", "unknown-key", diag.DidYouMean(m.Key, names), "unknown key %q in %s", fault.Clip(m.Key, 60), what)
		case m.Value.Kind == document.Null:
			p.fail(m.Value, at, "value-missing", "write a value, or remove the key", "it has no value")
		default:
			read(m.Value, at)
		}
	})
}

// wrong reports a value of another kind than wanted.
func (p *parser) wrong(n *document.Node, at, want string) {
	is, hint := "the value "+fault.Clip(n.Value, 60), ""
	switch n.Kind {
	case document.Invalid: // reported
		return
	case document.List, document.Object:
		is = n.Kind.String()
	default:
		if want == "text" {
			hint = fmt.Sprintf("quote it: %q", fault.Clip(n.Value, 60))
		}
	}
	at = cmp.Or(at, "the manifest")
	p.fail(n, "", "wrong-type", hint, "%s must be %s, not %s", fault.Clip(at, 60), want, is)
}

// text reads a text.
func (p *parser) text(n *document.Node, at string, into *string) bool {
	if n.Kind != document.Text {
		p.wrong(n, at, "text")
		return false
	}
	*into = n.Value
	return true
}

// word reads a text that may look like a number, such as a version.
func (p *parser) word(n *document.Node, at string, into *string) bool {
	if n.Kind == document.Number {
		*into = n.Value
		return true
	}
	return p.text(n, at, into)
}

func (p *parser) textOf(into *string) field {
	return func(n *document.Node, at string) { p.text(n, at, into) }
}

// list reads a list. It reports whether n is one.
func (p *parser) list(n *document.Node, at string, entry field) bool {
	if n.Kind != document.List {
		p.wrong(n, at, "a list")
		return false
	}
	for i, item := range n.Items {
		entry(item, fault.Clip(document.Index(at, i), 60))
	}
	return true
}

func (p *parser) textsOf(into *[]string) field {
	return func(n *document.Node, at string) {
		p.list(n, at, func(n *document.Node, at string) {
			var s string
			if p.text(n, at, &s) {
				*into = append(*into, s)
			}
		})
	}
}

// grantsOf reads the list of grants that a plugin requests.
func (p *parser) grantsOf(into *[]string) field {
	return func(n *document.Node, at string) {
		p.list(n, at, func(n *document.Node, at string) {
			var s string
			if !p.text(n, at, &s) {
				return
			}
			g, err := grant.Parse(s)
			if err != nil {
				p.fail(n, at, "grant", fault.Hint(err), "%s", err.Error())
				return
			}
			*into = append(*into, g.String())
		})
	}
}

// boolean reads true or false.
func (p *parser) boolean(n *document.Node, at string) bool {
	if n.Kind != document.Boolean {
		p.wrong(n, at, "true or false")
	}
	return n.Is(document.Boolean) && n.Value == "true"
}

// number reads a finite number, written as in JSON.
func (p *parser) number(n *document.Node, at string) (float64, bool) {
	if n.Kind != document.Number {
		p.wrong(n, at, "a number")
		return 0, false
	}
	if !jsonNumber(n.Value) {
		p.fail(n, at, "number", "write a plain decimal number", "%s is not a JSON number", fault.Clip(n.Value, 60))
		return 0, false
	}
	x, err := strconv.ParseFloat(n.Value, 64)
	if err != nil {
		p.fail(n, at, "number", "", "%s is too large", fault.Clip(n.Value, 60))
		return 0, false
	}
	return x, true
}

// jsonNumber reports whether a literal is a number in JSON.
func jsonNumber(s string) bool {
	v := jsontext.Value(s)
	return v.Kind() == '0' && v.IsValid() && strings.TrimSpace(s) == s
}

// free reads an object that may hold anything that JSON can say; nil: it is
// none.
func (p *parser) free(n *document.Node, at string) map[string]any {
	if n.Kind != document.Object {
		p.wrong(n, at, "an object")
		return nil
	}
	out := map[string]any{}
	p.each(n, at, "free", func(m *document.Member, at string) { out[m.Key] = p.value(m.Value, at) })
	return out
}

func (p *parser) freeOf(into *map[string]any) field {
	return func(n *document.Node, at string) { *into = p.free(n, at) }
}

// maxWhole is the greatest whole number below which a float64 has every one.
const maxWhole = 1 << 53

// value reads any value. A number that no float64 holds keeps its literal.
func (p *parser) value(n *document.Node, at string) any {
	switch n.Kind {
	case document.Object:
		return p.free(n, at)
	case document.List:
		out := []any{}
		p.list(n, at, func(n *document.Node, at string) { out = append(out, p.value(n, at)) })
		return out
	case document.Boolean:
		return p.boolean(n, at)
	case document.Text:
		return n.Value
	case document.Number:
		x, ok := p.number(n, at)
		if ok && math.Abs(x) > maxWhole && !strings.ContainsAny(n.Value, ".eE") {
			return jsontext.Value(n.Value)
		}
		return x
	}
	return nil
}
