package result

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/stats"
)

// SummaryOptions are the inputs of a Summarizer beside the rows. The zero value
// is valid.
type SummaryOptions struct {
	// Rubric gives criteria their order, names and pass marks. Nil: the rows
	// alone speak.
	Rubric *rubric.Rubric

	// Rubrics are those of cases that bring their own, by digest.
	Rubrics map[string]*rubric.Rubric

	// Repeats is how often each case was evaluated. Above 1, the rows of one
	// case are taken to depend on each other.
	Repeats int

	// Unscored is how rows treat a criterion without a number. Empty: that is not known.
	Unscored score.Unscored

	// Samples asks for PassAtK, at each k of PassAt; empty: at those of DefaultPassAt.
	Samples bool
	PassAt  []int
}

// A Summarizer makes the summary of rows. Its memory grows with criteria and clusters, not with rows. One
// goroutine uses it.
type Summarizer struct {
	opts     SummaryOptions
	counts   Counts
	total    *tally
	figures  map[figureKey]*tally
	order    []*tally // criteria and metrics
	clusters stats.Numbers
	problems problems
	audit    audit
	verdicts []LabelCount
	unscored []UnscoredClass
	gaps     gaps // of rows that have a score
	stand    gaps // the rubric's fallbacks
	usage    Usage
	unread   map[string]int // rows without a verdict on anything, such as those that could not be read, by rubric
	skipped  int            // figures beyond maxFigures
	loose    bool           // repeats without Options.Repeats

	passed    int
	ruled     bool // the rubric has a pass rule, or some row has passed or failed
	undecided bool // some row has a score, and nothing says whether it passes
}

type figureKey struct {
	metric     bool
	rubric, id string
}

// maxFigures bounds the criteria that a summary tells apart: eval files may
// bring a rubric of their own with every case.
const maxFigures = 500

// bins is the number of bins of histograms; it must divide 200.
const bins = 20

// maxWorst is the number of low rows that a figure names.
const maxWorst = 5

// NewSummarizer returns a Summarizer.
func NewSummarizer(opts SummaryOptions) *Summarizer {
	s := &Summarizer{opts: opts, total: &tally{}, figures: map[figureKey]*tally{}, clusters: stats.Numbers{}, unread: map[string]int{}}
	if r := opts.Rubric; r != nil {
		s.total.open, s.ruled = r.Policy.RawAsScore, r.Decides()
		s.expect(r, false, r.Criteria)
		s.expect(r, true, r.Metrics)
	}
	return s
}

// expect makes the tallies of a list of criteria, in its order.
func (s *Summarizer) expect(r *rubric.Rubric, metric bool, list []rubric.Criterion) {
	for i := range list {
		s.tally(figureKey{metric, "", list[i].ID}, r, &list[i])
		s.expect(r, metric, list[i].Criteria)
	}
}

// tally returns the tally of a criterion, which it makes if there is none; nil
// if there are too many.
func (s *Summarizer) tally(key figureKey, r *rubric.Rubric, c *rubric.Criterion) *tally {
	if t := s.figures[key]; t != nil {
		return t
	}
	if len(s.order) == maxFigures {
		s.skipped++
		return nil
	}
	t := &tally{key: key}
	if c != nil {
		t.figure = Figure{Name: c.Name, Gate: r.Gated(c), Weight: &c.Weight.Value}
		t.rule, t.penalty = PassRuleOf(r, c), c.Penalty()
	}
	t.figure.ID, t.figure.Rubric = key.id, key.rubric
	s.figures[key] = t
	s.order = append(s.order, t)
	return t
}

// A PassRule says which goodness of a criterion counts as passed. The zero value
// says nothing.
type PassRule struct {
	Mark  *float64 // from here
	Above bool     // any above 0
}

// PassRuleOf returns the rule of a criterion: its gate, or all of a met answer; else none,
// whoever scores it: the rubric's own threshold is about the score.
func PassRuleOf(r *rubric.Rubric, c *rubric.Criterion) PassRule {
	switch {
	case r.Gated(c):
		mark, above := score.GateMark(r, c)
		if above {
			return PassRule{Above: true}
		}
		return PassRule{Mark: &mark}
	case !c.Group() && c.Scorer.WayOrJudge() != rubric.ByMetric && c.Answer.KindOrMet() == rubric.KindMet:
		return PassRule{Mark: new(1.0)}
	}
	return PassRule{}
}

// Decides reports whether there is a rule.
func (p PassRule) Decides() bool { return p.Above || p.Mark != nil }

// Passes reports whether a goodness passes.
func (p PassRule) Passes(good float64) bool {
	if p.Above {
		return good > rubric.Slack
	}
	return p.Mark != nil && rubric.AtLeast(good, *p.Mark)
}

// Add takes a row in. It keeps nothing of it but ids of low rows.
func (s *Summarizer) Add(row *Row) {
	s.count(row)
	s.usage.Add(row.Judge)
	cluster := s.cluster(row)
	s.audit.add(row)
	if s.opts.Samples {
		s.problems.add(row, s.opts.Repeats > 1, cluster)
	}
	s.total.add(row, cluster, row.Score, row.Passed)
	s.label(row)
	if row.Score == nil {
		s.noScore(row)
	}
	s.criteria(row, cluster, false, row.Criteria)
	s.criteria(row, cluster, true, row.Metrics)
	if len(row.Criteria)+len(row.Metrics) == 0 {
		s.unread[row.Rubric]++
	}
}

func (s *Summarizer) count(row *Row) {
	c := &s.counts
	c.Rows++
	s.ruled = s.ruled || row.Passed != nil
	if row.Repeat <= 1 {
		c.Cases++
	} else if s.opts.Repeats <= 1 {
		s.loose = true
	}
	switch {
	case row.Score == nil:
		c.Unscored++
		return
	case row.Passes():
		s.passed++
	case row.Passed != nil:
		c.Failed++
	default:
		s.undecided = true
	}
	c.Scored++
	if len(row.GateFailures) > 0 {
		c.FailedGates++
	}
}

// cluster returns the number of the row's cluster, -1 if it is on its own.
func (s *Summarizer) cluster(row *Row) int {
	name := "cluster\x00" + row.Cluster
	if row.Cluster == "" {
		if s.opts.Repeats <= 1 {
			return -1
		}
		name = "case\x00" + row.Case
	}
	return s.clusters.Of(name)
}

func (s *Summarizer) label(row *Row) {
	label := score.UnscoredLabel
	switch {
	case row.Score == nil:
	case row.Verdict == nil:
		return
	default:
		label = *row.Verdict
	}
	if l := among(&s.verdicts, maxLabels, func(have LabelCount) bool { return have.Label == label }, LabelCount{Label: label}); l != nil {
		l.Count++
	}
}

// maxLabels bounds the bands and the classes of failures: rows may be hostile.
const maxLabels = 100

// among returns the element of a list that is meant; else it appends a new one, or returns nil if
// the list is full.
func among[T any](list *[]T, most int, is func(T) bool, none T) *T {
	i := slices.IndexFunc(*list, is)
	switch {
	case i >= 0:
	case len(*list) == most:
		return nil
	default:
		i = len(*list)
		*list = append(*list, none)
	}
	return &(*list)[i]
}

func (s *Summarizer) noScore(row *Row) {
	class, message := whyUnscored(row)
	if u := among(&s.unscored, maxLabels, func(have UnscoredClass) bool { return have.Class == class }, UnscoredClass{Class: class, Case: row.Case, Message: message}); u != nil {
		u.Count++
	}
}

// whyUnscored returns the class of the failure that left a row without a score: that of the
// row, else of its first failed criterion, else Unscored.
func whyUnscored(row *Row) (fault.Class, string) {
	if row.Error != nil {
		return row.Error.Class, row.Error.Message
	}
	for c := range row.All() {
		if c.Error != nil && c.Value == nil {
			return c.Error.Class, fmt.Sprintf("%s: %s", c.ID, c.Error.Message)
		}
	}
	return fault.Unscored, row.Reason
}

func (s *Summarizer) criteria(row *Row, cluster int, metric bool, list []Criterion) {
	for i := range list {
		c := &list[i]
		t := s.figures[figureKey{metric, row.Rubric, c.ID}]
		if t == nil {
			r := s.opts.Rubrics[row.Rubric]
			var known *rubric.Criterion
			if r != nil {
				known = r.Find(c.ID)
			}
			if t = s.tally(figureKey{metric, row.Rubric, c.ID}, r, known); t == nil {
				continue
			}
		}
		t.criterion(row, cluster, c)
		s.gap(row, t, c)
		if row.Passes() && c.Weight >= 0 && fails(c.Details) {
			t.refuted++
		}
	}
}

// Summary returns the summary of the rows so far. Corpus and Baseline are the
// caller's to fill in.
func (s *Summarizer) Summary() *Summary {
	out := &Summary{
		Schema: SchemaVersion, Counts: s.counts, Usage: s.usage, Total: s.total.finish(),
		Criteria: []Figure{}, Metrics: []Figure{}, Corpus: []Corpus{},
		Verdicts: append([]LabelCount{}, s.verdicts...), Unscored: append([]UnscoredClass{}, s.unscored...),
	}
	slices.SortStableFunc(out.Unscored, func(a, b UnscoredClass) int { return cmp.Compare(b.Count, a.Count) })
	for _, t := range s.order {
		if t.seen() == 0 && s.counts.Rows > 0 {
			continue // the strategy did not ask for it
		}
		f := t.finish()
		f.Unscored += s.unread[t.key.rubric]
		if t.key.metric {
			out.Metrics = append(out.Metrics, f)
		} else {
			out.Criteria = append(out.Criteria, f)
		}
	}
	s.decide(out)
	out.Audit = s.audit.finish()
	if s.opts.Samples && out.Audit == nil && s.ruled && !s.undecided && s.counts.Rows > 0 { // probes are not samples
		out.PassAtK = s.problems.finish(s.opts.PassAt)
	}
	out.Warnings = s.warnings(out)
	return out
}

// decide counts the rows that passed, if there is a pass rule.
func (s *Summarizer) decide(out *Summary) {
	if s.passed == 0 && (s.undecided || !s.ruled) {
		out.Total.Pass = nil
		return
	}
	out.Counts.Passed = new(s.passed)
}

func (s *Summarizer) warnings(sum *Summary) []string {
	list := []string{}
	warn := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	t := &sum.Total
	switch {
	case sum.Counts.Rows == 0:
		warn("no rows: no figure is meaningful")
	case t.N == 0:
		warn("no case has a score")
	case t.Clusters > 0 && t.Clusters < stats.FewCases:
		warn("only %s: confidence intervals are unreliable below %d", diag.Count(t.Clusters, "independent cluster"), stats.FewCases)
	case t.N < stats.FewCases:
		warn("only %s: confidence intervals are unreliable below %d", diag.Count(t.N, "scored case"), stats.FewCases)
	}
	if n := sum.Counts.Unscored; n > 0 && t.N > 0 {
		warn("%d of %d rows are unscored and excluded from the mean", n, sum.Counts.Rows)
	}
	list = append(list, s.gapWarnings()...)
	if sum.Audit == nil { // most probes should have 0
		list = append(list, s.zeroWarnings()...)
	}
	list = append(list, s.refutedWarnings()...)
	if sum.PassAtK != nil {
		list = append(list, sum.PassAtK.warnings()...)
	}
	if s.loose {
		warn("cases are evaluated repeatedly, but the summary was not told: intervals take repeats for independent cases")
	}
	if n := s.total.sample.Refused(); n > 0 {
		warn("%d scores are not finite numbers and are excluded from the mean", n)
	}
	if s.skipped > 0 {
		warn("more than %d different criteria; the others are in the rows only", maxFigures)
	}
	return list
}
