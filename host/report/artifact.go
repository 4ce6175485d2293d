package report

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// An ArtifactPage is the input of WriteArtifact.
type ArtifactPage struct {
	Artifact *review.Artifact   // the version that is shown
	Versions []*review.Artifact // all, oldest first; they need no content and provenance
	Events   []review.Event     // oldest first

	// Row returns the row of an evaluation, nil if its run directory is gone.
	Row func(*review.Evaluation) *result.Row
}

// WriteArtifact writes an artifact as Markdown, without its content, in parts that dataknobs' display helpers have.
func WriteArtifact(w io.Writer, page ArtifactPage) error {
	a := page.Artifact
	p, err := a.ReadProvenance()
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# %s\n\n", markdown(a.Name))
	fmt.Fprintf(b, "**Artifact:** %s (%s)\n**Version:** %s\n**Status:** %s\n", markdown(a.ID), markdown(a.Type), markdown(a.Version), a.Status)
	if r := p.Last(); r != nil && r.Reason != "" && r.Status == a.Status {
		fmt.Fprintf(b, "**Reason:** %s\n", markdown(r.Reason))
	}
	if p.Evaluating && a.Status == review.InReview {
		fmt.Fprintf(b, "**Reason:** its evaluation has not ended; submit it again if it was interrupted\n")
	}
	markdownList(b, "Rubrics", a.Rubrics)
	markdownList(b, "Tags", a.Tags)
	page.versions(b)
	if r := p.Last(); r != nil {
		for i := range r.Evaluations {
			page.evaluation(b, &r.Evaluations[i])
		}
	}
	markdownProvenance(b, &p)
	page.history(b)
	return b.Flush()
}

func markdownList(w io.Writer, title string, list []string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "**%s:** %s\n", title, strings.Join(xslices.Map(list, markdown), ", "))
}

func (page *ArtifactPage) versions(w io.Writer) {
	if len(page.Versions) < 2 {
		return
	}
	fmt.Fprint(w, "\n## Versions\n\n| Version | Status | Evaluations | Created |\n|---------|--------|-------------|---------|\n")
	for _, v := range page.Versions {
		fmt.Fprintf(w, "| %s | %s | %d | %s |\n", markdown(v.Version), v.Status, len(v.Evaluations), stamp(v.Created))
	}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

// shareOf writes a score as dataknobs does: with one decimal, rounded half to even
// on its binary value.
func shareOf(x *float64) string {
	if x == nil {
		return "-"
	}
	return strconv.FormatFloat(float64(*x*100), 'f', 1, 64) + "%"
}

// verdictOf is the result of an evaluation in one word.
func verdictOf(e *review.Evaluation) string {
	switch {
	case e.Score == nil:
		return "UNSCORED"
	case e.Passed == nil:
		return "SCORED"
	case *e.Passed:
		return "PASSED"
	}
	return "FAILED"
}

// evaluation writes one evaluation as dataknobs' format_evaluation_summary.
func (page *ArtifactPage) evaluation(w io.Writer, e *review.Evaluation) {
	fmt.Fprintf(w, "\n## Evaluation Summary\n\n**Rubric:** %s (v%s)\n**Score:** %s\n**Result:** %s\n**Evaluation:** %s in run %s, %s by %s\n",
		markdown(e.Rubric), markdown(e.RubricVersion), shareOf(e.Score), verdictOf(e), markdown(e.ID), markdown(e.Run), stamp(e.At), markdown(e.By))
	if row := page.Row(e); row != nil && len(row.Criteria) > 0 {
		fmt.Fprint(w, "\n### Criteria Results\n\n| Criterion | Level | Score |\n|-----------|-------|-------|\n")
		for i := range row.Criteria {
			c := &row.Criteria[i]
			fmt.Fprintf(w, "| %s | %s | %s |\n", markdown(c.ID), markdown(levelOf(c)), shareOf(c.Value))
		}
	}
	fmt.Fprint(w, "\n### Feedback\n\n")
	for line := range strings.Lines(e.Feedback) {
		text := strings.TrimLeft(line, " ")
		indent, bullet := line[:len(line)-len(text)], ""
		if strings.HasPrefix(text, "- ") {
			text, bullet = text[2:], "- "
		}
		fmt.Fprintf(w, "%s%s%s\n", indent, bullet, markdown(strings.TrimRight(text, "\n")))
	}
}

// levelOf is the answer of a criterion in one word.
func levelOf(c *result.Criterion) string {
	if c.Value == nil {
		return string(c.Status)
	}
	if s := c.Verdict().Native.String(); s != "" {
		return s
	}
	return "scored"
}

// markdownProvenance writes a provenance as dataknobs' format_provenance_chain.
func markdownProvenance(w io.Writer, p *review.Provenance) {
	fmt.Fprintf(w, "\n## Provenance\n\n**Created by:** %s\n**Method:** %s\n**Created at:** %s\n", markdown(p.CreatedBy), markdown(p.Method), stamp(p.CreatedAt))
	section(w, "Creation Context", slices.Sorted(maps.Keys(p.Context)), func(key string) {
		fmt.Fprintf(w, "- **%s:** %s\n", markdown(key), markdown(diag.Fit(fmt.Sprint(p.Context[key]), 200)))
	})
	section(w, "Sources", p.Sources, func(s review.Source) {
		place := ""
		if s.Location != "" {
			place = " (" + markdown(s.Location) + ")"
		}
		fmt.Fprintf(w, "- **%s:** %s%s\n", markdown(s.Type), markdown(s.ID), place)
		if s.Relevance != "" {
			fmt.Fprintf(w, "  Relevance: %s\n", markdown(s.Relevance))
		}
		if s.Excerpt != "" {
			fmt.Fprintf(w, "  > %s\n", markdown(s.Excerpt))
		}
	})
	section(w, "Tool Chain", p.Tools, func(t review.Tool) {
		version := ""
		if t.Version != "" {
			version = " v" + markdown(t.Version)
		}
		fmt.Fprintf(w, "- **%s**%s%s\n", markdown(t.Name), version, at(t.At))
	})
	section(w, "LLM Invocations", p.LLM, func(c review.LLMCall) {
		model := ""
		if c.Model != "" {
			model = " (" + markdown(c.Model) + ")"
		}
		fmt.Fprintf(w, "- **%s**%s%s\n", markdown(c.Purpose), model, at(c.At))
	})
	section(w, "Revision History", p.Revisions, func(r review.Revision) {
		fmt.Fprintf(w, "- **v%s** -> revision (%s)\n  Reason: %s\n  Changes: %s\n  Triggered by: %s\n", markdown(r.Previous), stamp(r.At), markdown(r.Reason), markdown(r.Changes), markdown(r.By))
	})
}

func at(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " (" + stamp(t) + ")"
}

func section[T any](w io.Writer, title string, list []T, write func(T)) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n### %s\n\n", title)
	for _, x := range list {
		write(x)
	}
}

func (page *ArtifactPage) history(w io.Writer) {
	fmt.Fprint(w, "\n## History\n\n| When | Version | Status | By | Note |\n|------|---------|--------|----|------|\n")
	for _, e := range page.Events {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", stamp(e.At), markdown(e.Version), e.To, markdown(e.By), markdown(e.Note))
	}
}
