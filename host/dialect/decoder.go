package dialect

import (
	"fmt"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Read reads the tree of a rubric document, of any dialect, as Decode does. The
// error is a diag.List of class fault.Invalid: the document is empty, or neither
// JSON nor YAML. format is JSON, YAML or empty, as Options have it.
func Read(file string, src []byte, format string) (*document.Document, error) {
	d := newDecoder(file, src)
	tree, format := d.read(format)
	if err := d.err(); err != nil {
		return nil, err
	}
	return &document.Document{Source: d.src, Format: format, Root: tree}, nil
}

// A decoder collects the problems of one document while it is read.
type decoder struct {
	src    *document.Source
	errs   diag.List
	warns  diag.List
	advice diag.List // reported by Lint only

	schema func(any) error // checks a JSON Schema; may be nil

	undrafted bool // Options.Undrafted

	root   *node                   // of the document, once it is read
	failed map[document.Place]bool // places that have an error already
	warned map[document.Place]bool // places whose weights have a warning already: cases share criteria
	kept   []string                // paths of members that are kept and not read

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
	return &decoder{src: document.NewSource(file, src), failed: map[document.Place]bool{}, warned: map[document.Place]bool{}}
}

// fail adds an error at a place. path names the element, hint may be empty.
func (d *decoder) fail(at document.Place, path, code, hint, format string, args ...any) {
	d.failed[at] = true
	if len(d.errs) <= diag.Limit {
		d.errs.Add(d.diagnostic(diag.Error, at, path, code, hint, fmt.Sprintf(format, args...)))
	}
}

// diagnostic makes one. Quotations of the document are cut: a key or an id may be as
// long as the document.
func (d *decoder) diagnostic(severity diag.Severity, at document.Place, path, code, hint, message string) diag.Diagnostic {
	const long = 400
	return diag.Diagnostic{Severity: severity, Code: code, Path: fault.Clip(path, long), Pos: d.src.Pos(at), Message: fault.Clip(message, long), Hint: fault.Clip(hint, long)}
}

// warn adds a warning at a place.
func (d *decoder) warn(at document.Place, path, code, hint, format string, args ...any) {
	d.note(diag.Warning, at, path, code, hint, fmt.Sprintf(format, args...))
}

func (d *decoder) note(severity diag.Severity, at document.Place, path, code, hint, message string) {
	if len(d.warns) <= diag.Limit {
		d.warns.Add(d.diagnostic(severity, at, path, code, hint, message))
	}
}

// advise adds advice about a place.
func (d *decoder) advise(at document.Place, path, code, hint, format string, args ...any) {
	if len(d.advice) <= diag.Limit {
		d.advice.Add(d.diagnostic(diag.Warning, at, path, code, hint, fmt.Sprintf(format, args...)))
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

// read turns the source into a tree, nil if it cannot. Recoverable errors are
// reported, so that the rest of the document is checked too. format is JSON, YAML or
// empty, as Options have it.
func (d *decoder) read(format string) (*node, string) {
	in := document.Read(d.src.File, d.src.Bytes, document.Options{Format: format, MergeKeys: true})
	d.src, d.errs = in.Source, in.Problems
	for _, place := range in.Places {
		d.failed[place] = true
	}
	if in.Root == nil && len(d.errs) == 0 {
		d.fail(document.Place{}, "", "empty", "write a rubric, or start from a template: "+fault.OptionTemplate, "the document is empty")
	}
	return in.Root, in.Format
}
