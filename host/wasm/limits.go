package wasm

import (
	"cmp"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// Limits bound one module. A zero field means its default.
type Limits struct {
	// Fuel of one call, and of starting an instance; units of the meter's cost
	// table. Default 2,000,000,000: about a second.
	Fuel uint64

	// PeerFuel is for the peers of one call together, beside Fuel: those of scripts that
	// have them. Default 20,000,000,000.
	PeerFuel uint64

	// Deadline of one call on the wall clock. It is checked between slices of fuel, and
	// counts from the first check, after less than a millisecond. Default 10 s.
	Deadline time.Duration

	// Compile is how long compilation may take. Default 60 s.
	Compile time.Duration

	// MemoryPages is the most memory of an instance, in pages of 64 KiB.
	// Default 1,024.
	MemoryPages uint32

	InputBytes  int // of a request; default 4 MiB
	OutputBytes int // of an answer; default 1 MiB
	LogBytes    int // of output that is kept per call; default 16 KiB
	LogLines    int // of that, at most; default 200

	// Depth of nested calls of recursive functions. A function with more than 32
	// parameters and locals counts more. Default 10,000. The interpreter stops at 2,000
	// nested calls of any kind.
	Depth int32

	// Module bounds the module itself. Its MemoryPages default to those above.
	Module binary.Limits
}

// WithDefaults returns the limits with every zero field replaced by its default.
func (l Limits) WithDefaults() Limits {
	l.Fuel = cmp.Or(l.Fuel, 2_000_000_000)
	l.PeerFuel = cmp.Or(l.PeerFuel, 20_000_000_000)
	l.Deadline = cmp.Or(l.Deadline, 10*time.Second)
	l.Compile = cmp.Or(l.Compile, 60*time.Second)
	l.MemoryPages = cmp.Or(l.MemoryPages, 1_024)
	l.InputBytes = cmp.Or(l.InputBytes, 4<<20)
	l.OutputBytes = cmp.Or(l.OutputBytes, 1<<20)
	l.LogBytes = cmp.Or(l.LogBytes, 16<<10)
	l.LogLines = cmp.Or(l.LogLines, 200)
	l.Depth = cmp.Or(l.Depth, meter.DefaultDepth)
	l.Module.MemoryPages = cmp.Or(l.Module.MemoryPages, uint64(l.MemoryPages))
	l.Module = l.Module.WithDefaults()
	return l
}

// HostBytes returns the memory of the host that a plugin of the Extism ABI may use during a call:
// the request lies in it.
func (l *Limits) HostBytes() int { return min(max(16<<20, 4*l.InputBytes), 1<<30) }

// maxPages is the address space of 32 bits.
const maxPages = 1 << 16

// check refuses invalid limits.
func (l Limits) check() error {
	for _, f := range []struct {
		name  string
		value int64
	}{
		{"Deadline", int64(l.Deadline)}, {"Compile", int64(l.Compile)}, {"Depth", int64(l.Depth)},
		{"InputBytes", int64(l.InputBytes)}, {"OutputBytes", int64(l.OutputBytes)}, {"LogBytes", int64(l.LogBytes)}, {"LogLines", int64(l.LogLines)},
	} {
		if f.value < 0 {
			return fault.New(fault.Invalid, "the limit %s is %d: it cannot be negative", f.name, f.value)
		}
	}
	if l.MemoryPages > maxPages {
		return fault.New(fault.Invalid, "the limit MemoryPages is %d: %d pages are 4 GiB, all that a module can address", l.MemoryPages, maxPages)
	}
	return nil
}

// Usage is the resource usage of a call.
type Usage struct {
	Fuel            uint64 // units of the meter's cost table; the same for the same request
	PeerFuel        uint64 // of its peers together; zero: it asked none
	PeakMemoryBytes uint64 // of the largest memory of a guest

	// Guest is the time in the guest and its host functions. Zero unless the runtime is
	// Timed.
	Guest time.Duration
	Log   []byte // output of the guest, cut to Limits.LogBytes and LogLines; untrusted text. Nil if empty
}
