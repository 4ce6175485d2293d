package dialect

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/diag"
)

// Formats of a document.
const (
	JSON = "json"
	YAML = "yaml"
)

// A decoder collects the problems of one document while it is read.
type decoder struct {
	src   *source
	errs  diag.List
	warns diag.List

	root   *node         // of the document, once it is read
	failed map[spot]bool // places that have an error already
	nodes  int           // elements read so far
	held   int           // bytes of text read so far
	kept   []string      // paths of members that are kept and not read

	// words, if not nil, takes every key that is asked for and every key that is
	// written, by the kind of object it belongs to. Tests hold documents and
	// schemas to it.
	words map[string]*vocabulary
}

// A vocabulary is the keys of one kind of object.
type vocabulary struct{ asked, written map[string]bool }

// vocabulary returns that of a kind of object, nil unless it is kept.
func (d *decoder) vocabulary(what string) *vocabulary {
	if d.words == nil {
		return nil
	}
	if d.words[what] == nil {
		d.words[what] = &vocabulary{asked: map[string]bool{}, written: map[string]bool{}}
	}
	return d.words[what]
}

func newDecoder(file string, src []byte) *decoder {
	return &decoder{src: newSource(file, src), failed: map[spot]bool{}}
}

// fail adds an error at a place. path names the element, hint may be empty.
func (d *decoder) fail(at spot, path, code, hint, format string, args ...any) {
	d.failed[at] = true
	if len(d.errs) <= diag.Limit {
		d.errs.Add(d.diagnostic(diag.Error, at, path, code, hint, fmt.Sprintf(format, args...)))
	}
}

// diagnostic makes one. What comes from the document is cut to what a person
// reads: a key or an id may be as long as the document.
func (d *decoder) diagnostic(severity diag.Severity, at spot, path, code, hint, message string) diag.Diagnostic {
	const long = 400
	return diag.Diagnostic{Severity: severity, Code: code, Path: clip(path, long), Pos: d.src.pos(at), Message: clip(message, long), Hint: clip(hint, long)}
}

// warn adds a warning at a place.
func (d *decoder) warn(at spot, path, code, hint, format string, args ...any) {
	d.note(diag.Warning, at, path, code, hint, fmt.Sprintf(format, args...))
}

func (d *decoder) note(severity diag.Severity, at spot, path, code, hint, message string) {
	if len(d.warns) <= diag.Limit {
		d.warns.Add(d.diagnostic(severity, at, path, code, hint, message))
	}
}

// failedBelow reports whether an element or something inside it has an error.
func (d *decoder) failedBelow(path string) bool {
	for i := range d.errs {
		rest, inside := strings.CutPrefix(d.errs[i].Path, path)
		if path != "" && inside && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// full reports whether more errors would not be kept.
func (d *decoder) full() bool { return len(d.errs) > diag.Limit }

// err returns everything found as an error, if one of it is an error.
func (d *decoder) err() error {
	if len(d.errs) == 0 {
		return nil
	}
	all := append(append(diag.List{}, d.errs...), d.warns...)
	all.Sort()
	return all.Err()
}

// read turns the source into a tree, nil if it cannot. Problems with single keys
// are reported and passed over, so that the rest of the document is looked at too. format is JSON, YAML or
// empty: a name that ends in .json, .yaml or .yml decides, else the first
// character does: "{" and "[" begin JSON.
func (d *decoder) read(format string) (*node, string) {
	if !d.readable() {
		return nil, format
	}
	if format == "" {
		format = d.format()
	}
	var n *node
	switch format {
	case JSON:
		n = d.readJSON()
	case YAML:
		n = d.readYAML()
	default:
		d.fail(spot{}, "", "format-unknown", "known: json, yaml", "unknown format %q", format)
	}
	return n, format
}

// format guesses JSON or YAML. A YAML file may hold JSON, which is YAML too; it
// is read by the stricter rules if they allow it.
func (d *decoder) format() string {
	begins := bytes.TrimLeft(d.src.text, " \t\r\n")
	bracket := len(begins) > 0 && (begins[0] == '{' || begins[0] == '[')
	switch strings.ToLower(filepath.Ext(d.src.file)) {
	case ".json":
		return JSON
	case ".yaml", ".yml":
		if bracket {
			probe := newDecoder(d.src.file, d.src.src)
			if probe.readJSON(); len(probe.errs) == 0 {
				return JSON
			}
		}
		return YAML
	}
	if bracket {
		return JSON
	}
	return YAML
}

// readable refuses what is not text of a bearable size.
func (d *decoder) readable() bool {
	src := d.src.src
	switch {
	case len(src) > MaxBytes:
		d.src = newSource(d.src.file, nil)
		d.fail(spot{}, "", "too-large", "split the document", "the document has %d bytes; at most %d are read", len(src), MaxBytes)
	case bytes.HasPrefix(src, []byte("\xFF\xFE")) || bytes.HasPrefix(src, []byte("\xFE\xFF")):
		d.fail(spot{}, "", "encoding", "save it as UTF-8", "the document is UTF-16")
	case bytes.IndexByte(src, 0) >= 0:
		d.fail(spot{column: offset(bytes.IndexByte(d.src.text, 0))}, "", "encoding", "save it as UTF-8 text", "the document holds a NUL byte")
	case !utf8.Valid(src):
		d.fail(spot{column: offset(invalidAt(d.src.text))}, "", "encoding", "save it as UTF-8", "the document is not valid UTF-8")
	case len(bytes.TrimSpace(d.src.text)) == 0:
		d.fail(spot{}, "", "empty", "write a rubric; rubric-host init makes one to begin with", "the document is empty")
	}
	return len(d.errs) == 0
}

// offset keeps a byte offset of a document within a spot.
func offset(n int) int32 { return int32(min(max(n, 0), MaxBytes)) } //nolint:gosec // bounded on the line

func invalidAt(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return 0
}

// grow counts a node and reports whether there may be one more at this depth.
func (d *decoder) grow(at spot, depth int) bool {
	d.nodes++
	switch {
	case d.nodes == MaxNodes+1:
		d.fail(at, "", "too-large", "split the document; check for an alias that repeats itself", "the document has more than %d elements", MaxNodes)
	case depth == MaxDepth+1:
		d.fail(at, "", "too-deep", "flatten the document", "lists and objects nest more than %d deep", MaxDepth)
	}
	return d.nodes <= MaxNodes && depth <= MaxDepth
}

// hold counts the text of a node and reports whether there is room for it.
// Aliases cost no memory themselves, but what is made of them does.
func (d *decoder) hold(at spot, text string) bool {
	before := d.held
	d.held += len(text)
	if before <= MaxBytes && d.held > MaxBytes {
		d.fail(at, "", "too-large", "check for an alias that repeats a long text", "the document has more than %d bytes of text once its aliases are followed", MaxBytes)
	}
	return d.held <= MaxBytes
}

// A keySet finds the members of one object that share a key. Small objects, as
// nearly all are, are searched; a large one gets an index.
type keySet map[string]spot

// first returns where a key of n is written, if it is.
func (k *keySet) first(n *node, key string) (spot, bool) {
	const small = 24
	if len(n.members) < small {
		for i := range n.members {
			if n.members[i].key == key {
				return n.members[i].at, true
			}
		}
		return spot{}, false
	}
	if *k == nil {
		*k = make(keySet, 2*len(n.members))
		for i := range n.members {
			(*k)[n.members[i].key] = n.members[i].at
		}
	}
	at, ok := (*k)[key]
	return at, ok
}

// put appends a member.
func (k *keySet) put(n *node, m member) {
	n.members = append(n.members, m)
	if *k != nil {
		(*k)[m.key] = m.at
	}
}

// add appends a member to an object, and reports a key that is there already.
func (d *decoder) add(n *node, keys *keySet, m member) {
	if first, twice := keys.first(n, m.key); twice {
		d.fail(m.at, "", "duplicate-key", "remove one of the two", "the key %q is written twice, first on line %d", m.key, d.src.line(first))
		return
	}
	keys.put(n, m)
}
