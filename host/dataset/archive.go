package dataset

import (
	"cmp"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"sort"
)

// An archive keeps hashes and what belongs to each in a file without a name, in
// sorted runs, with a filter in memory for each run.
type archive struct {
	file *os.File
	name string // to be removed at the end, where an open file keeps its name
	runs []archived
	end  int64

	order []int  // scratch
	b     []byte // scratch
	page  [pageEntries * entrySize]byte
}

// archived is one run of entries.
type archived struct {
	start  int64
	n      int
	filter filter
	fences []uint64 // the first hash of each page
}

const (
	entrySize   = 12  // a hash and its place, the lowest byte first
	pageEntries = 340 // that are read at once
)

// put writes the n entries whose hash is not 0. It reports false if it cannot,
// and has changed nothing then.
func (a *archive) put(hashes []uint64, places []uint32, n int) bool {
	if a.file == nil && !a.create() {
		return false
	}
	order := slices.Grow(a.order[:0], n)
	for i, h := range hashes {
		if h != 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(hashes[i], hashes[j]) })
	run := archived{start: a.end, n: len(order), filter: newFilter(len(order))}
	b := slices.Grow(a.b[:0], entrySize*len(order))
	for k, i := range order {
		if k%pageEntries == 0 {
			run.fences = append(run.fences, hashes[i])
		}
		b = binary.LittleEndian.AppendUint64(b, hashes[i])
		b = binary.LittleEndian.AppendUint32(b, places[i])
		run.filter.add(hashes[i])
	}
	a.order, a.b = order, b
	if _, err := a.file.WriteAt(b, a.end); err != nil {
		return false
	}
	a.end += int64(len(b))
	a.runs = append(a.runs, run)
	return true
}

func (a *archive) create() bool {
	f, err := os.CreateTemp("", "rubric-host-ids-*")
	if err != nil {
		return false
	}
	a.file = f
	if os.Remove(f.Name()) != nil {
		a.name = f.Name()
	}
	return true
}

// find returns what belongs to a hash. A file that cannot be read any more finds
// nothing.
func (a *archive) find(h uint64) (place uint32, ok bool) {
	for i := range a.runs {
		if r := &a.runs[i]; r.filter.has(h) {
			if place, ok = a.search(r, h); ok {
				return place, true
			}
		}
	}
	return 0, false
}

// search reads the page that a hash would be on.
func (a *archive) search(r *archived, h uint64) (place uint32, ok bool) {
	page := sort.Search(len(r.fences), func(i int) bool { return r.fences[i] > h }) - 1
	if page < 0 {
		return 0, false
	}
	first := page * pageEntries
	b := a.page[:entrySize*min(pageEntries, r.n-first)]
	if _, err := a.file.ReadAt(b, r.start+int64(first)*entrySize); err != nil {
		return 0, false
	}
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(b[i*entrySize:]) }
	n := len(b) / entrySize
	i := sort.Search(n, func(i int) bool { return at(i) >= h })
	if i == n || at(i) != h {
		return 0, false
	}
	return binary.LittleEndian.Uint32(b[i*entrySize+8:]), true
}

func (a *archive) close() error {
	if a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file, a.runs = nil, nil
	if a.name != "" {
		err = errors.Join(err, os.Remove(a.name))
	}
	return err
}

// A filter is a Bloom filter with eight to sixteen bits an entry and four looks:
// it takes at most one of forty for an entry that is none. Bloom, Space/time trade-offs
// in hash coding with allowable errors, CACM 13 (1970).
type filter struct {
	bits []uint64
	mask uint64
}

const looks = 4

func newFilter(n int) filter {
	size := 64
	for size < 8*n {
		size *= 2
	}
	return filter{make([]uint64, size/64), uint64(size - 1)}
}

// step makes the next look of a hash from the last.
func step(h uint64) uint64 { return (h ^ h>>29) * 0x9e3779b97f4a7c15 }

func (f *filter) add(h uint64) {
	for range looks {
		h = step(h)
		at := h >> 20 & f.mask
		f.bits[at/64] |= 1 << (at % 64)
	}
}

func (f *filter) has(h uint64) bool {
	for range looks {
		h = step(h)
		at := h >> 20 & f.mask
		if f.bits[at/64]&(1<<(at%64)) == 0 {
			return false
		}
	}
	return true
}
