package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/runner"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// rowIndex finds the rows of a run by case, repeat and content. It takes some 50 bytes
// of memory per row, and holds the rows that were read last. It is safe for
// concurrent use once it is made, but for lacks.
type rowIndex struct {
	file   *os.File
	seed   maphash.Seed
	starts []int64        // offsets of the rows, in the order of the file
	end    int64          // of the last row
	most   int            // highest repeat of a row
	places map[uint64]int // in starts, by key; of rows with the same key only the last
	twice  []int          // places of rows that another one of the same key follows
	graded int            // rows of cases that could be read
	seen   []bool         // by place: lacks was asked about the row

	// recent are rows that were read last, by place in the file modulo its length:
	// each task of a case, and the comparison at its end, reads the same row.
	recent [256]atomic.Pointer[readRow]
}

type readRow struct {
	place int
	row   *result.Row
}

// indexRows notes where each row of a run lies.
func indexRows(dir string) (*rowIndex, error) {
	f, err := file.Open(filepath.Join(dir, runner.RowsFile), os.O_RDONLY)
	if err != nil {
		return nil, fault.New(fault.NotFound, "%w", err)
	}
	x := &rowIndex{file: f, seed: maphash.MakeSeed(), places: map[uint64]int{}}
	r := result.NewRowReader(f)
	for start := int64(0); ; start, _ = r.Tail() {
		row, err := r.NextHead()
		switch {
		case result.Ended(err):
			x.end, _ = r.Tail()
			x.seen = make([]bool, len(x.starts))
			return x, nil
		case err != nil:
			return nil, errors.Join(fmt.Errorf("%s: %w", f.Name(), err), f.Close())
		}
		x.most = max(x.most, row.Repeat)
		key := x.key(row.Case, row.Repeat, row.CaseDigest)
		if before, twice := x.places[key]; twice {
			x.twice = append(x.twice, before)
		} else if row.Repeat > 0 {
			x.graded++
		}
		x.places[key] = len(x.starts)
		x.starts = append(x.starts, start)
	}
}

func (x *rowIndex) close() { _ = x.file.Close() } // it was only read

func (x *rowIndex) Len() int { return len(x.places) }

func (x *rowIndex) key(id string, repeat int, digest string) uint64 {
	return runner.RowKey(x.seed, id, repeat, digest)
}

// lacks reports whether the run has no row of a case with this content: then
// there is nothing to verify. It is called by one goroutine.
func (x *rowIndex) lacks(_ int, id string, repeat int, digest string) bool {
	i, ok := x.places[x.key(id, repeat, digest)]
	if ok {
		x.seen[i] = true
	}
	return !ok
}

func (x *rowIndex) read(id string, repeat int, digest string) (*result.Row, error) {
	i, ok := x.places[x.key(id, repeat, digest)]
	if !ok {
		return nil, fault.New(fault.NotFound, "the run has no row for case %q, repeat %d", id, repeat)
	}
	row, err := x.at(i)
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
	start, end := x.starts[i], x.end
	if i+1 < len(x.starts) {
		end = x.starts[i+1]
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
	for i := range x.starts {
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

// dataset returns the digest of the cases of the rows, as a Reader has it of a dataset that
// was read as a whole: rows have its order.
func (x *rowIndex) dataset() (string, error) {
	h := sha256.New()
	for row, err := range x.firsts {
		if err != nil {
			return "", err
		}
		if row.Repeat == 0 { // of a row that could not be read
			continue
		}
		sum, err := hex.DecodeString(strings.TrimPrefix(row.CaseDigest, "sha256:"))
		if err != nil {
			return "", fault.New(fault.Invalid, "case %q: %q is not a digest", row.Case, row.CaseDigest)
		}
		h.Write(sum)
	}
	return digest.Sum(h), nil
}

// unread returns how many rows lacks was not asked about, and the cases of some of them.
func (x *rowIndex) unread(most int) (n int, out []string, err error) {
	places := xslices.Filter(slices.Sorted(maps.Values(x.places)), func(i int) bool { return !x.seen[i] })
	out = []string{}
	for _, i := range places[:min(most, len(places))] {
		row, err := x.at(i)
		if err != nil {
			return 0, nil, err
		}
		out = append(out, row.Case)
	}
	slices.Sort(out)
	return len(places), out, nil
}
