package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// table is a table, for every medium. Its cells are plain text.
type table struct {
	title, Note string // above it; both may be empty
	foot        string // below it; may be empty
	right       []bool // columns that line up at their right end
	Heads       []string
	Lines       [][]string
	classes     map[int]func(cell string) string // by column: good, bad, warn, bold or empty
	links       []*pageLink                      // of the page, by line; nil: no link
}

// A pageLink is a filter of the page.
type pageLink struct{ Key, Value string }

// Link returns where the first cell of a line leads; nil: nowhere.
func (t *table) Link(line int) *pageLink {
	if t.links == nil {
		return nil
	}
	return t.links[line]
}

// Right reports whether a column lines up at its right end.
func (t *table) Right(column int) bool { return column < len(t.right) && t.right[column] }

// Class returns how a cell stands out; empty: it does not.
func (t *table) Class(column int, cell string) string {
	if class := t.classes[column]; class != nil {
		return class(cell)
	}
	return ""
}

// text writes the table, if there is one.
func (t *table) text(w io.Writer, o Options) {
	if t == nil {
		return
	}
	fmt.Fprintln(w)
	if t.title != "" {
		note := ""
		if t.Note != "" {
			note = o.dim(" (" + t.Note + ")")
		}
		fmt.Fprintln(w, o.bold(" "+t.title)+note)
	}
	g := o.grid(t.right...)
	if t.Heads == nil {
		g.Margin = 2
	} else {
		g.Add(xslices.Map(t.Heads, o.dim)...)
	}
	for _, l := range t.Lines {
		cells := slices.Clone(l)
		for i, cell := range l {
			cells[i] = o.class(t.Class(i, cell), cell)
		}
		g.Add(cells...)
	}
	fmt.Fprint(w, g.String())
	if t.foot != "" {
		fmt.Fprintln(w, o.dim(" "+t.foot))
	}
}

// markdown writes the table, if there is one.
func (t *table) markdown(w io.Writer) {
	if t == nil {
		return
	}
	fmt.Fprintln(w)
	if t.title != "" {
		fmt.Fprintln(w, strings.TrimSuffix(fmt.Sprintf("**%s** (%s)", markdown(t.title), markdown(t.Note)), " ()")+"\n")
	}
	heads := t.Heads
	if heads == nil {
		heads = make([]string, len(t.Lines[0]))
	}
	under, signs := make([]string, len(heads)), map[string]string{"good": "✅ ", "bad": "❌ "}
	for i := range under {
		under[i] = "---"
		if t.Right(i) {
			under[i] = "---:"
		}
	}
	fmt.Fprintf(w, "| %s |\n|%s|\n", strings.Join(xslices.Map(heads, markdown), " | "), strings.Join(under, "|"))
	for _, l := range t.Lines {
		cells := xslices.Map(l, markdown)
		for i := range l {
			cells[i] = signs[t.Class(i, l[i])] + cells[i]
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
	if t.foot != "" {
		fmt.Fprintf(w, "\n%s\n", markdown(t.foot))
	}
}

// outcomes is the table of gates; nil: there are none.
func outcomes(gates []result.Outcome) *table {
	if len(gates) == 0 {
		return nil
	}
	t := &table{title: "gates", classes: map[int]func(string) string{0: func(word string) string { return map[string]string{"PASS": "good", "FAIL": "bad"}[word] }}}
	for _, g := range gates {
		word := "FAIL"
		if g.Passed {
			word = "PASS"
		}
		t.Lines = append(t.Lines, []string{word, plain(g.Expr), plain(g.Why)})
	}
	return t
}

// figures is the table of the criteria and metrics, and of the score.
func (v *view) figures() *table {
	lowest := "worst cases"
	if v.sum.Audit != nil {
		lowest = "lowest probes" // of which most must not pass
	}
	t := &table{right: []bool{false, true, true, false, true, false}, Heads: []string{"criterion", "weight", "score", "95% CI", "pass", lowest}, classes: boldTotal}
	for _, f := range v.sum.Figures() {
		name := plain(f.ID)
		if f.Gate {
			name += " *"
			t.foot = "* a gate: if it is not met the case fails, whatever its score"
		}
		t.Lines = append(t.Lines, []string{name, weight(f.Weight), v.score(f.Mean), v.interval(f.Interval), v.passRate(f.Pass), figureNote(f)})
	}
	f := &v.sum.Total
	t.Lines = append(t.Lines, []string{total, "", v.score(f.Mean), v.interval(f.Interval), v.passRate(f.Pass), totalNote(f)})
	return t
}

// total names the line of the score.
const total = "TOTAL"

var boldTotal = map[int]func(string) string{0: func(name string) string { return map[string]string{total: "bold"}[name] }}

// corpus is the table of the scores of whole sets; nil: there are none.
func (v *view) corpus() *table {
	if len(v.sum.Corpus) == 0 {
		return nil
	}
	t := &table{title: "whole set", Note: "from summed statistics; BLEU is 0 to 100", right: []bool{false, true, false}}
	for _, c := range v.sum.Corpus {
		t.Lines = append(t.Lines, []string{plain(c.Name), v.score(c.Score), corpusNote(&c)})
	}
	return t
}

// unscored is the table of failures, with an example of each class of which the message has at most so
// many characters; nil: every row has a score.
func (v *view) unscored(most int) *table {
	if len(v.sum.Unscored) == 0 {
		return nil
	}
	t := &table{title: "unscored", Note: "excluded from the mean", right: []bool{true, false, false}, classes: map[int]func(string) string{1: func(string) string { return "warn" }}}
	for _, u := range v.sum.Unscored {
		t.Lines = append(t.Lines, []string{diag.Thousands(u.Count), plain(string(u.Class)), "such as " + example(&u, most)})
	}
	return t
}
