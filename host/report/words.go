package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// none stands in for a missing number.
const none = "-"

// score writes a score, see result.ScoreText.
func score(x *float64, marks ...float64) string {
	if x == nil {
		return none
	}
	return result.ScoreText(*x, marks...)
}

// whole writes a number for programs, with all its digits; empty if there is none.
func whole(x *float64) string {
	if x == nil {
		return ""
	}
	return rubric.FormatNumber(*x)
}

// score writes a number of the run so that it is not rounded onto a limit.
func (v *view) score(x *float64) string { return score(x, v.marks...) }

// passRate writes the share that passed.
func (v *view) passRate(r *result.Rate) string {
	if r == nil || r.Rate == nil {
		return none
	}
	return result.PercentText(*r.Rate, v.marks...)
}

func (v *view) interval(i *result.Interval) string {
	if i == nil {
		return none
	}
	return fmt.Sprintf("[%s, %s]", v.score(&i.Low), v.score(&i.High))
}

// against writes a score so that it looks different from another one that it is compared with.
func against(x, other *float64) string {
	if x == nil || other == nil {
		return score(x)
	}
	return result.ScoreTextBeside(*x, *other)
}

func weight(w *float64) string { return cmp.Or(whole(w), none) }

func money(usd float64) string {
	switch {
	case usd == 0:
		return "$0"
	case usd < 0.01:
		return "$" + strconv.FormatFloat(usd, 'g', 2, 64)
	}
	return "$" + strconv.FormatFloat(usd, 'f', 2, 64)
}

// cost writes the cost of judging, or what is known of it, and why not more.
func cost(u result.Usage) string {
	usd, known := u.Cost()
	if known {
		return money(usd)
	}
	about := "not known"
	if usd > 0 {
		about = "at least " + money(usd)
	}
	return about + " (" + diag.Count(u.Unpriced, "call") + " without a price)"
}

// tokens writes the tokens of judging, or why they are not known.
func tokens(u result.Usage) string {
	in, out, known := u.Tokens()
	if !known {
		return "tokens not known (" + diag.Count(u.Uncounted, "call") + " without a count)"
	}
	return diag.Thousands(in) + " tokens in, " + diag.Thousands(out) + " out"
}

// calls counts the requests of judges, and those that repeat an earlier one.
func calls(u result.Usage) string {
	text := diag.Count(u.Calls, "call")
	if u.Retries > 0 {
		text += " (" + diag.Thousands(u.Retries) + diag.Plural(u.Retries, " retry)", " retries)")
	}
	return text
}

// duration is how long a run took; empty if it has not ended.
func duration(r *result.Run) string {
	d := r.Took()
	switch {
	case r.Finished.IsZero():
		return ""
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// plain makes text that is not ours harmless and single-line.
func plain(s string) string { return diag.Plain(s) }

// plainLines is plain for text of several lines.
func plainLines(s string) string { return diag.PlainLines(s) }

// brief is the first line of a message: those below it hold a script's stack trace.
func brief(message string) string {
	first, _, _ := strings.Cut(message, "\n")
	return plain(first)
}

// failure writes the message and the class of a failure on one line.
func failure(f *result.Failure) string { return plain(fmt.Sprintf("%s (%s)", f.Message, f.Class)) }

// caseName names a row: the case, and the repeat if there are several.
func caseName(row *result.Row) string { return lowName(result.Low{Case: row.Case, Repeat: row.Repeat}) }

func lowName(l result.Low) string {
	name := cmp.Or(diag.Fit(plain(l.Case), 120), "(no id)")
	if l.Repeat > 1 {
		name += fmt.Sprintf("#%d", l.Repeat)
	}
	return name
}

func (v *view) title() string {
	r := v.Run.Rubric
	name := cmp.Or(r.Name, r.ID, "rubric")
	return strings.TrimSpace(plain(name + " " + r.Version))
}

// facts are the parts of the headline after the title.
func (v *view) facts() []string {
	r, c := v.Run, v.sum.Counts
	var out []string
	if r.ID != "" {
		out = append(out, "run "+plain(r.ID))
	}
	cases := diag.Count(c.Cases, "case")
	if r.Repeats > 1 {
		cases += fmt.Sprintf(" x %d", r.Repeats)
	}
	out = append(out, cases)
	if names := judgeNames(r); names != "" {
		out = append(out, names)
	}
	if d := duration(r); d != "" {
		out = append(out, d)
	}
	switch usd, known := v.Run.Usage.Cost(); {
	case usd > 0 && known:
		out = append(out, money(usd))
	case usd > 0:
		out = append(out, "at least "+money(usd))
	case !known:
		out = append(out, "cost unknown")
	}
	if n := v.Run.Usage.Cached; n > 0 {
		out = append(out, diag.Count(n, "cached answer"))
	}
	if note := v.contentNote(); note != "" {
		out = append(out, note)
	}
	return out
}

func judgeNames(r *result.Run) string {
	return strings.Join(xslices.Map(r.Judges, func(j result.Judge) string { return plain(cmp.Or(j.Name, j.Model)) }), " + ")
}

// unfinished says in a word how a run ended that did not come to its end.
var unfinished = map[result.RunStatus]string{
	result.Running: "UNFINISHED", result.Interrupted: "INTERRUPTED", result.OverBudget: "BUDGET REACHED",
	result.OutOfTime: "OUT OF TIME", result.StoppedEarly: "STOPPED", result.FailedToScore: "STOPPED",
}

// outcome is the last line in a few words, and whether it is good.
func (v *view) outcome() (word, rest string, good bool) {
	c := v.sum.Counts
	failed := result.Missed(v.Run.Gates)
	if e := v.Run.Error; e != nil && e.Class == fault.Storage {
		if v.Run.RowsKept != nil {
			rest := diag.Count(*v.Run.RowsKept, "row") + " kept"
			if *v.Run.RowsKept > c.Rows { // the last were written, but not told of
				rest += fmt.Sprintf(", %d of them in the figures", c.Rows)
			}
			return "STOPPED", rest, false
		}
		return "STOPPED", diag.Count(c.Rows, "row") + " graded; not all of them could be kept", false
	}
	if word := unfinished[v.Run.Status]; word != "" {
		return word, diag.Count(c.Rows, "row") + " kept", false
	}
	switch {
	case failed > 0:
		return "FAILED", fmt.Sprintf("%d of %s", failed, diag.Count(len(v.Run.Gates), "gate")), false
	case v.Run.Exit != nil && *v.Run.Exit != 0:
		return "FAILED", v.passed(), false
	case len(v.Run.Gates) > 0:
		return "PASSED", "every gate", true
	case c.Rows == 0:
		return "EMPTY", "no rows", false
	}
	return "DONE", v.passed(), c.Unscored == 0
}

// passed says how many cases passed, were scored, were not.
func (v *view) passed() string {
	c := v.sum.Counts
	if a := v.sum.Audit; a != nil {
		return fmt.Sprintf("right about %s of %s", diag.Thousands(a.Right.Right), diag.Count(a.Right.N, "probe"))
	}
	s := diag.Thousands(c.Scored) + " scored"
	if c.Passed != nil {
		s = fmt.Sprintf("%s of %s passed", diag.Thousands(*c.Passed), diag.Thousands(c.Scored))
	}
	if c.Unscored > 0 {
		s += fmt.Sprintf(", %s not scored", diag.Thousands(c.Unscored))
	}
	return s
}

// criterionOf returns the criterion of the rubric that a row's criterion is
// about, or nil.
func (v *view) criterionOf(row *result.Row, id string) *rubric.Criterion {
	if v.Rubric == nil || row.Rubric != "" {
		return nil
	}
	return v.Rubric.Find(id)
}

// whyFailed says in one line why a row did not pass.
func (v *view) whyFailed(row *result.Row) string {
	var parts []string
	if row.Error != nil {
		parts = append(parts, failure(row.Error))
	} else if row.Score == nil && row.Reason != "" {
		parts = append(parts, brief(row.Reason))
	}
	for _, id := range row.GateFailures {
		parts = append(parts, fmt.Sprintf("%s: %s", plain(id), v.gateReason(row, id)))
	}
	if row.Probe != "" && row.Passes() {
		return fmt.Sprintf("it passes, and a probe of kind %s must not", plain(row.Probe))
	}
	gates := len(parts)
	if least := v.passMark(row); least != nil && row.Score != nil && *row.Score < *least-rubric.Slack {
		parts = append(parts, "below pass "+rubric.FormatNumber(*least))
	}
	if gates == 0 {
		if c := lowest(row); c != nil {
			word := "lowest"
			if c.Weight < 0 {
				word = "penalty"
			}
			if len(row.Criteria) == 1 && c.Reason != "" { // its value is the score
				parts = append(parts, plain(c.Reason))
			} else {
				parts = append(parts, strings.TrimSuffix(fmt.Sprintf("%s: %s (%s): %s", word, plain(c.ID), v.score(c.Value), plain(c.Reason)), ": "))
			}
		}
	}
	return strings.Join(parts, "; ")
}

// passMark is the lowest score that passes, nil if the rubric of the row is not known, or has none.
func (v *view) passMark(row *result.Row) *float64 {
	if v.Rubric == nil || row.Rubric != "" || len(v.Rubric.Pass.Bands) == 0 {
		return nil
	}
	return &v.Rubric.Pass.Bands[0].Min
}

func (v *view) gateReason(row *result.Row, id string) string {
	why := "required criterion failed"
	known := v.criterionOf(row, id)
	for c := range row.All() {
		if c.ID != id {
			continue
		}
		if known != nil && known.Min != nil && c.Value != nil {
			why = v.belowMin(c, *known.Min)
		}
		if c.Reason != "" {
			why += ": " + plain(c.Reason)
		}
		return why
	}
	return why
}

// belowMin compares a value with the min of its criterion; that of a penalty is for the
// complement.
func (v *view) belowMin(c *result.Criterion, least float64) string {
	if c.Weight < 0 {
		return fmt.Sprintf("%s is above %s, 1 less its min", v.score(c.Value), rubric.FormatNumber(1-least))
	}
	return fmt.Sprintf("%s is below its min %s", v.score(c.Value), rubric.FormatNumber(least))
}

// example names a case without a score and says why it has none. The id of a row that cannot
// be read is its place, with which the message begins.
func example(u *result.UnscoredClass, most int) string {
	message := brief(u.Message)
	if u.Class == fault.Invalid { // a row that cannot be read: what follows is the hint
		message = plain(u.Message)
	}
	message = diag.Fit(message, most)
	if i := strings.LastIndexByte(u.Case, ':'); i > 0 && strings.HasPrefix(u.Message, u.Case[:i+1]) {
		return message
	}
	return plain(u.Case) + ": " + message
}

// lowest returns the criterion that cost the row most, or nil.
func lowest(row *result.Row) *result.Criterion {
	var worst *result.Criterion
	var most float64
	for i := range row.Criteria {
		c := &row.Criteria[i]
		if c.Value == nil || c.Status != rubric.Scored {
			continue
		}
		lost := float64((1 - *c.Value) * c.Weight)
		if c.Weight < 0 {
			lost = float64(*c.Value * -c.Weight)
		}
		if lost > most {
			worst, most = c, lost
		}
	}
	return worst
}

// verdictWord is the verdict of a row in capitals.
func verdictWord(row *result.Row) string {
	switch {
	case row.Score == nil:
		return "UNSCORED"
	case row.Passes():
		return "PASS"
	case row.Passed == nil:
		return none
	case row.Verdict != nil && *row.Verdict != "" && *row.Verdict != "fail":
		return strings.ToUpper(plain(*row.Verdict))
	}
	return "FAIL"
}
