package host

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
)

// ownWarnings tells what may make the figures of a summary other numbers than they seem, as far
// as plan and summary say it.
func ownWarnings(p *plan.Plan, s *result.Summary, gates int) (list []string) {
	warn := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, pin := range p.Plugins {
		if len(pin.Grants) > 0 {
			warn("plugin %s was allowed %s: its numbers are not deterministic", pin.Name, strings.Join(pin.Grants, ", "))
		}
		if len(pin.Missing) > 0 {
			warn("plugin %s asks for %s, which it was not allowed: it ran without", pin.Name, strings.Join(pin.Missing, ", "))
		}
	}
	if n := s.Counts.Undecided(); n > 0 && s.Audit == nil && gates == 0 {
		warn("%d of %d scored rows neither passed nor failed: their rubric does not say which scores pass. Without a gate, such as mean>=0.8, they cannot fail the run", n, s.Counts.Scored)
	}
	return list
}

// warnings tells the rest: what happened to the run.
func (w *evaluating) warnings(s *result.Summary, stopped error) (list []string) {
	warn := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if since := w.e.Stats().Judge.Refusing; stopped != nil && !since.IsZero() {
		warn("the judge gave no answer in the last %s, since it answered 429 (too many requests)", time.Since(since).Round(100*time.Millisecond))
	}
	if n := len(w.o.Dataset.Select.IDs); n > 0 && s.PassAtK != nil {
		warn("only the %d listed cases were graded: pass@k leaves out the other samples of their problems, and means nothing if these were chosen because they failed", n)
	}
	if n := w.ev.Kept.Doubled; n > 0 {
		warn("%d rows stood in %s twice: each is counted once", n, runner.RowsFile)
	}
	if n := w.ev.Dropped; n > 0 {
		warn("%d rows of the earlier, interrupted execution were dropped: their cases have changed or are no longer in the dataset", n)
	}
	if all := w.reader == nil || w.ev.Totals.Complete && w.o.Dataset.Select.All(); all && stopped == nil && len(w.unmet) > 0 {
		warn("%s", w.unmetWords())
	}
	for _, name := range slices.Sorted(maps.Keys(w.likely)) {
		if w.likely[name] == w.graded && !w.resumed && compares(w.ev.Plan) {
			warn("no case has references, which a metric compares with: if %q holds them, use "+fault.OptionDatasetMap+" references=%s", name, name)
		}
	}
	return list
}

// compares reports whether a metric of the plan compares with the references of cases: another
// field can be named instead.
func compares(p *plan.Plan) bool {
	return p.Some(func(t *plan.Task) bool {
		return t.Way == rubric.ByMetric && len(t.References) == 0 && (len(t.Inputs) == 0 || slices.Contains(t.Inputs, dataset.FieldReferences))
	})
}

func (w *evaluating) unmetWords() string {
	names := slices.Sorted(maps.Keys(w.unmet))
	text := fmt.Sprintf("%s: verdicts for cases that the dataset lacks: %q", w.o.Given.File(), fault.Clip(names[0], 60))
	if n := len(names) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
