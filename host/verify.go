package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/runner"
)

// Verify derives the numbers of the run in dir again: every verdict of a plugin
// or schema, every verdict of a judge whose calls were recorded, every total,
// the summary. It reads the cases that the run keeps, or those of data if that is
// not nil: then rows of the dataset that could not be read are read again, too.
// The evaluator needs the run's plugins; its judge, if it has one, is not asked.
func (e *Evaluator) Verify(ctx context.Context, dir string, data *dataset.Options) (*result.Verification, error) {
	run, p, err := runner.ReadPlanned(dir)
	if err != nil {
		return nil, err
	}
	rows, err := indexRows(dir)
	if err != nil {
		return nil, err
	}
	defer rows.close()
	w := &verifying{v: &result.Verification{Run: run.ID, Rows: rows.Len(), Differences: []result.Difference{}, Unseen: []string{}, Notes: []string{}},
		dir: dir, run: run, plan: p, rows: rows, sums: newSums(p)}
	if run.Status != result.Finished {
		w.v.Unfinished = cmp.Or(run.Status, "no status")
	}
	if w.graders, err = w.assemble(ctx, e, dir); err != nil {
		return nil, err
	}
	cases, closeCases, err := w.cases(dir, data)
	if err != nil {
		return nil, err
	}
	defer closeCases() //nolint:errcheck // it was only read
	_, err = runner.Run(ctx, cases, func(key string) *runner.Grader { return w.graders[key] }, w,
		runner.Options{Ordered: w.ordered, Repeat: min(p.Repeat, rows.most), Chunk: 16, GradeOptions: runner.GradeOptions{Unscored: p.Unscored}, Done: rows.lacks})
	if err != nil {
		return nil, err
	}
	return w.v, w.finish(ctx, e)
}

// cases returns the cases to grade again: those of data, else those that the run
// keeps.
func (w *verifying) cases(dir string, data *dataset.Options) (runner.Cases, func() error, error) {
	if data != nil {
		o := *data
		if w.run.Dataset.FromRubric && o.Given == nil { // an eval file brought its own cases
			var err error
			if o.Given, err = casesOf(w.run); err != nil {
				return nil, nil, err
			}
		}
		reader, err := dataset.Open(o)
		if err != nil {
			return nil, nil, err
		}
		w.reader = reader
		return reader.Cases(), reader.Close, nil
	}
	if w.run.Dataset.NoContent {
		return nil, nil, fault.WithHint(fault.New(fault.Usage, "run %s keeps no content", w.run.ID), "name its dataset with "+fault.OptionDataset)
	}
	kept, err := runner.OpenCases(dir)
	if err != nil {
		return nil, nil, err
	}
	return w.keptCases(kept), kept.Close, nil
}

// keptCases goes over the cases of the rows, in the order of the rows. Rows
// without content are noted: those of a dataset's rows that could not be read
// are taken as they are.
func (w *verifying) keptCases(kept *runner.CaseFile) runner.Cases {
	return func(yield func(*dataset.Case, error) bool) {
		for row, err := range w.rows.firsts {
			if err != nil {
				yield(nil, err)
				return
			}
			c, err := kept.Of(row)
			switch {
			case err != nil:
				is := "unreadable: " + err.Error()
				if changed, ok := errors.AsType[*result.ChangedContent](err); ok {
					is = changed.Is
				}
				w.altered = append(w.altered, result.Difference{Case: row.Case, What: "content", Was: row.CaseDigest, Is: is})
			case c == nil && row.Repeat == 0:
				w.unreadable++
				w.rows.lacks(0, row.Case, row.Repeat, row.CaseDigest)
				bad := runner.BadRow(w.graders[row.Rubric], errors.New(row.Reason))
				bad.Cluster, bad.SampleOf = row.Cluster, row.SampleOf
				if was, is := totalOf(row), totalOf(bad); was != is || row.Error == nil || len(row.Criteria)+len(row.Metrics) > 0 || row.Judge != bad.Judge {
					w.altered = append(w.altered, result.Difference{Case: row.Case, What: "row that could not be read", Was: was, Is: is})
				}
			case c != nil && c.Digest() == row.CaseDigest && !yield(c, nil): // a case is found by half of its digest
				return
			}
		}
	}
}

// verifying is the work of one Verify, and the sink of its second run.
type verifying struct {
	v        *result.Verification
	dir      string
	run      *result.Run
	plan     *plan.Plan
	rows     *rowIndex
	graders  map[string]*runner.Grader
	sums     sums
	lacks    map[string]bool // plans' digests of scorers in Go that this program lacks
	partly   map[string]bool // rubrics whose aggregates are; "" stands for the run's
	replays  bool            // the judge's calls were recorded
	spent    *result.Usage   // by the calls that were recorded; nil: none were
	replayed bool            // answers of another recording are among them
	reader   *dataset.Reader // nil: the cases are those that the run keeps

	// Of the kept cases; written during the run, read when it has ended.
	altered    []result.Difference // content that is not that of its digest
	unreadable int                 // rows of the dataset that could not be read
}

// assemble makes the graders of the second run: computable scores are computed, the
// others are taken from the rows.
func (w *verifying) assemble(ctx context.Context, e *Evaluator, dir string) (map[string]*runner.Grader, error) {
	second := e.limitedAs(w.plan)           // the same plugins, another judge
	second.judge, second.o.Cache = nil, nil // reused answers are derived, too
	if w.plan.Asks() {
		f, err := file.Open(filepath.Join(dir, runner.CallsFile), os.O_RDONLY)
		if err == nil {
			defer f.Close()
			calls, err := llm.Continue(nil, f, f.Name(), func(llm.CallID) bool { return false })
			if err != nil {
				return nil, err
			}
			w.replayed = calls.Replayed
			w.spent = &calls.Spent
			if _, err := f.Seek(0, io.SeekStart); err != nil {
				return nil, fault.New(fault.Invalid, "%w", err)
			}
		}
		switch {
		case err == nil && w.run.Dataset.NoContent:
			w.v.Notes = append(w.v.Notes, "the calls of the judge and for embeddings were recorded without texts: their verdicts are taken as they are")
		case err == nil:
			judge := Judge{Replay: f, ReplayName: f.Name()}
			if pin := w.plan.Judge; pin != nil {
				judge.Name = pin.Name
				judge.Options = asPinned(judge.Options, pin)
			}
			if second.judge, err = newJudgeClient(&judge, nil, nil); err != nil {
				return nil, err
			}
		case errors.Is(err, os.ErrNotExist):
			w.v.Notes = append(w.v.Notes, "the calls of the judge and for embeddings were not recorded: their verdicts are taken as they are")
		default:
			return nil, fault.New(fault.Invalid, "%w", err)
		}
	}
	w.replays = second.judge != nil
	w.withoutGo(second)
	graders, err := second.assemble(ctx, w.plan, nil)
	if err != nil {
		return nil, err
	}
	for i := range w.plan.Graders {
		ps := &w.plan.Graders[i]
		for j := range ps.Tasks {
			t := &graders[ps.Digest].Tasks[j]
			t.Scorer = &fromRow{Task: *t, of: &ps.Tasks[j], rubric: ps.Rubric, w: w}
			t.Part = nil
		}
	}
	return graders, nil
}

// varies reports whether a plugin may answer the same question in two ways: it is written in
// Go, or has rights beyond the sandbox.
func (w *verifying) varies(digest string) bool {
	return slices.ContainsFunc(w.plan.Plugins, func(pin plan.Plugin) bool {
		return pin.Digest == digest && (pin.Source == goSource || len(pin.Grants) > 0)
	})
}

// withoutGo notes the plan's scorers in Go that e lacks, and gives e stand-ins, whose
// answers do not count.
func (w *verifying) withoutGo(e *Evaluator) {
	w.lacks, w.partly = map[string]bool{}, map[string]bool{}
	scorers, aggregates := map[string]Scorer{}, map[string]Aggregate{}
	maps.Copy(scorers, e.o.Scorers)
	maps.Copy(aggregates, e.o.Aggregates)
	e.o.Scorers, e.o.Aggregates = scorers, aggregates
	for _, pin := range w.plan.Plugins {
		name := strings.TrimPrefix(pin.Name, "go:")
		switch {
		case pin.Source != goSource:
			continue
		case pin.Digest == plan.AggregateDigest(name):
			if aggregates[name] != nil {
				continue
			}
			aggregates[name] = func(context.Context, []Part) (float64, error) { return 0, nil }
		case scorers[pin.Name] != nil:
			continue
		default:
			scorers[pin.Name] = func(context.Context, Question) (Answer, error) { return Unscored("not re-derived: Go code"), nil }
		}
		w.lacks[pin.Digest] = true
		w.v.GoCode = append(w.v.GoCode, pin.Name)
	}
	for i := range w.plan.Graders {
		for _, name := range w.plan.Graders[i].Rubric.GoAggregates() {
			if w.lacks[plan.AggregateDigest(name)] {
				w.partly[w.plan.Graders[i].Digest] = true
				w.partly[""] = w.partly[""] || i == 0
			}
		}
	}
	if len(w.v.GoCode) > 0 {
		w.v.Notes = append(w.v.Notes, "not re-derived: Go code that this program does not have: "+strings.Join(w.v.GoCode, ", "))
	}
}

// fromRow answers from the row of a case where the score cannot be computed again,
// and asks its scorer for the rest.
type fromRow struct {
	runner.Task
	of     *plan.Task // in the plan
	rubric *rubric.Rubric
	w      *verifying
}

func (f *fromRow) Score(ctx context.Context, c *dataset.Case) ([]rubric.Verdict, error) {
	row, err := f.w.rows.read(c.ID, llm.RepeatOf(ctx), c.Digest())
	if err != nil {
		return nil, err
	}
	old := verdictsOf(row)
	var out []rubric.Verdict
	var open []string
	for _, id := range f.Criteria {
		if v, ok := old[id]; ok && f.taken(&v) {
			out = append(out, f.valued(v))
		} else {
			open = append(open, id)
		}
	}
	if f.Judged {
		if v, ok := old[rubric.Overall]; ok && f.taken(&v) && !slices.Contains(f.Criteria, rubric.Overall) {
			out = append(out, v) // a cross-check that came beside the answers
		}
	}
	if len(open) == 0 || f.Judged && !f.w.replays {
		return out, nil
	}
	next := f.Scorer
	if len(open) < len(f.Criteria) && f.Part != nil {
		if next, err = f.Part(open); err != nil {
			return nil, err
		}
	}
	more, err := next.Score(ctx, c)
	return append(out, more...), err
}

// taken reports whether a verdict of a row cannot be computed again. The plan decides that: a
// row that claims it alone is not believed.
func (f *fromRow) taken(v *rubric.Verdict) bool {
	switch {
	case f.w.lacks[f.of.Plugin], f.w.plan.Verdicts != "" && v.How.By == "given":
		return true
	case f.Judged:
		return !f.w.replays && (v.How.By == "judge" || v.Status != rubric.Scored)
	case len(f.of.Embeds) > 0 && (v.How.Embeddings != "" || v.Status == rubric.Failed):
		return !f.w.replays
	}
	return v.How.Nondeterministic && f.w.varies(f.of.Plugin)
}

// valued gives a verdict of people or a judge the value of its answer.
func (f *fromRow) valued(v rubric.Verdict) rubric.Verdict {
	c := f.rubric.Find(v.Criterion)
	if c == nil || v.Status != rubric.Scored || v.Native.Kind == "" || v.How.By != "given" && v.How.By != "judge" {
		return v
	}
	value, err := f.rubric.Value(c, v.Native)
	if err != nil {
		return rubric.FailedBy(v.Criterion, fault.As(fault.Invalid, err))
	}
	v.Value = value
	return v
}

// verdictsOf returns the verdicts of a row by criterion. A holistic row has the
// judge's one number in place of criteria.
func verdictsOf(row *result.Row) map[string]rubric.Verdict {
	out := make(map[string]rubric.Verdict, len(row.Criteria)+len(row.Metrics))
	for c := range row.All() {
		v := c.Verdict()
		if c.ID == result.OverallID {
			v.Criterion = rubric.Overall
		}
		out[v.Criterion] = v
	}
	if row.JudgeOverall != nil {
		out[rubric.Overall] = rubric.Verdict{Criterion: rubric.Overall, Status: rubric.Scored, Native: rubric.NumberIs(*row.JudgeOverall), How: rubric.How{By: "judge"}}
	}
	return out
}

// Append and Flush keep nothing: rows are compared in the order of the run.
func (w *verifying) Append(int, *result.Row, *dataset.Case, []byte) error { return nil }

func (w *verifying) Flush() error { return nil }

// ordered compares a row of the second run with that of the first.
func (w *verifying) ordered(row *result.Row) error {
	old, err := w.rows.read(row.Case, row.Repeat, row.CaseDigest)
	if err != nil {
		return err
	}
	if w.run.Retrying && w.v.Unfinished != "" && old.Score == nil { // the calls for its next row may be recorded, or forgotten
		w.v.Taken += len(old.Criteria) + len(old.Metrics)
		return nil
	}
	same := w.compare(old, row, old.Criteria, row.Criteria)
	same = w.compare(old, row, old.Metrics, row.Metrics) && same
	how := w.plan.Feedback
	if (how == plan.Deterministic || how == plan.ByJudge && w.replays) && old.Feedback != row.Feedback {
		w.v.Add(result.Difference{Case: row.Case, Repeat: row.Repeat, What: "feedback", Was: old.Feedback, Is: row.Feedback})
	}
	w.words(old, row)
	spent := spentOn(old)
	if how == plan.ByJudge {
		spent = nil // its feedback has a cost, too
	}
	w.usage("usage", old, &old.Judge, spent)
	if w.partly[old.Rubric] {
		w.v.Uncombined++
	} else if was, is := totalOf(old), totalOf(row); was != is {
		w.v.Add(result.Difference{Case: row.Case, Repeat: row.Repeat, What: "total", Was: was, Is: is})
	} else if same {
		w.v.Totals++
	}
	return nil
}

func (w *verifying) compare(oldRow, row *result.Row, old, now []result.Criterion) bool {
	same := true
	byID := map[string]*result.Criterion{}
	for i := range now {
		byID[now[i].ID] = &now[i]
	}
	for i := range old {
		o, n := &old[i], byID[old[i].ID]
		was, is := w.answerOf(o, cmp.Or(n, o)), "nothing"
		if n != nil {
			is = w.answerOf(n, n)
		}
		switch {
		case w.partly[oldRow.Rubric] && o.How != nil && o.How.By == "group": // its value may depend on a missing scorer
		case was != is:
			same = false
			w.v.Add(result.Difference{Case: row.Case, Repeat: row.Repeat, What: "criterion " + o.ID, Was: was, Is: is})
		case w.derives(o):
			w.v.Derived++
		case o.How == nil || o.How.By != "group":
			w.v.Taken++
		}
	}
	if len(now) != len(old) {
		same = false
		w.v.Add(result.Difference{Case: oldRow.Case, Repeat: oldRow.Repeat, What: "criteria", Was: fmt.Sprint(len(old)), Is: fmt.Sprint(len(now))})
	}
	return same
}

// derives reports whether a verdict was computed again rather than taken from
// its row.
func (w *verifying) derives(c *result.Criterion) bool {
	if c.How == nil || c.How.Nondeterministic && c.How.By != "judge" && c.How.Embeddings == "" {
		return false
	}
	if c.How.Embeddings != "" {
		return w.replays
	}
	return c.How.By == "metric" || c.How.By == "schema" || c.How.By == "judge" && w.replays
}

// answerOf says everything about a verdict that must come out the same, which is computed again as
// another one. The reason of one that is not scored is in the words of the program's version.
func (w *verifying) answerOf(c, again *result.Criterion) string {
	a := *c
	a.How, a.Warnings = w.sourceOf(c, again), nil
	if a.Status != rubric.Scored {
		a.Reason = ""
	}
	if a.Error != nil {
		a.Error = &result.Failure{Class: a.Error.Class}
	}
	return encoded(a)
}

// encoded returns the JSON of a value, or why it has none: what was read from JSON has some.
func encoded(v any) string {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// sourceOf returns what produced a verdict. What it cost is known from recorded calls only, and
// how often it was asked for not even from those. A request that broke off is replayed as one call
// with its answer: a verdict has no fewer calls of unknown cost than its replay, but maybe more.
func (w *verifying) sourceOf(c, again *result.Criterion) *rubric.How {
	if c.How == nil {
		return nil
	}
	h := *c.How
	if !w.replays {
		h.TokensIn, h.TokensOut, h.CostUSD, h.Unpriced, h.Uncounted = 0, 0, 0, 0, 0
	} else if again.How != nil {
		h.Unpriced, h.Uncounted = min(h.Unpriced, again.How.Unpriced), min(h.Uncounted, again.How.Uncounted)
	}
	h.Attempts = 0
	h.Replayed, h.Cached = false, false
	return &h
}

// totalOf says everything about a total that must come out the same, and of which case,
// cluster and problem it is.
func totalOf(r *result.Row) string {
	return encoded(result.Row{
		Status: r.Status, Score: r.Score, RawScore: r.RawScore, PartialScore: r.PartialScore, Verdict: r.Verdict, Passed: r.Passed, GateFailures: r.GateFailures,
		LLMRawScore: r.LLMRawScore, JudgeOverall: r.JudgeOverall, Reward: r.Reward, Aggregate: r.Aggregate,
		Cluster: r.Cluster, SampleOf: r.SampleOf, Probe: r.Probe,
	})
}
