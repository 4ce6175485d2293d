package image_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

const wasmPage = 64 << 10

// systems are all that a system may turn out to be.
func systems(t testing.TB) map[string]*image.System {
	t.Helper()
	all := map[string]*image.System{}
	for _, deny := range [][]image.Way{
		{},
		{image.Memfd},
		{image.Scan},
		{image.Scan, image.Drop},
		{image.Faults},
		{image.Scan, image.Pagemap},
		{image.Scan, image.Pagemap, image.Drop},
		{image.Map},
	} {
		name := "all"
		if len(deny) > 0 {
			name = "without-" + strings.Trim(fmt.Sprint(deny), "[]")
		}
		s := image.Probe(deny...)
		t.Cleanup(s.Close)
		all[strings.ReplaceAll(name, " ", "-")] = s
	}
	return all
}

// freeze returns an image of pages with some bytes set, and its expected content.
func freeze(s *image.System, pages, most int, set map[int]byte, globals ...uint64) (*image.Image, []byte) {
	m := s.Memory(uint64(most) * wasmPage)
	defer m.Free()
	m.Reallocate(uint64(pages) * wasmPage)
	for at, v := range set {
		m.Bytes()[at] = v
	}
	want := bytes.Clone(m.Bytes())
	return s.Freeze(m, globals), want
}

func TestProbe_FindsWhatWorks(t *testing.T) {
	s := image.Probe(image.Scan, image.Memfd)
	defer s.Close()
	found := s.Findings()
	var ways []image.Way
	for _, f := range found {
		ways = append(ways, f.Way)
		if (f.Way == image.Scan || f.Way == image.Memfd) && (f.Err == nil || f.Err.Error() != "denied") {
			t.Errorf("%s was denied, its finding says %v", f.Way, f.Err)
		}
	}
	if got := fmt.Sprint(ways); got != "[memfd map scan pagemap faults drop copy]" {
		t.Errorf("ways %s", got)
	}
	if last := found[len(found)-1]; last.Err != nil {
		t.Errorf("copying does not work: %v", last.Err)
	}
}

// TestRestore_EveryByte changes memories as guests do, in any order, on systems of
// every kind.
func TestRestore_EveryByte(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	if wasmtest.Race { // one goroutine: what the detector adds is its checks of pointers
		amount.RapidIn(t, 20)
	}
	for name, s := range systems(t) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				pages := rapid.SampledFrom([]int{0, 1, 2, 3, 20, 40}).Draw(t, "pages")
				size := pages * wasmPage
				place := rapid.IntRange(0, max(size-1, 0))
				set := map[int]byte{}
				if size > 0 {
					set = rapid.MapOfN(place, rapid.Byte(), 0, 20).Draw(t, "image")
				}
				im, want := freeze(s, pages, pages+2, set)
				defer im.Close()
				a, b := im.Memory(), im.Memory()
				defer func() { a.Free(); b.Free() }()
				for range rapid.IntRange(1, 12).Draw(t, "calls") {
					if rapid.Bool().Draw(t, "watched") {
						a.Watch()
					}
					for range rapid.IntRange(0, 4).Draw(t, "writes") {
						now := a.Bytes()
						switch what := rapid.IntRange(0, 5).Draw(t, "what"); {
						case what == 0:
							fill(now, 0xff)
						case what == 1:
							a.Reallocate(uint64(len(now)) + wasmPage)
						case len(now) == 0:
						case what == 2:
							now[len(now)-1]++
						default:
							now[place.Draw(t, "at")] += byte(what)
						}
					}
					if grown := len(a.Bytes()) != size; im.Restore(a) == grown {
						t.Fatalf("Restore of a memory of %d bytes is %v, the image has %d", len(a.Bytes()), !grown, size)
					} else if grown {
						a.Free()
						a = im.Memory()
					}
					if !bytes.Equal(a.Bytes(), want) {
						t.Fatal("a memory that was put back is not as it was")
					}
				}
				if !bytes.Equal(b.Bytes(), want) {
					t.Fatal("another memory changed")
				}
				if !zero(a.Reallocate(uint64(size + 2*wasmPage))[size:]) {
					t.Fatal("memory that is new is not zero")
				}
			})
		})
	}
}

func fill(b []byte, v byte) { copy(b, bytes.Repeat([]byte{v}, len(b))) }

func zero(b []byte) bool { return bytes.Count(b, []byte{0}) == len(b) }

// TestMemory_IsReusedClean gives back memories that were written to and grew, more of
// them than an image keeps.
func TestMemory_IsReusedClean(t *testing.T) {
	for name, s := range systems(t) {
		t.Run(name, func(t *testing.T) {
			im, want := freeze(s, 2, 5, map[int]byte{5: 1, wasmPage: 2})
			defer im.Close()
			for range 5 {
				var all []*image.Memory
				for range 20 {
					m := im.Memory()
					if !bytes.Equal(m.Bytes(), want) {
						t.Fatal("a memory is not what the image is")
					}
					if b := m.Reallocate(4 * wasmPage); !zero(b[2*wasmPage:]) {
						t.Fatal("what it grew by is not zero")
					}
					fill(m.Bytes(), 7)
					all = append(all, m)
				}
				for _, m := range all {
					m.Free()
					m.Free()
				}
			}
		})
	}
}

func TestMemory_GrowsToItsMaximum(t *testing.T) {
	for name, s := range systems(t) {
		t.Run(name, func(t *testing.T) {
			im, _ := freeze(s, 1, 2, nil)
			defer im.Close()
			m := im.Memory()
			defer m.Free()
			if m.Reallocate(3*wasmPage) != nil {
				t.Error("a memory grew beyond its most")
			}
			b := m.Reallocate(2 * wasmPage)
			b[len(b)-1] = 1
			if small := m.Reallocate(wasmPage); len(small) != wasmPage || cap(small) != wasmPage || &small[0] != &b[0] {
				t.Errorf("asking for less gives %d of %d bytes", len(small), cap(small))
			}
			if len(m.Bytes()) != 2*wasmPage {
				t.Errorf("and leaves %d bytes", len(m.Bytes()))
			}
		})
	}
}

// TestImage_SharesNothing makes two of the same bytes.
func TestImage_SharesNothing(t *testing.T) {
	for name, s := range systems(t) {
		t.Run(name, func(t *testing.T) {
			set := map[int]byte{100: 1, 3*wasmPage - 1: 2}
			one, want := freeze(s, 3, 3, set)
			defer one.Close()
			two, _ := freeze(s, 3, 3, set)
			a, b := one.Memory(), two.Memory()
			defer a.Free()
			fill(b.Bytes(), 9)
			if one.Restore(b) {
				t.Error("an image took the memory of another for its own")
			}
			if !bytes.Equal(a.Bytes(), want) {
				t.Error("writing to a memory of one image shows in a memory of the other")
			}
			b.Free()
			two.Close()
			if c := one.Memory(); !bytes.Equal(a.Bytes(), want) || !bytes.Equal(c.Bytes(), want) {
				t.Error("closing one image harms the other")
			} else {
				c.Free()
			}
		})
	}
}

// TestRestore_ManyAtOnce has goroutines use memories of one image.
func TestRestore_ManyAtOnce(t *testing.T) {
	for name, s := range systems(t) {
		t.Run(name, func(t *testing.T) {
			im, want := freeze(s, 3, 4, map[int]byte{1: 1, 2 * wasmPage: 1})
			defer im.Close()
			var all sync.WaitGroup
			for g := range 8 {
				all.Go(func() {
					random := rand.New(rand.NewPCG(uint64(g), 0))
					m := im.Memory()
					defer func() { m.Free() }()
					for range 50 {
						for range 5 {
							m.Bytes()[random.IntN(len(want))] = byte(g)
						}
						if random.IntN(5) == 0 {
							m.Reallocate(4 * wasmPage)
							m.Free()
							m = im.Memory()
						} else {
							im.Restore(m)
						}
						if !bytes.Equal(m.Bytes(), want) {
							t.Error("a memory is not what the image is")
							return
						}
					}
				})
			}
			all.Wait()
		})
	}
}

// TestRestore_ReleasesPagesOfRareCalls writes to everything once, and then to some
// pages in turns for as long as it takes: those stay.
func TestRestore_ReleasesPagesOfRareCalls(t *testing.T) {
	for _, deny := range []image.Way{"", image.Drop} {
		s := image.Probe(deny)
		defer s.Close()
		im, want := freeze(s, 40, 40, nil)
		defer im.Close()
		m := im.Memory()
		defer m.Free()
		own, ok := image.OwnBytes(m)
		wasmtest.NeedsKernel(t, ok, "a count of a process's own pages (Linux)")
		if own != 0 {
			t.Errorf("%d bytes of a new memory are its own", own)
		}
		fill(m.Bytes(), 1)
		im.Restore(m)
		if own, _ := image.OwnBytes(m); own != len(want) {
			t.Errorf("%d bytes are the memory's own after everything was written to", own)
		}
		for n := range 300 {
			m.Bytes()[n%4*wasmPage] = 1
			im.Restore(m)
		}
		if own, _ := image.OwnBytes(m); own != 4*os.Getpagesize() {
			t.Errorf("without %q: %d bytes are the memory's own, 4 pages are written to", deny, own)
		}
		if !bytes.Equal(m.Bytes(), want) {
			t.Errorf("without %q: the memory is not what the image is", deny)
		}
	}
}

// TestRestore_AsksTheSystemOnlyIfNeeded writes to pages for the first time and again.
func TestRestore_AsksTheSystemOnlyIfNeeded(t *testing.T) {
	s := image.Probe()
	defer s.Close()
	asked := 0
	wasmtest.NeedsKernel(t, s.Asked(func() { asked++ }), "a scan for written pages (Linux 6.7 or later)")
	im, want := freeze(s, 40, 40, nil)
	defer im.Close()
	asked = 0
	m := im.Memory()
	defer func() { m.Free() }()
	for n, call := range []struct {
		watched bool
		page    int
		must    bool
	}{
		{true, 3, true}, // the memory's own pages are not known yet
		{true, 3, false},
		{true, 4, true},
		{true, 3, false},
		{false, 4, true},
		{true, 4, false}, // it may be asked still: the test faults pages of its own
	} {
		if call.watched {
			m.Watch()
		}
		m.Bytes()[call.page*wasmPage]++
		before := asked
		im.Restore(m)
		if !bytes.Equal(m.Bytes(), want) {
			t.Fatalf("call %d: the memory is not what the image is", n)
		}
		if call.must && asked == before {
			t.Errorf("call %d: the system was not asked", n)
		}
	}
	saved := 0
	for range 100 {
		m.Watch()
		m.Bytes()[3*wasmPage]++
		before := asked
		im.Restore(m)
		if asked == before {
			saved++
		}
	}
	if saved < 50 {
		t.Errorf("of 100 calls that write to the same page again, the system was asked after %d", 100-saved)
	}
	m.Watch()
	m.Bytes()[9*wasmPage]++
	m.Free()
	if m = im.Memory(); !bytes.Equal(m.Bytes(), want) {
		t.Error("a memory that was freed while watched is not clean")
	}
}

// TestWatch_FewMemoriesHoldTheirThreads watches more memories at once than may be.
func TestWatch_FewMemoriesHoldTheirThreads(t *testing.T) {
	s := image.Probe()
	defer s.Close()
	im, want := freeze(s, 2, 2, nil)
	defer im.Close()
	limit := 4 * runtime.GOMAXPROCS(0)
	for range 2 { // returned memory does not count any more
		var all []*image.Memory
		held := 0
		for n := range 3 * limit {
			m := im.Memory()
			m.Bytes()[n]++
			im.Restore(m) // its own pages are known from here on
			m.Watch()
			if image.Watched(m) {
				held++
			}
			all = append(all, m)
		}
		if !s.Asked(func() {}) {
			limit = 0
		}
		if held != limit {
			t.Errorf("%d memories hold their threads, %d may", held, limit)
		}
		for n, m := range all {
			m.Bytes()[2*n]++
			if !im.Restore(m) || !bytes.Equal(m.Bytes(), want) {
				t.Fatal("a memory is not as it was")
			}
			m.Free()
		}
	}
}

// TestDecode_RoundTrip holds every system to the same bytes. The image is that of a memory with an image before it.
func TestDecode_RoundTrip(t *testing.T) {
	var first []byte
	for name, s := range systems(t) {
		t.Run(name, func(t *testing.T) {
			base, _ := freeze(s, 3, 8, map[int]byte{5: 1, 70_000: 2, 100_000: 3, 130_000: 3}, 7)
			defer base.Close()
			m := base.Memory()
			defer m.Free()
			m.Reallocate(4 * wasmPage)
			m.Bytes()[70_000], m.Bytes()[9], m.Bytes()[4*wasmPage-1] = 0, 4, 5
			fill(m.Bytes()[wasmPage+4096:2*wasmPage+8192], 6)     // longer than a piece
			m.Bytes()[100_000], m.Bytes()[4*wasmPage-9000] = 3, 0 // as they were
			want := bytes.Clone(m.Bytes())
			im := s.Freeze(m, []uint64{8, 9})
			defer im.Close()
			encoded := im.AppendEncoded([]byte("x"))[1:]
			if first == nil {
				first = encoded
			}
			if !bytes.Equal(encoded, first) {
				t.Error("another system encodes other bytes")
			}
			again, err := s.Decode(reader(encoded), 8*wasmPage)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			memory := again.Memory()
			defer memory.Free()
			if !bytes.Equal(memory.Bytes(), want) || !bytes.Equal(again.AppendEncoded(nil), encoded) || !slices.Equal(again.Globals(), []uint64{8, 9}) {
				t.Error("it is another image")
			}
			memory.Bytes()[0]++
			if !again.Restore(memory) || !bytes.Equal(memory.Bytes(), want) {
				t.Error("its memory is not restored")
			}
			for n := range len(encoded) {
				if _, err := s.Decode(reader(encoded[:n]), 8*wasmPage); err == nil {
					t.Fatalf("the first %d bytes are taken for an image", n)
				}
			}
			if _, err := s.Decode(reader(append(encoded, 0)), 8*wasmPage); err == nil {
				t.Error("a byte more is taken for an image")
			}
			if _, err := s.Decode(reader(encoded), 3*wasmPage); err == nil {
				t.Error("an image larger than allowed is taken")
			}
			if _, err := s.Decode(io.NewSectionReader(torn{bytes.NewReader(encoded), int64(len(encoded) - 1)}, 0, int64(len(encoded))), 8*wasmPage); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%v of a file that cannot be read to its end", err)
			}
		})
	}
}

func reader(b []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b)))
}

// torn is a file whose bytes from some place on cannot be read.
type torn struct {
	io.ReaderAt
	from int64
}

func (f torn) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) > f.from {
		return 0, io.ErrClosedPipe
	}
	return f.ReaderAt.ReadAt(b, at)
}

func FuzzDecode(f *testing.F) {
	s := image.Probe(image.Map)
	defer s.Close()
	base, _ := freeze(s, 1, 2, map[int]byte{5: 1}, 7)
	f.Add(base.AppendEncoded(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		im, err := s.Decode(reader(b), 4*wasmPage)
		if err != nil {
			return
		}
		defer im.Close()
		if im.Size() > 4*wasmPage {
			t.Errorf("%d bytes", im.Size())
		}
	})
}
