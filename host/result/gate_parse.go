package result

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
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
	p := gateParser{g: Gate{Expr: expr}, s: expr}
	if len(expr) > maxGate {
		p.g.Expr = expr[:40] + "…"
		p.fail("gate-syntax", 1, "shorten it", "the gate is longer than %d bytes", maxGate)
	} else {
		p.gate()
	}
	return p.g, p.bad.Err()
}

type gateParser struct {
	g   Gate
	s   string
	at  int
	bad diag.List // the first problem
}

func (p *gateParser) fail(code string, column int, hint, format string, args ...any) {
	if p.bad == nil {
		p.bad.Add(p.g.problem(code, column, hint, format, args...))
	}
}

func (p *gateParser) column() int { return p.at + 1 }

// The characters of words and numbers.
const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	digits  = "0123456789"
)

// take takes the characters that come next and are among chars.
func (p *gateParser) take(chars string) string {
	rest := p.s[p.at:]
	taken := rest[:len(rest)-len(strings.TrimLeft(rest, chars))]
	p.at += len(taken)
	return taken
}

// next reports whether one of chars comes next.
func (p *gateParser) next(chars string) bool {
	return p.at < len(p.s) && strings.IndexByte(chars, p.s[p.at]) >= 0
}

// until takes the text before a word, and the word.
func (p *gateParser) until(word string) (text string, ok bool) {
	if text, _, ok = strings.Cut(p.s[p.at:], word); ok {
		p.at += len(text) + len(word)
	}
	return text, ok
}

func (p *gateParser) blanks() { p.take(" \t") }

// eat takes word if it comes next.
func (p *gateParser) eat(word string) bool {
	if !strings.HasPrefix(p.s[p.at:], word) {
		return false
	}
	p.at += len(word)
	return true
}

// word takes letters, digits and underscores.
func (p *gateParser) word() string {
	if !p.next(letters) {
		return ""
	}
	return p.take(letters + digits)
}

func (p *gateParser) found() string {
	if p.at >= len(p.s) {
		return "the end"
	}
	rest := []rune(p.s[p.at:])
	return strconv.Quote(string(rest[:min(len(rest), 8)]))
}

func (p *gateParser) gate() {
	p.blanks()
	start := p.column()
	word := p.word()
	p.blanks()
	if word == sliceWord && p.eat("(") {
		p.slice()
		start = p.column()
		word = p.word()
		p.blanks()
	}
	switch {
	case p.bad != nil:
	case p.eat("("):
		p.call(word, start)
	case word == "" && p.g.sliceField != "":
		p.g.columns.figure, p.g.figure = start, "mean"
	default:
		p.g.columns.figure = start
		if word == "pass" && (p.eat("@") || p.eat("^")) {
			p.passAt(start)
			break
		}
		ofRun, _ := GateFigures()
		p.g.figure = p.known(word, start, slices.Concat([]string{"criterion(ID)", "metric(ID)", "corpus(NAME)"}, ofRun))
	}
	p.delta()
	p.operator()
	p.limit()
}

func (p *gateParser) passAt(start int) {
	sign := p.s[p.at-1]
	number := p.take(digits)
	k, err := strconv.Atoi(number)
	if err != nil || k < 1 || k > rubric.MaxPassAt {
		p.fail("gate-syntax", start, "write for example pass@1>=0.5", "k must be a number from 1 to %d, not %q", rubric.MaxPassAt, number)
		return
	}
	p.g.figure, p.g.k, p.g.all = figure(fmt.Sprintf("pass%c%d", sign, k)), k, sign == '^'
}

// sliceWord begins a gate about a part of the run.
const sliceWord = "slice"

// slice reads the parentheses of slice(FIELD=VALUE), and the dot
// behind them.
func (p *gateParser) slice() {
	p.id()
	field, value, ok := strings.Cut(p.g.of, "=")
	p.g.sliceField, p.g.sliceValue, p.g.of = strings.TrimSpace(field), strings.TrimSpace(value), ""
	if p.bad == nil && (!ok || p.g.sliceField == "") {
		p.fail("gate-syntax", p.g.columns.of, "write for example slice(category=geo).mean>=0.7", "a slice needs a field and a value")
	}
	p.blanks()
	p.eat(".")
	p.blanks()
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
		p.at = column - 1
		p.fail("gate-syntax", column, "write for example mean>=0.80", "expected a figure, found %s", p.found())
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

// call reads the rest of criterion(ID).figure, from the parenthesis on.
func (p *gateParser) call(word string, start int) {
	abouts := []string{string(aboutCriterion), string(aboutMetric), string(aboutCorpus)}
	if !slices.Contains(abouts, word) {
		p.fail("figure-unknown", start, diag.DidYouMean(word, append(abouts, sliceWord)), "unknown function %q", word)
		return
	}
	p.g.about, p.g.figure = subject(word), "mean"
	corpus := p.g.about == aboutCorpus
	if corpus && p.g.sliceField != "" {
		p.fail("figure-unknown", start, "leave out the slice", "a slice has no corpus score")
	}
	p.id()
	end := p.at
	p.blanks()
	p.g.columns.figure = p.column()
	if corpus && strings.HasPrefix(p.s[p.at:], ".delta") || !p.eat(".") && (end == p.at || !p.next(letters)) {
		return
	}
	p.blanks()
	p.g.columns.figure = p.column()
	if corpus {
		p.fail("figure-unknown", p.column(), "write corpus(NAME)>=30", "a corpus score has no figures of its own")
		return
	}
	p.g.figure = p.known(p.word(), p.g.columns.figure, namesOf(figureMeasures))
}

// id reads the id up to the closing parenthesis.
func (p *gateParser) id() {
	p.blanks()
	p.g.columns.of = p.column()
	closed := false
	for _, quote := range []string{`"`, "'"} {
		if !p.eat(quote) {
			continue
		}
		if p.g.of, closed = p.until(quote); !closed {
			p.fail("gate-syntax", p.g.columns.of, "close it", "the quote is not closed")
		}
		p.blanks()
		if !p.eat(")") {
			p.fail("gate-syntax", p.column(), "", "expected %q, found %s", ")", p.found())
		}
		return
	}
	p.g.of, closed = p.until(")")
	p.g.of = strings.TrimSpace(p.g.of)
	switch {
	case !closed:
		p.fail("gate-syntax", p.g.columns.of, "close the parenthesis", "expected %q after the id", ")")
	case p.g.of == "":
		p.fail("gate-syntax", p.g.columns.of, "name it: criterion(accuracy)", "the parentheses are empty")
	}
}

// operators is the table of comparisons, longer ones first.
var operators = []struct{ written, means string }{
	{">=", ">="}, {"≥", ">="}, {"<=", "<="}, {"≤", "<="}, {"==", "=="}, {"!=", "!="}, {">", ">"}, {"<", "<"},
}

func (p *gateParser) operator() {
	p.blanks()
	for _, o := range operators {
		if p.eat(o.written) {
			p.g.op = o.means
			return
		}
	}
	if p.next("=") {
		p.fail("gate-syntax", p.column(), "write == for equal, >= for at least", "a single = compares nothing")
		return
	}
	hint := "write >=, >, <=, <, == or !="
	if p.at == len(p.s) { // an unquoted > writes to a file in a shell
		hint += ", and quote the gate in a shell: 'mean>=0.8'"
	}
	p.fail("gate-syntax", p.column(), hint, "expected a comparison, found %s", p.found())
}

func (p *gateParser) limit() {
	if p.bad != nil {
		return
	}
	p.blanks()
	p.g.columns.limit = p.column()
	start := p.at
	x, err := strconv.ParseFloat(p.take(digits+"+-.eE"), 64)
	if err != nil || !rubric.Finite(x) {
		p.at = start
		p.fail("gate-syntax", p.column(), "write a number such as 0.80 or 80%", "expected a number, found %s", p.found())
		return
	}
	p.blanks()
	if p.eat("%") {
		p.g.share = true
		x /= 100
	}
	p.g.limit = x
	p.blanks()
	rest := p.s[p.at:]
	switch word, _, _ := strings.Cut(strings.ToLower(rest), " "); {
	case word == "and" || word == "or" || strings.HasPrefix(word, "&&") || strings.HasPrefix(word, "||") || word == ",":
		hint := "write each condition as a gate of its own: all gates must hold"
		if word == "or" || strings.HasPrefix(word, "||") {
			hint = "write only one condition: all gates must hold, \"or\" is not supported"
		}
		p.fail("gate-syntax", p.column(), hint, "a gate has one condition, found another: %s", strconv.Quote(fault.Clip(rest, 60)))
	case rest != "":
		p.fail("gate-syntax", p.column(), "write one condition for each gate, and a point in decimals", "expected the end, found %s", p.found())
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
