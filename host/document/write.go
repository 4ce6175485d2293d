package document

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Write returns a tree as a document in a format, JSON or YAML. YAML keeps the
// comments of the tree. A number that JSON cannot write becomes null; Read
// accepts none.
func Write(n *Node, format string) ([]byte, error) {
	switch format {
	case JSON:
		return append(indented(n), '\n'), nil
	case YAML:
		return writeYAML(n)
	}
	return nil, fault.New(fault.Usage, "unknown format %q: json or yaml", format)
}

// Compact returns a tree as JSON on one line.
func Compact(n *Node) jsontext.Value { return appendJSON(nil, n) }

// indented returns a tree as JSON with one item or member a line.
func indented(n *Node) jsontext.Value {
	v := Compact(n)
	v.Indent(jsontext.WithIndent("  ")) //nolint:errcheck // it is JSON
	return v
}

func appendJSON(out []byte, n *Node) []byte {
	switch n.Kind {
	case Boolean:
		return append(out, n.Value...)
	case Number:
		plain, ok := JSONNumber(n.Value)
		if !ok { // only free-form values that the decoder refused could get here
			plain = "null"
		}
		return append(out, plain...)
	case Text:
		return appendText(out, n.Value)
	case List:
		out = append(out, '[')
		for i, item := range n.Items {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSON(out, item)
		}
		return append(out, ']')
	case Object:
		out = append(out, '{')
		for i := range n.Members {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendText(out, n.Members[i].Key), ':')
			out = appendJSON(out, n.Members[i].Value)
		}
		return append(out, '}')
	}
	return append(out, "null"...)
}

func appendText(out []byte, s string) []byte {
	out, _ = jsontext.AppendQuote(out, s) // its error says that text was mended
	return out
}

func writeYAML(n *Node) ([]byte, error) {
	var out bytes.Buffer
	enc, err := yaml.NewDumper(&out, yaml.WithV3Defaults(), yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err == nil {
		err = errors.Join(enc.Dump(yamlOf(n)), enc.Close())
	}
	if err != nil {
		return nil, fault.New(fault.Internal, "writing YAML: %w", err)
	}
	return out.Bytes(), nil
}

func yamlOf(n *Node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
	switch n.Kind {
	case Null:
		out.Tag, out.Value = "!!null", "null"
	case Boolean:
		out.Tag = "!!bool"
	case Number:
		out.Value, _ = JSONNumber(n.Value) // no tag: it reads back as it looks
	case Text:
		yamlText(out, n.Value)
	case List:
		out.Kind, out.Tag = yaml.SequenceNode, "!!seq"
		out.Style = flowStyle(n)
		for _, item := range n.Items {
			out.Content = append(out.Content, yamlOf(item))
		}
	case Object:
		out.Kind, out.Tag = yaml.MappingNode, "!!map"
		out.Style = flowStyle(n)
		for i := range n.Members {
			m := &n.Members[i]
			key := &yaml.Node{Kind: yaml.ScalarNode, Value: m.Key}
			if m.Whole {
				key.Tag = "!!int"
			} else {
				yamlText(key, m.Key)
				key.Style &= yaml.DoubleQuotedStyle
			}
			remark(key, m.Comments)
			out.Content = append(out.Content, key, yamlOf(m.Value))
		}
	}
	remark(out, n.Comments)
	return out
}

// flowWidth is the width up to which a list or an object stays on one line.
const flowWidth = 100

// flowStyle decides whether a list or an object stands on one line: because it
// is empty, or because it was written or made so and still fits.
func flowStyle(n *Node) yaml.Style {
	if len(n.Items)+len(n.Members) == 0 || n.Flow && oneLine(n) <= flowWidth {
		return yaml.FlowStyle
	}
	return 0
}

// oneLine is about the width of a node on one line; more than flowWidth if it
// cannot stand on one.
func oneLine(n *Node) int {
	if n.Comments != nil && n.Kind != Object && n.Kind != List || strings.Contains(n.Value, "\n") {
		return flowWidth + 1
	}
	width := len(n.Value) + 2
	switch n.Kind {
	case Number:
		plain, _ := JSONNumber(n.Value) // as it will be written
		width = len(plain) + 2
	case Null:
		width = len("null") + 2
	}
	for _, item := range n.Items {
		if width += oneLine(item); width > flowWidth || item.Comments != nil {
			return flowWidth + 1
		}
	}
	for i := range n.Members {
		m := &n.Members[i]
		if width += len(m.Key) + 2 + oneLine(m.Value); width > flowWidth || m.Comments != nil || m.Value.Comments != nil {
			return flowWidth + 1
		}
	}
	return width
}

func remark(n *yaml.Node, r *Comments) {
	if r != nil {
		n.HeadComment, n.LineComment, n.FootComment = r.Head, r.Line, r.Foot
	}
}

// yamlText sets a text so that every YAML reader, old or new, reads it as text.
func yamlText(n *yaml.Node, s string) {
	n.Tag = "!!str"
	switch {
	case strings.Contains(s, "\n") && fitsBlock(s):
		n.Style = yaml.LiteralStyle
	case !plain(s):
		n.Style = yaml.DoubleQuotedStyle
	}
}

// fitsBlock reports whether a text of several lines can stand as it is in a literal
// block.
func fitsBlock(s string) bool {
	if s[0] == ' ' || s[0] == '\n' || s[0] == '\t' || strings.Contains(s, " \n") || strings.Contains(s, "\t\n") || strings.HasSuffix(s, " ") || strings.HasSuffix(s, "\t") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && !printable(r) })
}

// version matches three numbers, which no YAML reader takes for one.
var version = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`) })

// OldBoolean reports whether YAML 1.1 reads a word without quotes as true or
// false where YAML 1.2 reads text.
func OldBoolean(s string) bool {
	switch s {
	case "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF":
		return true
	}
	return false
}

// plain reports whether a text of one line may stand without quotes: it begins
// with a letter or is a path or a version, holds nothing that YAML could take for syntax, and is not a word
// or number to any version of YAML.
func plain(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	path := strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../")
	if !unicode.IsLetter(first) && !path && !version().MatchString(s) || OldBoolean(s) || strings.HasSuffix(s, " ") || strings.HasSuffix(s, ":") {
		return false
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "y", "n":
		return false
	}
	return !strings.Contains(s, ": ") && !strings.Contains(s, " #") &&
		!strings.ContainsFunc(s, func(r rune) bool { return !printable(r) || strings.ContainsRune("{}[]\"`", r) })
}

func printable(r rune) bool {
	return unicode.IsPrint(r) && r != utf8.RuneError && r != '\uFEFF' && r != '\u2028' && r != '\u2029' && r != '\u0085'
}
