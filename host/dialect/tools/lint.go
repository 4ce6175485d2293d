package tools

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// maxLinted bounds how many rubrics of single cases Lint reads. Later ones
// rarely add anything new.
const maxLinted = 100

// Lint warns about a valid but questionable document. It returns the warnings of
// reading it, the dialect's advice and those of rubric.Lint, each at its place and
// sorted. Nothing in it is an error.
func Lint(doc *dialect.Document) diag.List {
	var list diag.List
	seen := map[string]bool{}
	add := func(d diag.Diagnostic) { // once for each place: cases may share criteria
		if key := d.Pos.String() + d.Code; !seen[key] {
			seen[key] = true
			list.Add(d)
		}
	}
	lint := func(r *rubric.Rubric) {
		for _, p := range rubric.Lint(r) {
			add(doc.Diagnostic(r, diag.Warning, p))
		}
	}
	for _, d := range slices.Concat(doc.Warnings, doc.Advice) {
		add(d)
	}
	for _, r := range doc.Rubrics {
		lint(r)
	}
	own := 0
	for i := range doc.Cases {
		if r := doc.Cases[i].Rubric; r != doc.Rubric && own < maxLinted {
			own++
			lint(r)
		}
	}
	list.Sort()
	return list
}
