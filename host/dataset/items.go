package dataset

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v4"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// maxYAML is the largest YAML file: its parser needs the whole of it.
const maxYAML = 64 << 20

// items reads YAML: a row for each element of a list, or for each document that
// is a mapping.
type items struct {
	in     *bufio.Reader
	parser *document.Parser
	name   string
	limit  int
	queue  []*yaml.Node
	failed *diag.Diagnostic
	ended  bool
}

func newItems(in *bufio.Reader, name string, limit int) splitter {
	return &items{in: in, name: name, limit: limit}
}

func (y *items) problem() *diag.Diagnostic { return y.failed }

func (y *items) next(row *rawRow) bool {
	for len(y.queue) == 0 {
		if y.ended || !y.document() {
			y.ended = true
			return false
		}
	}
	node := y.queue[0]
	y.queue = y.queue[1:]
	*row = rawRow{pos: y.place(node)}
	w := yamlWriter{limit: y.limit}
	row.fields = w.row(node)
	if w.bad != nil {
		d := *w.bad
		d.Pos = y.place(w.at)
		row.bad.Add(d)
	}
	return true
}

func (y *items) place(n *yaml.Node) diag.Pos {
	return diag.Pos{File: y.name, Line: n.Line, Column: n.Column}
}

// document reads the next document into the queue; false: there is none.
func (y *items) document() bool {
	if y.parser == nil {
		text, err := io.ReadAll(io.LimitReader(y.in, maxYAML+1))
		switch {
		case err != nil:
			y.failed = unreadable(diag.Pos{File: y.name}, err)
			return false
		case len(text) > maxYAML:
			y.fail(0, "file-too-large", "write it as JSONL, which is read row by row", "a YAML dataset may have %d MiB at most", maxYAML>>20)
			return false
		case !utf8.Valid(text):
			y.fail(1+bytes.Count(text[:document.ValidPrefix(text)], []byte{'\n'}), "row-encoding", toUTF8, "the file is not valid UTF-8: byte %#02x", text[document.ValidPrefix(text)])
			return false
		}
		y.parser = document.NewParser(text)
	}
	doc, err := y.parser.Next()
	if err != nil {
		if bad, ok := errors.AsType[*document.SyntaxError](err); ok {
			y.fail(bad.Line, "row-syntax", cmp.Or(bad.Hint, "correct the file; quote text that holds : or #"), "the file is not valid YAML: %s", bad.Message)
		}
		return false
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return true
	}
	if top := doc.Content[0]; top.Kind == yaml.SequenceNode {
		y.queue = top.Content
	} else if top.Tag != "!!null" {
		y.queue = []*yaml.Node{top}
	}
	return true
}

func (y *items) fail(line int, code, hint, format string, args ...any) {
	y.failed = &diag.Diagnostic{Code: code, Pos: diag.Pos{File: y.name, Line: line}, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// yamlWriter writes YAML nodes as JSON. Aliases are written out, so that every copy
// counts against the limit.
type yamlWriter struct {
	limit int
	size  int
	data  bool             // inside an object, or in numbers: text is not what is wanted
	bad   *diag.Diagnostic // the first problem
	at    *yaml.Node       // its place
}

func (w *yamlWriter) fail(n *yaml.Node, code, hint, format string, args ...any) {
	if w.bad == nil {
		w.at, w.bad = n, &diag.Diagnostic{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
}

func (w *yamlWriter) row(n *yaml.Node) []Field {
	n = target(n)
	if n.Kind != yaml.MappingNode {
		w.fail(n, "row-not-object", "write each row as a mapping: - id: …", "the row is %s, not a mapping", nodeWord(n))
		return nil
	}
	fields := make([]Field, 0, len(n.Content)/2+4) // and room for aliases
	w.members(n, func(key string, v *yaml.Node) {
		w.data = key == FieldLogprobs
		fields = append(fields, Field{key, w.append(nil, v, 1)})
	})
	return fields
}

// members visits the members of a mapping until something is wrong.
func (w *yamlWriter) members(n *yaml.Node, visit func(key string, v *yaml.Node)) {
	have := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content) && w.bad == nil; i += 2 {
		key := target(n.Content[i])
		switch {
		case key.Kind != yaml.ScalarNode:
			w.fail(key, "key-type", "write a word as the key", "a key is %s, not text", nodeWord(key))
		case key.Tag == "!!merge":
			w.fail(key, "key-merge", "write the fields out", "merge keys (<<) are not supported")
		case have[key.Value]:
			w.fail(key, "key-duplicate", "keep one of the two", "duplicate key %q in a mapping", fault.Clip(key.Value, 80))
		default:
			have[key.Value] = true
			visit(key.Value, n.Content[i+1])
		}
	}
}

func (w *yamlWriter) append(b jsontext.Value, n *yaml.Node, depth int) jsontext.Value {
	n = target(n)
	start := len(b)
	switch {
	case w.bad != nil:
		return b
	case depth > maxDepth:
		w.fail(n, "row-too-deep", "flatten the row", "the row nests more than %d deep", maxDepth)
		return b
	}
	switch n.Kind {
	case yaml.ScalarNode:
		b = w.scalar(b, n)
		w.spend(n, len(b)-start)
	case yaml.SequenceNode:
		w.spend(n, 2+len(n.Content))
		b = append(b, '[')
		for i, e := range n.Content {
			if w.bad != nil {
				break
			}
			if i > 0 {
				b = append(b, ',')
			}
			b = w.append(b, e, depth+1)
		}
		b = append(b, ']')
	case yaml.MappingNode:
		w.spend(n, 2+len(n.Content))
		b = append(b, '{')
		outer := w.data
		w.data = true
		first := true
		w.members(n, func(key string, v *yaml.Node) {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = append(w.text(b, n, key), ':')
			b = w.append(b, v, depth+1)
		})
		w.data = outer
		b = append(b, '}')
	default:
		w.fail(n, "row-syntax", "", "the row holds something that has no value")
	}
	return b
}

func (w *yamlWriter) spend(n *yaml.Node, bytes int) {
	if w.size += bytes; w.size > w.limit {
		w.fail(n, "row-too-long", "shorten the row, or use fewer aliases", "the row is longer than the limit of %s", bytesWord(w.limit))
	}
}

func (w *yamlWriter) text(b []byte, n *yaml.Node, s string) jsontext.Value {
	out, err := jsontext.AppendQuote(b, s)
	if err != nil {
		w.fail(n, "row-encoding", "write text as UTF-8", "the text is not valid UTF-8")
	}
	return out
}

// scalar appends a scalar. One that is JSON as it is written stays so. Others that YAML has,
// such as dates, 007, True and .5, are their text as written: graded as 7, an answer 007 would be
// wrong. Inside objects, True and .5 are a boolean and a number.
func (w *yamlWriter) scalar(b jsontext.Value, n *yaml.Node) jsontext.Value {
	switch n.ShortTag() {
	case "!!null":
		return append(b, "null"...)
	case "!!bool":
		var v bool
		if n.Decode(&v) == nil && (w.data || n.Value == strconv.FormatBool(v)) {
			return strconv.AppendBool(b, v)
		}
	case "!!int", "!!float":
		number, plain := document.JSONNumber(n.Value)
		var f float64
		switch err := n.Decode(&f); {
		case err != nil || math.IsInf(f, 0) || math.IsNaN(f):
			w.fail(n, "number-range", "write a number up to 1.8e308, null, or quote it", "%s is not a number that a float64 holds", fault.Clip(n.Value, 80))
			return b
		case plain && (w.data || number == n.Value):
			return append(b, number...)
		}
	case "!!binary":
		w.fail(n, "value-type", "write text", "binary values have no place in a dataset")
		return b
	}
	return w.text(b, n, n.Value)
}

// target returns the node that an alias stands for.
func target(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

var scalarWords = map[string]string{"!!null": "null", "!!int": "a number", "!!float": "a number", "!!bool": "a boolean"}

func nodeWord(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		return "a list"
	case yaml.MappingNode:
		return "a mapping"
	}
	return cmp.Or(scalarWords[n.ShortTag()], "text")
}
