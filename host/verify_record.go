package host

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// finish compares the run as a whole, and notes rows that were not seen.
func (w *verifying) finish(ctx context.Context, e *Evaluator) error {
	for _, d := range w.altered {
		w.v.Add(d)
	}
	if w.unreadable > 0 {
		w.v.Notes = append(w.v.Notes, fmt.Sprintf("%s of the dataset could not be read: checked only with "+fault.OptionDataset, diag.Count(w.unreadable, "row")))
	}
	err := w.data()
	if err != nil {
		return err
	}
	if w.v.UnseenCount, w.v.Unseen, err = w.rows.unread(result.MaxDifferences); err != nil || w.v.UnseenCount > 0 {
		return err // the summary covers rows that were not seen
	}
	if !w.run.SummedUp() {
		if w.run.Status == result.Finished {
			w.v.Add(result.Difference{What: runner.RunFile, Was: string(w.run.Status), Is: "without a summary or the time of its end"})
		}
		w.v.Notes = append(w.v.Notes, "the run has no summary of its rows: it did not come to its end")
		return nil
	}
	if err := w.addAll(); err != nil { // in the order of the file: sums depend on it
		return err
	}
	s := w.sums.summary(ctx, e.limitedAs(w.plan))
	if err := w.sliceAgain(s); err != nil {
		return err
	}
	w.warnings(s)
	if s.Baseline = w.run.Summary.Baseline; s.Baseline != nil {
		w.v.Notes = append(w.v.Notes, fmt.Sprintf("the comparison with %s is not made again", s.Baseline.Base.Source))
	}
	s.Warnings = w.run.Summary.Warnings
	w.same("summary", w.run.Summary, s)
	w.record(s)
	return nil
}

// data compares the dataset of the record with the rows and, if it was read, with itself.
func (w *verifying) data() error {
	if w.run.Status != result.Finished {
		return nil
	}
	was := w.run.Dataset
	for _, i := range w.rows.twice {
		row, err := w.rows.at(i)
		if err != nil {
			return err
		}
		w.v.Add(result.Difference{Case: row.Case, Repeat: row.Repeat, What: "row", Was: "there more than once", Is: "one"})
	}
	if graded := was.Cases * max(w.plan.Repeat, 1); graded != w.rows.graded {
		w.v.Add(result.Difference{What: "rows", Was: fmt.Sprintf("%s of %s", diag.Count(graded, "row"), diag.Count(was.Cases, "case")), Is: strconv.Itoa(w.rows.graded)})
	}
	if w.reader != nil {
		t := w.reader.Totals()
		if n := was.Selection.Listed; n > 0 {
			w.v.Notes = append(w.v.Notes, fmt.Sprintf("a list of %s selected the cases, as that of failed ones does: none is looked for", diag.Count(n, "id")))
			t.Cases = was.Cases
		}
		w.same("dataset", result.Dataset{Rows: was.Rows, Cases: was.Cases, Digest: was.Digest}, result.Dataset{Rows: t.Rows, Cases: t.Cases, Digest: t.Digest})
		if was.Digest != t.Digest || was.Rows != t.Rows || was.Cases != t.Cases {
			w.sources(was.Sources, t.Sources)
		}
	} else if was.Selection.All() && was.Selection.Listed == 0 && !was.Audit && len(w.run.MergedFrom) == 0 {
		is, err := w.rows.dataset()
		if err != nil {
			return err
		}
		w.same("dataset", was.Digest, is)
	}
	return nil
}

// sources names the files of a dataset that are others than those of the record.
func (w *verifying) sources(was, is []dataset.Source) {
	for i, s := range is {
		switch {
		case i >= len(was):
			w.v.Notes = append(w.v.Notes, s.Name+" was not in the dataset of the run")
		case s.Digest != was[i].Digest:
			w.v.Notes = append(w.v.Notes, fmt.Sprintf("%s has other bytes than %s of the run", s.Name, was[i].Name))
		}
	}
	for _, s := range was[min(len(is), len(was)):] {
		w.v.Notes = append(w.v.Notes, s.Name+" of the run is not in the dataset")
	}
}

// words compares the warnings of a row, if this version of the program wrote them.
func (w *verifying) words(old, row *result.Row) {
	if !w.sameVersion() || w.plan.Feedback == plan.ByJudge && !w.replays {
		return
	}
	if was, is := warningsOf(old), warningsOf(row); !slices.Equal(was, is) {
		w.v.Add(result.Difference{Case: row.Case, Repeat: row.Repeat, What: "warnings", Was: strings.Join(was, "; "), Is: strings.Join(is, "; ")})
	}
}

func warningsOf(row *result.Row) (list []string) {
	list = append(list, row.Warnings...)
	for c := range row.All() {
		list = append(list, c.Warnings...)
	}
	return list
}

// sameVersion reports whether this version of the program made the run.
func (w *verifying) sameVersion() bool {
	return w.run.Versions.RubricHost == result.CurrentVersions("").RubricHost
}

// warnings looks for the warnings of a summary in the record, which has others too.
func (w *verifying) warnings(s *result.Summary) {
	if !w.sameVersion() {
		w.v.Notes = append(w.v.Notes, fmt.Sprintf("version %s wrote the run: its warnings are not compared", w.run.Versions.RubricHost))
		return
	}
	for _, text := range append(s.Warnings, ownWarnings(w.plan, s, len(w.run.Gates))...) {
		if !slices.Contains(w.run.Summary.Warnings, text) {
			w.v.Add(result.Difference{What: "warnings of the summary", Is: text})
		}
	}
}

// usage compares a cost of judging with that of verdicts; is nil: they do not say it all. Tokens
// that are not known have to be absent.
func (w *verifying) usage(what string, row *result.Row, was, is *result.Usage) {
	known := was.Known()
	if now := cmp.Or(is, &known).Known(); *was != now {
		w.v.Add(result.Difference{Case: row.Case, Repeat: row.Repeat, What: what, Was: fmt.Sprintf("%+v", *was), Is: fmt.Sprintf("%+v", now)})
	}
}

func spentOn(row *result.Row) *result.Usage {
	var u result.Usage
	for c := range row.All() {
		v := c.Verdict()
		u.Add(result.UsageOf(&v))
	}
	return &u
}

// record compares what a reader of run.json takes from beside the plan and the summary.
func (w *verifying) record(s *result.Summary) {
	var was, is []result.Rubric
	was = append(was, w.run.Rubric)
	was = append(was, w.run.Rubrics...)
	for i := range w.plan.Graders {
		file := ""
		if i < len(was) {
			file = was[i].File
		}
		is = append(is, rubricRecord(&w.plan.Graders[i], file))
	}
	w.same("rubrics", was, is)
	var used, pinned []result.Plugin
	for _, p := range w.run.Plugins {
		p.Wall = "" // no number depends on it
		used = append(used, p)
	}
	for i := range w.plan.Plugins {
		pinned = append(pinned, pluginRecord(w.plan, &w.plan.Plugins[i]))
	}
	w.same("plugins", used, pinned)
	var judges []result.Judge
	if w.plan.Judge != nil {
		judges = append(judges, judgeRecord(w.plan.Judge))
	}
	w.same("judges", w.run.Judges, judges)
	w.usage("usage of the summary", new(result.Row), &w.run.Summary.Usage, nil)
	w.usage("usage", new(result.Row), &w.run.Usage, w.executions(s))
	w.same("audit", w.run.Dataset.Audit, s.Audit != nil)
	w.same("repeats", max(w.run.Repeats, 1), max(w.plan.Repeat, 1))
	w.same("counts", &w.run.Counts, &s.Counts)
	w.decisions(s)
}

// executions returns the usage of all executions of the run, which is more than that of its rows
// if some were graded again; nil: it cannot be derived.
func (w *verifying) executions(s *result.Summary) *result.Usage {
	var all result.Usage
	switch {
	case w.plan.Judge == nil && w.plan.Embeddings == nil:
	case w.spent == nil, w.replayed && *w.spent != (result.Usage{}): // which of the two below the run has depends on its last execution
		return nil
	case w.replayed: // nothing was sent: the run has the usage of its rows
		return &s.Usage
	default:
		all = *w.spent
	}
	all.Cached = s.Usage.Cached
	if math.Abs(all.CostUSD-w.run.Usage.CostUSD) <= 1e-9*all.CostUSD { // a sum in another order
		all.CostUSD = w.run.Usage.CostUSD
	}
	return &all
}

// decisions compares the outcomes of the gates, and whether the exit code says that the run passed.
func (w *verifying) decisions(s *result.Summary) {
	now := *w.run
	now.Summary, now.Counts, now.Gates = s, s.Counts, []result.Outcome{}
	measured := *s
	measured.Usage = w.run.Usage // of all executions, as in finish
	for _, was := range w.run.Gates {
		gate, err := result.ParseGate(was.Expr)
		if err != nil {
			w.v.Add(result.Difference{What: "gate " + was.Expr, Is: err.Error()})
			continue
		}
		is := gate.Evaluate(&measured)
		if strings.Contains(was.Why, baselineRefused) {
			is.Why = strings.Replace(is.Why, result.NoBaseline, baselineRefused, 1)
		}
		w.same("gate "+was.Expr, &was, &is)
		now.Gates = append(now.Gates, is)
	}
	allowed, err := result.ParseShare(cmp.Or(w.run.MaxUnscored, "0"))
	if err == nil {
		read := dataset.Totals{Cases: w.run.Dataset.Cases, Bad: w.rows.Len() - w.rows.graded}
		err = (&Evaluation{Run: &now, Totals: read, opts: EvaluateOptions{MaxUnscored: allowed}}).Err()
	}
	if is := fault.ExitCode(err); w.run.Status == result.Finished && w.run.Error == nil && !w.run.EndsWith(is) {
		was := "none"
		if w.run.Exit != nil {
			was = strconv.Itoa(*w.run.Exit)
		}
		w.v.Add(result.Difference{What: "exit", Was: was, Is: strconv.Itoa(is)})
	}
}

// same notes a difference if two values have another JSON.
func (w *verifying) same(what string, was, is any) {
	if before, after := encoded(was), encoded(is); before != after {
		w.v.Add(result.Difference{What: what, Was: before, Is: after})
	}
}

func (w *verifying) sliceAgain(s *result.Summary) (err error) {
	if fields := w.run.SliceFields(); len(fields) > 0 {
		s.Slices, err = runner.Slices(w.dir, w.plan, fields)
	}
	return err
}

// addAll sums up the rows of the run.
func (w *verifying) addAll() error {
	if _, err := w.rows.file.Seek(0, io.SeekStart); err != nil {
		return fault.New(fault.Invalid, "%w", err)
	}
	for row, err := range result.ReadRows(w.rows.file) {
		switch {
		case result.Ended(err):
			return nil
		case err != nil:
			return err
		}
		w.sums.add(row)
	}
	return nil
}
