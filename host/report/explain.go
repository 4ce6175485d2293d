package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// Explain writes one row for a person. r has the texts of the criteria, and may be nil.
func Explain(w io.Writer, row *result.Row, r *rubric.Rubric, o Options) error {
	v := newView(Doc{Rubric: r})
	out := &writer{w: w}
	v.explain(out, row, o)
	return out.err
}

// Failures writes the rows that did not pass, or that lost points by Options.Criterion, a line each; or
// the rows of the case id in full. The error has class fault.NotFound if there is no such case.
func Failures(w io.Writer, d Doc, id string, o Options) error {
	v := newView(d)
	out := &writer{w: w}
	if id != "" {
		return errors.Join(v.one(out, id, o), out.err, v.lost())
	}
	g := o.grid(false, false, true)
	n, rows, ruled := 0, 0, 0
	for row := range v.rows() {
		rows++
		if row.Passed != nil {
			ruled++
		}
		line := v.failing(row, o.Criterion)
		if line == nil {
			continue
		}
		switch n++; {
		case o.Limit > 0 && n > o.Limit:
		case o.Row != nil:
			if err := o.Row(row); err != nil {
				return err
			}
		default:
			g.Add(caseName(row), o.verdict(verdictWord(row), !row.Fails()), line.score, line.why)
		}
	}
	if o.Row != nil {
		return v.lost()
	}
	if o.Criterion != "" && n > 0 {
		fmt.Fprintf(out, " %s lost points by %s: the verdict on the case, the answer, why\n\n", v.count(n), plain(o.Criterion))
	}
	fmt.Fprint(out, g.String())
	if o.Limit > 0 && n > o.Limit {
		fmt.Fprintln(out, strings.TrimSuffix(fmt.Sprintf(" and %s more; %s", diag.Thousands(n-o.Limit), o.More), "; "))
	}
	if note := v.contentNote(); note != "" {
		fmt.Fprintf(out, "\n %s\n", o.dim(note))
	}
	lost := v.lost()
	if stopped := v.Run.Error; stopped != nil {
		fmt.Fprintf(out, " %s\n", o.bad("the run stopped: "+plain(stopped.Message)))
	}
	switch {
	case n > 0 && len(v.Next) > 0:
		fmt.Fprintln(out)
		for _, s := range v.Next {
			fmt.Fprintf(out, " %s %s\n", o.dim(plain(s.Purpose)+":"), diag.Shell(s.Command...))
		}
	case n == 0 && lost == nil: // lost rows may have failed
		fmt.Fprintln(out, " "+v.noneFailed(rows, ruled, o))
	}
	return errors.Join(out.err, lost)
}

// A failing row has a score, and a reason: its own, or those of one criterion.
type failing struct{ score, why string }

// failing returns why a row fails or, by one criterion, loses points; nil: it does not.
func (v *view) failing(row *result.Row, criterion string) *failing {
	if criterion == "" {
		if !row.Fails() {
			return nil
		}
		return &failing{v.score(row.Score), v.whyFailed(row)}
	}
	c := row.Losing(criterion)
	if c == nil {
		return nil
	}
	why := plain(c.Reason)
	if c.Error != nil {
		why = failure(c.Error)
	}
	return &failing{v.answerOf(c, v.criterionOf(row, c.ID)), why}
}

// noneFailed tells why none of the rows failed, or lost points by a criterion; ruled is how many
// have passed or failed by a rule.
func (v *view) noneFailed(rows, ruled int, o Options) string {
	switch {
	case rows == 0:
		return "no case was graded"
	case o.Criterion != "":
		return o.good("no case lost points by " + plain(o.Criterion))
	case ruled == 0:
		return "no case passed or failed: the rubric does not say which scores pass"
	case ruled < rows:
		return fmt.Sprintf("no case failed: %s passed, and no rule says which scores of the others pass", v.count(ruled))
	case v.Run.Error != nil:
		return fmt.Sprintf("each of the %s that %s graded passed", v.count(rows), diag.Plural(rows, "was", "were"))
	case v.sum.Audit != nil:
		return o.good("the grader was right about every probe")
	}
	return o.good("every case passed")
}

// count is a number of rows in words: they are cases, unless cases were graded repeatedly.
func (v *view) count(rows int) string {
	if c := &v.sum.Counts; c.Rows > c.Cases {
		return diag.Count(rows, "row")
	}
	return diag.Count(rows, "case")
}

func (v *view) one(w io.Writer, id string, o Options) error {
	found, near := false, []string(nil)
	for row := range v.rows() {
		if row.Case == id || caseName(row) == id {
			if found && o.Row == nil {
				fmt.Fprintln(w)
			}
			found = true
			if o.Row != nil {
				if err := o.Row(row); err != nil {
					return err
				}
				continue
			}
			v.explain(w, row, o)
			v.explainCalls(w, row, o)
		} else if len(near) < 1000 {
			near = append(near, row.Case)
		}
	}
	if !found {
		return fault.WithHint(fault.New(fault.NotFound, "no case %q in the run", plain(id)), "%s", plain(diag.DidYouMean(id, near)))
	}
	return nil
}

func (v *view) explain(w io.Writer, row *result.Row, o Options) {
	head := []string{o.bold(caseName(row)), o.verdict(verdictWord(row), !row.Fails()), o.bold(v.score(row.Score))}
	if least := v.passMark(row); least != nil && row.Score != nil && *row.Score < *least-rubric.Slack {
		head = append(head, o.dim("below pass "+rubric.FormatNumber(*least)))
	}
	if row.Case == "" {
		head = head[1:]
	}
	if row.SameAs != "" {
		head = append(head, o.dim("same output as "+diag.Fit(plain(row.SameAs), 60)))
	}
	if row.Cluster != "" {
		head = append(head, o.dim("cluster "+diag.Fit(plain(row.Cluster), 60)))
	}
	fmt.Fprintln(w, strings.Join(head, "  "))
	c := v.contentOf(row)
	explainContent(w, c, o)
	if row.Score == nil {
		writeBlock(w, o, "no score", cmpReason(row))
		if row.PartialScore != nil {
			writeBlock(w, o, "partial", v.score(row.PartialScore)+" over the scored criteria")
		}
	}
	fmt.Fprintln(w)
	for criterion := range row.All() {
		v.explainCriterion(w, row, c, criterion, o)
	}
	if row.Feedback != "" {
		fmt.Fprintln(w)
		writeBlock(w, o, "feedback", row.Feedback)
	}
	u := row.Judge
	if len(row.Warnings) > 0 || u.Calls > 0 || u.CostUSD > 0 {
		fmt.Fprintln(w)
	}
	writeBlocks(w, o, "warning", row.Warnings)
	if u.Calls > 0 || u.CostUSD > 0 {
		writeBlock(w, o, "judge", fmt.Sprintf("%s, %s, cost %s", diag.Count(u.Calls, "call"), tokens(u), cost(u)))
	}
}

func cmpReason(row *result.Row) string {
	if row.Error != nil {
		s := fmt.Sprintf("%s (%s)", row.Error.Message, row.Error.Class)
		if row.Error.Hint != "" {
			s += "\n" + row.Error.Hint
		}
		return s
	}
	return row.Reason
}

// markOf is the sign before a criterion: ok, x for an answer that costs points or fails
// a gate, ~ for values between, ? without a number.
func markOf(row *result.Row, c *result.Criterion, o Options) string {
	if slices.Contains(row.GateFailures, c.ID) {
		return o.bad("x ")
	}
	if c.Value == nil {
		return o.warn("? ")
	}
	switch good := c.Goodness(); {
	case good >= 1-rubric.Slack:
		return o.good("ok")
	case good <= rubric.Slack:
		return o.bad("x ")
	}
	return o.warn("~ ")
}

func (v *view) explainCriterion(w io.Writer, row *result.Row, graded *dataset.Case, c *result.Criterion, o Options) {
	known := v.criterionOf(row, c.ID)
	line := " " + markOf(row, c, o) + " " + o.bold(plain(c.ID)) + "  " + v.answerOf(c, known)
	line += o.dim("  " + strings.Join(v.traits(row, c, known), ", "))
	fmt.Fprintln(w, line)
	if c.Error != nil {
		writeBlock(w, o, "error", fmt.Sprintf("%s (%s)", c.Error.Message, c.Error.Class))
		if c.Error.Hint != "" {
			writeBlock(w, o, "hint", c.Error.Hint)
		}
	}
	if c.Reason != "" {
		writeBlock(w, o, "why", c.Reason)
	}
	for i, e := range c.Evidence {
		if i == 5 {
			writeBlock(w, o, "", fmt.Sprintf("and %d more", len(c.Evidence)-i))
			break
		}
		writeBlock(w, o, "cites", citation(graded, e))
	}
	writeBlocks(w, o, "hit", c.Hits)
	writeBlocks(w, o, "miss", c.Misses)
	writeBlocks(w, o, "warning", c.Warnings)
	if how := howLine(c.How); how != "" {
		writeBlock(w, o, "by", how)
	}
}

// answerOf writes a criterion's own answer, and its value where the answer does
// not say it.
func (v *view) answerOf(c *result.Criterion, known *rubric.Criterion) string {
	verdict := c.Verdict()
	answer := plain(verdict.Native.String())
	if n := c.Native; n != nil && n.Level != nil && known != nil {
		for i, l := range known.Answer.Levels {
			if l.ID == *n.Level {
				answer = fmt.Sprintf("%s (level %d of %d)", plain(l.ID), i+1, len(known.Answer.Levels))
			}
		}
	}
	switch {
	case c.Value == nil:
		return plain(string(c.Status))
	case answer == "":
		return v.score(c.Value)
	case c.Native.Met != nil:
		return answer
	case c.Native.Number != nil && *c.Native.Number == *c.Value: // a scale from 0 to 1
		return v.score(c.Value)
	}
	return fmt.Sprintf("%s  %s", v.score(c.Value), answer)
}

// traits are the properties of a criterion beside its answer.
func (v *view) traits(row *result.Row, c *result.Criterion, known *rubric.Criterion) []string {
	out := []string{"weight " + rubric.FormatNumber(c.Weight)}
	if c.Weight < 0 {
		out = append(out, "penalty")
	}
	if slices.Contains(row.GateFailures, c.ID) {
		gate := "gate not met"
		if known != nil && known.Min != nil && c.Value != nil {
			gate += ": " + v.belowMin(c, *known.Min)
		}
		out = append(out, gate)
	} else if known != nil && (known.Required || known.Min != nil) {
		out = append(out, "required")
	}
	if c.Fallback {
		out = append(out, "fallback")
	}
	return out
}

// citation is the place of evidence, and the text there: that of the case with some
// context, else the scorer's own text.
func citation(c *dataset.Case, e rubric.Evidence) string {
	where := diag.Fit(plain(e.Field), 60)
	if e.Start >= 0 && e.End > e.Start {
		where += fmt.Sprintf(":%d-%d", e.Start, e.End)
	}
	text := excerpt(c, e)
	if text == "" && e.Text != "" {
		text = `"` + diag.Fit(plain(e.Text), 300) + `"`
	}
	return strings.Join(strings.Fields(where+" "+text), " ")
}

// howLine describes in one line how a verdict was produced.
func howLine(h *rubric.How) string {
	if h == nil {
		return ""
	}
	var parts []string
	switch {
	case h.Plugin != "":
		parts = append(parts, diag.Fit(strings.TrimSpace(h.By+" "+h.Plugin+" "+h.Export), 160))
	case h.Judge != "":
		parts = append(parts, diag.Fit(strings.TrimSpace(h.By+" "+h.Judge), 160))
	case h.By != "":
		parts = append(parts, h.By)
	}
	if h.Digest != "" {
		parts = append(parts, digest.Short(h.Digest))
	}
	if h.Fuel > 0 {
		parts = append(parts, "fuel "+diag.Thousands(int(min(h.Fuel, 1<<62))))
	}
	if h.PeerFuel > 0 {
		parts = append(parts, "peer fuel "+diag.Thousands(int(min(h.PeerFuel, 1<<62))))
	}
	if h.TokensIn+h.TokensOut > 0 && h.Uncounted == 0 {
		parts = append(parts, fmt.Sprintf("%s tokens in, %s out", diag.Thousands(h.TokensIn), diag.Thousands(h.TokensOut)))
	}
	if h.Attempts > 1 {
		parts = append(parts, fmt.Sprintf("%d attempts", h.Attempts))
	}
	if h.Replayed {
		parts = append(parts, "from a recording")
	}
	if h.Cached {
		parts = append(parts, "from the cache")
	}
	if h.Nondeterministic {
		parts = append(parts, "not deterministic")
	}
	return strings.Join(parts, ", ")
}

// ends leaves out the middle of a text that is longer than its first and last characters.
func ends(text string, first, last int, fuller string) string {
	if utf8.RuneCountInString(text) <= first+last {
		return text
	}
	r := []rune(text)
	if fuller != "" {
		fuller = "; " + fuller + " shows them"
	}
	return fmt.Sprintf("%s…\n(%s characters left out%s)\n…%s", string(r[:first]), diag.Thousands(len(r)-first-last), fuller, string(r[len(r)-last:]))
}

// writeBlocks writes the first twenty of a list.
func writeBlocks(w io.Writer, o Options, label string, list []string) {
	const most = 20
	for i, text := range list {
		if i == most {
			writeBlock(w, o, "", fmt.Sprintf("and %d more", len(list)-most))
			return
		}
		writeBlock(w, o, label, text)
	}
}

// writeBlock writes a labelled paragraph, indented and wrapped, without characters that
// steer a terminal.
func writeBlock(w io.Writer, o Options, label, text string) {
	text = plainLines(text)
	if !o.Full {
		text = ends(text, 1300, 700, o.Fuller)
	}
	for i, l := range wrap(text, o.width()-15) {
		if i > 0 {
			label = ""
		}
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("      %s %s", o.dim(fmt.Sprintf("%-8s", label)), l), " "))
	}
}
