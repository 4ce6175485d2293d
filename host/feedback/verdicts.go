package feedback

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/scorer"
)

// CheckVerdict returns why a note cannot be about a row that r graded, an error of class fault.Invalid or
// fault.NotFound, or nil.
func (n *Note) CheckVerdict(r *rubric.Rubric, row *result.Row) error {
	if n.Criterion == "" || n.Criterion == result.OverallID && r.Find(n.Criterion) == nil {
		if n.Label != nil {
			return fault.WithHint(fault.New(fault.Invalid, "a label is the verdict on a criterion, and the note names none"), "name the criterion, or give a value in 0..1")
		}
		return nil
	}
	c := r.Find(n.Criterion)
	if c == nil {
		return fault.WithHint(fault.New(fault.NotFound, "rubric %q has no criterion %q", r.ID, fault.Clip(n.Criterion, 60)), "%s", diag.DidYouMean(n.Criterion, slices.Sorted(maps.Keys(r.Index()))))
	}
	if row.ByID()[c.ID] == nil {
		return fault.New(fault.NotFound, "the row of case %q has no verdict on %q", fault.Clip(row.Case, 60), c.ID)
	}
	if n.Label == nil {
		return nil
	}
	labels := labelsOf(c)
	if slices.Contains(labels, *n.Label) {
		return nil
	}
	err := fault.New(fault.Invalid, "criterion %q has no level %q", c.ID, fault.Clip(*n.Label, 60))
	if len(labels) == 0 {
		err = fault.New(fault.Invalid, "criterion %q has no levels", c.ID)
		return fault.WithHint(err, "give a value in 0..1")
	}
	return fault.WithHint(err, "it has: %s", fault.Clip(strings.Join(labels, ", "), 300))
}

// labelsOf returns the labels that a criterion's verdict can have: its levels, or "met" and
// "unmet". A criterion whose answer is a number has none.
func labelsOf(c *rubric.Criterion) []string {
	switch {
	case c.Group():
		return nil
	case c.Answer.Kind == rubric.KindLevel:
		return c.Answer.LevelIDs()
	case c.Answer.KindOrMet() == rubric.KindMet:
		return []string{"met", "unmet"}
	}
	return nil
}

// An Opinion joins the notes on one verdict: of each person the last one. Repeats of a case share it.
type Opinion struct {
	Case, Criterion string
	Rubric          *rubric.Rubric
	Said            []Said
}

// Said is a note and the row that it is about.
type Said struct {
	Note
	Row *result.Row
}

// Line returns the opinion as a line of given verdicts. Who agrees gives the verdict of the row; who does not,
// and says no more, the other one where there are two. People who differ give a line without a verdict, which
// names them. ok is false if no note says which verdict is right.
func (o *Opinion) Line() (line scorer.Line, ok bool) {
	line = scorer.Line{Case: o.Case, Criterion: o.Criterion}
	if o.Criterion == "" || o.Criterion == result.OverallID && o.Rubric.Find(result.OverallID) == nil {
		return o.overall(line)
	}
	c := o.Rubric.Find(line.Criterion)
	if c == nil || c.Group() {
		return line, false
	}
	answers, who, reasons := []string{}, []string{}, []string{}
	for i := range o.Said {
		n := &o.Said[i]
		answer, said := n.answer(c)
		if !said {
			continue
		}
		if len(answers) == 0 {
			line = answer
			line.Case = o.Case
		}
		who = append(who, fmt.Sprintf("%s %s", n.By, describe(&answer)))
		if key := describe(&answer); !slices.Contains(answers, key) {
			answers = append(answers, key)
		}
		if n.Comment != "" {
			reasons = append(reasons, n.By+": "+n.Comment)
		}
	}
	switch len(answers) {
	case 0:
		return line, false
	case 1:
		line.Reason = strings.Join(reasons, "\n")
		return line, true
	}
	return scorer.Line{Case: o.Case, Criterion: c.ID, Unscored: new("people differ: " + fault.Clip(strings.Join(who, ", "), 300)), Reason: strings.Join(reasons, "\n")}, true
}

// overall is the line of notes on a row as a whole: only where the row has nothing but a
// verdict on the whole.
func (o *Opinion) overall(line scorer.Line) (scorer.Line, bool) {
	line.Criterion = ""
	var said []float64
	for i := range o.Said {
		n := &o.Said[i]
		v := n.Row.ByID()[result.OverallID]
		if v == nil || len(n.Row.Criteria) != 1 || o.Rubric.Find(result.OverallID) != nil {
			return line, false
		}
		switch {
		case n.Value != nil:
			said = append(said, *n.Value)
		case n.Agree != nil && *n.Agree && v.Value != nil:
			said = append(said, *v.Value)
		}
	}
	if len(said) == 0 || slices.Min(said) != slices.Max(said) {
		return line, false // a line on the whole can only hold a number
	}
	scale := score.OverallScale(o.Rubric)
	line.Overall = new(scale.Min + said[0]*(scale.Max-scale.Min))
	return line, true
}

// answer returns the verdict that a note gives.
func (n *Said) answer(c *rubric.Criterion) (line scorer.Line, ok bool) {
	line.Criterion = c.ID
	v, labels := n.Row.ByID()[c.ID], labelsOf(c)
	switch {
	case n.Label != nil && c.Answer.KindOrMet() == rubric.KindMet:
		line.Met = new(*n.Label == "met")
	case n.Label != nil:
		line.Level = n.Label
	case n.Value != nil:
		line.Value = n.Value
	case n.Agree == nil || v == nil || v.Value == nil:
		return line, false
	case *n.Agree:
		if is := v.Native; is != nil {
			line.Met, line.Level, line.Number = is.Met, is.Level, is.Number
		}
		if line == (scorer.Line{Criterion: c.ID}) {
			line.Value = v.Value
		}
	case v.Native != nil && v.Native.Met != nil:
		line.Met = new(!*v.Native.Met)
	case v.Native != nil && v.Native.Level != nil && len(labels) == 2 && slices.Contains(labels, *v.Native.Level):
		line.Level = &labels[1-slices.Index(labels, *v.Native.Level)]
	default:
		return line, false
	}
	return line, true
}

func describe(l *scorer.Line) string {
	switch {
	case l.Met != nil && *l.Met:
		return "met"
	case l.Met != nil:
		return "unmet"
	case l.Level != nil:
		return *l.Level
	case l.Number != nil:
		return rubric.FormatNumber(*l.Number)
	case l.Value != nil:
		return rubric.FormatNumber(*l.Value)
	}
	return ""
}

// Opinions collects notes by verdict, in the order of the first note on each. row returns
// the row of a note and its rubric, nil if there is none; such notes are left out. by keeps
// the notes of one person only; empty: all.
func Opinions(notes []Note, by string, row func(*Note) (*result.Row, *rubric.Rubric)) []Opinion {
	type verdict struct{ caseID, criterion string }
	at := map[verdict]int{}
	var out []Opinion
	for _, n := range notes {
		if by != "" && n.By != by {
			continue
		}
		graded, of := row(&n)
		if graded == nil {
			continue
		}
		key := verdict{n.Case, n.Criterion}
		i, known := at[key]
		if !known {
			i = len(out)
			at[key], out = i, append(out, Opinion{Case: n.Case, Criterion: n.Criterion, Rubric: of})
		}
		o, said := &out[i], Said{n, graded}
		if j := slices.IndexFunc(o.Said, func(old Said) bool { return old.By == n.By }); j >= 0 {
			o.Said[j] = said
			continue
		}
		o.Said = append(o.Said, said)
	}
	return out
}
