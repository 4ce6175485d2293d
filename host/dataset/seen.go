package dataset

import "hash/maphash"

// maxRecent is how many ids are kept in memory: 12 bytes each, in a table at
// most seven eighths full.
const maxRecent = 7 << 11

// seen finds ids that were met before, and where. It keeps no ids, and only the
// latest in memory: 14,000 at a time go to a file, sorted, and leave nine bits
// each behind, which say of most new ids that they are not there. So a million
// rows take 2 MB. Ids are told apart by 63 bits of a hash
// with a random seed: that two of a million different ids meet has a chance of
// 5 in 10⁸.
type seen struct {
	seed   maphash.Seed
	hashes []uint64 // 0: free
	places []uint32
	n      int
	most   int // ids that hashes may hold before they are put away
	past   *archive
}

func newSeen() *seen { return &seen{seed: maphash.MakeSeed(), most: maxRecent, past: &archive{}} }

// add notes an id met at a place. If it was met before, first is where.
func (s *seen) add(id string, place uint32) (first uint32, again bool) {
	h := maphash.String(s.seed, id) | 1 // 63 bits and a mark that the slot is taken
	if (s.n+1)*8 > len(s.hashes)*7 {
		s.makeRoom()
	}
	i := s.slot(h)
	if s.hashes[i] == h {
		return s.places[i], true
	}
	if first, again = s.past.find(h); again {
		return first, true
	}
	s.hashes[i], s.places[i] = h, place
	s.n++
	return 0, false
}

// slot returns where h is, or belongs.
func (s *seen) slot(h uint64) int {
	mask := len(s.hashes) - 1
	i := int(h>>1) & mask
	for s.hashes[i] != 0 && s.hashes[i] != h {
		i = (i + 1) & mask
	}
	return i
}

// makeRoom puts ids away where there are many, and else makes the table larger.
func (s *seen) makeRoom() {
	if s.n >= s.most {
		if s.past.put(s.hashes, s.places, s.n) {
			clear(s.hashes)
			s.n = 0
			return
		}
		s.most = 1 << 62 // no file can be had: memory must do
	}
	s.grow()
}

func (s *seen) grow() {
	hashes, places := s.hashes, s.places
	size := max(1024, 2*len(hashes))
	s.hashes, s.places = make([]uint64, size), make([]uint32, size)
	for i, h := range hashes {
		if h != 0 {
			j := s.slot(h)
			s.hashes[j], s.places[j] = h, places[i]
		}
	}
}

// close lets go of the file.
func (s *seen) close() error { return s.past.close() }
