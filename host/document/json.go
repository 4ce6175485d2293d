package document

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonReader reads a JSON document into a tree. It keeps to RFC 8259: no
// comments, no trailing commas, no NaN; names that occur twice are reported
// each with its place.
type jsonReader struct {
	*reader
	dec *jsontext.Decoder
}

func (r *reader) readJSON() *Node {
	j := &jsonReader{r, jsontext.NewDecoder(bytes.NewBuffer(r.doc.text), jsontext.AllowDuplicateNames(true))}
	n, ok := j.value(1)
	if !ok {
		return nil
	}
	if _, err := j.dec.ReadToken(); !errors.Is(err, io.EOF) {
		j.fail(j.next(), "syntax", "keep one document per file", "unexpected text after the end of the %s", r.o.Noun)
		return nil
	}
	return n
}

func (j *jsonReader) next() Place {
	text, at := j.doc.text, int(j.dec.InputOffset())
	for at < len(text) && strings.IndexByte(" \t\r\n,:", text[at]) >= 0 {
		at++
	}
	return offset(at)
}

func (j *jsonReader) token() (jsontext.Token, Place, bool) {
	at := j.next()
	tok, err := j.dec.ReadToken()
	if err != nil {
		j.syntax(err, at)
		return tok, at, false
	}
	return tok, at, true
}

func (j *jsonReader) value(depth int) (*Node, bool) {
	tok, at, ok := j.token()
	if !ok {
		return nil, false
	}
	if !j.grow(at, depth) {
		return nil, false
	}
	n := &Node{At: at}
	switch tok.Kind() {
	case '"':
		n.Kind, n.Value = Text, tok.String()
	case '0':
		n.Kind, n.Value = Number, tok.String()
	case 't', 'f':
		n.Kind, n.Value = Boolean, tok.String()
	case '[':
		n.Kind = List
		return n, j.list(n, depth)
	case '{':
		n.Kind = Object
		return n, j.object(n, depth)
	default:
		n.Value = "null"
	}
	return n, true
}

func (j *jsonReader) list(n *Node, depth int) bool {
	n.Items = []*Node{}
	for j.dec.PeekKind() != ']' {
		j.enter("", len(n.Items))
		item, ok := j.value(depth + 1)
		if !ok {
			return false
		}
		j.leave()
		n.Items = append(n.Items, item)
	}
	_, _, ok := j.token()
	return ok
}

func (j *jsonReader) object(n *Node, depth int) bool {
	n.Members = []Member{}
	keys := map[string]Place{}
	for j.dec.PeekKind() != '}' {
		tok, at, ok := j.token()
		if !ok {
			return false
		}
		m := Member{Key: tok.String(), At: at}
		j.enter(m.Key, -1)
		if m.Value, ok = j.value(depth + 1); !ok {
			return false
		}
		j.add(n, keys, m)
		j.leave()
	}
	_, _, ok := j.token()
	return ok
}

// syntax reports a syntax error, at its place, with a guess at its cause.
func (j *jsonReader) syntax(err error, at Place) {
	message := err.Error()
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		at, message = offset(int(s.ByteOffset)), s.Err.Error()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		at, message = offset(len(bytes.TrimRight(j.doc.text, " \t\r\n"))), "the "+j.o.Noun+" ends too early"
	}
	message = strings.TrimPrefix(message, "jsontext: ")
	j.trail = nil // the place says it better
	j.fail(at, "syntax", j.guess(int(at.offset)), "not JSON: %s", message)
}

func (j *jsonReader) guess(at int) string {
	rest := bytes.TrimLeft(j.doc.text[min(at, len(j.doc.text)):], " \t\r\n")
	switch {
	case len(rest) == 0:
		return "close what is open: a brace, a bracket or a quote"
	case rest[0] == '}' || rest[0] == ']' || rest[0] == ',':
		return "remove the comma; JSON has no trailing commas"
	case rest[0] == '/' || rest[0] == '#':
		return "remove the comment; JSON has none. YAML has"
	case rest[0] == '\'':
		return "use double quotes"
	case bytes.HasPrefix(rest, []byte("NaN")), rest[0] == 'I', rest[0] == '+', rest[0] == '.':
		return "write a finite decimal number such as 0.5"
	}
	return ""
}
