package dialect

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonReader reads a JSON document into a tree. It keeps to RFC 8259: no
// comments, no trailing commas, no NaN; names that occur twice are reported
// by the decoder, each with its place.
type jsonReader struct {
	d   *decoder
	dec *jsontext.Decoder
}

func (d *decoder) readJSON() *node {
	r := &jsonReader{d: d, dec: jsontext.NewDecoder(bytes.NewBuffer(d.src.text), jsontext.AllowDuplicateNames(true))}
	n, ok := r.value(1)
	if !ok {
		return nil
	}
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
		d.fail(r.next(), "", "syntax", "keep one document in a file", "something follows the document")
		return nil
	}
	return n
}

// next returns the place of the next token.
func (r *jsonReader) next() spot {
	at := int(r.dec.InputOffset())
	for at < len(r.d.src.text) && strings.IndexByte(" \t\r\n,:", r.d.src.text[at]) >= 0 {
		at++
	}
	return spot{column: offset(at)}
}

// token reads a token and reports where it begins.
func (r *jsonReader) token() (jsontext.Token, spot, bool) {
	at := r.next()
	tok, err := r.dec.ReadToken()
	if err != nil {
		r.syntax(err, at)
		return tok, at, false
	}
	return tok, at, true
}

func (r *jsonReader) value(depth int) (*node, bool) {
	tok, at, ok := r.token()
	if !ok {
		return nil, false
	}
	if !r.d.grow(at, depth) {
		return nil, false
	}
	n := &node{at: at}
	switch tok.Kind() {
	case '"':
		n.kind, n.value = textKind, tok.String()
	case '0':
		n.kind, n.value = numberKind, tok.String()
	case 't', 'f':
		n.kind, n.value = boolKind, tok.String()
	case '[':
		n.kind = listKind
		return n, r.list(n, depth)
	case '{':
		n.kind = objectKind
		return n, r.object(n, depth)
	}
	return n, true
}

func (r *jsonReader) list(n *node, depth int) bool {
	n.items = []*node{}
	for r.dec.PeekKind() != ']' {
		item, ok := r.value(depth + 1)
		if !ok {
			return false
		}
		n.items = append(n.items, item)
	}
	_, _, ok := r.token()
	return ok
}

func (r *jsonReader) object(n *node, depth int) bool {
	n.members = []member{}
	var keys keySet
	for r.dec.PeekKind() != '}' {
		tok, at, ok := r.token()
		if !ok {
			return false
		}
		m := member{key: tok.String(), at: at}
		if m.value, ok = r.value(depth + 1); !ok {
			return false
		}
		r.d.add(n, &keys, m)
	}
	_, _, ok := r.token()
	return ok
}

// syntax reports what is not JSON, at its place, with a guess at why.
func (r *jsonReader) syntax(err error, at spot) {
	message := err.Error()
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		at, message = spot{column: offset(int(s.ByteOffset))}, s.Err.Error()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		at, message = spot{column: offset(len(bytes.TrimRight(r.d.src.text, " \t\r\n")))}, "the document ends too early"
	}
	message = strings.TrimPrefix(message, "jsontext: ")
	r.d.fail(at, "", "syntax", r.guess(int(at.column)), "not JSON: %s", message)
}

func (r *jsonReader) guess(at int) string {
	rest := r.d.src.text[min(at, len(r.d.src.text)):]
	switch {
	case len(rest) == 0:
		return "close what is open: a brace, a bracket or a quote"
	case rest[0] == '}' || rest[0] == ']' || rest[0] == ',':
		return "remove the comma; JSON has no trailing commas"
	case rest[0] == '/' || rest[0] == '#':
		return "remove the comment; JSON has none. YAML has"
	case rest[0] == '\'':
		return "use double quotes"
	case strings.HasPrefix(string(rest[:min(len(rest), 8)]), "NaN"), rest[0] == 'I', rest[0] == '+', rest[0] == '.':
		return "write a finite decimal number such as 0.5"
	}
	return ""
}
