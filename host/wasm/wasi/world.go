package wasi

import (
	"bytes"
	"context"
	"math/rand/v2"

	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// Times that guests see, in nanoseconds since 1970.
const (
	ClockStart = 1_640_995_200_000_000_000      // 2022-01-01: an instance starts
	ClockCall  = ClockStart + 3_600_000_000_000 // an hour later: a call begins
)

// A Memory is the memory of a guest.
type Memory interface {
	// Bytes returns the whole memory. The guest may grow it between calls.
	Bytes() []byte
}

// A Budget bounds the current call.
type Budget interface {
	// Spend charges fuel for bytes that a function moved.
	Spend(bytes int)

	// Checkpoint returns an error if fuel or time is used up, or the caller has
	// cancelled. Functions that move many bytes call it every stride.
	Checkpoint() error

	// Context is the caller's. Files are opened under it.
	Context() context.Context
}

// stride is the number of bytes that a function moves between two checkpoints; a
// multiple of eight.
const stride = 1 << 20

// A World is everything that a guest observes beside its own memory. Reset clears it.
// One goroutine uses it at a time.
type World struct {
	Memory  Memory
	Budget  Budget
	Program Program
	Peer    Peer // nil: the guest has none

	access *grant.Access // nil: nothing is granted
	clock  uint64        // nanoseconds since 1970
	random rand.PCG
	files  files
	mail   mailbox

	log                []byte
	logBytes, logLines int // that the log may still take
}

// A Program is the surroundings of a guest that runs as a program.
type Program struct {
	Args  []string // without zero bytes
	Stdin []byte   // not yet read

	// Stdout collects standard output, up to MaxStdout bytes. If MaxStdout is zero,
	// standard output goes to the log.
	Stdout    []byte
	MaxStdout int

	// Parks lets the driver of an interpreter stop in the middle of a call, which never
	// returns: once there is standard output, asking for the resolution of a clock ends
	// the run with ErrParked.
	Parks bool
}

// Reset starts a world at a time, with grants: nil is none. Its log takes so many
// bytes and lines. It has no peer. Memory and Budget stay.
func (w *World) Reset(clock uint64, access *grant.Access, logBytes, logLines int) {
	w.access, w.clock, w.Program, w.Peer = access, clock, Program{}, nil
	w.mail.clear()
	w.random.Seed(clock, 0)
	w.log, w.logBytes, w.logLines = w.log[:0], logBytes, logLines
}

// Close closes the files that the guest has open, and forgets its peer.
func (w *World) Close() {
	w.files.close()
	w.mail.clear()
	w.Peer = nil
}

// Log returns the guest's output, up to the caps. It is valid until Reset.
func (w *World) Log() []byte { return w.log }

// Print appends to the log, up to its caps.
func (w *World) Print(b []byte) {
	b = b[:min(len(b), w.logBytes)]
	for len(b) > 0 && w.logLines > 0 {
		n := bytes.IndexByte(b, '\n') + 1
		if n > 0 {
			w.logLines--
		} else {
			n = len(b)
		}
		w.log, w.logBytes, b = append(w.log, b[:n]...), w.logBytes-n, b[n:]
	}
}

func (w *World) memory() memory { return w.Memory.Bytes() }
