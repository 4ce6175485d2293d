package wasi_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/wasi"
)

// Error numbers of WASI preview 1.
const (
	acces, badf, fault, inval, mfile, noent, rofs, spipe = 2, 8, 21, 28, 33, 44, 69, 70
)

// A guest is a memory and a budget, and calls functions by name.
type guest struct {
	t      *testing.T
	world  wasi.World
	memory []byte
	spent  int   // bytes
	most   int   // bytes after which Checkpoint fails; 0: never
	looks  int   // calls of Checkpoint
	over   error // error of Checkpoint
}

func (g *guest) Bytes() []byte            { return g.memory }
func (g *guest) Spend(bytes int)          { g.spent += bytes }
func (g *guest) Context() context.Context { return g.t.Context() }
func (g *guest) Checkpoint() error {
	if g.looks++; g.most > 0 && g.spent > g.most {
		return g.over
	}
	return nil
}

func newGuest(t *testing.T, size int) *guest {
	g := &guest{t: t, memory: make([]byte, size), over: errors.New("used up")}
	g.world.Memory, g.world.Budget = g, g
	g.reset(nil)
	return g
}

func (g *guest) reset(a *grant.Access) { g.world.Reset(wasi.ClockCall, a, 20, 3) }

// try calls a function and returns the error number, and the error that ends the
// call.
func (g *guest) try(name string, args ...uint64) (uint32, error) {
	g.t.Helper()
	for _, f := range wasi.Functions() {
		if f.Name == name {
			return f.Invoke(&g.world, args)
		}
	}
	g.t.Fatalf("no function %s", name)
	return 0, nil
}

// call calls a function that does not end the call.
func (g *guest) call(name string, args ...uint64) uint32 {
	g.t.Helper()
	errno, err := g.try(name, args...)
	if err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
	return errno
}

func (g *guest) put(at int, values ...uint32) {
	for k, v := range values {
		binary.LittleEndian.PutUint32(g.memory[at+4*k:], v)
	}
}

func (g *guest) uint32(at int) uint32 { return binary.LittleEndian.Uint32(g.memory[at:]) }
func (g *guest) uint64(at int) uint64 { return binary.LittleEndian.Uint64(g.memory[at:]) }

// print writes text to a descriptor.
func (g *guest) print(fd uint64, text string) (uint32, error) {
	copy(g.memory[100:], text)
	g.put(0, 100, uint32(len(text)))
	return g.try("fd_write", fd, 0, 1, 8)
}

func TestWorld_Reset_StartsEveryCallAlike(t *testing.T) {
	g := newGuest(t, 1_024)
	observe := func() []byte {
		clear(g.memory)
		g.call("clock_time_get", 0, 0, 16)
		g.call("clock_time_get", 1, 0, 24)
		g.call("random_get", 32, 13)
		g.call("args_sizes_get", 64, 68)
		g.put(200, 300, 8)
		g.call("fd_read", 0, 200, 1, 72)
		return bytes.Clone(g.memory)
	}
	first := observe()
	if second := observe(); bytes.Equal(first, second) {
		t.Error("clock and random stream stand still within a call")
	}
	g.world.Program = wasi.Program{Args: []string{"x"}, Stdin: []byte("input")}
	if _, err := g.print(2, "printed"); err != nil || string(g.world.Log()) != "printed" {
		t.Fatalf("the log is %q, %v", g.world.Log(), err)
	}
	g.reset(nil)
	if len(g.world.Log()) > 0 {
		t.Errorf("the log is %q", g.world.Log())
	}
	if again := observe(); !bytes.Equal(first, again) {
		t.Errorf("another call sees %x, want %x", again[:100], first[:100])
	}
}

func TestWorld_Print_StopsAtTheCaps(t *testing.T) {
	for _, tt := range []struct{ printed, want string }{
		{"a\nb\nc\nd\n", "a\nb\nc\n"},
		{strings.Repeat("x", 50), strings.Repeat("x", 20)},
		{"one\ntwo", "one\ntwo"},
	} {
		g := newGuest(t, 256)
		if _, err := g.print(1, tt.printed); err != nil || string(g.world.Log()) != tt.want || g.spent != len(tt.printed) {
			t.Errorf("%q: the log is %q, %d bytes spent, %v", tt.printed, g.world.Log(), g.spent, err)
		}
	}
}

func TestProgram_Stdout_EndsTheCallBeyondItsMost(t *testing.T) {
	g := newGuest(t, 256)
	g.world.Program.MaxStdout = 5
	if errno, err := g.print(1, "12345"); errno != 0 || err != nil || string(g.world.Program.Stdout) != "12345" {
		t.Fatal(errno, err, g.world.Program.Stdout)
	}
	if _, err := g.print(1, "6"); !errors.Is(err, wasi.ErrOutput) {
		t.Error(err)
	}
	if len(g.world.Log()) > 0 {
		t.Errorf("standard output went to the log, too: %q", g.world.Log())
	}
}

func TestProgram_Parks_OnceThereIsOutput(t *testing.T) {
	g := newGuest(t, 256)
	g.world.Program = wasi.Program{MaxStdout: 100, Parks: true}
	if errno := g.call("clock_res_get", 0, 16); errno != 0 || g.uint64(16) != 1_000_000 {
		t.Errorf("errno %d, resolution %d", errno, g.uint64(16))
	}
	g.print(1, "ready")
	if _, err := g.try("clock_res_get", 0, 16); !errors.Is(err, wasi.ErrParked) {
		t.Error(err)
	}
}

func TestProgram_Args_HaveZerosBehindThem(t *testing.T) {
	g := newGuest(t, 256)
	g.world.Program.Args = []string{"prog", "", "last"}
	g.call("args_sizes_get", 0, 4)
	g.call("args_get", 16, 64)
	if g.uint32(0) != 3 || g.uint32(4) != 11 || string(g.memory[64:75]) != "prog\x00\x00last\x00" || g.uint32(16) != 64 || g.uint32(20) != 69 || g.uint32(24) != 70 {
		t.Errorf("%d of %d bytes: %q, %v", g.uint32(0), g.uint32(4), g.memory[64:75], g.memory[16:28])
	}
	if most := 2 * (11 + 8*3); g.spent != most {
		t.Errorf("%d bytes are paid, want %d", g.spent, most)
	}
	if errno := g.call("args_get", 16, 250); errno != fault {
		t.Errorf("beyond the memory: errno %d", errno)
	}
}

func TestProgram_Exit_EndsTheCall(t *testing.T) {
	var exit wasi.ExitError
	if _, err := newGuest(t, 0).try("proc_exit", 7); !errors.As(err, &exit) || exit.Code != 7 {
		t.Error(err)
	}
}

func TestPoll_AdvancesTheClock(t *testing.T) {
	g := newGuest(t, 256)
	binary.LittleEndian.PutUint64(g.memory[0:], 99) // the guest's mark; then a clock, relative
	binary.LittleEndian.PutUint64(g.memory[24:], 5_000_000_000)
	if errno := g.call("poll_oneoff", 0, 64, 1, 128); errno != 0 || g.uint32(128) != 1 || g.uint64(64) != 99 {
		t.Errorf("errno %d, %d events, mark %d", errno, g.uint32(128), g.uint64(64))
	}
	g.call("clock_time_get", 0, 0, 136)
	if passed := g.uint64(136) - wasi.ClockCall; passed != 5_001_000_000 {
		t.Errorf("%d ns passed", passed)
	}
	for n, want := range map[uint64]uint32{0: inval, 1_025: inval, 10: fault} {
		if errno := g.call("poll_oneoff", 0, 64, n, 128); errno != want {
			t.Errorf("%d subscriptions: errno %d, want %d", n, errno, want)
		}
	}
}

// A tree holds a file "f" of four bytes in an endless number of copies, and the
// directory "d".
type tree struct{ failure error }

func (t tree) Open(_ context.Context, name string) (*grant.File, error) {
	switch name {
	case "f":
		return grant.NewFile(name, false, 4, t), nil
	case "d", ".":
		return grant.NewFile(name, true, 0, t), nil
	}
	return nil, grant.ErrNotExist
}

func (t tree) ReadAt(b []byte, at int64) (int, error) {
	if t.failure != nil {
		return 0, t.failure
	}
	for k := range b {
		b[k] = "four"[(at+int64(k))%4]
	}
	return len(b), nil
}

func (t tree) Entries() ([]grant.Entry, error) {
	return []grant.Entry{{Name: "d", Dir: true}, {Name: "f"}}, t.failure
}
func (t tree) Close() error { return nil }

// open opens a file relative to a descriptor.
func (g *guest) open(fd uint64, name string, flags uint64) (file, errno uint32) {
	copy(g.memory[40:], name)
	errno = g.call("path_open", fd, 0, 40, uint64(len(name)), flags, 0, 0, 0, 32)
	return g.uint32(32), errno
}

func TestFiles_ExistOnlyIfGranted(t *testing.T) {
	g := newGuest(t, 256)
	if _, errno := g.open(3, "f", 0); errno != badf {
		t.Errorf("nothing is granted: errno %d", errno)
	}
	g.reset(&grant.Access{Tree: tree{}})
	f, errno := g.open(3, "f", 0)
	if errno != 0 || f != 4 {
		t.Fatalf("descriptor %d, errno %d", f, errno)
	}
	for name, want := range map[string]uint32{"none": noent, "/f": acces} {
		if _, errno := g.open(3, name, 0); errno != want {
			t.Errorf("%s: errno %d, want %d", name, errno, want)
		}
	}
	if _, errno := g.open(3, "f", 1); errno != rofs {
		t.Errorf("creating: errno %d", errno)
	}
	g.put(0, 100, 6)
	g.call("fd_read", uint64(f), 0, 1, 16)
	g.put(0, 106, 2)
	g.call("fd_read", uint64(f), 0, 1, 16)
	if string(g.memory[100:108]) != "fourfour" {
		t.Errorf("read %q", g.memory[100:108])
	}
	g.world.Close()
	if errno := g.call("fd_tell", uint64(f), 16); errno != badf {
		t.Errorf("after the call: errno %d", errno)
	}
	if errno := g.call("fd_tell", 0, 16); errno != spipe {
		t.Errorf("standard input: errno %d", errno)
	}
}

func TestFiles_OpenAtOnceAreLimited(t *testing.T) {
	g := newGuest(t, 256)
	g.reset(&grant.Access{Tree: tree{}})
	for n := range uint32(grant.MaxOpen) {
		if f, errno := g.open(3, "f", 0); errno != 0 || f != n+4 {
			t.Fatalf("file %d: descriptor %d, errno %d", n, f, errno)
		}
	}
	if _, errno := g.open(3, "f", 0); errno != mfile {
		t.Errorf("one more: errno %d", errno)
	}
	for _, fd := range []uint64{1_000, 1 << 31, 7} {
		if errno := g.call("fd_close", fd); errno != 0 && fd == 7 || errno != badf && fd != 7 {
			t.Errorf("close %d: errno %d", fd, errno)
		}
	}
	if errno := g.call("fd_close", 7); errno != badf {
		t.Errorf("close 7 again: errno %d", errno)
	}
	if f, errno := g.open(3, "f", 0); errno != 0 || f != 7 || g.call("fd_tell", 7, 16) != 0 || g.uint64(16) != 0 {
		t.Errorf("in the place of 7: descriptor %d, errno %d, offset %d", f, errno, g.uint64(16))
	}
}

func TestFiles_FailureOfTheMachineEndsTheCall(t *testing.T) {
	disk := errors.New("input/output error")
	g := newGuest(t, 256)
	g.reset(&grant.Access{Tree: tree{disk}})
	f, _ := g.open(3, "f", 0)
	g.put(0, 100, 6)
	if _, err := g.try("fd_read", uint64(f), 0, 1, 16); !errors.Is(err, disk) {
		t.Errorf("reading: %v", err)
	}
	if _, err := g.try("fd_readdir", 3, 100, 50, 0, 16); !errors.Is(err, disk) {
		t.Errorf("listing: %v", err)
	}
}

func TestBudget_EndsWhatMovesManyBytes(t *testing.T) {
	const size, most = 32 << 20, 4 << 20
	for name, args := range map[string][]uint64{"random_get": {0, size}, "fd_read": {4, 0, 1, 16}} {
		g := newGuest(t, size)
		g.reset(&grant.Access{Tree: tree{}})
		g.open(3, "f", 0)
		g.put(0, 64, size-64)
		g.spent, g.most = 0, most
		if _, err := g.try(name, args...); !errors.Is(err, g.over) || g.spent > most+2<<20 {
			t.Errorf("%s: %v after %d bytes", name, err, g.spent)
		}
	}
}

// Empty buffers move nothing, but a list of them takes as long as thousands of instructions.
func TestBudget_CountsEmptyBuffers(t *testing.T) {
	for name, args := range map[string][]uint64{"fd_write": {2, 0, 1024, 16}, "fd_read": {4, 0, 1024, 16}, "fd_pread": {4, 0, 1024, 0, 16}} {
		for _, last := range []uint32{0, 1 << 30} { // the last one is empty, or outside of the memory
			g := newGuest(t, 64<<10)
			g.reset(&grant.Access{Tree: tree{}})
			g.open(3, "f", 0)
			g.put(8*1023, last, 0)
			g.spent = 0
			g.call(name, args...)
			if g.spent < 100_000 {
				t.Errorf("%s of 1,024 empty buffers, the last at %d: %d bytes", name, last, g.spent)
			}
			args := slices.Clone(args)
			args[2], g.spent = 2, 0
			if g.call(name, args...); g.spent != 0 {
				t.Errorf("%s of two empty buffers: %d bytes", name, g.spent)
			}
		}
	}
}

// FuzzInvoke calls functions with any arguments: nothing panics, whatever the guest
// passes.
func FuzzInvoke(f *testing.F) {
	functions := wasi.Functions()
	for k := range functions {
		f.Add(uint8(k), uint64(4), uint64(0), uint64(1), uint64(8), uint64(1<<32-1), uint64(16))
	}
	f.Fuzz(func(t *testing.T, which uint8, a, b, c, d, e, h uint64) {
		g := newGuest(t, 4_096)
		g.reset(&grant.Access{Tree: tree{}})
		g.open(3, "f", 0)
		g.open(3, "d", 0)
		g.put(0, 64, 500, 4_000, 96)
		g.world.Peer = &listener{}
		copy(g.memory[64:], "call\n")
		g.try("fd_write", 0, 0, 1, 8) // there is a reply to read
		before := len(g.memory)
		functions[int(which)%len(functions)].Invoke(&g.world, []uint64{a, b, c, d, e, h, a, b, c})
		if len(g.memory) != before || len(g.world.Log()) > 20 {
			t.Errorf("%s: %d bytes of memory, log %q", functions[int(which)%len(functions)].Name, len(g.memory), g.world.Log())
		}
	})
}

// A listener is a peer that answers every request with itself.
type listener struct {
	asked     []string
	restarted []uint64
	left      []string
	err       error
	fuel      uint64 // zero: 7
}

func (l *listener) Ask(request []byte) (wasi.Reply, error) {
	l.asked = append(l.asked, string(request))
	return wasi.Reply{End: wasi.EndAnswer, Payload: []byte("re:" + string(request)), Fuel: cmp.Or(l.fuel, 7)}, l.err
}

func (l *listener) Compute(request []byte) (wasi.Reply, error) {
	l.asked = append(l.asked, "compute:"+string(request))
	return wasi.Reply{End: wasi.EndAnswer, Payload: []byte("found:" + string(request)), Fuel: 9}, l.err
}

func (l *listener) Restart(fuel uint64) error {
	l.restarted = append(l.restarted, fuel)
	return l.err
}

func (l *listener) Leave(answer []byte) error {
	l.left = append(l.left, string(answer))
	return l.err
}

// read reads standard input with buffers of the sizes, one after the other from 128 on.
func (g *guest) read(sizes ...uint32) string {
	g.t.Helper()
	at := uint32(128)
	for k, size := range sizes {
		g.put(8*k, at, size)
		at += size
	}
	if errno := g.call("fd_read", 0, 0, uint64(len(sizes)), 120); errno != 0 {
		g.t.Fatalf("errno %d", errno)
	}
	return string(g.memory[128 : 128+g.uint32(120)])
}

func TestPeer_RepliesAreReadInPieces(t *testing.T) {
	g := newGuest(t, 1_024)
	l := &listener{}
	g.world.Peer = l
	g.world.Program.Stdin = []byte("request")
	if errno, err := g.print(0, "call\nhello"); errno != 0 || err != nil || g.uint32(8) != 10 || l.asked[0] != "hello" {
		t.Fatal(errno, err, l.asked)
	}
	if got := g.read(5, 3) + g.read(100) + g.read(2) + g.read(100) + g.read(1); got != "answer 7 8\nre:hello"+"request" {
		t.Errorf("read %q", got)
	}
	if g.spent < 2*len("re:hello")+len("call\nhello") {
		t.Errorf("%d bytes spent", g.spent)
	}
	g.print(0, "call\nfirst")
	g.read(3)
	g.print(0, "call\nsecond")
	if got := g.read(100); got != "answer 7 9\nre:second" {
		t.Errorf("after a reply that was not read: %q", got)
	}
	g.print(0, "call\nthird")
	g.print(0, "restart")
	if got := g.read(100); got != "" {
		t.Errorf("after a restart: %q", got)
	}
	g.print(0, "call\nfourth")
	g.reset(nil)
	if got := g.read(100); got != "" || g.world.Peer != nil {
		t.Errorf("in the next call: %q", got)
	}
}

func TestPeer_TakesNoOtherOperations(t *testing.T) {
	g := newGuest(t, 4_096)
	l := &listener{}
	g.world.Peer = l
	for _, m := range []string{"", "call", "Call\n", "call \n", "call marshal", "call  marshal\n", "call marshal marshal\n", "restart marshal\n", " marshal\n", "restart ", "restart 0", "restart -1", "restart +1", "restart 1\n", "leave", "leave marshal\n", "restart 1 ", "restarts", "restart 18446744073709551616", "restart " + strings.Repeat("1", 900)} {
		if errno, err := g.print(0, m); errno != inval || err != nil {
			t.Errorf("%q: errno %d, %v", m, errno, err)
		}
	}
	g.put(0, 200, 5, 300, 1, 400, 0)
	copy(g.memory[200:], "call\n")
	for n, want := range map[uint64]uint32{1: 0, 2: inval, 1_025: inval} { // in two buffers
		if errno := g.call("fd_write", 0, 0, n, 500); errno != want {
			t.Errorf("%d buffers: errno %d, want %d", n, errno, want)
		}
	}
	g.put(0, 400, 0, 200, 5, 400, 0)
	if errno := g.call("fd_write", 0, 0, 3, 500); errno != 0 {
		t.Errorf("empty buffers around it: errno %d", errno)
	}
	g.put(0, 4_000, 200)
	if errno := g.call("fd_write", 0, 0, 1, 500); errno != fault {
		t.Errorf("beyond the memory: errno %d", errno)
	}
	if len(l.asked) != 2 || len(l.restarted) != 0 {
		t.Errorf("asked %q, restarted %v", l.asked, l.restarted)
	}
	for text, want := range map[string]uint64{"restart": 0, "restart 1": 1, "restart 18446744073709551615": 1<<64 - 1} {
		l.restarted = nil
		if errno, err := g.print(0, text); errno != 0 || err != nil || len(l.restarted) != 1 || l.restarted[0] != want {
			t.Errorf("%s: errno %d, %v, %v", text, errno, err, l.restarted)
		}
	}
}

func TestPeer_LeavesAnAnswer(t *testing.T) {
	g := newGuest(t, 1_024)
	l := &listener{}
	g.world.Peer = l
	for _, m := range []string{"leave\n{}\n", "leave\n"} {
		if errno, err := g.print(0, m); errno != 0 || err != nil {
			t.Errorf("%q: errno %d, %v", m, errno, err)
		}
	}
	if got := g.read(100); got != "" || !slices.Equal(l.left, []string{"{}\n", ""}) {
		t.Errorf("left %q, and a reply %q", l.left, got)
	}
}

func TestPeer_ComputesWhatIsAsked(t *testing.T) {
	g := newGuest(t, 1_024)
	l := &listener{}
	g.world.Peer = l
	if errno, err := g.print(0, "compute\nx\ncall\n"); errno != 0 || err != nil {
		t.Fatalf("errno %d, %v", errno, err)
	}
	if got, want := g.read(100), "answer 9 13\nfound:x\ncall\n"; got != want || len(l.asked) != 1 {
		t.Errorf("%q, want %q; asked %q", got, want, l.asked)
	}
}

// TestPeer_RepliesInPythonsForm has the bytes that marshal.dumps(("answer", fuel, b"re:x")) writes, but for references.
func TestPeer_RepliesInPythonsForm(t *testing.T) {
	for fuel, number := range map[uint64]string{
		7: "l\x01\x00\x00\x00\x07\x00", 20_000_000_000: "l\x03\x00\x00\x00\x00H/P\x12\x00",
		math.MaxUint64: "l\x05\x00\x00\x00\xff\x7f\xff\x7f\xff\x7f\xff\x7f\x0f\x00",
	} {
		g := newGuest(t, 1_024)
		g.world.Peer = &listener{fuel: fuel}
		if errno, err := g.print(0, "call marshal\nx"); errno != 0 || err != nil {
			t.Fatalf("errno %d, %v", errno, err)
		}
		if got, want := g.read(100), ")\x03Z\x06answer"+number+"s\x04\x00\x00\x00re:x"; got != want {
			t.Errorf("fuel %d: %q, want %q", fuel, got, want)
		}
	}
}

func TestPeer_FailureOfTheHostEndsTheCall(t *testing.T) {
	g := newGuest(t, 1_024)
	lost := errors.New("lost")
	g.world.Peer = &listener{err: lost}
	for _, text := range []string{"call\n", "compute\n", "restart"} {
		if _, err := g.print(0, text); !errors.Is(err, lost) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got := g.read(100); got != "" {
		t.Errorf("a reply is left: %q", got)
	}
	g.world.Peer = nil
	if errno, err := g.print(0, "call\nx"); errno != badf || err != nil {
		t.Errorf("without a peer: errno %d, %v", errno, err)
	}
}

// TestPeer_MakesStandardInputNoTerminal as C libraries buffer a terminal by lines.
func TestPeer_MakesStandardInputNoTerminal(t *testing.T) {
	g := newGuest(t, 256)
	for kind, peer := range map[byte]wasi.Peer{2: nil, 6: &listener{}} {
		g.world.Peer = peer
		if errno := g.call("fd_fdstat_get", 0, 64); errno != 0 || g.memory[64] != kind {
			t.Errorf("errno %d, type %d, want %d", errno, g.memory[64], kind)
		}
	}
}
