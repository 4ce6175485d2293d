package host

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// retrying says which rows of a run are graded again.
type retrying struct {
	dir   string                 // of the run
	again func(*result.Row) bool // reports whether a row is one of them
	redo  []redo                 // questions that the judge gets again
}

// open makes the run directory, or continues the one that the same run left
// unfinished.
func (w *evaluating) open() error {
	if w.retry != nil {
		return w.resume(w.retry.dir)
	}
	if w.o.Runs == "" {
		return nil
	}
	for !w.o.Fresh {
		path := unfinished(w.o.Runs, w.ev.Run)
		if path == "" {
			break
		}
		if err := w.resume(path); !errors.Is(err, errFinished) {
			return err
		}
	}
	var err error
	w.dir, err = runner.Create(w.o.Runs, w.ev.Run)
	if err == nil {
		w.ev.Dir = w.dir.Path()
	}
	return err
}

// unfinished returns the newest run in a directory that does the same work, if that run did not
// come to its end, or the empty string. Once a newer one has finished, older ones are no longer continued.
func unfinished(runs string, run *result.Run) string {
	ids, err := runner.List(runs)
	if err != nil {
		return ""
	}
	const recent = 50
	for _, id := range slices.Backward(ids[max(0, len(ids)-recent):]) {
		path := filepath.Join(runs, id)
		old, err := runner.ReadRun(path)
		if err != nil || !sameWork(old, run) {
			continue
		}
		if old.Status == result.Finished {
			break
		}
		return path
	}
	return ""
}

// sameWork reports whether two runs grade the same cases in the same way.
func sameWork(a, b *result.Run) bool {
	if a.PlanDigest != b.PlanDigest || a.Repeats != b.Repeats || a.RescoredFrom != b.RescoredFrom || a.Dataset.NoContent != b.Dataset.NoContent || !slices.Equal(a.Dataset.Paths, b.Dataset.Paths) {
		return false
	}
	x, errX := json.Marshal(a.Dataset.Selection)
	y, errY := json.Marshal(b.Dataset.Selection)
	return errX == nil && errY == nil && string(x) == string(y)
}

// errFinished says that another process finished the run before it could be resumed.
var errFinished = errors.New("the run is finished")

func (w *evaluating) resume(path string) error {
	var again func(*result.Row) bool
	if w.retry != nil {
		again = w.retry.again
	}
	dir, kept, err := runner.Resume(path, !w.o.NoContent, again)
	if err != nil {
		return err
	}
	old, err := runner.ReadRun(path)
	if err == nil && w.retry == nil && old.Status == result.Finished {
		err = errFinished
	}
	if err != nil {
		return errors.Join(err, dir.Close())
	}
	w.ev.Run.ID, w.ev.Run.Started, w.ev.Run.By = old.ID, old.Started, old.By
	w.ev.Run.Seconds = old.Seconds
	w.dir, w.ev.Kept = dir, kept
	w.ev.Dir, w.resumed = path, true
	return w.dir.WriteRun(w.ev.Run)
}

// Append keeps a row of the runner. It is part of runner.Sink.
func (w *evaluating) Append(place int, row *result.Row, c *dataset.Case, encoded []byte) error {
	if c != nil {
		w.graded++
		if row.Score == nil {
			if name := c.LikelyReferences(); name != "" {
				w.likely[name]++
			}
		}
	}
	if w.dir == nil {
		return nil
	}
	return w.dir.Append(place, row, c, encoded)
}

// Flush lets the rows outlive the process. It is part of runner.Sink.
func (w *evaluating) Flush() error {
	if w.dir == nil {
		return nil
	}
	return w.dir.Flush()
}

// countRows counts the rows that a resume finds.
func (w *evaluating) countRows() *int {
	n := 0
	for _, err := range runner.ReadRows(w.dir.Path()) {
		if err != nil {
			break
		}
		n++
	}
	return &n
}
