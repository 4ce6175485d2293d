package result

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// maxGate is the longest gate expression, in bytes.
const maxGate = 1000

// ParseGates reads several expressions, and reports everything that is wrong
// with any of them, as a diag.List of class fault.Invalid.
func ParseGates(exprs []string) ([]Gate, error) {
	var gates []Gate
	var bad diag.List
	for _, e := range exprs {
		g, err := ParseGate(e)
		bad = append(bad, diag.In(err)...)
		gates = append(gates, g)
	}
	return gates, bad.Err()
}

// ParseGate reads a gate:
//
//	gate   = [slice(FIELD=VALUE).]figure op limit
//	figure = mean | pass_rate | min | median | max | unscored | failed | failed_gates | cases | cost_usd
//	       | pass@K | pass^K
//	       | regressions | improvements | worse | better
//	       | criterion(ID)[.figure] | metric(ID)[.figure] | corpus(NAME)
//	       | mean.delta | pass_rate.delta | pass@K.delta | criterion(ID).mean.delta | corpus(NAME).delta ...
//	op     = >= | > | <= | < | == | !=
//	limit  = NUMBER[%]
//
// A delta is the difference from the baseline, over paired cases; delta.low and
// delta.high are the ends of its 95 % interval. Blanks are free, and may stand for the dot. An ID with odd characters may be
// quoted. The error is a diag.List of class fault.Invalid, with the column.
func ParseGate(expr string) (Gate, error) {
	p := gateParser{g: Gate{Expr: expr}}
	if len(expr) > maxGate {
		p.g.Expr = expr[:40] + "…"
		p.fail("gate-syntax", 1, "shorten it", "the gate is longer than %d bytes", maxGate)
	} else {
		p.gate()
	}
	return p.g, p.bad.Err()
}

// gateForm takes every text apart. The parts that are missing or wrong are found afterwards.
var gateForm = sync.OnceValue(func() *regexp.Regexp {
	const blank, word, id = `[ \t]*`, `[A-Za-z_][A-Za-z_0-9]*`, `\([ \t]*("[^"]*"|'[^']*'|[^"')][^)]*|)[ \t]*\)`
	return regexp.MustCompile(`^` + blank + `(?:` + sliceWord + blank + id + blank + `\.?` + blank + `)?` +
		`(?:(` + word + `)` + blank + id + `((?:` + blank + `\.` + blank + `|[ \t]+)?))?` +
		`((?:` + word + `(?:[@^][0-9]*)?)?)` + blank + `((?:\.[A-Za-z_.]+)?)` + blank +
		`((?:>=|<=|==|!=|>|<)?)` + blank + `([-+.0-9eE]*)` + blank + `(%?)` + blank + `((?s:.*))$`)
})

// The groups of gateForm.
const (
	partSlice = 1 + iota
	partAbout
	partID
	partDot
	partFigure
	partChange
	partOperator
	partLimit
	partPercent
	partRest
)

// sliceWord begins a gate about a part of the run.
const sliceWord = "slice"

type gateParser struct {
	g     Gate
	parts []int     // where the groups begin and end; -1: they are not there
	bad   diag.List // the first problem
}

func (p *gateParser) fail(code string, column int, hint, format string, args ...any) {
	if p.bad == nil {
		p.bad.Add(p.g.problem(code, column, hint, format, args...))
	}
}

// part returns the text of a group and its column; 0: it is not there.
func (p *gateParser) part(i int) (text string, column int) {
	start, end := p.parts[2*i], p.parts[2*i+1]
	if start < 0 {
		return "", 0
	}
	return p.g.Expr[start:end], start + 1
}

// found shows the text from a column on.
func (p *gateParser) found(column int) string {
	rest := []rune(p.g.Expr[column-1:])
	if len(rest) == 0 {
		return "the end"
	}
	return strconv.Quote(string(rest[:min(len(rest), 8)]))
}

func (p *gateParser) gate() {
	p.parts = gateForm().FindStringSubmatchIndex(p.g.Expr)
	word, _ := p.part(partFigure)
	change, _ := p.part(partChange)
	_, about := p.part(partAbout)
	if _, column := p.part(partOperator); word != "" && change == "" && about == 0 && strings.HasPrefix(p.g.Expr[column-1:], "(") {
		p.fail("gate-syntax", column, "write for example criterion(accuracy), or criterion(\"an id\")", "the parenthesis, or a quote in it, is not closed")
		return
	}
	if text, column := p.part(partSlice); column > 0 {
		field, value, ok := strings.Cut(unquoted(text), "=")
		p.g.sliceField, p.g.sliceValue = strings.TrimSpace(field), strings.TrimSpace(value)
		if !ok || p.g.sliceField == "" {
			p.fail("gate-syntax", column, "write for example slice(category=geo).mean>=0.7", "a slice needs a field and a value")
		}
	}
	p.subject()
	p.figure()
	p.operator()
	p.limit()
}

// subject reads criterion(ID) and its like.
func (p *gateParser) subject() {
	word, column := p.part(partAbout)
	if column == 0 {
		return
	}
	abouts := []string{string(aboutCriterion), string(aboutMetric), string(aboutCorpus)}
	id, at := p.part(partID)
	p.g.about, p.g.of, p.g.columns.of = subject(word), unquoted(id), at
	switch {
	case !slices.Contains(abouts, word):
		p.fail("figure-unknown", column, diag.DidYouMean(word, append(abouts, sliceWord)), "unknown function %q", word)
	case p.g.of == "":
		p.fail("gate-syntax", at, "name it: criterion(accuracy)", "the parentheses are empty")
	case p.g.about == aboutCorpus && p.g.sliceField != "":
		p.fail("figure-unknown", column, "leave out the slice", "a slice has no corpus score")
	}
}

// unquoted returns an id without the blanks or the quotes around it.
func unquoted(id string) string {
	if strings.HasPrefix(id, `"`) || strings.HasPrefix(id, "'") {
		return id[1 : len(id)-1]
	}
	return strings.TrimSpace(id)
}

// figure reads the figure, and the difference from the baseline behind it.
func (p *gateParser) figure() {
	word, column := p.part(partFigure)
	change, at := p.part(partChange)
	dot, _ := p.part(partDot)
	g := &p.g
	g.columns.figure = column
	ofRun, ofCriterion := GateFigures()
	switch {
	case g.about == aboutCorpus && dot != "" && slices.Contains(deltas, word+change):
		g.figure, g.change = "mean", figure(word+change)
		return
	case g.about == aboutCorpus && word+change != "":
		p.fail("figure-unknown", column, "write corpus(NAME)>=30", "a corpus score has no figures of its own")
	case word == "" && !strings.Contains(dot, ".") && (g.about != aboutRun || g.sliceField != ""):
		g.figure = "mean"
	case g.about != aboutRun:
		g.figure = p.known(word, column, ofCriterion)
	case strings.HasPrefix(word, "pass@") || strings.HasPrefix(word, "pass^"):
		k, err := strconv.Atoi(word[len("pass@"):])
		if err != nil || k < 1 || k > rubric.MaxPassAt {
			p.fail("gate-syntax", column, "write for example pass@1>=0.5", "k must be a number from 1 to %d, not %q", rubric.MaxPassAt, word[len("pass@"):])
		}
		g.figure, g.k, g.all = figure(word), k, word[len("pass")] == '^'
	default:
		g.figure = p.known(word, column, slices.Concat([]string{"criterion(ID)", "metric(ID)", "corpus(NAME)"}, ofRun))
	}
	if change != "" {
		p.change(strings.TrimPrefix(change, "."), at+1)
	}
}

// GateFigures returns the figures that gates may name: of a run, and of one of
// its criteria or metrics.
func GateFigures() (ofRun, ofCriterion []string) {
	return append(namesOf(figureMeasures), namesOf(runMeasures)...), namesOf(figureMeasures)
}

func namesOf[T any](list []measure[T]) []string {
	return xslices.Map(list, func(m measure[T]) string { return string(m.name) })
}

// known returns word as a figure, if it is one of names.
func (p *gateParser) known(word string, column int, names []string) figure {
	if slices.Contains(names, word) {
		return figure(word)
	}
	if word == "" {
		p.fail("gate-syntax", column, "write for example mean>=0.80", "expected a figure, found %s", p.found(column))
		return ""
	}
	hint := diag.DidYouMean(word, names)
	switch {
	case slices.Contains(deltas, word):
		hint = "name the figure, too: mean." + word + ", pass_rate." + word
	case strings.HasPrefix(hint, "known: criterion(ID)"):
		hint = "that of a criterion is criterion(" + word + ").mean; " + hint
	}
	p.fail("figure-unknown", column, hint, "unknown figure %q", word)
	return ""
}

func (p *gateParser) operator() {
	op, column := p.part(partOperator)
	p.g.op = op
	if op != "" {
		return
	}
	hint := "write >=, >, <=, <, == or !="
	if column > len(p.g.Expr) { // an unquoted > writes to a file in a shell
		hint += ", and quote the gate in a shell: 'mean>=0.8'"
	}
	p.fail("gate-syntax", column, hint, "expected a comparison, found %s", p.found(column))
}

func (p *gateParser) limit() {
	text, column := p.part(partLimit)
	p.g.columns.limit = column
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !rubric.Finite(x) {
		p.fail("gate-syntax", column, "write a number such as 0.80 or 80%", "expected a number, found %s", p.found(column))
		return
	}
	if percent, _ := p.part(partPercent); percent != "" {
		p.g.share = true
		x /= 100
	}
	p.g.limit = x
	rest, column := p.part(partRest)
	switch {
	case rest != "":
		p.fail("gate-syntax", column, "write one condition for each gate, which must all hold, and a point in decimals", "expected the end, found %s", p.found(column))
	case p.g.share && p.g.unit() == free:
		p.fail("limit-unit", p.g.columns.limit, "write a plain number", "%s is not a share: %% is not allowed", p.g.what())
	}
}

func (g *Gate) what() string {
	what := string(g.figure)
	if g.about != aboutRun {
		what = fmt.Sprintf("%s(%s)", g.about, g.of)
	}
	if g.change != "" {
		what += "." + string(g.change)
	}
	return what
}
