package runner

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// ReadRows returns an iterator over the rows of a run directory, in order, or of a file of rows,
// such as a report in JSONL; see result.RowReader.Next. A file that cannot be opened is an error
// of class fault.NotFound. Where fewer lines stand in a directory than the run has counted rows, the
// last error has class fault.Invalid. Of a run that is not finished, rows that another one
// replaces are left out.
func ReadRows(path string) iter.Seq2[*result.Row, error] {
	return func(yield func(*result.Row, error) bool) {
		name, prefix, run := path, "", &result.Run{Status: result.Finished} // of a file nothing is known
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			name, prefix = filepath.Join(path, RowsFile), RowsFile+": "
			if run, err = ReadRun(path); err != nil {
				run = new(result.Run)
			}
		}
		f, err := file.Open(name, os.O_RDONLY)
		if err != nil {
			yield(nil, fault.New(fault.NotFound, "%w", err))
			return
		}
		defer f.Close()
		var old map[int]bool
		if run.Status != result.Finished {
			old = Replaced(f)
			if _, err := f.Seek(0, io.SeekStart); err != nil {
				yield(nil, fault.New(fault.Invalid, "%w", err))
				return
			}
		}
		place, n := -1, 0
		for row, err := range result.ReadRows(f) {
			if place++; old[place] {
				continue
			}
			if err != nil {
				err = fmt.Errorf("%s%w", prefix, err)
			}
			if !yield(row, err) {
				return
			}
			if !result.Ended(err) { // a line that is not a row was reported
				n++
			}
		}
		if all := run.Counts.Rows; n < all && run.Status != result.Running {
			yield(nil, fault.WithHint(fault.New(fault.Invalid, "%s has %d of the %d rows that run %s has counted", RowsFile, n, all, run.ID),
				"%s", result.Restore))
		}
	}
}

// Replaced returns the places, from 0, of rows that do not count. Until Sort, a case that was graded
// again has several rows: the first with a score counts, else the last.
func Replaced(f io.Reader) map[int]bool {
	type key struct {
		id, digest string
		repeat     int
	}
	out, counts, scored := map[int]bool{}, map[key]int{}, map[key]bool{}
	r := result.NewRowReader(f)
	for place := 0; ; place++ {
		head, err := r.NextHead()
		if err != nil {
			return out // the reading of the rows themselves reports it
		}
		k := key{head.Case, head.CaseDigest, head.Repeat}
		before, twice := counts[k]
		switch {
		case scored[k]:
			out[place] = true
			continue
		case twice:
			out[before] = true
		}
		counts[k], scored[k] = place, head.Status == rubric.Scored
	}
}

// SlicesOf returns the figures of the run in dir by the values of each field of
// its cases; see result.Slice. The run must keep the content of its cases, else
// the error has class fault.Usage.
func SlicesOf(dir string, fields []string) ([]result.Slice, error) {
	run, p, err := ReadPlanned(dir)
	switch {
	case err != nil:
		return nil, err
	case run.Dataset.NoContent:
		return nil, NoSlices(fields)
	}
	return Slices(dir, p, fields)
}

// NoSlices is the error of slices by fields of a run that keeps no content.
func NoSlices(fields []string) error {
	return fault.WithHint(fault.New(fault.Usage, "slice %s: the run keeps no content of its cases", fields[0]), "run it without "+fault.OptionNoContent)
}

// Slices is SlicesOf for a run whose plan is known, such as one that is not finished.
func Slices(dir string, p *plan.Plan, fields []string) ([]result.Slice, error) {
	cases, err := OpenCases(dir)
	if err != nil {
		return nil, err
	}
	defer cases.Close()
	s := result.NewSlicer(fields, SummaryOptions(p))
	for row, err := range ReadRows(dir) {
		if err != nil {
			return nil, err
		}
		c, err := cases.Of(row)
		if err != nil {
			return nil, err
		}
		s.Add(row, c)
	}
	return s.Slices(), nil
}

// SumUp sums up the readable rows of a run directory, or of a file of rows. The error is that of the
// first row that cannot be read; a last row that was not written to its end does not count as one.
func SumUp(path string, o result.SummaryOptions) (*result.Summary, error) {
	s := result.NewSummarizer(o)
	var bad error
	for row, err := range ReadRows(path) {
		switch {
		case err == nil:
			s.Add(row)
		case !result.Ended(err):
			bad = cmp.Or(bad, err)
		}
	}
	return s.Summary(), bad
}

// SummaryOptions returns how the rows of a plan are summed up.
func SummaryOptions(p *plan.Plan) result.SummaryOptions {
	o := result.SummaryOptions{Rubric: p.Graders[0].Rubric, Repeats: p.Repeat, Rubrics: map[string]*rubric.Rubric{}, Unscored: p.Unscored, Samples: p.Samples, PassAt: p.Graders[0].Rubric.PassAt}
	for i := range p.Graders {
		o.Rubrics[p.Graders[i].Digest] = p.Graders[i].Rubric
	}
	return o
}
