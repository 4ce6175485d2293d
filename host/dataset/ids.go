package dataset

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// identify sees to it that ids are unique. Rows without an id that differ in the output at most get
// numbered ones, in their order.
func (r *Reader) identify(c *Case, pos diag.Pos) diag.List {
	here := uint32(min(r.totals.Rows, math.MaxUint32)) //nolint:gosec // bounded on the line
	first, again := r.seen.add(c.ID, here)
	if c.Made && again {
		r.copies[c.ID]++
		c.ID = fmt.Sprintf("%s-%d", c.ID, r.copies[c.ID]+1)
		_, again = r.seen.add(c.ID, here)
	}
	if !again {
		return nil
	}
	row, file := int(first), ""
	for _, s := range r.totals.Sources {
		if file = s.Name; row <= s.Rows {
			break
		}
		row -= s.Rows
	}
	return only(diag.Diagnostic{Code: "id-duplicate", Path: FieldID, Pos: pos,
		Message: fmt.Sprintf("the id %q is taken by row %d of %s", fault.Clip(c.ID, 80), row, file),
		Hint:    "give each row an id of its own; if they are samples of one problem, write pass_at in the rubric"})
}

// seen knows the row that each id was met in first, from 1. It keeps a hash of an id, not its text:
// 64 bits with a random seed, so that two of a million different ids are taken for
// the same with a chance of 3 in 10⁸. Without rows it knows none.
type seen struct {
	seed maphash.Seed
	rows map[[8]byte]uint32 // 13 bytes for a slot; with uint64 as the key it would be 17
}

// add notes an id met in a row. If it was met before, first is where.
func (s *seen) add(id string, row uint32) (first uint32, again bool) {
	h := s.hash(id)
	if first, again = s.rows[h]; !again && s.rows != nil {
		s.rows[h] = row
	}
	return first, again
}

func (s *seen) has(id string) bool {
	_, met := s.rows[s.hash(id)]
	return met
}

func (s *seen) hash(id string) (h [8]byte) {
	binary.NativeEndian.PutUint64(h[:], maphash.String(s.seed, id))
	return h
}
