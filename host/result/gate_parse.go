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
		if err != nil {
			for _, d := range diag.In(err) {
				bad.Add(d)
			}
			continue
		}
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
	var bad diag.List
	if p.bad != nil {
		bad.Add(*p.bad)
	}
	return p.g, bad.Err()
}

type gateParser struct {
	g   Gate
	s   string
	at  int
	bad *diag.Diagnostic // the first problem
}

func (p *gateParser) fail(code string, column int, hint, format string, args ...any) {
	if p.bad == nil {
		p.bad = new(p.g.problem(code, column, hint, format, args...))
	}
}

func (p *gateParser) column() int { return p.at + 1 }

func (p *gateParser) blanks() {
	for p.at < len(p.s) && (p.s[p.at] == ' ' || p.s[p.at] == '\t') {
		p.at++
	}
}

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
	start := p.at
	for p.at < len(p.s) && (isLetter(p.s[p.at]) || p.at > start && '0' <= p.s[p.at] && p.s[p.at] <= '9') {
		p.at++
	}
	return p.s[start:p.at]
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

// found shows the unexpected text.
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
	sign := p.at
	for p.at < len(p.s) && '0' <= p.s[p.at] && p.s[p.at] <= '9' {
		p.at++
	}
	k, err := strconv.Atoi(p.s[sign:p.at])
	if err != nil || k < 1 || k > rubric.MaxPassAt {
		p.fail("gate-syntax", start, "write for example pass@1>=0.5", "k must be a number from 1 to %d, not %q", rubric.MaxPassAt, p.s[sign:p.at])
		return
	}
	p.g.figure, p.g.k, p.g.all = figure(fmt.Sprintf("pass%c%d", p.s[sign-1], k)), k, p.s[sign-1] == '^'
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
	p.fail("figure-unknown", column, diag.DidYouMean(word, names), "unknown figure %q", word)
	return ""
}

// call reads the rest of criterion(ID).figure, from the parenthesis on.
func (p *gateParser) call(word string, start int) {
	abouts := []string{string(aboutCriterion), string(aboutMetric), string(aboutCorpus), sliceWord}
	switch subject(word) {
	case aboutCriterion, aboutMetric, aboutCorpus:
		p.g.about = subject(word)
		if p.g.about == aboutCorpus && p.g.sliceField != "" {
			p.fail("figure-unknown", start, "leave out the slice", "a slice has no corpus score")
		}
	default:
		p.fail("figure-unknown", start, diag.DidYouMean(word, abouts), "unknown function %q", word)
		return
	}
	p.id()
	end := p.column()
	p.blanks()
	p.g.columns.figure = p.column()
	if p.g.about == aboutCorpus && strings.HasPrefix(p.s[p.at:], ".delta") {
		p.g.figure = "mean"
		return
	}
	if !p.eat(".") && (end == p.column() || p.at >= len(p.s) || !isLetter(p.s[p.at])) {
		p.g.figure = "mean"
		return
	}
	p.blanks()
	p.g.columns.figure = p.column()
	if p.g.about == aboutCorpus {
		p.fail("figure-unknown", p.column(), "write corpus(NAME)>=30", "a corpus score has no figures of its own")
		return
	}
	p.g.figure = p.known(p.word(), p.g.columns.figure, namesOf(figureMeasures))
}

// id reads the id up to the closing parenthesis.
func (p *gateParser) id() {
	p.blanks()
	p.g.columns.of = p.column()
	if p.at < len(p.s) && (p.s[p.at] == '"' || p.s[p.at] == '\'') {
		quote := p.s[p.at : p.at+1]
		p.at++
		end := strings.Index(p.s[p.at:], quote)
		if end < 0 {
			p.fail("gate-syntax", p.g.columns.of, "close it", "the quote is not closed")
			return
		}
		p.g.of = p.s[p.at : p.at+end]
		p.at += end + 1
		p.blanks()
		if !p.eat(")") {
			p.fail("gate-syntax", p.column(), "", "expected %q, found %s", ")", p.found())
		}
		return
	}
	end := strings.IndexByte(p.s[p.at:], ')')
	if end < 0 {
		p.fail("gate-syntax", p.g.columns.of, "close the parenthesis", "expected %q after the id", ")")
		return
	}
	p.g.of = strings.TrimSpace(p.s[p.at : p.at+end])
	p.at += end + 1
	if p.g.of == "" {
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
	if p.at < len(p.s) && p.s[p.at] == '=' {
		p.fail("gate-syntax", p.column(), "write == for equal, >= for at least", "a single = compares nothing")
		return
	}
	p.fail("gate-syntax", p.column(), "write >=, >, <=, <, == or !=", "expected a comparison, found %s", p.found())
}

func (p *gateParser) limit() {
	if p.bad != nil {
		return
	}
	p.blanks()
	p.g.columns.limit = p.column()
	start := p.at
	for p.at < len(p.s) && strings.IndexByte("+-.0123456789eE", p.s[p.at]) >= 0 {
		p.at++
	}
	x, err := strconv.ParseFloat(p.s[start:p.at], 64)
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
