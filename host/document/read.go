package document

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Formats of a document.
const (
	JSON = "json"
	YAML = "yaml"
)

// Bounds of a document where Limits set none. They are far above anything that
// people write and low enough that a hostile one costs no more than a moment.
const (
	MaxBytes = 16 << 20
	MaxNodes = 1 << 20
	MaxDepth = 128
)

// mostBytes is the most that Limits.Bytes may be: offsets are 32 bits.
const mostBytes = 1 << 30

// Limits bound a document. A zero field has the default.
type Limits struct {
	Bytes int // of the document, and of its text once aliases are followed; at most 1 GiB (default MaxBytes)
	Nodes int // elements, keys not counted, once aliases are followed (default MaxNodes)
	Depth int // lists and objects within each other (default MaxDepth)
}

// Options say how to read a document. The zero value reads JSON or YAML within
// the default bounds.
type Options struct {
	Format    string // JSON or YAML; empty: from the file's extension, else from the first character
	Noun      string // name of the document in messages, such as "manifest"; empty: "document"
	MergeKeys bool   // YAML's "<<" brings the members of another object; otherwise it is a problem
	Limits    Limits
}

// A Document is the result of Read.
type Document struct {
	*Source
	Format string // JSON or YAML; empty: it was not looked at

	// Root is the tree. It is nil when there are problems that leave nothing to
	// read, and when there are none: then the document is empty.
	Root *Node

	// Problems are all that was found, in the order of reading, each an error
	// with the path of its element where there is one. Elements that have a
	// problem are left out of the tree, or Invalid.
	Problems diag.List
	Places   []Place // of Problems, but for the last if there were too many
}

// Read reads a document. file names it in messages, and its extension says JSON
// or YAML unless Options do; a file of another name is JSON if it begins with a
// bracket. A YAML file that holds JSON is read as JSON if it keeps to all of its
// rules.
func Read(file string, src []byte, o Options) *Document {
	o.Noun = cmp.Or(o.Noun, "document")
	o.Limits = Limits{Bytes: min(cmp.Or(o.Limits.Bytes, MaxBytes), mostBytes), Nodes: cmp.Or(o.Limits.Nodes, MaxNodes), Depth: cmp.Or(o.Limits.Depth, MaxDepth)}
	r := &reader{doc: &Document{Source: NewSource(file, src)}, o: o}
	if r.readable() {
		r.read()
	}
	return r.doc
}

type reader struct {
	doc   *Document
	o     Options
	nodes int    // elements so far
	held  int    // bytes of text so far
	trail []step // from the root to the current element
}

// A step leads to a member, or to an element of a list.
type step struct {
	key   string
	index int // -1: key says where
}

// readable refuses input that is not text or is too large, and reports whether
// it holds anything.
func (r *reader) readable() bool {
	src, text := r.doc.Bytes, r.doc.text
	switch {
	case len(src) > r.o.Limits.Bytes:
		r.doc.text = nil
		r.fail(Place{}, "too-large", "write less, or split it", "the %s has %d bytes; at most %d are read", r.o.Noun, len(src), r.o.Limits.Bytes)
	case bytes.HasPrefix(src, []byte("\xFF\xFE")) || bytes.HasPrefix(src, []byte("\xFE\xFF")):
		r.fail(Place{}, "encoding", "save it as UTF-8", "the %s is UTF-16", r.o.Noun)
	case bytes.IndexByte(text, 0) >= 0:
		r.fail(offset(bytes.IndexByte(text, 0)), "encoding", "save it as UTF-8 text", "the %s holds a NUL byte", r.o.Noun)
	case !utf8.Valid(text):
		r.fail(offset(ValidPrefix(text)), "encoding", "save it as UTF-8, for example with iconv -f WINDOWS-1252 -t UTF-8", "the %s is not valid UTF-8: byte %#02x", r.o.Noun, text[ValidPrefix(text)])
	}
	return len(r.doc.Problems) == 0 && len(bytes.TrimSpace(text)) > 0
}

// ValidPrefix returns the length of the part of text that is valid UTF-8.
func ValidPrefix(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(text)
}

func (r *reader) read() {
	format, sure := r.format()
	if !sure {
		o := r.o
		o.Format = JSON
		if probe := Read(r.doc.File, r.doc.Bytes, o); len(probe.Problems) == 0 {
			r.doc = probe
			return
		}
	}
	switch r.doc.Format = format; format {
	case JSON:
		r.doc.Root = r.readJSON()
	case YAML:
		r.doc.Root = r.readYAML()
	default:
		r.fail(Place{}, "format-unknown", "known: json, yaml", "unknown format %q", fault.Clip(format, 40))
	}
}

// format guesses JSON or YAML. It is not sure of a YAML file that may hold JSON.
func (r *reader) format() (format string, sure bool) {
	if r.o.Format != "" {
		return r.o.Format, true
	}
	begins := bytes.TrimLeft(r.doc.text, " \t\r\n")
	bracket := len(begins) > 0 && (begins[0] == '{' || begins[0] == '[')
	switch strings.ToLower(filepath.Ext(r.doc.File)) {
	case ".json":
		return JSON, true
	case ".yaml", ".yml":
		return YAML, !bracket
	}
	if bracket {
		return JSON, true
	}
	return YAML, true
}

func (r *reader) fail(at Place, code, hint, format string, args ...any) {
	d := r.doc
	if len(d.Problems) > diag.Limit {
		return
	}
	const long = 400 // bytes that a person reads; a key may be as long as the document
	if len(d.Problems) < diag.Limit {
		d.Places = append(d.Places, at)
	}
	d.Problems.Add(diag.Diagnostic{Code: code, Path: r.path(), Pos: d.Pos(at), Message: fault.Clip(fmt.Sprintf(format, args...), long), Hint: fault.Clip(hint, long)})
}

func (r *reader) path() string {
	path := ""
	for _, s := range r.trail {
		if s.index >= 0 {
			path = Index(path, s.index)
		} else {
			path = Join(path, s.key)
		}
	}
	return path
}

func (r *reader) enter(key string, index int) { r.trail = append(r.trail, step{key, index}) }

func (r *reader) leave() { r.trail = r.trail[:len(r.trail)-1] }

// grow counts a node and reports whether there may be one more at this depth.
func (r *reader) grow(at Place, depth int) bool {
	most := r.o.Limits
	r.nodes++
	switch {
	case r.nodes == most.Nodes+1:
		r.fail(at, "too-large", "write less, or split it; check for an alias that repeats itself", "the %s has more than %d elements", r.o.Noun, most.Nodes)
	case depth == most.Depth+1:
		r.fail(at, "too-deep", "flatten the "+r.o.Noun, "lists and objects nest more than %d deep", most.Depth)
	}
	return r.nodes <= most.Nodes && depth <= most.Depth
}

// hold counts the text of a node and reports whether there is room for it.
// Aliases cost no memory themselves, but their copies do.
func (r *reader) hold(at Place, text string) bool {
	before, most := r.held, r.o.Limits.Bytes
	r.held += len(text)
	if before <= most && r.held > most {
		r.fail(at, "too-large", "check for an alias that repeats a long text", "the %s has more than %d bytes of text once its aliases are followed", r.o.Noun, most)
	}
	return r.held <= most
}

// add appends a member to an object, and reports a duplicate key.
// keys has the places of those that exist.
func (r *reader) add(n *Node, keys map[string]Place, m Member) {
	if first, twice := keys[m.Key]; twice {
		r.fail(m.At, "duplicate-key", "remove one of the two", "the key %q is written twice, first on line %d", fault.Clip(m.Key, 80), r.doc.Line(first))
		return
	}
	keys[m.Key] = m.At
	n.Members = append(n.Members, m)
}
