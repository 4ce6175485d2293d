package dialect

import (
	"fmt"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Read reads the tree of a rubric document, of any dialect, as Decode does. The
// error is a diag.List of class fault.Invalid: the document is empty, or neither
// JSON nor YAML. format is JSON, YAML or empty, as Options have it.
func Read(file string, src []byte, format string) (*document.Document, error) {
	d := newDecoder(file, src)
	tree, format := d.read(format)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return &document.Document{Source: d.Doc.Source, Format: format, Root: tree}, nil
}

type decoder struct {
	strict.Reader
	advice diag.List // reported by Lint only

	schema func(any) error // checks a JSON Schema; may be nil

	undrafted bool // Options.Undrafted

	root   *node                   // of the document, once it is read
	warned map[document.Place]bool // places whose weights have a warning already: cases share criteria
	kept   []string                // paths of members that are kept and not read
}

// synonyms are words that people write for a key of ours: plugins have a configuration,
// and rubrics call it with.
var synonyms = map[string]string{"config": "with", "configuration": "with", "options": "with", "params": "with", "parameters": "with", "plugin": "metric", "script": "metric", "text": "judge", "question": "judge"}

func newDecoder(file string, src []byte) *decoder {
	d := &decoder{warned: map[document.Place]bool{}}
	d.take(&document.Document{Source: document.NewSource(file, src)})
	return d
}

// take makes doc the document that is read.
func (d *decoder) take(doc *document.Document) {
	seen := d.Seen
	d.Reader = strict.New(doc)
	d.Synonyms, d.Seen = synonyms, seen
}

func (d *decoder) advise(at document.Place, path, code, hint, format string, args ...any) {
	if len(d.advice) <= diag.Limit {
		d.advice.Add(d.Diagnostic(diag.Warning, at, path, code, hint, fmt.Sprintf(format, args...)))
	}
}

// failedBelow reports whether an element or something inside it has an error.
func (d *decoder) failedBelow(path string) bool {
	for i := range d.Errors {
		rest, inside := strings.CutPrefix(d.Errors[i].Path, path)
		if path != "" && inside && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// read turns the source into a tree, nil if it cannot. Recoverable errors are
// reported, so that the rest of the document is checked too. format is JSON, YAML or
// empty, as Options have it.
func (d *decoder) read(format string) (*node, string) {
	d.take(document.Read(d.Doc.File, d.Doc.Bytes, document.Options{Format: format, MergeKeys: true}))
	if d.Doc.Root == nil && len(d.Errors) == 0 {
		d.Fail(document.Place{}, "", "empty", "write a rubric, or start from a template: "+fault.OptionTemplate, "the document is empty")
	}
	return d.Doc.Root, d.Doc.Format
}
