package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/rubric-host/rubric-host/host/diag"
)

// A Parser splits a YAML text into its documents, as go-yaml does without two of its
// defects: "%YAML 1.2" may be the first line, and a panic is a SyntaxError. It is for
// rooms that read more than one document, or longer ones than Read; they follow
// aliases, and limit their expansion, themselves.
//
// Beside the text, which it keeps and does not copy, it holds nothing but the
// document that it reads.
type Parser struct {
	text []byte
	dec  *yaml.Decoder
	err  error // ends the text

	at           int // a byte: places are counted until there
	line, column int // as go-yaml counts
	pos          diag.Pos
}

// A SyntaxError is an error of YAML syntax.
type SyntaxError struct {
	Line    int    // from 1; 0: the parser does not say
	Message string // the parser's, without the line
	Hint    string // how to fix it; may be empty
}

// Error returns the line and the message.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return "not YAML: " + e.Message
	}
	return fmt.Sprintf("line %d: not YAML: %s", e.Line, e.Message)
}

// NewParser returns a parser of text, which has no byte order mark.
func NewParser(text []byte) *Parser {
	p := &Parser{text: text, line: 1, column: 1, pos: diag.Pos{Line: 1, Column: 1}}
	var in io.Reader = bytes.NewReader(text)
	if rest, ok := bytes.CutPrefix(text, []byte("%YAML 1.2")); ok { // go-yaml takes 1.1 alone, and reads 1.2 all the same
		in = io.MultiReader(strings.NewReader("%YAML 1.1"), bytes.NewReader(rest))
	}
	p.dec = yaml.NewDecoder(in)
	return p
}

// Next returns the next document, a node of kind yaml.DocumentNode with the one
// element that it holds. Lines end in a line feed, as those of diag.Pos, and columns
// count bytes. The error is io.EOF behind the last one, else a
// *SyntaxError; nothing comes after it.
func (p *Parser) Next() (doc *yaml.Node, err error) {
	if p.err != nil {
		return nil, p.err
	}
	defer func() {
		if r := recover(); r != nil { // a defect of its own; here it is a text that cannot be read
			p.err = &SyntaxError{Message: fmt.Sprintf("the YAML reader gave up: %v", r)}
			doc, err = nil, p.err
		}
	}()
	doc = &yaml.Node{}
	switch err := p.dec.Decode(doc); {
	case errors.Is(err, io.EOF):
		p.err = io.EOF
		return nil, p.err
	case err != nil:
		p.err = p.syntax(err)
		return nil, p.err
	}
	p.place(doc)
	return doc, nil
}

// place gives a node, and all below it, our lines and columns. It is called in the order
// of the text, which it passes over once.
func (p *Parser) place(n *yaml.Node) {
	for p.at < len(p.text) && (p.line < n.Line || p.line == n.Line && p.column < n.Column) {
		switch size := breakAt(p.text[p.at:]); {
		case size > 0 && p.line == n.Line: // not behind the line
			n.Column = p.column
		case size > 0:
			p.at, p.line, p.column = p.at+size, p.line+1, 1
			if p.pos.Column += size; p.text[p.at-1] == '\n' {
				p.pos.Line, p.pos.Column = p.pos.Line+1, 1
			}
		default:
			_, size := utf8.DecodeRune(p.text[p.at:])
			p.at, p.column, p.pos.Column = p.at+size, p.column+1, p.pos.Column+size
		}
	}
	n.Line, n.Column = p.pos.Line, p.pos.Column
	for _, below := range n.Content {
		p.place(below)
	}
}

var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`) })

// syntax returns the error of go-yaml, with a guess at its cause.
func (p *Parser) syntax(err error) *SyntaxError {
	message := err.Error()
	parts := yamlLine().FindStringSubmatch(message)
	e := &SyntaxError{Message: strings.TrimPrefix(message, parts[0])}
	if line, err := strconv.Atoi(parts[1]); err == nil && line > 0 {
		// It may name the line before the one it stumbled over.
		start := startOf(p.text, line)
		e.Line = 1 + bytes.Count(p.text[:start], []byte{'\n'})
		if next := startOf(p.text[start:], 2); tabbed(p.text[start:]) || tabbed(p.text[start+next:]) {
			e.Hint = "indent with spaces; YAML takes no tabs"
		}
	}
	if e.Hint != "" {
		return e
	}
	colon := strings.Contains(message, "mapping values are not allowed")
	if line, width := misindented(p.text, e.Line); line > 0 && (colon && line == e.Line || strings.Contains(message, "did not find expected")) {
		e.Line = line
		e.Hint = fmt.Sprintf("line %d is indented by %d spaces: align it with the keys that it belongs to", line, width)
	} else if colon {
		e.Hint = `quote text that holds ": "`
	}
	return e
}

// misindented returns the first line, from one on, that begins in a column in
// which nothing above it begins, and below a key that has its value already; and
// its indentation. 0: there is none.
func misindented(text []byte, from int) (line, width int) {
	columns, open := map[int]bool{}, true
	n := 0
	for s := range bytes.Lines(text) {
		n++
		s = bytes.TrimRight(s, "\r\n ")
		rest := bytes.TrimLeft(s, " ")
		if len(rest) == 0 || rest[0] == '#' {
			continue
		}
		column := len(s) - len(rest)
		if n >= from && !open && !columns[column] {
			return n, column
		}
		columns[column] = true
		for bytes.HasPrefix(rest, []byte("- ")) { // the rest is a block in it
			rest = rest[2:]
			column += 2
			columns[column] = true
		}
		open = strings.IndexByte(":|>-", rest[len(rest)-1]) >= 0
	}
	return 0, 0
}

// startOf returns the offset of a line, from 1, as go-yaml counts; that of the
// last one if there are fewer.
func startOf(text []byte, line int) int {
	start := 0
	for i := 0; i < len(text) && line > 1; {
		size := breakAt(text[i:])
		if i += max(size, 1); size > 0 && i < len(text) {
			start, line = i, line-1
		}
	}
	return start
}

// tabbed reports whether a line is indented with a tab.
func tabbed(line []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte{'\t'}) }
