package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
)

// samplesNote returns the numbers of samples and problems of pass@k.
func samplesNote(s *result.PassAtK) string {
	note := fmt.Sprintf("%s of %s", diag.Count(s.Samples, "scored sample"), diag.Count(s.Problems, "problem"))
	if s.Same > 0 {
		note += fmt.Sprintf(", %s repeated", diag.Thousands(s.Same))
	}
	return note
}

// samplesTable is the table of pass@k: heads, and a line per k.
func samplesTable(s *result.PassAtK) (heads []string, lines [][]string) {
	heads = []string{"k", "pass@k", "95% CI", "pass^k", "95% CI", "problems"}
	for i := range s.At {
		a := &s.At[i]
		lines = append(lines, []string{strconv.Itoa(a.K), score(a.PassAt), interval(a.PassAtInterval), score(a.PassHat), interval(a.PassHatInterval), diag.Thousands(a.Problems)})
	}
	return heads, lines
}

func textSamples(w io.Writer, v *view, p paint, o Options) {
	if s := v.sum.PassAtK; s != nil {
		heads, lines := samplesTable(s)
		textTable(w, p, o, "pass@k", samplesNote(s), []bool{true, true, false, true, false, true}, heads, lines)
	}
}

// textTable writes a table with a title and a note. right marks the columns that are aligned right.
func textTable(w io.Writer, p paint, o Options, title, note string, right []bool, heads []string, lines [][]string) {
	fmt.Fprintf(w, "\n%s\n", p.bold(" "+title)+p.dim(" ("+note+")"))
	g := grid{right: right, width: o.Width}
	for i := range heads {
		heads[i] = p.dim(heads[i])
	}
	g.add(heads...)
	for _, l := range lines {
		g.add(l...)
	}
	fmt.Fprint(w, g.String())
}

func markdownSamples(w io.Writer, v *view) {
	if s := v.sum.PassAtK; s != nil {
		heads, lines := samplesTable(s)
		markdownTable(w, "pass@k", samplesNote(s), "|---:|---:|---|---:|---|---:|", heads, lines)
	}
}

func markdownAudit(w io.Writer, v *view) {
	if a := v.sum.Audit; a != nil {
		heads, lines := auditTable(a)
		for _, l := range lines {
			l[0], l[len(l)-1] = markdown(l[0]), markdown(l[len(l)-1])
		}
		markdownTable(w, "audit", auditNote(a), "|---|---:|---:|---|---:|---|", heads, lines)
	}
}

// markdownTable writes a table with a title and a note. Its lines are Markdown.
func markdownTable(w io.Writer, title, note, columns string, heads []string, lines [][]string) {
	for i := range heads {
		heads[i] = markdown(heads[i])
	}
	fmt.Fprintf(w, "\n**%s** (%s)\n\n| %s |\n%s\n", markdown(title), note, strings.Join(heads, " | "), columns)
	for _, l := range lines {
		fmt.Fprintf(w, "| %s |\n", strings.Join(l, " | "))
	}
}

// auditNote returns the numbers of probes and cases of an audit.
func auditNote(a *result.Audit) string {
	return fmt.Sprintf("%s of %s; reference must pass, all others must not", diag.Count(a.Right.N, "scored probe"), diag.Count(a.Cases, "case"))
}

// auditTable is the table of an audit: heads, and a line per kind of probe.
func auditTable(a *result.Audit) (heads []string, lines [][]string) {
	heads = []string{"probe", "right", "of", "95% CI", "unscored", "wrong"}
	for _, p := range append(append([]result.Probed{}, a.Probes...), a.Right) {
		name := cmp.Or(p.Probe, "all")
		wrong := make([]string, len(p.Wrong))
		for i, id := range p.Wrong {
			wrong[i] = plain(id)
		}
		lines = append(lines, []string{plain(name), diag.Thousands(p.Right), diag.Thousands(p.N), interval(p.Interval), diag.Thousands(p.Unscored), strings.Join(wrong, ", ")})
	}
	return heads, lines
}

func textAudit(w io.Writer, v *view, p paint, o Options) {
	if a := v.sum.Audit; a != nil {
		heads, lines := auditTable(a)
		textTable(w, p, o, "audit", auditNote(a), []bool{false, true, true, false, true, false}, heads, lines)
	}
}
