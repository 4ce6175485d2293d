package runner

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

// A stretch is where a row lies in rows.jsonl, and which row of the dataset it
// is.
type stretch struct {
	rank       int
	start, end int64
}

// Sort puts the rows of a run that was resumed into the order of the dataset, as
// Done was asked for it: what an earlier session left out lies behind what it
// had. Call it when every case has its row. It changes nothing if the rows are
// in order, or if the run is not a resumed one.
func (d *Dir) Sort() error {
	if d.done == nil {
		return nil
	}
	if err := d.sync(); err != nil {
		return err
	}
	list, err := d.stretches()
	if err != nil {
		return dirFault(d.path, err)
	}
	byRank := func(a, b stretch) int { return cmp.Compare(a.rank, b.rank) }
	if slices.IsSortedFunc(list, byRank) {
		return nil
	}
	slices.SortStableFunc(list, byRank)
	return dirFault(d.path, d.rewrite(list))
}

// stretches finds every row.
func (d *Dir) stretches() ([]stretch, error) {
	if _, err := d.rows.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	var list []stretch
	r := result.NewRowReader(d.rows)
	for at := int64(0); ; {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		s := stretch{rank: math.MaxInt, start: at}
		if rank, ok := d.done.rank[d.done.hash(row.Case, row.Repeat, row.CaseDigest)]; ok {
			s.rank = rank
		}
		s.end, _ = r.Tail()
		at = s.end
		list = append(list, s)
	}
	_, err := d.rows.Seek(0, io.SeekEnd)
	return list, err
}

// rewrite replaces rows.jsonl by its rows in another order. Whatever happens,
// there is a whole file under its name.
func (d *Dir) rewrite(list []stretch) error {
	tmp, err := os.CreateTemp(d.path, ".rows-*.jsonl")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	w := bufio.NewWriterSize(tmp, 64<<10)
	for _, s := range list {
		if _, err := io.Copy(w, io.NewSectionReader(d.rows, s.start, s.end-s.start)); err != nil {
			return errors.Join(err, tmp.Close())
		}
	}
	if err := errors.Join(w.Flush(), tmp.Chmod(0o644), tmp.Sync()); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err := lock(tmp); err != nil {
		return errors.Join(fault.As(fault.Internal, err), tmp.Close())
	}
	if err := d.rows.Close(); err != nil { // before the rename: not every system replaces an open file
		return errors.Join(err, tmp.Close())
	}
	d.rows = tmp
	d.buf.Reset(tmp)
	return os.Rename(tmp.Name(), filepath.Join(d.path, RowsFile))
}
