package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/stats"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Gate is a condition on a run, such as mean>=0.80, pass_rate>=95%,
// criterion(safety).min==1, slice(lang=fr).mean>=0.7, corpus(bleu)>=30,
// unscored<=1% or regressions==0. ParseGate makes one.
type Gate struct {
	Expr string // as it is written

	// Of the slice that the gate is about; empty: the whole run.
	sliceField, sliceValue string

	about subject
	of    string // the id in parentheses
	figure
	k      int    // of pass@k and pass^k; 0: it is about neither
	all    bool   // pass^k: all of k samples must pass
	change figure // "delta", "delta.low" or "delta.high": of the figure, against the baseline
	op     string
	limit  float64
	share  bool // the limit is written with %

	columns struct{ of, figure, limit int }
}

type figure string

// An Outcome is the result of a gate.
type Outcome struct {
	Expr   string   `json:"expr"`
	Value  *float64 `json:"value"` // null: there was nothing to measure
	Limit  float64  `json:"limit"`
	Passed bool     `json:"passed"` // false too when there was nothing to measure
	Why    string   `json:"why"`    // one line for a person
}

// Missed counts the gates that did not pass.
func Missed(gates []Outcome) int {
	return xslices.Count(gates, func(g Outcome) bool { return !g.Passed })
}

type subject string

const (
	aboutRun       subject = ""
	aboutCriterion subject = "criterion"
	aboutMetric    subject = "metric"
	aboutCorpus    subject = "corpus"
)

// A measure is a figure that a gate may name, with its source in words: of a summary, or of one
// quantity in it.
type measure[T any] struct {
	name  figure
	unit  unit
	value func(of *T) (*float64, string)
}

// measureOf returns the measure of a name, nil if there is none.
func measureOf[T any](list []measure[T], name figure) *measure[T] {
	return xslices.Find(list, func(m *measure[T]) bool { return m.name == name })
}

type unit int

const (
	score01 unit = iota // a score or share, in 0..1
	count               // a count, or a share of the rows with %
	free                // any number, no %
)

// runMeasures is the table of figures about a whole run alone.
var runMeasures = []measure[Summary]{
	{"audit", score01, audited},
	{"failed", count, func(s *Summary) (*float64, string) { return counted(s.Counts.Failed, s.Counts.Rows) }},
	{"failed_gates", count, func(s *Summary) (*float64, string) { return counted(s.Counts.FailedGates, s.Counts.Rows) }},
	{"cases", free, func(s *Summary) (*float64, string) { return number(s.Counts.Cases), "" }},
	{"cost_usd", free, func(s *Summary) (*float64, string) {
		if n := s.Usage.Unpriced; n > 0 {
			return nil, fmt.Sprintf("the price of %d judge calls is not known", n)
		}
		return &s.Usage.CostUSD, ""
	}},
	{"regressions", count, func(s *Summary) (*float64, string) {
		return paired(s, func(c *Comparison) *int { return c.Regressions })
	}},
	{"improvements", count, func(s *Summary) (*float64, string) {
		return paired(s, func(c *Comparison) *int { return c.Improvements })
	}},
	{"worse", count, func(s *Summary) (*float64, string) { return paired(s, func(c *Comparison) *int { return &c.Worse }) }},
	{"better", count, func(s *Summary) (*float64, string) { return paired(s, func(c *Comparison) *int { return &c.Better }) }},
}

// ofRun returns the measure of a figure about a whole run alone, nil if there is none.
func (g *Gate) ofRun() *measure[Summary] {
	if g.k > 0 {
		return &measure[Summary]{g.figure, score01, func(s *Summary) (*float64, string) { return passAt(s, g.k, g.all) }}
	}
	return measureOf(runMeasures, g.figure)
}

// passAt returns pass@k, or pass^k if all is true.
func passAt(s *Summary, k int, all bool) (*float64, string) {
	a := s.PassAtK.at(k)
	switch {
	case s.PassAtK == nil:
		return nil, "no samples, or no pass rule"
	case a == nil:
		return nil, fmt.Sprintf("no figure at k = %d: write it into pass_at of the rubric", k)
	case a.Problems == 0:
		return nil, fmt.Sprintf("no problem has %d scored samples", k)
	}
	why := fmt.Sprintf("over %d problems", a.Problems)
	if a.Short > 0 {
		why += fmt.Sprintf("; %d more have fewer than %s", a.Short, diag.Count(k, "scored sample"))
	}
	value, i := a.PassAt, a.PassAtInterval
	if all {
		value, i = a.PassHat, a.PassHatInterval
	}
	if i != nil {
		why += "; 95% interval " + intervalText(i)
	}
	return value, why
}

// figureMeasures are the figures about one criterion or metric, or the score of a run.
var figureMeasures = []measure[Figure]{
	{"mean", score01, func(f *Figure) (*float64, string) { return f.Mean, over(f.N, f.rows()) }},
	{"pass_rate", score01, func(f *Figure) (*float64, string) { return rate(f.Pass), passedOf(f) }},
	{"min", score01, func(f *Figure) (*float64, string) { return f.Min, over(f.N, f.rows()) }},
	{"median", score01, func(f *Figure) (*float64, string) { return f.Median, over(f.N, f.rows()) }},
	{"max", score01, func(f *Figure) (*float64, string) { return f.Max, over(f.N, f.rows()) }},
	{"unscored", count, func(f *Figure) (*float64, string) { return counted(f.Unscored+f.Failed, f.rows()) }},
}

// rows is how many rows have the quantity, or should have it.
func (f *Figure) rows() int { return f.N + f.Unscored + f.Failed }

func number(n int) *float64 { return new(float64(n)) }

func counted(n, all int) (*float64, string) {
	if all == 0 {
		return nil, "no rows"
	}
	return number(n), "of " + diag.Thousands(all)
}

// over says how many rows a figure covers, if not all.
func over(n, all int) string {
	switch {
	case all == 0:
		return "no rows"
	case n == 0:
		return fmt.Sprintf("none of %s has a score", diag.Thousands(all))
	case n < all:
		return fmt.Sprintf("over %s of %s; the others are unscored", diag.Thousands(n), diag.Thousands(all))
	}
	return ""
}

func rate(r *Rate) *float64 {
	if r == nil {
		return nil
	}
	return r.Rate
}

func passedOf(f *Figure) string {
	r, all := f.Pass, f.rows()
	switch {
	case r == nil && f.N > 0:
		return "no pass rule"
	case r == nil:
		return over(0, all)
	}
	s := fmt.Sprintf("%s of %s", diag.Thousands(r.Passed), diag.Thousands(r.Of))
	if r.Of < all {
		s += fmt.Sprintf("; %s unscored", diag.Thousands(all-r.Of))
	}
	return s
}

// Names are the names that gates may refer to.
type Names struct {
	Criteria []string
	Metrics  []string
	Corpus   []string
	Baseline bool // there is an earlier run to compare with
	Raw      bool // scores are raw, and may lie outside 0..1
	Pass     bool // some rubric says which scores pass

	// Unruled are the criteria of which nothing says which values pass: those with neither
	// a gate nor a yes/no answer.
	Unruled []string

	// PassAt are the k of pass@k; nil: the run does not report it.
	PassAt []int
}

// NamesOf returns the names of a rubric's criteria and metrics. A metric of the
// rubric's criteria may be called either.
func NamesOf(r *rubric.Rubric) Names {
	n := Names{Raw: r.Policy.RawAsScore, Pass: r.Decides()}
	r.Walk(func(path string, c *rubric.Criterion) {
		if strings.HasPrefix(path, "metrics") {
			n.Metrics = append(n.Metrics, c.ID)
			return
		}
		n.Criteria = append(n.Criteria, c.ID)
		if c.Scorer.WayOrJudge() != rubric.ByMetric && !PassRuleOf(r, c).Decides() { // a metric may answer yes or no
			n.Unruled = append(n.Unruled, c.ID)
		}
		if c.Scorer.WayOrJudge() == rubric.ByMetric {
			n.Metrics = append(n.Metrics, c.ID)
		}
	})
	return n
}

// Check finds the problems of a gate in this run, before anything is scored: a diag.List of
// class fault.Invalid, or nil.
func (g *Gate) Check(names Names) error {
	var bad diag.List
	complain := func(code string, column int, hint, format string, args ...any) {
		bad.Add(g.problem(code, column, hint, format, args...))
	}
	g.checkTarget(names, complain)
	g.checkFigure(names, complain)
	if g.k > 0 {
		g.checkSamples(names, complain)
	}
	g.checkLimit(names, complain)
	return bad.Err()
}

// complaint adds a problem with the part of a gate that begins in a column.
type complaint func(code string, column int, hint, format string, args ...any)

// checkTarget looks for the criterion, metric or corpus score.
func (g *Gate) checkTarget(names Names, complain complaint) {
	known := map[subject][]string{aboutCriterion: names.Criteria, aboutMetric: names.Metrics, aboutCorpus: names.Corpus}[g.about]
	if g.about == aboutRun || slices.Contains(known, g.of) {
		return
	}
	hint := diag.DidYouMean(g.of, known)
	switch {
	case len(known) > 0:
	case g.about == aboutCorpus:
		hint = "no plugin of this run has a corpus score"
	default:
		hint = fmt.Sprintf("nothing in this run is a %s", g.about)
	}
	complain("name-unknown", g.columns.of, hint, "unknown %s %q", g.about, g.of)
}

// checkFigure refuses figures that the run, or a slice of it, will not have.
func (g *Gate) checkFigure(names Names, complain complaint) {
	if g.sliceField != "" && (g.compares() || g.about == aboutRun && g.figure == "cost_usd") {
		complain("figure-unknown", g.columns.figure, "leave out the slice", "a slice has no %s", g.what())
	}
	if g.compares() && !names.Baseline {
		complain("baseline-missing", 1, "name the run to compare with: "+fault.OptionBaseline, "%s needs a baseline", g.what())
	}
	passes := g.figure == "pass_rate"
	if g.about == aboutRun && (passes || g.k > 0) && !names.Pass {
		complain("pass-missing", 1, "gate on the score: mean>=0.8; or write pass: 0.8 in the rubric, if need be converted to the native dialect", "the rubric does not say which scores pass")
	}
	if g.about == aboutCriterion && passes && slices.Contains(names.Unruled, g.of) {
		complain("pass-missing", g.columns.of, fmt.Sprintf("gate on its mean, criterion(%s).mean>=0.8, or write min: 0.8 in the criterion, which then fails a case", g.of), "nothing says which values of criterion %q pass", g.of)
	}
}

// checkSamples refuses a pass@k or pass^k that the run will not have.
func (g *Gate) checkSamples(names Names, complain complaint) {
	switch {
	case g.sliceField != "":
		complain("figure-unknown", g.columns.figure, "leave out the slice", "a slice has no %s", g.what())
	case names.PassAt == nil:
		complain("samples-missing", 1, fmt.Sprintf("write pass_at: [%d] and pass: 1 in the rubric", g.k), "%s needs samples: several rows of one id, or repeats", g.what())
	case !slices.Contains(names.PassAt, g.k):
		complain("figure-unknown", g.columns.figure, fmt.Sprintf("write %d into pass_at of the rubric", g.k), "the run has no %s: it has those of %s", g.what(), strings.Trim(fmt.Sprint(slices.Compact(slices.Sorted(slices.Values(names.PassAt)))), "[]"))
	}
}

// checkLimit refuses limits that the figure cannot have.
func (g *Gate) checkLimit(names Names, complain complaint) {
	raw := g.about == aboutRun && names.Raw
	switch u := g.unit(); {
	case g.share:
	case u == score01 && g.limit > 1 && !raw:
		complain("limit-range", g.columns.limit, fmt.Sprintf("write %s%%, or a number from 0 to 1", trim(g.limit)), "scores lie between 0 and 1, not at %s", trim(g.limit))
	case u == count && g.limit != math.Trunc(g.limit):
		complain("limit-range", g.columns.limit, fmt.Sprintf("for a share of the cases write %s%%", trim(g.limit*100)), "%s is a count, and %s is not a whole number", g.what(), trim(g.limit))
	}
}

func (g *Gate) problem(code string, column int, hint, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{Code: code, Path: g.Expr, Pos: diag.Pos{File: "gate", Line: 1, Column: column},
		Message: fmt.Sprintf("%s: "+format, append([]any{g.Expr}, args...)...), Hint: hint}
}

func (g *Gate) unit() unit {
	switch g.about {
	case aboutCorpus:
		return free
	case aboutRun:
		if m := g.ofRun(); m != nil {
			return m.unit
		}
	}
	if m := measureOf(figureMeasures, g.figure); m != nil {
		return m.unit
	}
	return free
}

// SliceField returns the field of the slice that the gate is about, or the empty
// string.
func (g *Gate) SliceField() string { return g.sliceField }

// Evaluate holds the gate against a summary. A gate that finds nothing to
// measure is not passed, and says so. Comparisons allow for rubric.Slack.
func (g *Gate) Evaluate(s *Summary) Outcome {
	o := Outcome{Expr: g.Expr, Limit: g.limit}
	if g.sliceField != "" {
		if s = s.slice(g.sliceField, g.sliceValue); s == nil {
			o.Why = fmt.Sprintf("no case has %s=%s: nothing to measure, so the gate is not passed", g.sliceField, g.sliceValue)
			return o
		}
	}
	value, why, all := g.measure(s)
	if value != nil && g.share && g.unit() == count {
		why = strings.TrimSpace(trim(*value) + " " + why)
		value = new(*value / all)
	}
	if value == nil {
		o.Why = strings.TrimPrefix(why+": nothing to measure, so the gate is not passed", ": ")
		return o
	}
	o.Value = value
	o.Passed = compare(*value, g.op, g.limit)
	o.Why = g.say(*value, why, s)
	return o
}

// measure returns the value that the gate is about, where it comes from, and
// the number of which a count is a share.
func (g *Gate) measure(s *Summary) (value *float64, why string, all float64) {
	switch {
	case g.change != "":
		value, why = g.delta(s)
		return value, why, 0
	case g.about == aboutCorpus:
		value, why = g.corpus(s)
		return value, why, 0
	case g.about == aboutRun:
		if m := g.ofRun(); m != nil {
			value, why = m.value(s)
			if slices.Contains(comparedFigures, g.figure) && s.Baseline != nil {
				return value, why, float64(s.Baseline.Paired)
			}
			return value, why, float64(s.Counts.Rows)
		}
	}
	f := s.figure(g.about, g.of)
	if f == nil {
		return nil, fmt.Sprintf("no row has the %s %q", g.about, g.of), 0
	}
	if m := measureOf(figureMeasures, g.figure); m != nil {
		value, why = m.value(f)
	}
	return value, why, float64(f.rows())
}

// figure finds the score of the run, or a criterion or metric; a criterion that a metric scores
// may be called either. Those of the run's rubric come first.
func (s *Summary) figure(about subject, id string) *Figure {
	if about == aboutRun {
		return &s.Total
	}
	return named(about, s.Criteria, s.Metrics, func(f *Figure) bool { return f.ID == id })
}

// named finds one of a kind, those of the subject first; nil if there is none.
func named[T any](about subject, criteria, metrics []T, is func(*T) bool) *T {
	lists := [][]T{criteria, metrics}
	if about == aboutMetric {
		lists = [][]T{metrics, criteria}
	}
	return cmp.Or(xslices.Find(lists[0], is), xslices.Find(lists[1], is))
}

func (g *Gate) corpus(s *Summary) (*float64, string) {
	c := xslices.Find(s.Corpus, func(c *Corpus) bool { return c.Name == g.of })
	switch {
	case c == nil:
		return nil, fmt.Sprintf("no corpus score %q", g.of)
	case c.Error != nil:
		return nil, c.Error.Message
	case c.Score == nil:
		return nil, "it has no score"
	}
	return c.Score, "over " + diag.Count(c.N, "case")
}

func compare(value float64, op string, limit float64) bool {
	above, below := value-limit > rubric.Slack, limit-value > rubric.Slack
	switch op {
	case ">=":
		return !below
	case "<=":
		return !above
	case ">":
		return above
	case "<":
		return below
	case "!=":
		return above || below
	}
	return !above && !below
}

// say words an outcome: the value, its coverage, and for a mean whether the sample is
// large enough.
func (g *Gate) say(value float64, why string, s *Summary) string {
	text := g.valueText(value)
	var notes []string
	if why != "" {
		notes = append(notes, why)
	}
	if g.figure == "mean" && g.about != aboutCorpus && g.change == "" {
		f := s.figure(g.about, g.of)
		if i := f.Interval; i != nil && i.Low < g.limit && g.limit < i.High {
			notes = append(notes, "the limit lies inside the 95% interval "+intervalText(i, g.limit))
		} else if f.SE != nil && *f.SE > 0 {
			if least := stats.Detectable(*f.SE, cmp.Or(f.Clusters, f.N)); least < 1 {
				notes = append(notes, "smallest detectable change "+ScoreText(least))
			}
		}
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	return text
}
