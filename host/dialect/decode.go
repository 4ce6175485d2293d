package dialect

import (
	"fmt"
	"os"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// Options say how to read a document. The zero value detects everything.
type Options struct {
	Dialect string // one of Names; empty: detected from the document's structure
	Format  string // JSON or YAML; empty: from the file's extension, else from the first character

	// Schema checks a JSON Schema that the document writes. Nil: none is checked.
	Schema func(doc any) error

	// Undrafted accepts cases of a native document without criteria, for which criteria
	// are to be drafted. Their Rubric is nil. Nothing may be scored with them: see
	// Document.Drafted.
	Undrafted bool
}

// Decode reads a document. The error is a diag.List of class fault.Invalid that holds
// every problem found, each at its place; a warning among them does not cause it.
// With an error the Document, if there is one, has the detected dialect and nothing
// else. file names the document in messages, and its extension says JSON or YAML; the
// dialect never depends on it.
func Decode(file string, src []byte, o Options) (*Document, error) {
	d := newDecoder(file, src)
	d.schema, d.undrafted = o.Schema, o.Undrafted
	tree, format := d.read(o.Format)
	if tree == nil {
		return nil, d.Err()
	}
	found, speaks, err := choose(d, tree, o.Dialect)
	if err != nil {
		return nil, err
	}
	doc := &Document{File: file, Dialect: speaks.name, Format: format, Reason: found, src: d.Doc.Source, tree: tree}
	d.root = tree
	c := speaks.decode(d, tree)
	stamp(&c, doc)
	for r := range c.all {
		checkRubric(d, speaks, r)
	}
	if err := d.Err(); err != nil {
		return doc, err
	}
	doc.fill(c)
	doc.kept = d.kept
	d.Warnings.Sort()
	doc.Warnings, doc.Advice = d.Warnings, d.advice
	return doc, nil
}

// choose finds the dialect of a tree: the one asked for, else the detected one.
func choose(d *decoder, tree *node, asked string) (reason string, speaks *dialect, err error) {
	if asked != "" {
		return "asked for", find(asked), Known(asked)
	}
	found := Detect(tree)
	if found.Dialect == "" {
		d.Fail(tree.At, "", "dialect-unknown", found.Note, "%s", found.Reason)
		return "", nil, d.Err()
	}
	if found.Note != "" {
		d.Warnings.Add(d.Diagnostic(diag.Note, tree.At, "", "dialect-doubt", "if the other one is meant, name it with "+fault.OptionDialect, "taken for "+found.Dialect+": "+found.Note))
	}
	return found.Reason, find(found.Dialect), nil
}

type contents struct {
	rubrics    []placedRubric
	cases      []placedCase
	unscorable diag.List
}

// all iterates over the rubrics, and those that cases have of their own.
func (c *contents) all(yield func(placedRubric) bool) {
	for _, r := range c.rubrics {
		if !yield(r) {
			return
		}
	}
	for i := range c.cases {
		if own := c.cases[i].own; own != nil && !yield(*own) {
			return
		}
	}
}

type placedRubric struct {
	rubric *rubric.Rubric
	trace  trace
}

// placedCase is a case and its own rubric; the first of contents where it has none.
type placedCase struct {
	EvalCase
	at  document.Place
	own *placedRubric
}

// stamp notes in every rubric where it comes from.
func stamp(c *contents, doc *Document) {
	digest := digest.Of(doc.src.Bytes)
	for r := range c.all {
		r.rubric.Source.Dialect, r.rubric.Source.Format, r.rubric.Source.Digest = doc.Dialect, doc.Format, digest
	}
}

func (doc *Document) fill(c contents) {
	for _, r := range c.rubrics {
		doc.Rubrics = append(doc.Rubrics, r.rubric)
		doc.traces = append(doc.traces, r.trace)
	}
	if len(doc.Rubrics) == 1 {
		doc.Rubric = doc.Rubrics[0]
	}
	for _, held := range c.cases {
		held.Line = doc.src.Line(held.at)
		held.EvalCase.Rubric = doc.Rubric
		own := trace{}
		if held.own != nil {
			held.EvalCase.Rubric, own = held.own.rubric, held.own.trace
		}
		doc.Cases = append(doc.Cases, held.EvalCase)
		doc.own = append(doc.own, own)
	}
	c.unscorable.Sort()
	doc.Unscorable = c.unscorable
}

// checkRubric runs rubric.Check on a rubric, and reports its problems at their places,
// unless the decoder reported one there or inside already: an unreadable part causes
// no further complaints.
func checkRubric(d *decoder, speaks *dialect, r placedRubric) {
	for _, p := range rubric.Check(r.rubric) {
		if p.Path == "policy.overall" && r.rubric.Scale != nil && r.rubric.Policy.Overall.Min == r.rubric.Scale.Min && r.rubric.Policy.Overall.Max == r.rubric.Scale.Max {
			continue // the same is said of the scale
		}
		at, path := r.trace.find(p.Path, speaks.spelling)
		if !d.Failed(at) && !d.failedBelow(path) && (p.Code != "criteria-empty" || len(d.Errors) == 0) {
			d.Fail(at, path, p.Code, p.Hint, "%s", r.trace.words(p.Message, speaks.spelling))
		}
	}
	if len(d.Errors) > 0 {
		return
	}
	for _, p := range rubric.CheckWeights(r.rubric) {
		if at, path := r.trace.find(p.Path, speaks.spelling); !d.warned[at] {
			d.warned[at] = true
			d.Warn(at, path, p.Code, p.Hint, "%s", p.Message)
		}
	}
}

// ReadFile reads a document from a file. A path FILE#ID, if no file has that name, selects
// one rubric of a file with several. Errors are those of Decode, or class fault.NotFound.
func ReadFile(path string, o Options) (*Document, error) {
	if file, id, ok := splitID(path); ok {
		doc, err := ReadFile(file, o)
		if err != nil {
			return nil, err
		}
		return doc.Select(id)
	}
	src, err := file.Read(path, MaxBytes)
	if err != nil {
		return nil, err
	}
	return Decode(path, src, o)
}

// splitID takes FILE#ID apart. It is not ok if a file has the whole name, or if
// FILE does not exist.
func splitID(path string) (file, id string, ok bool) {
	if _, err := os.Lstat(path); err == nil {
		return "", "", false
	}
	for i, r := range path {
		if r != '#' {
			continue
		}
		if info, err := os.Stat(path[:i]); err == nil && !info.IsDir() {
			return path[:i], path[i+1:], true
		}
	}
	return "", "", false
}

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
var synonyms = map[string]string{"config": "with", "configuration": "with", "options": "with", "params": "with", "parameters": "with", "plugin": "metric", "script": "metric", "text": "judge", "question": "judge", "ask": "judge", "llm": "judge", "llm-rubric": "judge", "threshold": "min pass"}

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
		d.Fail(document.Place{}, "", "empty", "write a rubric; its JSON Schema: "+fault.OptionSchema, "the document is empty")
	}
	return d.Doc.Root, d.Doc.Format
}
