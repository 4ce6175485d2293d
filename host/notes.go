package host

import (
	"cmp"
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/feedback"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
)

// AddNotes adds people's notes on the verdicts of a run to its directory, and returns
// the notes that were new; see feedback.Append. Every note must be about a row of the
// run, and about a verdict that the row and its rubric have; else none is added.
func AddNotes(dir string, notes []feedback.Note) ([]feedback.Note, error) {
	rows, err := rowsOfNotes(dir, notes)
	if err != nil {
		return nil, err
	}
	notes = slices.Clone(notes)
	for i := range notes {
		n := &notes[i]
		n.Run = rows.run.ID
		row, r := rows.of(n)
		if row == nil {
			return nil, rows.missing(n)
		}
		if err := n.CheckVerdict(r, row); err != nil {
			return nil, err
		}
	}
	return feedback.Append(dir, notes)
}

// Opinions returns people's opinions on the verdicts of runs, in a form that can be
// used as given verdicts: see feedback.Opinion.Line. by keeps one person's notes;
// empty: all. Notes on rows that the runs no longer have are left out, and unreadable
// lines of notes are warnings.
func Opinions(dirs []string, by string) ([]feedback.Opinion, diag.List, error) {
	var all []feedback.Note
	var problems diag.List
	runs := map[string]*notedRows{}
	for _, dir := range dirs {
		notes, bad, err := feedback.Read(dir)
		if err != nil {
			return nil, nil, err
		}
		problems = append(problems, bad...)
		if len(notes) == 0 {
			continue
		}
		rows, err := rowsOfNotes(dir, notes)
		if err != nil {
			return nil, nil, err
		}
		for i := range notes {
			notes[i].Run = rows.run.ID
		}
		runs[rows.run.ID] = rows
		all = append(all, notes...)
	}
	if len(dirs) > 1 {
		slices.SortStableFunc(all, func(a, b feedback.Note) int { return a.At.Compare(b.At) })
	}
	return feedback.Opinions(all, by, func(n *feedback.Note) (*result.Row, *rubric.Rubric) { return runs[n.Run].of(n) }), problems, nil
}

type notedRows struct {
	run   *result.Run
	plan  *plan.Plan
	rows  map[result.RowID]*result.Row
	cases []string // some ids, for suggestions
}

func placeOf(n *feedback.Note) result.RowID {
	return result.RowID{Case: n.Case, Repeat: max(1, n.Repeat)}
}

func rowsOfNotes(dir string, notes []feedback.Note) (*notedRows, error) {
	run, p, err := runner.ReadPlanned(dir)
	if err != nil {
		return nil, err
	}
	out := &notedRows{run: run, plan: p, rows: map[result.RowID]*result.Row{}}
	wanted := map[result.RowID]bool{}
	for i := range notes {
		wanted[placeOf(&notes[i])] = true
	}
	if len(wanted) == 0 {
		return out, nil
	}
	const most = 5000
	for row, err := range runner.ReadRows(dir) {
		if err != nil {
			return nil, err
		}
		if wanted[row.ID()] {
			out.rows[row.ID()] = row
		}
		if row.Repeat <= 1 && len(out.cases) < most {
			out.cases = append(out.cases, row.Case)
		}
	}
	return out, nil
}

func (r *notedRows) of(n *feedback.Note) (*result.Row, *rubric.Rubric) {
	row := r.rows[placeOf(n)]
	if row == nil {
		return nil, nil
	}
	g := r.plan.Grader(row.Rubric)
	if g == nil {
		return nil, nil
	}
	return row, g.Rubric
}

func (r *notedRows) missing(n *feedback.Note) error {
	if slices.Contains(r.cases, n.Case) {
		return fault.WithHint(fault.New(fault.NotFound, "run %s has no repeat %d of case %q", r.run.ID, n.Repeat, fault.Clip(n.Case, 60)), "it has repeats 1 to %d", cmp.Or(r.run.Repeats, 1))
	}
	return fault.WithHint(fault.New(fault.NotFound, "run %s has no case %q", r.run.ID, fault.Clip(n.Case, 60)), "%s", diag.DidYouMean(n.Case, r.cases))
}
