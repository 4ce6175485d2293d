package scan

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/store"
)

// rows are the rows of a run, as the index lists them.
type rows struct {
	heads   []head
	rubrics map[string]graded // by digest
}

// graded is a rubric that graded cases of a run.
type graded struct {
	result.Rubric
	targetType string
}

// A head is a row without the fields that all rows of a run share, and without its case's
// digest: there may be millions.
type head struct {
	result.RowHead
	offset, size int64
}

// read reads the rows of a run, up to a last one that is torn. Of rows of one case and
// repeat, which a process that was killed may leave, it keeps the first one with a score, else
// the last one, as runner.ReadRows does.
func read(ctx context.Context, f *found) (*rows, error) {
	list := &rows{rubrics: rubricsOf(f.run)}
	in, err := file.Open(filepath.Join(f.dir, runner.RowsFile), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil // none is written yet
	}
	if err != nil {
		return nil, fault.As(fault.Invalid, err)
	}
	defer in.Close()
	r := result.NewRowReader(in)
	at := map[result.RowID]int{}
	for {
		row, err := r.NextHead()
		switch {
		case result.Ended(err):
			return list, nil
		case err != nil:
			return nil, fault.As(fault.Invalid, err)
		case len(list.heads)%1024 == 0 && ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
		row.CaseDigest = ""
		if g, ok := list.rubrics[row.Rubric]; ok && row.Rubric != "" {
			row.Rubric = g.Digest // the same string for all rows
		}
		h := head{RowHead: row}
		h.offset, h.size = r.Place()
		about := result.RowID{Case: row.Case, Repeat: row.Repeat}
		if i, twice := at[about]; twice {
			if list.heads[i].Score == nil {
				list.heads[i] = h
			}
			continue
		}
		at[about] = len(list.heads)
		list.heads = append(list.heads, h)
	}
}

// rubricsOf returns the rubrics that grade cases of a run, by digest; the run's own has
// the empty one, too.
func rubricsOf(run *result.Run) map[string]graded {
	types := map[string]string{}
	if p := runner.KnownPlan(run); p != nil { // a plan is needed for no more than that
		for _, g := range p.Graders {
			types[g.Digest] = g.Rubric.TargetType
		}
	}
	list := map[string]graded{}
	for _, r := range append([]result.Rubric{run.Rubric}, run.Rubrics...) {
		list[r.Digest] = graded{r, types[r.Digest]}
	}
	list[""] = graded{run.Rubric, types[run.Rubric.Digest]}
	return list
}

func (l *rows) evaluations(run *result.Run) iter.Seq2[store.Evaluation, error] {
	return func(yield func(store.Evaluation, error) bool) {
		for i := range l.heads {
			h := &l.heads[i]
			g, ok := l.rubrics[h.Rubric]
			if !ok {
				g = graded{Rubric: result.Rubric{Digest: h.Rubric}}
			}
			e := store.Evaluation{
				ID: store.EvaluationID(run.ID, h.Case, h.Repeat), Run: run.ID, Case: h.Case, Repeat: h.Repeat,
				Rubric: g.ID, RubricVersion: g.Version, RubricDigest: g.Digest, TargetType: g.targetType,
				Status: h.Status, Score: h.Score, Passed: h.Passed, At: run.Started, By: run.EvaluatedBy(), Offset: h.offset, Length: h.size,
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Row returns the row of an evaluation from its run directory. The error is of class
// fault.NotFound if the directory is gone, or only on another host, and fault.Mismatch if it
// has changed since the scan.
func Row(run store.Run, e store.Evaluation) (*result.Row, error) {
	name := run.Dir
	if run.Host != "" {
		name += " of host " + run.Host
	}
	f, err := file.Open(filepath.Join(run.Dir, runner.RowsFile), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.WithHint(fault.New(fault.NotFound, "the run directory %s is gone, and with it the row of the evaluation", name), "restore the directory; without it there is only the index's entry")
	}
	if err != nil {
		return nil, fault.As(fault.Invalid, err)
	}
	defer f.Close()
	now, err := runner.ReadRun(run.Dir)
	if err != nil {
		return nil, err
	}
	row, err := result.NewRowReader(io.NewSectionReader(f, e.Offset, e.Length)).Next()
	if err != nil || now.ID != run.ID || store.EvaluationID(run.ID, row.Case, row.Repeat) != e.ID {
		return nil, fault.New(fault.Mismatch, "the run directory %s has changed since it was indexed, or is on another machine", name)
	}
	return row, nil
}
