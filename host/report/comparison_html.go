package report

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/result"
)

var comparePage = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(pageFiles, "page/compare.html"))
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
		Gates                                          []result.Outcome
		Changes, Within                                []compareRow // Within: every criterion of every slice
		Notes                                          []string
		Cases                                          []compareCase
	}
	compareRow struct {
		ID, Base, Now, Delta, Interval, P, Q, Flips, PassP, Verdict, Class string
	}
	compareCase struct {
		ID, State, Class, Base, Now, Criteria, Input, References string
		Known                                                    bool // the outputs are
		Left, Right                                              []part
	}
)

// maxShown is the longest text of a case on the page, in characters.
const maxShown = 20_000

// writeComparisonHTML writes a page with the figures and the changed cases, their
// outputs side by side with the differing words marked. It needs no script.
func writeComparisonHTML(w io.Writer, list []Compared, _ Options) error {
	style, err := pageFiles.ReadFile("page/page.css")
	if err != nil {
		return err
	}
	more, err := pageFiles.ReadFile("page/compare.css")
	if err != nil {
		return err
	}
	style = append(style, more...)
	p := comparePageData{
		Title: "Comparison of runs", Style: template.CSS(style), //nolint:gosec // our own file, as it is hashed below
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; base-uri 'none'; form-action 'none'", integrity(style)),
	}
	var broken error
	for _, c := range list {
		p.Title = "Comparison with " + sideName(c.Comparison.Base)
		s := sectionOf(c)
		for i := range c.Cases {
			x, err := c.caseOf(&c.Cases[i])
			if err != nil && broken == nil {
				broken = fmt.Errorf("the content of a case is not in the report: %w", err)
			}
			s.Cases = append(s.Cases, x)
		}
		s.Shown = fmt.Sprintf("%s, the most important first.", plural(len(s.Cases), "case"))
		if c.More > 0 {
			s.Shown = fmt.Sprintf("The most important %s of %s that changed.", thousands(len(s.Cases)), thousands(len(s.Cases)+c.More))
		}
		p.Comparisons = append(p.Comparisons, s)
	}
	if err := comparePage().Execute(w, p); err != nil {
		return err
	}
	return broken
}

// changeClass is the colour of a verdict.
func changeClass(v result.ChangeVerdict) string {
	switch good, bad := verdictGood(v); {
	case good:
		return "good"
	case bad:
		return "bad"
	}
	return ""
}

func sectionOf(c Compared) compareSection {
	s := compareSection{Name: sideName(c.Comparison.Candidate), Sentence: plain(c.Sentence), Class: changeClass(c.Total.Verdict), Pairing: pairing(c.Comparison), Methods: methods(c.Comparison)}
	for _, g := range c.Gates {
		g.Expr, g.Why = plain(g.Expr), plain(g.Why)
		s.Gates = append(s.Gates, g)
	}
	for _, x := range changes(c.Comparison) {
		s.Changes = append(s.Changes, compareRowOf(x))
	}
	for i := range c.Slices {
		for _, x := range within(&c.Slices[i]) {
			s.Within = append(s.Within, compareRowOf(x))
		}
	}
	for i := range c.Corpus {
		x := &c.Corpus[i]
		s.Changes = append(s.Changes, compareRow{ID: plain(x.Name) + " (whole set)", Base: score(x.Base), Now: score(x.Candidate), Delta: delta(x.Delta),
			Interval: deltaInterval(x.Interval), Verdict: corpusTests(x)})
	}
	for _, n := range c.Notes {
		s.Notes = append(s.Notes, plain(n))
	}
	return s
}

func compareRowOf(x *result.Change) compareRow {
	return compareRow{ID: cmp.Or(plain(x.ID), "total"), Base: score(x.Base), Now: score(x.Candidate), Delta: delta(x.Delta), Interval: deltaInterval(x.Interval),
		P: pValue(x.P), Q: pValue(x.Q), Flips: flips(x), PassP: pValue(passP(x)), Verdict: string(x.Verdict), Class: changeClass(x.Verdict)}
}

// caseOf is a changed case with its outputs, where they are known.
func (c Compared) caseOf(x *result.CaseChange) (compareCase, error) {
	out := compareCase{ID: clip(plain(x.Case), 120), State: string(x.State), Class: "warn", Base: score(x.Base), Now: score(x.Candidate), Criteria: caseCriteria(x)}
	switch x.State {
	case result.Regressed, result.WorseCase:
		out.Class = "bad"
	case result.Improved, result.BetterCase:
		out.Class = "good"
	}
	if c.Base == nil || c.Candidate == nil {
		return out, nil
	}
	a, err := c.Base(x.BaseDigest)
	if err != nil {
		return out, err
	}
	b, err := c.Candidate(x.CandidateDigest)
	if err != nil || a == nil || b == nil {
		return out, err
	}
	out.Known = true
	out.Input, out.References = shownText(b.Input), shownText(strings.Join(b.References, "\n"))
	out.Left, out.Right = diffWords(outputOf(a), outputOf(b))
	return out, nil
}

func outputOf(c *dataset.Case) string { return shownText(c.Output) }

func shownText(s string) string { return clip(plainLines(s), maxShown) }
