package dialect

import (
	"regexp"
	"sync"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// Lint returns what is unwise about a document that Decode accepts, each at its
// place and sorted: the warnings of reading it, the best practices that
// rubric.Lint knows, and the dialect's own. Of the rubrics that cases have of
// their own it looks at the first hundred. Nothing in it is an error.
func Lint(doc *Document) diag.List {
	l := &linter{doc: doc, seen: map[string]bool{}}
	for _, d := range doc.Warnings {
		l.add(d)
	}
	speaks := find(doc.Dialect)
	if speaks == nil || doc.src == nil {
		return l.list
	}
	for i, r := range doc.Rubrics {
		l.rubric(r, doc.traces[i], speaks)
	}
	const most = 100 // rubrics of single cases; later ones rarely say anything new
	own := 0
	for i := range doc.Cases {
		if doc.own[i].node != nil && own < most {
			own++
			l.rubric(doc.Cases[i].Rubric, doc.own[i], speaks)
		}
	}
	l.evalFile()
	l.list.Sort()
	return l.list
}

type linter struct {
	doc  *Document
	list diag.List
	seen map[string]bool
}

// add keeps one of several diagnostics that say the same of the same place, as
// cases that share criteria would.
func (l *linter) add(d diag.Diagnostic) {
	key := d.Pos.String() + d.Code
	if !l.seen[key] {
		l.seen[key] = true
		l.list.Add(d)
	}
}

func (l *linter) rubric(r *rubric.Rubric, t trace, speaks *dialect) {
	for _, p := range rubric.Lint(r) {
		place, path := t.find(p.Path, speaks.spelling)
		l.add(diag.Diagnostic{Severity: diag.Warning, Code: p.Code, Path: path, Pos: l.doc.src.Pos(place), Message: t.words(p.Message, speaks.spelling), Hint: p.Hint})
	}
}

// evalName is the form that the AgentEvals schema gives to a file's name.
var evalName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}[a-z0-9]$`) })

func (l *linter) evalFile() {
	root := l.doc.tree
	if l.doc.Dialect == AgentEvals {
		if n := root.Get("name"); n.Is(document.Text) && !evalName().MatchString(n.Value) {
			l.warn(n.At, "name", "name-form", "use lower-case letters, digits and hyphens", "the name %q is not of the form that AgentEvals requires", fault.Clip(n.Value, 60))
		}
	}
	if l.doc.Dialect != AgentEvals && l.doc.Dialect != AgentV {
		return
	}
	for _, key := range caseKeys {
		list := root.Get(key)
		if !list.Is(document.List) {
			continue
		}
		for i, c := range list.Items {
			if !c.Has("input", "input_messages", "turns") {
				l.warn(c.At, document.Index(key, i), "input-missing", "write input", "the case has no input")
			}
			if !c.Has(outcomeKeys...) {
				l.warn(c.At, document.Index(key, i), "outcome-missing", "write expected_outcome", "the case has no expected outcome")
			}
		}
	}
}

func (l *linter) warn(place spot, path, code, hint, format string, args ...any) {
	d := decoder{src: l.doc.src}
	d.warn(place, path, code, hint, format, args...)
	for _, w := range d.warns {
		l.add(w)
	}
}

// Place returns where an element of a document's rubric stands, as near as the
// document has it. path names the element as rubric.Check and rubric.Walk do,
// such as "criteria[2].weight"; the second result is the path in the document's
// own words. For a document with several rubrics, or none, it is the beginning.
func (doc *Document) Place(path string) (diag.Pos, string) {
	speaks := find(doc.Dialect)
	if doc.src == nil || speaks == nil || len(doc.traces) != 1 {
		return diag.Pos{File: doc.File, Line: 1, Column: 1}, ""
	}
	place, shown := doc.traces[0].find(path, speaks.spelling)
	return doc.src.Pos(place), shown
}
