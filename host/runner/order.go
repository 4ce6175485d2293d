package runner

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/rubric-host/rubric-host/host/file"
)

// A keptRow is where a row lies in rows.jsonl, and which row of the dataset it
// is.
type keptRow struct {
	entry
	start int64
}

// Sort puts the rows into the order of the dataset, each once: of several rows
// for one place the one with a score stays, else the last. complete says that
// every case has been asked for by Done, or graded: then rows that do not belong
// to the dataset are dropped, else they stay behind the others. It returns the
// number of rows dropped because they do not belong.
func (d *Dir) Sort(complete bool) (dropped int, err error) {
	if err := d.Flush(); err != nil {
		return 0, err
	}
	ordered := inOrder(d.list)
	if ordered && d.done == nil { // all of them are of this session
		return 0, nil
	}
	list, dropped := d.keptRows(complete)
	if ordered && len(list) == len(d.list) {
		return dropped, nil
	}
	if err := d.sync(); err != nil {
		return 0, err
	}
	slices.SortStableFunc(list, func(a, b keptRow) int { return cmp.Compare(a.place, b.place) })
	kept := list[:0]
	for _, s := range list {
		if last := len(kept) - 1; last >= 0 && s.place != unasked && kept[last].place == s.place {
			if !kept[last].scored {
				kept[last] = s
			}
			continue
		}
		kept = append(kept, s)
	}
	if err := d.rewrite(kept); err != nil {
		return dropped, d.broke(err)
	}
	return dropped, nil
}

// inOrder reports whether rows have the order of the dataset, each once.
func inOrder(list []entry) bool {
	for i := 1; i < len(list); i++ {
		a, b := list[i-1].place, list[i].place
		if a > b || a == b && a != unasked {
			return false
		}
	}
	return true
}

// keptRows finds every row that stays. Where a key has several rows, done knows
// one of them; the others have no place and are no loss.
func (d *Dir) keptRows(complete bool) (list []keptRow, dropped int) {
	known := make(map[uint32]bool, 0)
	for _, i := range d.done {
		if d.list[i].place == unasked {
			known[i] = true
		}
	}
	at := int64(0)
	list = make([]keptRow, 0, len(d.list))
	for i, e := range d.list {
		start := at
		at += int64(e.size)
		if e.place == unasked {
			if !known[uint32(i)] {
				continue // another row of the same key counts
			}
			if complete {
				dropped++
				continue
			}
		}
		list = append(list, keptRow{e, start})
	}
	return list, dropped
}

// rewrite replaces rows.jsonl by some of its rows, in another order. Whatever
// happens, there is a whole file under its name.
func (d *Dir) rewrite(list []keptRow) error {
	tmp, err := file.CreateTemp(d.path, ".rows-*.jsonl", 0o644)
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	w := bufio.NewWriterSize(tmp, 256<<10)
	for i := 0; i < len(list); {
		start, end := list[i].start, list[i].start
		for ; i < len(list) && list[i].start == end; i++ { // neighbours stay neighbours, mostly
			end += int64(list[i].size)
		}
		if _, err = io.Copy(w, io.NewSectionReader(d.rows, start, end-start)); err != nil {
			break
		}
	}
	if err == nil {
		err = errors.Join(w.Flush(), tmp.Sync())
	}
	if err == nil && runtime.GOOS == "windows" { // no open file is replaced there
		err = d.rows.Close()
	}
	if err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(d.path, RowsFile))
	}
	if err == nil && runtime.GOOS != "windows" {
		err = d.rows.Close()
	}
	if err != nil {
		return errors.Join(err, tmp.Close())
	}
	d.rows = tmp
	d.buf.Reset(tmp)
	d.list, d.done = d.list[:0], nil
	for _, s := range list {
		d.list = append(d.list, s.entry)
	}
	return nil
}
