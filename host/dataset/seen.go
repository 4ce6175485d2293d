package dataset

import "hash/maphash"

// seen knows where each id was met first. It keeps a hash of an id, not its text:
// 64 bits with a random seed, so that two of a million different ids are taken for
// the same with a chance of 3 in 10⁸.
type seen struct {
	seed   maphash.Seed
	places map[uint64]place
}

// A place is a row of a dataset: the number of the file, in the order read, and
// the line, where the format has lines.
type place struct{ file, line uint32 }

// add notes an id met at a place. If it was met before, first is where.
func (s *seen) add(id string, here place) (first place, again bool) {
	h := maphash.String(s.seed, id)
	if first, again = s.places[h]; !again {
		s.places[h] = here
	}
	return first, again
}

func (s *seen) has(id string) bool {
	_, met := s.places[maphash.String(s.seed, id)]
	return met
}
