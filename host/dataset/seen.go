package dataset

import "hash/maphash"

// seen finds ids that were met before, and where. It keeps no ids: 12 bytes for
// each, in a table at most seven eighths full, so that a million rows need 25 MB
// at most. Ids are told apart by 63 bits of a hash with a random seed: that two
// of a million different ids meet has a chance of 5 in 10⁸.
type seen struct {
	seed   maphash.Seed
	hashes []uint64 // 0: free
	places []uint32
	n      int
}

func newSeen() *seen { return &seen{seed: maphash.MakeSeed()} }

// add notes an id met at a place. If it was met before, first is where.
func (s *seen) add(id string, place uint32) (first uint32, again bool) {
	if (s.n+1)*8 > len(s.hashes)*7 {
		s.grow()
	}
	h := maphash.String(s.seed, id) | 1 // 63 bits and a mark that the slot is taken
	i := s.slot(h)
	if s.hashes[i] == h {
		return s.places[i], true
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

// atlas gives every line of every file a number of 32 bits, in the order read.
type atlas struct {
	files []mapped
	next  uint64 // one past the highest number given
}

type mapped struct {
	name  string
	first uint64 // number of the file's line 0
}

// open begins a file after the lines of the one before it.
func (a *atlas) open(name string) { a.files = append(a.files, mapped{name, a.next}) }

// number returns the number of a line of the file opened last; beyond 2³² lines
// it stays at the highest.
func (a *atlas) number(line int) uint32 {
	n := a.files[len(a.files)-1].first + uint64(max(0, line))
	a.next = max(a.next, n+1)
	return uint32(min(n, 1<<32-1))
}

// place returns the file and line of a number.
func (a *atlas) place(number uint32) (file string, line int) {
	for i := len(a.files) - 1; i >= 0; i-- {
		if f := a.files[i]; f.first <= uint64(number) {
			return f.name, int(uint64(number) - f.first)
		}
	}
	return "", 0
}
