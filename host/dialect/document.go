package dialect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Document is a rubric document that was read.
type Document struct {
	File    string // as given to Decode; only for messages
	Dialect string
	Format  string // JSON or YAML
	Reason  string // why the document was taken for its dialect

	// Rubric applies to every case. It is nil for an eval
	// file in which only cases have rubrics, and for a collection of several.
	Rubric *rubric.Rubric

	// Rubrics are all rubrics of the document: Rubric alone, or each one of a
	// dataknobs registry configuration.
	Rubrics []*rubric.Rubric

	// Selected is the argument of Select; empty: the document is whole.
	Selected string

	// Cases are the cases that an eval file brings, in order.
	Cases []EvalCase

	// Warnings do not make the document unusable. They are sorted by place.
	Warnings diag.List

	// Unscorable lists the parts of the document that this program cannot
	// score: Decode keeps it and Encode writes it back, but nothing may be
	// scored with the document while the list is not empty. In the rubrics such
	// a part is bound to a plugin whose name begins with UnscorablePrefix.
	Unscorable diag.List

	// Advice lists valid but questionable parts, by the rules of this dialect. Lint adds it
	// to its own findings.
	Advice diag.List

	src    *document.Source
	tree   *node
	traces []trace // of Rubrics
	own    []trace // of the cases' own rubrics; a nil node where the case has Rubric

	// kept are the paths of settings that the model does not hold: those of the
	// system under test and of the original's own runner.
	kept []string
}

// UnscorablePrefix begins the plugin name of an evaluator that this program
// does not know. No plugin can have such a name.
const UnscorablePrefix = "unscorable:"

// An EvalCase is a case of an eval file and the rubric it is graded with.
type EvalCase struct {
	ID string

	// Rubric is complete: the parts that the file has for every case, and the case's
	// own. Cases without parts of their own share one Rubric.
	Rubric *rubric.Rubric

	// Fields is a JSON object in the vocabulary of datasets: id, input (text or
	// messages), expected_output, references, context, metadata, ... and
	// whatever else the case has.
	Fields jsontext.Value

	Line int // where the case begins, from 1
}

// Name returns the reference that loads the document again: its file, with "#" and the
// selected rubric where it is one of many.
func (doc *Document) Name() string {
	if doc.Selected == "" {
		return doc.File
	}
	return doc.File + "#" + doc.Selected
}

// AllRubrics returns the rubrics of the document and of its cases, each once.
func (doc *Document) AllRubrics() []*rubric.Rubric {
	all := xslices.Unique(doc.Rubrics, xslices.Map(doc.Cases, func(c EvalCase) *rubric.Rubric { return c.Rubric }))
	return xslices.Filter(all, func(r *rubric.Rubric) bool { return r != nil })
}

// Bytes returns the text that the document was read from, with every rubric of its file.
// It is not to be changed. A document made in Go has none.
func (doc *Document) Bytes() []byte {
	if doc.src == nil {
		return nil
	}
	return doc.src.Bytes
}

// Select returns the document of one of its rubrics. id is that of the rubric,
// or id@version where several versions share it. The error, of class
// fault.NotFound or fault.Usage, lists the ids.
func (doc *Document) Select(id string) (*Document, error) {
	ids := xslices.Unique(xslices.Map(doc.Rubrics, func(r *rubric.Rubric) string { return r.ID }))
	var found []string
	at := -1
	for i, r := range doc.Rubrics {
		versioned := r.ID + "@" + r.Version
		if id == r.ID || id == versioned {
			at, found = i, append(found, versioned)
		}
	}
	switch {
	case len(ids) == 0:
		err := fault.New(fault.NotFound, "%s has no rubric %q", cmp.Or(doc.File, "the document"), fault.Clip(id, 60))
		return nil, fault.WithHint(err, "the rubrics of this file belong to its cases")
	case len(found) == 0:
		err := fault.New(fault.NotFound, "%s has no rubric %q; it has: %s", cmp.Or(doc.File, "the document"), fault.Clip(id, 60), fault.Clip(strings.Join(ids, ", "), 400))
		if near := diag.Suggest(id, ids); near != "" {
			return nil, fault.WithHint(err, "did you mean %s#%s?", doc.File, near)
		}
		return nil, err
	case len(found) > 1:
		err := fault.New(fault.Usage, "%s has %d versions of the rubric %q", cmp.Or(doc.File, "the document"), len(found), fault.Clip(id, 60))
		return nil, fault.WithHint(err, "choose one: %s", fault.Clip(strings.Join(found, ", "), 400))
	case len(doc.Rubrics) == 1:
		return doc, nil
	}
	return doc.only(at, id), nil
}

// Alone returns the document of rubric i of Rubrics, without those beside it.
func (doc *Document) Alone(i int) *Document {
	if len(doc.Rubrics) == 1 && (len(doc.traces) == 0 || !strings.HasPrefix(doc.traces[0].path, "rubrics[")) {
		return doc
	}
	return doc.only(i, doc.Rubrics[i].ID+"@"+doc.Rubrics[i].Version)
}

func (doc *Document) only(i int, selected string) *Document {
	one := *doc
	one.Selected = selected
	one.Rubric, one.Rubrics = doc.Rubrics[i], doc.Rubrics[i:i+1]
	if i < len(doc.traces) {
		one.traces = doc.traces[i : i+1]
		one.tree = one.traces[0].node
	}
	return &one
}

// Drafted returns the document without the cases that have no rubric yet, which
// Options.Undrafted accepts.
func (doc *Document) Drafted() *Document {
	out := *doc
	out.Cases, out.own = nil, nil
	for i := range doc.Cases {
		if doc.Cases[i].Rubric == nil {
			continue
		}
		out.Cases = append(out.Cases, doc.Cases[i])
		if i < len(doc.own) {
			out.own = append(out.own, doc.own[i])
		}
	}
	return &out
}

// Scorable returns nil if everything in the document can be scored, else the
// diagnostics about the others, as an error of class fault.Invalid.
func (doc *Document) Scorable() error { return doc.Unscorable.Err() }

// Diagnostic returns a problem that package rubric found in r, which is one of
// the document's rubrics or of its cases' own, at its place: as near as the
// document has it, with the document's path and words. The place of any other
// rubric is the beginning of the document.
func (doc *Document) Diagnostic(r *rubric.Rubric, severity diag.Severity, p rubric.Problem) diag.Diagnostic {
	d := diag.Diagnostic{Severity: severity, Code: p.Code, Pos: diag.Pos{File: doc.File, Line: 1, Column: 1}, Message: p.Message, Hint: p.Hint}
	if t, ok := doc.trace(r); ok {
		spelling := find(doc.Dialect).spelling
		at, path := t.find(p.Path, spelling)
		d.Pos, d.Path, d.Message = doc.src.Pos(at), path, t.words(p.Message, spelling)
	}
	return d
}

// trace returns where the elements of a rubric stand.
func (doc *Document) trace(r *rubric.Rubric) (trace, bool) {
	if i := slices.Index(doc.Rubrics, r); i >= 0 && i < len(doc.traces) {
		return doc.traces[i], true
	}
	for i := range doc.own {
		if doc.own[i].node != nil && doc.Cases[i].Rubric == r {
			return doc.own[i], true
		}
	}
	return trace{}, false
}

// Slug makes an id of a text: lower-case letters, digits and hyphens, at most so many bytes.
// It is empty if the text has none.
func Slug(text string, most int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= most {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}
