package dialect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// readYAML reads a YAML document into a tree: YAML 1.2 as yaml.v3 understands
// it, aliases and merge keys followed, one document to a file.
func (d *decoder) readYAML() *node {
	if elements(d.src.text) > MaxNodes {
		d.fail(spot{line: 1, column: 1}, "", "too-large", "split the document", "the document has more than %d elements", MaxNodes)
		return nil
	}
	text, stand := d.shieldQuestions()
	if directive := []byte("%YAML 1.2"); bytes.HasPrefix(text, directive) {
		text = append([]byte("%YAML 1.1"), text[len(directive):]...) // all that yaml.v3 takes; it reads 1.2 all the same
	}
	root, more, err := parseYAML(text)
	switch {
	case err != nil:
		d.yamlSyntax(err)
		return nil
	case root == nil:
		d.fail(spot{line: 1, column: 1}, "", "empty", "write a rubric", "the document is empty")
		return nil
	case more != nil:
		d.fail(spotOf(more), "", "many-documents", "keep one document in a file", "a second document begins here")
		return nil
	}
	y := &yamlReader{d: d, open: map[*yaml.Node]bool{}, stand: stand}
	n, ok := y.value(root.Content[0], 1)
	if !ok {
		return nil
	}
	n.remarks = joinRemarks(y.remarksOf(root), n.remarks)
	return n
}

// elements returns an upper bound of the elements of a YAML text, without
// reading it: each one takes one of these characters.
func elements(text []byte) int {
	n := 1
	for i, c := range text {
		switch c {
		case ',', ':', '[', '{':
			n++
		case '-', '?':
			if i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n' || text[i+1] == '\t' || text[i+1] == '\r' {
				n++
			}
		}
	}
	return n
}

// parseYAML returns the first document, and the second one if there is one. A
// panic of the parser is its own defect; here it is a document that cannot be
// read.
func parseYAML(text []byte) (root, more *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, more, err = nil, nil, fmt.Errorf("the YAML reader gave up: %v", p)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var first, second yaml.Node
	if err := dec.Decode(&first); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil, nil
		}
		return nil, nil, err
	}
	switch err := dec.Decode(&second); {
	case errors.Is(err, io.EOF):
		return &first, nil, nil
	case err != nil:
		return nil, nil, err
	}
	return &first, &second, nil
}

// shieldQuestions puts a character that the document does not use in place of
// question marks that end a word. yaml.v3 takes one inside {braces} for syntax,
// which it is only before a blank and after one; "What is it?" is text.
func (d *decoder) shieldQuestions() (text []byte, stand rune) {
	text = d.src.text
	if bytes.IndexByte(text, '?') < 0 {
		return text, 0
	}
	for stand = 0xE000; bytes.ContainsRune(text, stand); stand++ {
		if stand == 0xF8FF {
			return text, 0
		}
	}
	out := make([]byte, 0, len(text)+64)
	for i, c := range text {
		if c == '?' && i > 0 && strings.IndexByte(" \t\r\n{[,?", text[i-1]) < 0 {
			out = utf8.AppendRune(out, stand)
			continue
		}
		out = append(out, c)
	}
	return out, stand
}

type yamlReader struct {
	d     *decoder
	open  map[*yaml.Node]bool // aliases being followed
	stand rune                // what stands for a question mark; 0: nothing does
}

// words gives a text its question marks back.
func (y *yamlReader) words(s string) string {
	if y.stand == 0 || s == "" {
		return s
	}
	return strings.ReplaceAll(s, string(y.stand), "?")
}

func (y *yamlReader) value(in *yaml.Node, depth int) (*node, bool) {
	at := spotOf(in)
	if !y.d.grow(at, depth) {
		return nil, false
	}
	n := &node{at: at, remarks: y.remarksOf(in), flow: in.Style&yaml.FlowStyle != 0}
	switch in.Kind {
	case yaml.AliasNode:
		return y.alias(in, depth)
	case yaml.SequenceNode:
		if !y.plainTag(in, "!!seq") {
			return n, true
		}
		n.kind, n.items = listKind, []*node{}
		for _, item := range in.Content {
			child, ok := y.value(item, depth+1)
			if !ok {
				return nil, false
			}
			n.items = append(n.items, child)
		}
		return n, true
	case yaml.MappingNode:
		if !y.plainTag(in, "!!map") {
			return n, true
		}
		n.kind, n.members = objectKind, []member{}
		return n, y.object(n, in, depth)
	}
	return n, y.scalar(n, in)
}

func (y *yamlReader) alias(in *yaml.Node, depth int) (*node, bool) {
	target := in.Alias
	if target == nil || y.open[target] {
		y.d.fail(spotOf(in), "", "alias-loop", "write the value out", "the alias *%s is part of what it stands for", in.Value)
		return nil, false
	}
	y.open[target] = true
	defer delete(y.open, target)
	n, ok := y.value(target, depth)
	if ok {
		n.remarks = nil
	}
	return n, ok
}

func (y *yamlReader) object(n *node, in *yaml.Node, depth int) bool {
	var keys keySet
	var merged []*yaml.Node
	for i := 0; i+1 < len(in.Content); i += 2 {
		key, value := in.Content[i], in.Content[i+1]
		if key.Tag == "!!merge" && key.Style == 0 {
			merged = append(merged, value)
			continue
		}
		m := member{key: y.words(key.Value), at: spotOf(key), remarks: y.remarksOf(key)}
		child, ok := y.value(value, depth+1)
		if !ok {
			return false
		}
		m.value = child
		if !y.d.hold(m.at, m.key) {
			return false
		}
		if y.key(key, &m) {
			y.d.add(n, &keys, m)
		}
	}
	for _, m := range merged {
		if !y.merge(n, m, &keys, depth) {
			return false
		}
	}
	return true
}

// key checks a key: text, or an integer where a dialect takes one.
func (y *yamlReader) key(key *yaml.Node, m *member) bool {
	if key.Kind == yaml.AliasNode && key.Alias != nil {
		key = key.Alias
		m.key = y.words(key.Value)
	}
	switch tag := key.ShortTag(); {
	case key.Kind == yaml.ScalarNode && tag == "!!str", tag == "!!timestamp", tag == "!!merge":
		return true
	case key.Kind == yaml.ScalarNode && tag == "!!int":
		m.whole = true
		return true
	case key.Kind == yaml.ScalarNode:
		y.d.fail(m.at, "", "key-type", fmt.Sprintf("quote it: %q", key.Value), "the key %s is not text", key.Value)
	default:
		y.d.fail(m.at, "", "key-type", "write a word", "a key is a list or an object")
	}
	return false
}

// merge adds what a merge key brings: the members that the object does not
// write itself, the first of several maps first.
func (y *yamlReader) merge(n *node, in *yaml.Node, keys *keySet, depth int) bool {
	brought, ok := y.value(in, depth+1)
	if !ok {
		return false
	}
	list := []*node{brought}
	if brought.kind == listKind {
		list = brought.items
	}
	for _, from := range list {
		if from.kind != objectKind {
			y.d.fail(spotOf(in), "", "merge", "merge an object", "the merge key << takes an object, not %s", from.kind)
			return true
		}
		for _, m := range from.members {
			if _, written := keys.first(n, m.key); !written {
				keys.put(n, m)
			}
		}
	}
	return true
}

func (y *yamlReader) scalar(n *node, in *yaml.Node) bool {
	n.value = y.words(in.Value)
	if !y.d.hold(n.at, n.value) {
		return false
	}
	n.bare = in.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	switch tag := in.ShortTag(); tag {
	case "!!str", "!!timestamp", "!!merge":
		n.kind = textKind
		if n.bare && isNumber(n.value) { // a number too large for yaml.v3
			n.kind = numberKind
		}
	case "!!int", "!!float":
		n.kind = numberKind
	case "!!bool":
		n.kind, n.value = boolKind, strings.ToLower(in.Value)
		if n.value != "true" && n.value != "false" {
			y.d.fail(n.at, "", "tag", "write true or false", "%q is not a boolean", in.Value)
		}
	case "!!null":
		n.kind, n.empty = nullKind, in.Value == ""
	default:
		y.d.fail(n.at, "", "tag", "remove the tag", "the tag %s is not understood", tag)
	}
	return true
}

// plainTag refuses collections with a tag of their own, such as !!set.
func (y *yamlReader) plainTag(in *yaml.Node, want string) bool {
	if in.ShortTag() == want {
		return true
	}
	y.d.fail(spotOf(in), "", "tag", "remove the tag", "the tag %s is not understood", in.ShortTag())
	return false
}

func spotOf(in *yaml.Node) spot {
	return spot{line: int32(max(in.Line, 1)), column: int32(max(in.Column, 1))} //nolint:gosec // lines and columns of at most MaxBytes
}

func (y *yamlReader) remarksOf(in *yaml.Node) *remarks {
	if in.HeadComment == "" && in.LineComment == "" && in.FootComment == "" {
		return nil
	}
	return &remarks{head: y.words(in.HeadComment), line: y.words(in.LineComment), foot: y.words(in.FootComment)}
}

// joinRemarks puts the comments around a document to those of its root.
func joinRemarks(outer, inner *remarks) *remarks {
	if outer == nil || inner == nil {
		if outer == nil {
			return inner
		}
		return outer
	}
	join := func(a, b string) string { return strings.Trim(a+"\n\n"+b, "\n") }
	return &remarks{head: join(outer.head, inner.head), line: inner.line, foot: join(inner.foot, outer.foot)}
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`)

// yamlSyntax reports what yaml.v3 found, at the line it names.
func (d *decoder) yamlSyntax(err error) {
	message := err.Error()
	parts := yamlLine.FindStringSubmatch(message)
	message = strings.TrimPrefix(message, parts[0])
	at, hint := spot{line: 1, column: 1}, ""
	if line, err := strconv.Atoi(parts[1]); err == nil && line >= 1 && line <= len(d.src.lines()) {
		at.line = int32(line) //nolint:gosec // at most the lines of the document
		text := d.src.text[d.src.lines()[line-1]:]
		if indent := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]; bytes.IndexByte(indent, '\t') >= 0 {
			hint = "indent with spaces; YAML takes no tabs"
		}
	}
	if hint == "" && strings.Contains(message, "mapping values are not allowed") {
		hint = `quote text that holds ": "`
	}
	d.fail(at, "", "syntax", hint, "not YAML: %s", message)
}
