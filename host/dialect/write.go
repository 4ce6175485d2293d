package dialect

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"gopkg.in/yaml.v3"

	"github.com/rubric-host/rubric-host/host/fault"
)

// schemaLine is the first line of a native YAML document: editors that speak
// the YAML language server's convention check it while it is typed, if the
// schema lies beside it.
const schemaLine = "# yaml-language-server: $schema=" + NativeSchemaFile + "\n"

// NativeSchemaFile is the name under which native documents refer to their
// schema: a file beside them.
const NativeSchemaFile = "rubric.schema.json"

// render writes a tree. banner names the native schema first.
func render(n *node, format string, banner bool) ([]byte, error) {
	switch format {
	case JSON:
		if banner && n.kind == objectKind && n.get("$schema") == nil {
			with := *n
			with.members = append([]member{{key: "$schema", value: textOf(NativeSchemaFile)}}, n.members...)
			n = &with
		}
		var w jsonWriter
		w.value(n, 0)
		return append(w.out, '\n'), nil
	case YAML:
		out, err := renderYAML(n)
		if banner && err == nil {
			out = append([]byte(schemaLine), out...)
		}
		return out, err
	}
	return nil, fault.New(fault.Usage, "unknown format %q: json or yaml", format)
}

// jsonWriter writes a tree as JSON: two spaces, short lists of plain values on
// one line.
type jsonWriter struct {
	out     []byte
	compact bool
}

func (w *jsonWriter) value(n *node, depth int) {
	switch n.kind {
	case boolKind:
		w.out = append(w.out, n.value...)
	case numberKind:
		w.number(n.value)
	case textKind:
		w.text(n.value)
	case listKind:
		w.list(n, depth)
	case objectKind:
		w.object(n, depth)
	default:
		w.out = append(w.out, "null"...)
	}
}

func (w *jsonWriter) number(literal string) {
	plain, ok := jsonNumber(literal)
	if !ok { // only free-form values that the decoder refused could get here
		plain = "null"
	}
	w.out = append(w.out, plain...)
}

func (w *jsonWriter) text(s string) {
	out, err := jsontext.AppendQuote(w.out, s)
	if err != nil {
		out, _ = jsontext.AppendQuote(w.out, strings.ToValidUTF8(s, "\uFFFD"))
	}
	w.out = out
}

func (w *jsonWriter) list(n *node, depth int) {
	inline := w.compact || short(n)
	w.out = append(w.out, '[')
	for i, item := range n.items {
		w.next(i, depth+1, inline)
		w.value(item, depth+1)
	}
	w.end(len(n.items), depth, inline, ']')
}

func (w *jsonWriter) object(n *node, depth int) {
	w.out = append(w.out, '{')
	for i := range n.members {
		w.next(i, depth+1, w.compact)
		w.text(n.members[i].key)
		w.out = append(w.out, ':')
		if !w.compact {
			w.out = append(w.out, ' ')
		}
		w.value(n.members[i].value, depth+1)
	}
	w.end(len(n.members), depth, w.compact, '}')
}

func (w *jsonWriter) next(i, depth int, inline bool) {
	if i > 0 {
		w.out = append(w.out, ',')
		if inline && !w.compact {
			w.out = append(w.out, ' ')
		}
	}
	if !inline {
		w.indent(depth)
	}
}

func (w *jsonWriter) end(n, depth int, inline bool, c byte) {
	if n > 0 && !inline {
		w.indent(depth)
	}
	w.out = append(w.out, c)
}

func (w *jsonWriter) indent(depth int) {
	w.out = append(w.out, '\n')
	for range depth {
		w.out = append(w.out, "  "...)
	}
}

// short reports whether a list fits on a line.
func short(n *node) bool {
	width := 0
	for _, item := range n.items {
		if item.kind == listKind || item.kind == objectKind {
			return false
		}
		width += len(item.value) + 4
	}
	return width <= 80
}

func renderYAML(n *node) ([]byte, error) {
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(yamlOf(n)); err != nil {
		return nil, fault.New(fault.Internal, "writing YAML: %w", err)
	}
	if err := enc.Close(); err != nil {
		return nil, fault.New(fault.Internal, "writing YAML: %w", err)
	}
	return out.Bytes(), nil
}

func yamlOf(n *node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.ScalarNode, Value: n.value}
	switch n.kind {
	case nullKind:
		out.Tag, out.Value = "!!null", "null"
	case boolKind:
		out.Tag = "!!bool"
	case numberKind:
		out.Value, _ = jsonNumber(n.value) // no tag: it reads back as it looks
	case textKind:
		yamlText(out, n.value)
	case listKind:
		out.Kind, out.Tag = yaml.SequenceNode, "!!seq"
		out.Style = flowStyle(n)
		for _, item := range n.items {
			out.Content = append(out.Content, yamlOf(item))
		}
	case objectKind:
		out.Kind, out.Tag = yaml.MappingNode, "!!map"
		out.Style = flowStyle(n)
		for i := range n.members {
			m := &n.members[i]
			key := &yaml.Node{Kind: yaml.ScalarNode, Value: m.key}
			if m.whole {
				key.Tag = "!!int"
			} else {
				yamlText(key, m.key)
				key.Style &= yaml.DoubleQuotedStyle
			}
			remark(key, m.remarks)
			out.Content = append(out.Content, key, yamlOf(m.value))
		}
	}
	remark(out, n.remarks)
	return out
}

// flowWidth is the width up to which a list or an object stays on one line.
const flowWidth = 100

// flowStyle decides whether a list or an object stands on one line: because it
// is empty, or because it was written or made so and still fits.
func flowStyle(n *node) yaml.Style {
	if len(n.items)+len(n.members) == 0 || n.flow && oneLine(n) <= flowWidth {
		return yaml.FlowStyle
	}
	return 0
}

// oneLine is about the width of a node on one line; more than flowWidth if it
// cannot stand on one.
func oneLine(n *node) int {
	if n.remarks != nil && n.kind != objectKind && n.kind != listKind || strings.Contains(n.value, "\n") {
		return flowWidth + 1
	}
	width := len(n.value) + 2
	switch n.kind {
	case numberKind:
		plain, _ := jsonNumber(n.value) // as it will be written
		width = len(plain) + 2
	case nullKind:
		width = len("null") + 2
	}
	for _, item := range n.items {
		if width += oneLine(item); width > flowWidth || item.remarks != nil {
			return flowWidth + 1
		}
	}
	for i := range n.members {
		m := &n.members[i]
		if width += len(m.key) + 2 + oneLine(m.value); width > flowWidth || m.remarks != nil || m.value.remarks != nil {
			return flowWidth + 1
		}
	}
	return width
}

func remark(n *yaml.Node, r *remarks) {
	if r != nil {
		n.HeadComment, n.LineComment, n.FootComment = r.head, r.line, r.foot
	}
}

// yamlText sets a text so that every YAML reader, old or new, reads it as text.
func yamlText(n *yaml.Node, s string) {
	n.Tag = "!!str"
	switch {
	case strings.Contains(s, "\n") && tame(s):
		n.Style = yaml.LiteralStyle
	case !plain(s):
		n.Style = yaml.DoubleQuotedStyle
	}
}

// tame reports whether a text of several lines can stand as it is in a literal
// block.
func tame(s string) bool {
	if s[0] == ' ' || s[0] == '\n' || s[0] == '\t' || strings.Contains(s, " \n") || strings.Contains(s, "\t\n") || strings.HasSuffix(s, " ") || strings.HasSuffix(s, "\t") {
		return false
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && !printable(r) {
			return false
		}
	}
	return true
}

// plain reports whether a text of one line may stand without quotes: it begins
// with a letter or is a path or a version, holds nothing that YAML could take for syntax, and is no word
// or number to any version of YAML.
func plain(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	path := strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../")
	if !unicode.IsLetter(first) && !path && !semver.MatchString(s) || oldBoolean(s) || strings.HasSuffix(s, " ") || strings.HasSuffix(s, ":") {
		return false
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "y", "n":
		return false
	}
	if strings.Contains(s, ": ") || strings.Contains(s, " #") {
		return false
	}
	for _, r := range s {
		if !printable(r) || strings.ContainsRune("{}[]\"`", r) {
			return false
		}
	}
	return true
}

func printable(r rune) bool {
	return unicode.IsPrint(r) && r != utf8.RuneError && r != '\uFEFF' && r != '\u2028' && r != '\u2029' && r != '\u0085'
}
