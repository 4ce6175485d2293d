package host

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
)

// rowIndex finds the rows of a run by case, repeat and content. It takes 21 bytes
// of memory per row, and some 20 per case, and holds the rows that were read last. It is safe for
// concurrent use once it is made, but for lacks.
type rowIndex struct {
	file  *os.File
	seed  maphash.Seed
	rows  []rowPlace // in the order of the file
	end   int64      // of the last row
	most  int        // highest repeat of a row
	order []uint32   // of rows, by key; of rows with the same key only the last
	seen  []bool     // by place in order: lacks was asked about the row

	// recent are rows that were read last, by place in the file modulo its length:
	// each task of a case, and the comparison at its end, reads the same row.
	recent [256]atomic.Pointer[readRow]
}

// A readRow is a row and its place in the file.
type readRow struct {
	place int
	row   *result.Row
}

// A rowPlace is a row: a hash of its identity, and the offset of its line.
type rowPlace struct {
	key   uint64
	start int64
}

// indexRows notes where each row of a run lies.
func indexRows(dir string) (*rowIndex, error) {
	f, err := file.Open(filepath.Join(dir, runner.RowsFile), os.O_RDONLY)
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err)
	}
	x := &rowIndex{file: f, seed: maphash.MakeSeed()}
	r := result.NewRowReader(f)
	for start := int64(0); ; start, _ = r.Tail() {
		row, err := r.NextHead()
		switch {
		case result.Ended(err):
			x.end, _ = r.Tail()
			x.sort()
			return x, nil
		case err == nil && len(x.rows) == math.MaxUint32:
			err = fault.New(fault.Invalid, "more than %d rows", len(x.rows))
			fallthrough
		case err != nil:
			return nil, errors.Join(fmt.Errorf("%s: %w", f.Name(), err), f.Close())
		}
		x.most = max(x.most, row.Repeat)
		x.rows = append(x.rows, rowPlace{x.key(row.Case, row.Repeat, row.CaseDigest), start})
	}
}

// sort makes the rows searchable.
func (x *rowIndex) sort() {
	x.order = make([]uint32, len(x.rows))
	for i := range x.order {
		x.order[i] = uint32(i)
	}
	slices.SortFunc(x.order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(x.rows[a].key, x.rows[b].key), -cmp.Compare(a, b))
	})
	x.order = slices.CompactFunc(x.order, func(a, b uint32) bool { return x.rows[a].key == x.rows[b].key })
	x.seen = make([]bool, len(x.order))
}

func (x *rowIndex) close() { _ = x.file.Close() } // it was only read

// Len returns the number of rows.
func (x *rowIndex) Len() int { return len(x.order) }

// key is a seeded hash, as that of runner.Dir.
func (x *rowIndex) key(id string, repeat int, digest string) uint64 {
	var h maphash.Hash
	h.SetSeed(x.seed)
	fmt.Fprintf(&h, "%d:%s%d:%s", len(id), id, repeat, digest)
	return h.Sum64()
}

// find returns the place of a row in order.
func (x *rowIndex) find(id string, repeat int, digest string) (int, bool) {
	return slices.BinarySearchFunc(x.order, x.key(id, repeat, digest), func(i uint32, key uint64) int { return cmp.Compare(x.rows[i].key, key) })
}

// lacks reports whether the run has no row of a case with this content: then
// there is nothing to verify. It is called by one goroutine.
func (x *rowIndex) lacks(_ int, id string, repeat int, digest string) bool {
	i, ok := x.find(id, repeat, digest)
	if ok {
		x.seen[i] = true
	}
	return !ok
}

// read returns the row of a case and repeat with this content.
func (x *rowIndex) read(id string, repeat int, digest string) (*result.Row, error) {
	i, ok := x.find(id, repeat, digest)
	if !ok {
		return nil, fault.New(fault.NotFound, "the run has no row for case %q, repeat %d", id, repeat)
	}
	row, err := x.at(int(x.order[i]))
	if err != nil {
		return nil, fmt.Errorf("case %q: %w", id, err)
	}
	return row, nil
}

// at returns a row by its place in the file. The row is shared: callers must not
// change it.
func (x *rowIndex) at(i int) (*result.Row, error) {
	recent := &x.recent[i%len(x.recent)]
	if held := recent.Load(); held != nil && held.place == i {
		return held.row, nil
	}
	start, end := x.rows[i].start, x.end
	if i+1 < len(x.rows) {
		end = x.rows[i+1].start
	}
	b := make([]byte, end-start)
	if _, err := x.file.ReadAt(b, start); err != nil {
		return nil, fault.New(fault.Invalid, "%w", err)
	}
	var row result.Row
	if err := json.Unmarshal(b, &row); err != nil {
		return nil, fault.New(fault.Invalid, "%w", err)
	}
	recent.Store(&readRow{i, &row})
	return &row, nil
}

// firsts goes over the first row of each case, in the order of the file.
func (x *rowIndex) firsts(yield func(*result.Row, error) bool) {
	seen := map[uint64]bool{}
	for i := range x.rows {
		row, err := x.at(i)
		if err == nil {
			key := x.key(row.Case, 0, row.CaseDigest)
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		if !yield(row, err) {
			return
		}
	}
}

// unread returns some of the cases that the dataset did not hold.
func (x *rowIndex) unread(most int) ([]string, error) {
	var rows []uint32
	for i, seen := range x.seen {
		if !seen {
			rows = append(rows, x.order[i])
		}
	}
	slices.Sort(rows)
	var out []string
	for _, i := range rows[:min(most, len(rows))] {
		row, err := x.at(int(i))
		if err != nil {
			return nil, err
		}
		out = append(out, row.Case)
	}
	slices.Sort(out)
	return out, nil
}
