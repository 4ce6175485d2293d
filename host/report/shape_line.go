package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	scoring "github.com/rubric-host/rubric-host/host/score"
)

// resultLine is a line of AgentV's results, with the verdict of the case that
// the AgentEvals specification adds. A criterion without a number is in neither list.
type resultLine struct {
	EvalID           string            `json:"eval_id"`
	Score            *float64          `json:"score"`
	Verdict          *string           `json:"verdict"` // null without a score
	Hits             []string          `json:"hits"`
	Misses           []string          `json:"misses"`
	Reasoning        string            `json:"reasoning,omitzero"`
	EvaluatorResults []evaluatorResult `json:"evaluator_results"`
	Error            string            `json:"error,omitzero"`
}

type evaluatorResult struct {
	Name             string            `json:"name"`
	Type             string            `json:"type"`
	Score            *float64          `json:"score"`
	Weight           float64           `json:"weight"`
	Verdict          *string           `json:"verdict"`
	Hits             []string          `json:"hits"`
	Misses           []string          `json:"misses"`
	Reasoning        string            `json:"reasoning,omitzero"`
	Details          *rangeDetails     `json:"details,omitzero"` // if answers are numbers from 0 to 10
	EvaluatorResults []evaluatorResult `json:"evaluator_results,omitzero"`
}

type rangeDetails struct {
	RawScores     map[string]float64 `json:"raw_scores"`
	Normalization string             `json:"normalization"`
	Aggregation   string             `json:"aggregation"`
}

// shapeLine writes a line. judged is the type of evaluators that a language
// model answers.
func shapeLine(r *rubric.Rubric, row *result.Row, judged string) any {
	l := &lineShape{r: r, row: row, judged: judged}
	out := &resultLine{EvalID: row.Case, Score: row.Score, Verdict: l.verdict(row.Score, row.GateFailures), Hits: []string{}, Misses: []string{}, Error: withoutScore(row)}
	out.EvaluatorResults = l.evaluators()
	var why []string
	for _, e := range out.EvaluatorResults {
		out.Hits, out.Misses = append(out.Hits, e.Hits...), append(out.Misses, e.Misses...)
		if e.Reasoning != "" {
			why = append(why, e.Name+": "+e.Reasoning)
		}
	}
	out.Reasoning = strings.Join(why, " | ")
	return out
}

type lineShape struct {
	r      *rubric.Rubric
	row    *result.Row
	judged string
}

// verdict is the band of a score, or pass and fail where the rubric has no
// bands; nil without a score.
func (l *lineShape) verdict(score *float64, failures []string) *string {
	if score == nil {
		return nil
	}
	word := l.r.Pass.Label(*score)
	switch {
	case len(failures) > 0:
		word = cmp.Or(l.r.Pass.Lowest(), "fail")
	case word == "":
		word = "pass"
	}
	return &word
}

// evaluators has a result for each group and computed criterion, or one where there are only criteria.
func (l *lineShape) evaluators() []evaluatorResult {
	list := l.r.Criteria
	if v := overall(l.r, l.row); v != nil {
		e := l.evaluator(dialect.EvaluatorName(l.r), l.judged, 1, l.row.Score, l.row.GateFailures)
		e.Reasoning = reasonOf(v)
		return []evaluatorResult{e}
	}
	if !slices.ContainsFunc(list, func(c rubric.Criterion) bool { return c.Group() }) &&
		slices.ContainsFunc(list, func(c rubric.Criterion) bool { return c.Scorer.WayOrJudge() == rubric.ByJudge }) {
		e := l.evaluator(dialect.EvaluatorName(l.r), l.judged, 1, l.row.Score, l.row.GateFailures)
		l.fill(&e, list)
		return []evaluatorResult{e}
	}
	return l.each(list)
}

// each returns the result of every criterion of list as an evaluator's.
func (l *lineShape) each(list []rubric.Criterion) []evaluatorResult {
	out := []evaluatorResult{}
	for i := range list {
		c := &list[i]
		a := answered{c, verdictOn(c.ID, l.row.Criteria)}
		kind := l.judged
		if !c.Group() && c.Scorer.WayOrJudge() != rubric.ByJudge {
			kind = "code_judge"
		}
		e := l.evaluator(c.ID, kind, c.Weight.Value, a.value(), l.failuresIn(c))
		switch {
		case !c.Group():
			fillSingle(&e, a)
		case slices.ContainsFunc(c.Criteria, func(c rubric.Criterion) bool { return c.Group() }):
			e.Type, e.EvaluatorResults = "composite", l.each(c.Criteria)
			for _, member := range e.EvaluatorResults {
				e.Hits, e.Misses = append(e.Hits, member.Hits...), append(e.Misses, member.Misses...)
			}
		default:
			l.fill(&e, c.Criteria)
		}
		out = append(out, e)
	}
	return out
}

func (l *lineShape) evaluator(name, kind string, weight float64, score *float64, failures []string) evaluatorResult {
	return evaluatorResult{Name: name, Type: kind, Score: score, Weight: weight, Verdict: l.verdict(score, failures), Hits: []string{}, Misses: []string{}}
}

// failuresIn returns the failed gates of c and of its members.
func (l *lineShape) failuresIn(c *rubric.Criterion) []string {
	var out []string
	for _, id := range l.row.GateFailures {
		whole := rubric.Rubric{Criteria: []rubric.Criterion{*c}}
		if whole.Find(id) != nil {
			out = append(out, id)
		}
	}
	return out
}

func fillSingle(e *evaluatorResult, a answered) {
	if a.verdict == nil {
		return
	}
	e.Hits, e.Misses = append(e.Hits, a.verdict.Hits...), append(e.Misses, a.verdict.Misses...)
	e.Reasoning = a.reason()
}

func (l *lineShape) fill(e *evaluatorResult, list []rubric.Criterion) {
	raw := map[string]float64{}
	for _, a := range answers(list, l.row.Criteria) {
		if a.value() == nil {
			continue
		}
		text, hit := l.text(a)
		if hit {
			e.Hits = append(e.Hits, text)
		} else {
			e.Misses = append(e.Misses, text)
		}
		if n := a.verdict.Native; n != nil && n.Number != nil && l.r.ScaleOf(a.Criterion).Max == 10 {
			raw[a.ID] = *n.Number
		}
	}
	if len(raw) > 0 {
		e.Details = &rangeDetails{raw, "score / 10", "weighted_average"}
	}
}

// rangeHit is the value from which a graded criterion is a hit (AgentV 2.5.8,
// llm-judge evaluator: 7 of 10).
const rangeHit = 0.7

// text is the line of a criterion, in the form that AgentV documents, and
// whether it is a hit.
func (l *lineShape) text(a answered) (text string, hit bool) {
	good := scoring.Goodness(a.Criterion, *a.value())
	held := !slices.Contains(l.row.GateFailures, a.ID)
	text = fmt.Sprintf("[%s] %s", a.ID, cmp.Or(a.Text, a.Label()))
	switch n := a.verdict.Verdict().Native; n.Kind {
	case rubric.KindNumber:
		text += fmt.Sprintf(" - Score: %s/10 (%s)", rubric.FormatNumber(tenth(l.r.ScaleOf(a.Criterion), n.Number)), bandAt(&a.Answer, n.Number))
		hit = held && rubric.AtLeast(good, rangeHit)
	case rubric.KindLevel:
		text += " - Level: " + n.Level
		hit = held && rubric.AtLeast(good, rangeHit)
	default:
		hit = held && rubric.AtLeast(good, 1)
	}
	if why := a.reason(); why != "" {
		text += ": " + why
	}
	return text, hit
}

// tenth is a number on a scale as one of 0 to 10.
func tenth(s rubric.Scale, n float64) float64 {
	if s.Min == 0 && s.Max == 10 {
		return n
	}
	return float64(s.Position(n) * 10)
}

// bandAt is the text of the band or point of a scale that holds n, or nothing.
func bandAt(a *rubric.Answer, n float64) string {
	for _, b := range a.Bands {
		if n >= b.Low && n <= b.High {
			return b.Text
		}
	}
	for _, p := range a.Anchors {
		if p.At == n {
			return p.Text
		}
	}
	return ""
}
