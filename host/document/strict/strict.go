// Package strict reads objects of a document: keys and kinds of values that a reader
// does not ask for are problems. Each problem has a place, a path, a message and a
// hint; reading continues after it, so that all are reported at once.
//
//	r := strict.New(document.Read(name, src, document.Options{}))
//	o := r.Object(r.Doc.Root, "", "manifest")
//	name := o.Word(strict.Must, "plugin")
//	o.Close()
//	err := r.Err()
//
// Stability: experimental.
package strict

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Reader collects the problems of one document. Its methods take the path of a value,
// for messages; it is empty for the document itself.
type Reader struct {
	Doc      *document.Document
	Errors   diag.List
	Warnings diag.List

	// Noun names the document in messages; empty: "document".
	Noun string

	// NoNulls makes null an error everywhere. Otherwise it is the same as a missing key,
	// with a warning where no value is written.
	NoNulls bool

	// Synonyms has the keys that people may mean by another word, separated by spaces.
	Synonyms map[string]string

	// Shapes has an example of an object of a kind, for the hint where something else is written.
	Shapes map[string]string

	// Seen, if not nil, is called with each key of an object that is written, and each that
	// a reader asks for. what is the kind of object.
	Seen func(what, key string, asked bool)

	failed map[document.Place]bool
}

// New returns a reader of a document, with the problems that the document has.
func New(doc *document.Document) Reader {
	return Reader{Doc: doc, Errors: doc.Problems, failed: xslices.Set(doc.Places)}
}

// Err returns errors and warnings as an error, nil if there are no errors.
func (r *Reader) Err() error {
	if len(r.Errors) == 0 {
		return nil
	}
	all := append(append(diag.List{}, r.Errors...), r.Warnings...)
	all.Sort()
	return all.Err()
}

// Fail adds an error. The hint may be empty.
func (r *Reader) Fail(at document.Place, path, code, hint, format string, args ...any) {
	r.failed[at] = true
	if len(r.Errors) <= diag.Limit {
		r.Errors.Add(r.Diagnostic(diag.Error, at, path, code, hint, fmt.Sprintf(format, args...)))
	}
}

// Warn adds a warning. The hint may be empty.
func (r *Reader) Warn(at document.Place, path, code, hint, format string, args ...any) {
	if len(r.Warnings) <= diag.Limit {
		r.Warnings.Add(r.Diagnostic(diag.Warning, at, path, code, hint, fmt.Sprintf(format, args...)))
	}
}

// Diagnostic returns a problem. Its texts are cut: a key or an id may be as long as the
// document.
func (r *Reader) Diagnostic(severity diag.Severity, at document.Place, path, code, hint, message string) diag.Diagnostic {
	const long = 400
	return diag.Diagnostic{Severity: severity, Code: code, Path: fault.Clip(path, long), Pos: r.Doc.Pos(at), Message: fault.Clip(message, long), Hint: fault.Clip(hint, long)}
}

// Failed reports whether a place has an error.
func (r *Reader) Failed(at document.Place) bool { return r.failed[at] }

// Full reports whether further errors are dropped.
func (r *Reader) Full() bool { return len(r.Errors) > diag.Limit }

// Wrong reports a value of another kind than want.
func (r *Reader) Wrong(n *document.Node, path, want string) {
	hint := ""
	switch {
	case n.Kind == document.Invalid: // reported
		return
	case n.Kind == document.Null:
		r.Fail(n.At, path, "value-missing", "write "+want+", or remove the key", "%s has no value", r.label(path))
		return
	case strings.HasPrefix(want, "text") && (n.Kind == document.Number || n.Kind == document.Boolean):
		hint = fmt.Sprintf("quote it: %q", n.Value)
	case strings.HasPrefix(want, "a number") && n.Kind == document.Text && isNumber(strings.TrimSpace(n.Value)):
		hint = "remove the quotes: " + strings.TrimSpace(n.Value)
	case strings.HasPrefix(want, "a number") && n.Kind == document.Text && strings.HasSuffix(n.Value, "%"):
		if x, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(n.Value, "%")), 64); err == nil {
			hint = "write " + strconv.FormatFloat(x/100, 'g', 6, 64)
		}
	case strings.HasPrefix(want, "true or false") && n.Kind == document.Text:
		hint = "write true or false, without quotes"
	default:
		hint = r.Shapes[strings.TrimPrefix(want, "an object: ")]
	}
	r.Fail(n.At, path, "wrong-type", hint, "%s must be %s, not %s", r.label(path), want, Shown(n))
}

func isNumber(s string) bool {
	_, ok := document.JSONNumber(s)
	return ok
}

// label is how a message calls an element.
func (r *Reader) label(path string) string { return cmp.Or(path, "the "+cmp.Or(r.Noun, "document")) }

// Shown describes a value in a message: scalars with their literals.
func Shown(n *document.Node) string {
	switch n.Kind {
	case document.Boolean, document.Number:
		return n.Kind.String() + " " + fault.Clip(n.Value, 40)
	case document.Text:
		return "the text " + strconv.Quote(fault.Clip(n.Value, 40))
	}
	return n.Kind.String()
}

// Text returns the text that n is. Words that older YAML takes for booleans must be quoted.
func (r *Reader) Text(n *document.Node, path string) string {
	if n.Kind != document.Text {
		r.Wrong(n, path, "text")
		return ""
	}
	if n.Bare && document.OldBoolean(n.Value) {
		r.Fail(n.At, path, "ambiguous-word", fmt.Sprintf("quote it: %q", n.Value), ambiguousWord, n.Value)
		return ""
	}
	return n.Value
}

const ambiguousWord = "%s is text to some YAML readers and a boolean to others"

// Prose is Text for people: a word that older YAML takes for a boolean is a warning.
func (r *Reader) Prose(n *document.Node, path string) string {
	if n.Kind == document.Text && n.Bare && document.OldBoolean(n.Value) {
		r.Warn(n.At, path, "ambiguous-word", fmt.Sprintf("quote it: %q", n.Value), ambiguousWord, n.Value)
		return n.Value
	}
	return r.Text(n, path)
}

// Number returns the finite number that n is.
func (r *Reader) Number(n *document.Node, path string) (float64, bool) {
	if n.Kind != document.Number {
		r.Wrong(n, path, "a number")
		return 0, false
	}
	x, why := document.ParseNumber(n.Value)
	if why != "" {
		r.Fail(n.At, path, "number-form", "write a finite decimal number such as 0.5", "%s %s: %s", r.label(path), why, fault.Clip(n.Value, 40))
		return 0, false
	}
	return x, true
}

// Texts returns the list of texts that n is.
func (r *Reader) Texts(n *document.Node, path string) []string {
	if n.Kind != document.List {
		r.Wrong(n, path, "a list of texts")
		return nil
	}
	out := make([]string, 0, len(n.Items))
	for i, item := range n.Items {
		out = append(out, r.Text(item, document.Index(path, i)))
	}
	return out
}

// Free returns the members of n, whatever their keys are; nil if n is not an object.
func (r *Reader) Free(n *document.Node, path string) map[string]any {
	if n.Kind != document.Object {
		r.Wrong(n, path, "an object")
		return nil
	}
	m, _ := r.Value(n, path).(map[string]any)
	return m
}

// Value returns any value as plain Go: nil, bool, float64, string, []any and
// map[string]any. A number that no float64 holds keeps its literal, as a jsontext.Value.
func (r *Reader) Value(n *document.Node, path string) any {
	switch n.Kind {
	case document.Boolean:
		return n.Value == "true"
	case document.Number:
		x, ok := r.Number(n, path)
		if ok && !document.Exactly(n.Value, x) {
			plain, _ := document.JSONNumber(n.Value)
			return jsontext.Value(plain)
		}
		return x
	case document.Text:
		return n.Value
	case document.List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = r.Value(item, document.Index(path, i))
		}
		return out
	case document.Object:
		out := make(map[string]any, len(n.Members))
		r.Each(n, path, "", func(m *document.Member, path string) { out[m.Key] = r.Value(m.Value, path) })
		return out
	}
	return nil
}

// Each visits the members of an object with any keys: what is its kind. Keys that are
// not text are errors.
func (r *Reader) Each(n *document.Node, path, what string, visit func(m *document.Member, path string)) {
	if n.Kind != document.Object {
		r.Wrong(n, path, "an object: "+what)
		return
	}
	for i := range n.Members {
		m := &n.Members[i]
		at := document.Join(path, m.Key)
		if m.Whole {
			r.Fail(m.At, at, "key-type", fmt.Sprintf("quote it: %q", m.Key), "the key %s is not text", m.Key)
		}
		visit(m, at)
	}
}
