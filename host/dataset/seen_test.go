package dataset

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestEveryIDIsFoundAgain adds more ids than stay in memory, with some again,
// and holds the answers to a map.
func TestEveryIDIsFoundAgain(t *testing.T) {
	for name, most := range map[string]int{"many files": 1 << 10, "the usual size": maxRecent, "no file": 1 << 62} {
		t.Run(name, func(t *testing.T) {
			s := newSeen()
			defer s.close()
			s.most = most
			known := map[string]uint32{}
			rnd := rand.New(rand.NewPCG(1, 2))
			const ids = 100_000
			for place := range uint32(ids * 5 / 4) {
				id := fmt.Sprint(rnd.IntN(ids * 3))
				first, again := s.add(id, place)
				if want, there := known[id]; again != there || again && first != want {
					t.Fatalf("%s at %d: %d %v, want %d %v", id, place, first, again, want, there)
				} else if !there {
					known[id] = place
				}
			}
			if put := len(s.past.runs) > 0; put != (most < ids) {
				t.Errorf("%d runs", len(s.past.runs))
			}
		})
	}
}

func TestWithoutAFileEverythingStaysInMemory(t *testing.T) {
	t.Setenv("TMPDIR", "/nowhere/at/all")
	t.Setenv("TMP", "/nowhere/at/all")
	s := newSeen()
	defer s.close()
	s.most = 100
	for i := range uint32(5000) {
		if _, again := s.add(fmt.Sprint(i), i); again {
			t.Fatalf("%d was never met", i)
		}
	}
	for i := range uint32(5000) {
		if first, again := s.add(fmt.Sprint(i), 0); !again || first != i {
			t.Fatalf("%d was met: %d %v", i, first, again)
		}
	}
	if len(s.past.runs) > 0 {
		t.Error("there is no place for a file")
	}
}

func TestAFilterErrsSeldomAndOnOneSide(t *testing.T) {
	const n = 50_000
	f := newFilter(n)
	rnd := rand.New(rand.NewPCG(3, 4))
	var in []uint64
	for range n {
		in = append(in, rnd.Uint64()|1)
		f.add(in[len(in)-1])
	}
	for _, h := range in {
		if !f.has(h) {
			t.Fatal("an entry is missing")
		}
	}
	wrong := 0
	for range n {
		if f.has(rnd.Uint64() | 1) {
			wrong++
		}
	}
	if wrong > n/40 {
		t.Errorf("%d of %d are taken for entries", wrong, n)
	}
}

func BenchmarkSeen(b *testing.B) {
	ids := make([]string, 1<<20)
	for i := range ids {
		ids[i] = fmt.Sprintf("case-%d", i)
	}
	s := newSeen()
	defer s.close()
	i := 0
	for b.Loop() {
		if i == len(ids) {
			s.close()
			s, i = newSeen(), 0
		}
		s.add(ids[i], uint32(i))
		i++
	}
}
