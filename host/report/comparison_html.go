package report

import (
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

var comparePage = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(pageFiles, "page/compare.html", "page/table.html"))
})

// The page of a comparison. Text in it is plain; the template escapes it.
type (
	comparePageData struct {
		Policy, Title string
		Style         template.CSS
		Comparisons   []compareSection
	}
	compareSection struct {
		Name, Sentence, Class, Pairing, Methods, Shown string
		WithinShown                                    string // how many of Within the page has
		Gates                                          *table
		Changes, Within                                []*table // Within: of every criterion of every slice
		Notes                                          []string
		Cases                                          []compareCase
	}
	compareCase struct {
		ID, State, Class, Base, Now, Criteria, Input, References string
		Known                                                    bool // the outputs are
		Left, Right                                              []part
	}
)

// Bounds of the page. Texts of cases have the bounds of the page of a run.
const (
	maxCompareCases = 1000    // of one comparison
	maxCompareText  = 8 << 20 // bytes of texts of all cases, with their marks
	maxCompareRows  = 5000    // criteria of slices, of all comparisons
)

// writeComparisonHTML writes a page with the figures and the changed cases side by side, without a script.
func writeComparisonHTML(w io.Writer, list []Compared, _ Options) error {
	style := pageParts("page.css", "compare.css")
	p := comparePageData{
		Title: "Comparison of runs", Style: template.CSS(style), //nolint:gosec // our own file, as it is hashed below
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; base-uri 'none'; form-action 'none'", integrity(style)),
	}
	var broken error
	text, rows := maxCompareText, maxCompareRows // left
	for _, c := range list {
		p.Title = "Comparison with " + sideName(c.Comparison.Base)
		s := sectionOf(c)
		broken = errors.Join(broken, s.cases(c, maxCompareCases, &text))
		s.within(c, &rows)
		p.Comparisons = append(p.Comparisons, s)
	}
	if err := comparePage().Execute(w, p); err != nil {
		return err
	}
	return broken
}

// cases adds changed cases. text is how many bytes of their texts the page still takes.
func (s *compareSection) cases(c Compared, most int, text *int) (broken error) {
	without := 0
	for i := range c.Cases[:min(len(c.Cases), most)] {
		x := caseOf(&c.Cases[i])
		if *text > 0 {
			err := c.addContent(&x, &c.Cases[i])
			if err != nil && broken == nil {
				broken = fmt.Errorf("the content of a case is not in the report: %w", err)
			}
			*text -= x.size()
		} else {
			without++
		}
		s.Cases = append(s.Cases, x)
	}
	s.Shown = fmt.Sprintf("%s, the most important first.", diag.Count(len(s.Cases), c.Counted()))
	if all := len(c.Cases) + c.More; all > len(s.Cases) {
		s.Shown = fmt.Sprintf("The most important %s of %s that changed.", diag.Thousands(len(s.Cases)), diag.Thousands(all))
	}
	if n := len(s.Cases); without > 0 {
		s.Shown += fmt.Sprintf(" The first %s of %s have their texts here; all are in the runs.", diag.Thousands(n-without), diag.Thousands(n))
	}
	return broken
}

// within adds the criteria of slices, as long as the page takes more rows.
func (s *compareSection) within(c Compared, rows *int) {
	var list []*result.Change
	for i := range c.Slices {
		list = append(list, within(&c.Slices[i])...)
	}
	shown := list[:min(len(list), *rows)]
	*rows -= len(shown)
	s.Within = changeTables(shown, nil)
	s.WithinShown = diag.Thousands(len(list))
	if len(list) > len(shown) {
		s.WithinShown = fmt.Sprintf("%s of %s shown; all are in the JSON form", diag.Thousands(len(shown)), diag.Thousands(len(list)))
	}
}

// size is about the bytes that the texts of a case take on the page.
func (x *compareCase) size() int {
	const mark = len("<del></del>")
	n := len(x.Input) + len(x.References)
	for _, side := range [][]part{x.Left, x.Right} {
		for i := range side {
			n += len(side[i].Text) + mark
		}
	}
	return n
}

func sectionOf(c Compared) compareSection {
	s := compareSection{Name: sideName(c.Comparison.Candidate), Sentence: plain(c.Sentence), Class: changeClass(c.Total.Verdict), Pairing: pairing(c.Comparison), Methods: methods(c.Comparison)}
	s.Gates, s.Changes = outcomes(c.Gates), changeTables(changes(c.Comparison), c.Corpus)
	for _, n := range c.Notes {
		s.Notes = append(s.Notes, plain(n))
	}
	return s
}

// caseOf is a changed case without its texts.
func caseOf(x *result.CaseChange) compareCase {
	out := compareCase{ID: diag.Fit(plain(x.Case), 120), State: string(x.State), Class: "warn", Base: against(x.Base, x.Candidate), Now: against(x.Candidate, x.Base), Criteria: caseCriteria(x)}
	switch x.State {
	case result.Regressed, result.WorseCase:
		out.Class = "bad"
	case result.Improved, result.BetterCase:
		out.Class = "good"
	}
	return out
}

// addContent adds the texts of a case, where they are known.
func (c Compared) addContent(out *compareCase, x *result.CaseChange) error {
	if c.Base == nil || c.Candidate == nil {
		return nil
	}
	a, err := c.Base(x.BaseDigest)
	if err != nil {
		return err
	}
	b, err := c.Candidate(x.CandidateDigest)
	if err != nil || a == nil || b == nil {
		return err
	}
	out.Known = true
	out.Input, out.References = pageText(b.Input), strings.Join(pageTexts(b.References), "\n")
	out.Left, out.Right = diffWords(pageText(a.Output), pageText(b.Output))
	return nil
}
