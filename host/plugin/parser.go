package plugin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"gopkg.in/yaml.v3"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// Bounds on a manifest, beyond that on its bytes.
const (
	maxNodes = 50_000 // elements, after aliases are followed
	maxNest  = 64
)

// A parser reads YAML strictly and collects what is wrong with it.
type parser struct {
	file     string
	src      []byte // the document without its byte order mark
	problems diag.List
	nodes    int
	depth    int
	open     map[*yaml.Node]bool // aliases being followed
	full     bool                // a bound was met; nothing more is read
}

// A field reads the value of one key.
type field func(n *yaml.Node, at string)

// keys are what an object may have.
type keys map[string]field

// fail reports a problem at a node, or with the document when n is nil.
func (p *parser) fail(n *yaml.Node, at, code, hint, format string, args ...any) {
	d := diag.Diagnostic{Code: code, Path: clip(at), Pos: diag.Pos{File: p.file}, Message: fmt.Sprintf(format, args...), Hint: hint}
	if at != "" {
		d.Message = clip(at) + ": " + d.Message
	}
	if n != nil {
		d.Pos.Line, d.Pos.Column = n.Line, p.column(n)
	}
	p.problems.Add(d)
}

// column returns the column of a node in bytes; the reader counts characters.
func (p *parser) column(n *yaml.Node) int {
	if len(p.problems) > diag.Limit {
		return n.Column
	}
	rest := p.src
	for range n.Line - 1 {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			return n.Column
		}
		rest = rest[i+1:]
	}
	column := 1
	for i := 1; i < n.Column && len(rest) > 0; i++ {
		_, size := utf8.DecodeRune(rest)
		rest, column = rest[size:], column+size
	}
	return column
}

// document reads the one document of src, nil when there is none.
func (p *parser) document(src []byte) *yaml.Node {
	p.src = bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF"))
	switch {
	case len(src) > maxManifest:
		p.fail(nil, "", "too-large", "", "the manifest has %d bytes; at most %d are read", len(src), maxManifest)
		return nil
	case !utf8.Valid(p.src) || bytes.IndexByte(p.src, 0) >= 0:
		p.fail(nil, "", "encoding", "save it as UTF-8", "the manifest is not UTF-8 text")
		return nil
	}
	first, err := p.decode()
	switch {
	case errors.Is(err, io.EOF) || err == nil && len(first.Content) == 0:
		p.fail(nil, "", "empty", "write at least plugin and version", "the manifest is empty")
		return nil
	case err != nil:
		p.syntax(err)
		return nil
	}
	return p.follow(first.Content[0], "")
}

// decode returns the first document, and reports a second one. A panic of the
// reader is its own defect; here it is a document that cannot be read.
func (p *parser) decode() (first *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			first, err = nil, fmt.Errorf("the YAML reader gave up: %v", r)
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(p.src))
	var one, two yaml.Node
	if err := d.Decode(&one); err != nil {
		return nil, err
	}
	switch err := d.Decode(&two); {
	case err == nil:
		p.fail(&two, "", "many-documents", "keep the first one", "a second document begins here")
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return &one, nil
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`)

// syntax reports what the YAML reader found, at the line that it names.
func (p *parser) syntax(err error) {
	message := err.Error()
	parts := yamlLine.FindStringSubmatch(message)
	message, hint := strings.TrimPrefix(message, parts[0]), ""
	var at *yaml.Node
	if line, err := strconv.Atoi(parts[1]); err == nil {
		at = &yaml.Node{Line: line, Column: 1}
		for i, text := range bytes.Split(p.src, []byte("\n")) {
			// It may name the line before the one it stumbled over.
			if i+1 >= line && i <= line && bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte("\t")) {
				hint = "indent with spaces; YAML takes no tabs"
			}
		}
	}
	p.fail(at, "", "syntax", hint, "not YAML: %s", message)
}

// follow returns what a node stands for, nil when a bound is met or an alias is
// part of itself. Every element passes here once for each time it is used.
func (p *parser) follow(n *yaml.Node, at string) *yaml.Node {
	switch {
	case p.full:
		return nil
	case p.nodes >= maxNodes || p.depth > maxNest:
		p.full = true
		p.fail(n, "", "too-large", "write less, or fewer aliases", "the manifest has more than %d elements, or nests more than %d deep", maxNodes, maxNest)
		return nil
	}
	p.nodes++
	if n.Kind != yaml.AliasNode {
		return n
	}
	if n.Alias == nil || p.open[n.Alias] {
		p.fail(n, at, "alias-loop", "write the value out", "the alias *%s is part of what it stands for", clip(n.Value))
		return nil
	}
	return n.Alias
}

// inside runs read within a node, so that an alias in it that leads back to it
// is seen.
func (p *parser) inside(n *yaml.Node, read func()) {
	p.open[n] = true
	p.depth++
	read()
	p.depth--
	delete(p.open, n)
}

// each reads an object of any keys, and reports keys that are there twice or
// are no text.
func (p *parser) each(n *yaml.Node, at, what string, member func(name string, n *yaml.Node, at string)) {
	if n = p.follow(n, at); n == nil {
		return
	}
	if n.Kind != yaml.MappingNode || n.ShortTag() != "!!map" {
		p.wrong(n, at, "an object: "+what)
		return
	}
	seen := map[string]bool{}
	p.inside(n, func() {
		for i := 0; i+1 < len(n.Content) && !p.full; i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			switch {
			case key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge":
				p.fail(key, at, "key-type", "write the members themselves", "there are no merge keys here")
				continue
			case key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str" && key.ShortTag() != "!!timestamp":
				p.fail(key, at, "key-type", fmt.Sprintf("quote it: %q", clip(key.Value)), "the key %s is no text", clip(key.Value))
				continue
			case seen[key.Value]:
				p.fail(key, keyPath(at, key.Value), "duplicate-key", "remove one of the two", "the key is written twice")
				continue
			}
			seen[key.Value] = true
			member(key.Value, value, keyPath(at, key.Value))
		}
	})
}

// keyPath appends a key to a path.
func keyPath(at, key string) string {
	if at == "" {
		return clip(key)
	}
	return clip(at + "." + key)
}

// object reads an object of known keys.
func (p *parser) object(n *yaml.Node, at, what string, known keys) {
	p.each(n, at, what, func(name string, value *yaml.Node, at string) {
		read, ok := known[name]
		if !ok {
			var names []string
			for k := range known {
				names = append(names, k)
			}
			p.fail(p.keyOf(n, name), "", "unknown-key", diag.DidYouMean(name, names), "unknown key %q in %s", clip(name), what)
			return
		}
		if value = p.follow(value, at); value == nil {
			return
		}
		if value.ShortTag() == "!!null" && value.Kind == yaml.ScalarNode {
			p.fail(value, at, "value-missing", "write a value, or remove the key", "it has no value")
			return
		}
		read(value, at)
	})
}

// keyOf returns the node of a key.
func (p *parser) keyOf(n *yaml.Node, name string) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i]
		}
	}
	return n
}

// wrong reports a value of another kind than wanted.
func (p *parser) wrong(n *yaml.Node, at, want string) {
	is := map[yaml.Kind]string{yaml.SequenceNode: "a list", yaml.MappingNode: "an object", yaml.ScalarNode: "the value " + clip(n.Value)}[n.Kind]
	hint := ""
	if want == "text" && n.Kind == yaml.ScalarNode {
		hint = fmt.Sprintf("quote it: %q", clip(n.Value))
	}
	if at == "" {
		at = "the manifest"
	}
	p.fail(n, "", "wrong-type", hint, "%s wants %s, not %s", clip(at), want, is)
}

// text reads a text.
func (p *parser) text(n *yaml.Node, at string, into *string) bool {
	switch n.ShortTag() {
	case "!!str", "!!timestamp":
		if n.Kind == yaml.ScalarNode {
			*into = n.Value
			return true
		}
	}
	p.wrong(n, at, "text")
	return false
}

// word reads a text that may look like a number, such as a version.
func (p *parser) word(n *yaml.Node, at string, into *string) bool {
	if tag := n.ShortTag(); n.Kind == yaml.ScalarNode && (tag == "!!float" || tag == "!!int") {
		*into = n.Value
		return true
	}
	return p.text(n, at, into)
}

func (p *parser) textOf(into *string) field {
	return func(n *yaml.Node, at string) { p.text(n, at, into) }
}

// list reads a list. It reports whether n is one.
func (p *parser) list(n *yaml.Node, at string, entry field) bool {
	if n.Kind != yaml.SequenceNode || n.ShortTag() != "!!seq" {
		p.wrong(n, at, "a list")
		return false
	}
	p.inside(n, func() {
		for i, c := range n.Content {
			at := clip(fmt.Sprintf("%s[%d]", at, i))
			if c = p.follow(c, at); c == nil {
				continue
			}
			entry(c, at)
		}
	})
	return true
}

func (p *parser) textsOf(into *[]string) field {
	return func(n *yaml.Node, at string) {
		p.list(n, at, func(n *yaml.Node, at string) {
			var s string
			if p.text(n, at, &s) {
				*into = append(*into, s)
			}
		})
	}
}

// grantsOf reads a list of what a plugin asks for.
func (p *parser) grantsOf(into *[]string) field {
	return func(n *yaml.Node, at string) {
		p.list(n, at, func(n *yaml.Node, at string) {
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
func (p *parser) boolean(n *yaml.Node, at string) bool {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool" {
		switch strings.ToLower(n.Value) {
		case "true":
			return true
		case "false":
			return false
		}
	}
	p.wrong(n, at, "true or false")
	return false
}

// number reads a finite number, written as in JSON.
func (p *parser) number(n *yaml.Node, at string) (float64, bool) {
	tag := n.ShortTag()
	if n.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" && !(n.Style == 0 && jsonNumber(n.Value)) {
		p.wrong(n, at, "a number")
		return 0, false
	}
	if !jsonNumber(n.Value) {
		p.fail(n, at, "number", "write a plain decimal number", "%s is no number that JSON has", clip(n.Value))
		return 0, false
	}
	x, err := strconv.ParseFloat(n.Value, 64)
	if err != nil {
		p.fail(n, at, "number", "", "%s is too large", clip(n.Value))
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
func (p *parser) free(n *yaml.Node, at string) map[string]any {
	out := map[string]any{}
	if n.Kind != yaml.MappingNode {
		p.wrong(n, at, "an object")
		return nil
	}
	p.each(n, at, "free", func(name string, n *yaml.Node, at string) { out[name] = p.value(n, at) })
	return out
}

func (p *parser) freeOf(into *map[string]any) field {
	return func(n *yaml.Node, at string) { *into = p.free(n, at) }
}

// maxWhole is the greatest whole number below which a float64 has every one.
const maxWhole = 1 << 53

// value reads any value. A number that no float64 holds keeps its literal.
func (p *parser) value(n *yaml.Node, at string) any {
	if n = p.follow(n, at); n == nil {
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		return p.free(n, at)
	case yaml.SequenceNode:
		out := []any{}
		p.list(n, at, func(n *yaml.Node, at string) { out = append(out, p.value(n, at)) })
		return out
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return p.boolean(n, at)
	case "!!str", "!!timestamp":
		return n.Value
	case "!!int", "!!float":
		x, ok := p.number(n, at)
		if ok && math.Abs(x) > maxWhole && !strings.ContainsAny(n.Value, ".eE") {
			return jsontext.Value(n.Value)
		}
		return x
	}
	p.fail(n, at, "tag", "remove the tag", "the tag %s is not understood", clip(n.ShortTag()))
	return nil
}
