package scan

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/store"
)

// rows are the rows of a run, as the index lists them. They are read as they are asked for: there may
// be millions.
type rows struct {
	*found
	rubrics map[string]graded // by digest
	n       int               // rows that were read
	bad     error             // of a row, or of the file
}

// graded is a rubric that graded cases of a run.
type graded struct {
	result.Rubric
	targetType string
}

// evaluations reads the rows, up to a last one that is torn. Of a run that is not finished, rows that
// another one replaces are left out, as by runner.ReadRows.
func (l *rows) evaluations(yield func(store.Evaluation, error) bool) {
	if l.bad = l.read(func(e store.Evaluation) bool { return yield(e, nil) }); l.bad != nil {
		yield(store.Evaluation{}, l.bad)
	}
}

func (l *rows) read(yield func(store.Evaluation) bool) error {
	in, err := file.Open(filepath.Join(l.dir, runner.RowsFile), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // none is written yet
	}
	if err != nil {
		return fault.As(fault.Invalid, err)
	}
	defer in.Close()
	var old map[int]bool
	if l.run.Status != result.Finished {
		old = runner.Replaced(in)
		if _, err := in.Seek(0, io.SeekStart); err != nil {
			return fault.As(fault.Invalid, err)
		}
	}
	r, by := result.NewRowReader(in), l.run.EvaluatedBy()
	for place := 0; ; place++ {
		h, err := r.NextHead()
		switch {
		case result.Ended(err):
			return nil
		case err != nil:
			return fault.As(fault.Invalid, err)
		case old[place]:
			continue
		}
		g, ok := l.rubrics[h.Rubric]
		if !ok {
			g = graded{Rubric: result.Rubric{Digest: h.Rubric}}
		}
		e := store.Evaluation{
			ID: store.EvaluationID(l.run.ID, h.Case, h.Repeat), Run: l.run.ID, Case: h.Case, Repeat: h.Repeat,
			Rubric: g.ID, RubricVersion: g.Version, RubricDigest: g.Digest, TargetType: g.targetType,
			Status: h.Status, Score: h.Score, Passed: h.Passed, At: l.run.Started, By: by,
		}
		e.Offset, e.Length = r.Place()
		l.n++
		if !yield(e) {
			return nil
		}
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
