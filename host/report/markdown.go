package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
)

// writeMarkdown writes a summary for a pull request or a job's page.
func writeMarkdown(w io.Writer, v *view, _ Options) error {
	word, rest, good := v.outcome()
	sign := "❌"
	if good {
		sign = "✅"
	}
	facts := v.facts()
	for i := range facts {
		facts[i] = markdown(facts[i])
	}
	fmt.Fprintf(w, "## %s %s: %s, %s\n\n%s\n", sign, markdown(v.title()), word, rest, strings.Join(facts, " · "))
	if e := v.Run.Error; e != nil {
		fmt.Fprintf(w, "\n> **%s**: %s\n", markdown(string(e.Class)), markdown(e.Message))
	}
	outcomes(v.Run.Gates).markdown(w)
	v.figures().markdown(w)
	v.audit().markdown(w)
	v.samples().markdown(w)
	v.corpus().markdown(w)
	for i := range v.sum.Slices {
		v.sliceTable(&v.sum.Slices[i]).markdown(w)
	}
	if c := v.sum.Baseline; c != nil {
		fmt.Fprintf(w, "\n### Against %s: %s\n", markdown(sideName(c.Base)), markdown(c.Sentence))
		markdownChange(w, c)
	}
	v.unscored(300).markdown(w)
	markdownFailures(w, v)
	for _, s := range v.sum.Warnings {
		fmt.Fprintf(w, "\n> ⚠️ %s\n", markdown(s))
	}
	return nil
}

// maxMarkdownCases is how many cases Markdown lists.
const maxMarkdownCases = 20

func markdownFailures(w io.Writer, v *view) {
	n := 0
	t := &table{right: []bool{false, false, true}, Heads: []string{"case", "verdict", "score", "why", "input", "output"}}
	for row := range v.rows() {
		if !row.Fails() {
			continue
		}
		if n++; n > maxMarkdownCases {
			continue
		}
		c := v.contentOf(row)
		if c == nil {
			c = &dataset.Case{}
		}
		t.Lines = append(t.Lines, []string{caseName(row), verdictWord(row), v.score(row.Score), diag.Fit(v.whyFailed(row), 300), diag.Fit(c.Input, 200), diag.Fit(c.Output, 300)})
	}
	t.details(w, "Failing cases", n)
}

// details writes the table behind a summary, if it has a line, and how many of all lines are left out.
func (t *table) details(w io.Writer, summary string, all int) {
	if len(t.Lines) == 0 {
		return
	}
	fmt.Fprintf(w, "\n<details><summary>%s</summary>\n", summary)
	t.markdown(w)
	if more := all - len(t.Lines); more > 0 {
		fmt.Fprintf(w, "\nand %s more\n", diag.Thousands(more))
	}
	fmt.Fprint(w, "\n</details>\n")
}

// Strings that make bare addresses links, and their replacements meanwhile:
// characters that plain text cannot hold.
const slashes, dot = '\x01', '\x02'

var addresses = strings.NewReplacer("://", ":"+string(slashes), "www.", "www"+string(dot), "WWW.", "WWW"+string(dot))

// markdown makes text harmless in Markdown: one line, no markup, no HTML, no
// mention of people, no link.
func markdown(s string) string {
	var b strings.Builder
	text := []rune(addresses.Replace(plain(s)))
	for i, r := range text {
		switch r {
		case '_':
			if i == 0 || i == len(text)-1 || !wordRune(text[i-1]) || !wordRune(text[i+1]) { // inside a word it is not markup
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		case '&':
			b.WriteString("&amp;")
		case slashes:
			b.WriteString("&#47;&#47;")
		case dot:
			b.WriteString("&#46;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '@':
			b.WriteString("&#64;")
		case '\\', '`', '*', '[', ']', '|', '#', '!', '~', '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
