package dataset

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// identify sees to it that ids are unique. Rows without an id that differ in the output at most get
// numbered ones, in their order.
func (r *Reader) identify(c *Case, pos diag.Pos) diag.List {
	here := r.seen.place(r.at-1, pos.Line)
	first, again := r.seen.add(c.ID, here)
	if c.Made && again {
		r.copies[c.ID]++
		c.ID = fmt.Sprintf("%s-%d", c.ID, r.copies[c.ID]+1)
		_, again = r.seen.add(c.ID, here)
	}
	if !again {
		return nil
	}
	file, line := r.seen.at(first)
	taken := diag.Pos{File: r.sources[file].name, Line: line}
	return only(diag.Diagnostic{Code: "id-duplicate", Path: FieldID, Pos: pos,
		Message: fmt.Sprintf("the id %q is taken by the row at %s", fault.Clip(c.ID, 80), taken),
		Hint:    "give each row an id of its own, or join the two"})
}

// seen knows where each id was met first. It keeps a hash of an id, not its text:
// 64 bits with a random seed, so that two of a million different ids are taken for
// the same with a chance of 3 in 10⁸.
type seen struct {
	seed   maphash.Seed
	places map[[8]byte]uint32 // 13 bytes for a slot; with uint64 as the key it would be 17
	begins []uint32           // place of line 0 of each file, in the order read
	last   uint32
}

// place returns the number of a line, where the format has lines; beyond four thousand million lines it is
// that of the last one. Files come in the order read.
func (s *seen) place(file, line int) uint32 {
	for len(s.begins) <= file {
		s.begins = append(s.begins, s.last+1)
	}
	p := uint32(min(int64(s.begins[file])+int64(max(0, line)), math.MaxUint32-1))
	s.last = max(s.last, p)
	return p
}

// at returns the file and the line of a place.
func (s *seen) at(place uint32) (file, line int) {
	file, _ = slices.BinarySearch(s.begins, place+1)
	return file - 1, int(place - s.begins[file-1])
}

// add notes an id met at a place. If it was met before, first is where.
func (s *seen) add(id string, here uint32) (first uint32, again bool) {
	h := s.hash(id)
	if first, again = s.places[h]; !again {
		s.places[h] = here
	}
	return first, again
}

func (s *seen) has(id string) bool {
	_, met := s.places[s.hash(id)]
	return met
}

func (s *seen) hash(id string) (h [8]byte) {
	binary.NativeEndian.PutUint64(h[:], maphash.String(s.seed, id))
	return h
}
