package result

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/rubric"
)

// Feedback returns the deterministic feedback text of a row in the layout of dataknobs' "Feedback
// Generation", without a line break at its end. Where a criterion has no score it says so; dataknobs
// writes 0.
func Feedback(r *rubric.Rubric, row *Row) string {
	f := feedback{r: r}
	f.headline(row)
	for i := range row.Criteria {
		c := r.Find(row.Criteria[i].ID)
		if c == nil || c.Group() {
			continue
		}
		f.criterion(c, &row.Criteria[i])
	}
	if len(f.advice) > 0 {
		f.line("")
		f.line("Suggestions for improvement:")
		for _, a := range f.advice {
			f.line("  - " + a)
		}
	}
	return strings.Join(f.lines, "\n")
}

// CriterionFeedback returns the line of one criterion in Feedback, without its dash:
// "Clarity: excellent (score: 1.00)". It says so if the criterion has no score, and why.
func CriterionFeedback(c *rubric.Criterion, v *Criterion) string {
	if v.Value != nil {
		word := cmp.Or(v.Verdict().Native.String(), "scored")
		return fmt.Sprintf("%s: %s (score: %s)", c.Label(), word, strconv.FormatFloat(*v.Value, 'f', 2, 64))
	}
	if inconclusive(c, v) {
		return c.Label() + ": unable_to_evaluate (no score) [LLM evaluation inconclusive]"
	}
	note := v.Reason
	if v.Error != nil {
		note = "Evaluation error: " + v.Error.Message
	}
	return fmt.Sprintf("%s: error (no score) [%s]", c.Label(), note)
}

type feedback struct {
	r      *rubric.Rubric
	lines  []string
	advice []string
}

func (f *feedback) line(s string) { f.lines = append(f.lines, s) }

func (f *feedback) headline(row *Row) {
	word, overall := "SCORED", "none"
	switch {
	case row.Score == nil:
		word = "UNSCORED"
	case row.Passes():
		word = "PASSED"
	case row.Passed != nil:
		word = "FAILED"
	}
	if row.Score != nil {
		overall = strconv.FormatFloat(float64(*row.Score*100), 'f', 0, 64) + "%"
	}
	name := cmp.Or(f.r.Name, f.r.ID)
	f.line(fmt.Sprintf("Evaluation %s for rubric '%s'.", word, name))
	f.line("Overall score: " + overall)
	f.line("")
}

// criterion writes the line of one criterion, and notes its target.
func (f *feedback) criterion(c *rubric.Criterion, v *Criterion) {
	f.line("- " + CriterionFeedback(c, v))
	if v.Value == nil {
		if inconclusive(c, v) {
			f.advice = append(f.advice, c.Label()+": could not be evaluated by LLM")
		}
		return
	}
	if v.Verdict().Native.Kind != rubric.KindLevel || len(f.r.Pass.Bands) == 0 || *v.Value > f.r.Pass.Bands[0].Min+rubric.Slack {
		return
	}
	if next := NextLevel(c, *v.Value); next != nil {
		label := cmp.Or(next.Label, next.ID)
		f.advice = append(f.advice, fmt.Sprintf("%s: aim for '%s' — %s", c.Label(), label, next.Description))
	}
}

// inconclusive reports whether a judge was asked for a score and gave none, rather than something that
// kept it from being asked.
func inconclusive(c *rubric.Criterion, v *Criterion) bool {
	return c.Scorer.WayOrJudge() == rubric.ByJudge && (v.Error == nil || v.Error.Class.OfJudge())
}

// NextLevel returns the lowest level of a criterion above a score, or nil.
func NextLevel(c *rubric.Criterion, score float64) *rubric.Level {
	var next *rubric.Level
	for i := range c.Answer.Levels {
		l := &c.Answer.Levels[i]
		if l.Score > score && (next == nil || l.Score < next.Score) {
			next = l
		}
	}
	return next
}
