package extism

import (
	"cmp"
	"encoding/binary"

	"github.com/rubric-host/rubric-host/host/fault"
)

// Limits bound the memory of one call in its host. A zero field means its
// default.
type Limits struct {
	Bytes    int // of all blocks with the gaps between them; default 16 MiB
	Blocks   int // that live at once; default 4,096
	VarBytes int // of all variables, with their names; default 1 MiB
}

// WithDefaults returns the limits with every zero field replaced by its default.
func (l Limits) WithDefaults() Limits {
	l.Bytes = cmp.Or(l.Bytes, 16<<20)
	l.Blocks = cmp.Or(l.Blocks, 4_096)
	l.VarBytes = cmp.Or(l.VarBytes, 1<<20)
	return l
}

// A Kernel is the state of one call. Begin resets it. One goroutine uses it at a
// time.
//
// Addresses are numbers from 64 that fit into 32 bits. An error ends the call:
// it has class fault.Memory if a limit was reached, fault.Output if an answer
// cannot be, else fault.Protocol.
type Kernel struct {
	// Work counts the bytes that were moved or cleared, and eight for each block that was
	// visited. The caller charges for it and sets it to zero.
	Work int

	limits  Limits
	log     Log
	request []byte // between Begin and End

	arena  []byte  // memory from address base on
	blocks []block // by address
	live   int     // how many of them are

	input  int   // bytes; the first block
	output place // zero: none was set
	failed uint64
	vars   Vars
	held   int // bytes of vars, as they count
}

// A place is a range of addresses that a plugin named.
type place struct{ at, size uint64 }

const maxKept = 1 << 20 // bytes that are kept for the next call

// A Log keeps the output of plugins.
type Log interface{ Print(text []byte) }

// New returns a kernel.
func New(l Limits, log Log) *Kernel {
	return &Kernel{limits: l.WithDefaults(), log: log}
}

// End ends a call. The output and the error of the plugin stay until the next one begins.
func (k *Kernel) End() { k.request = nil }

// Begin starts a call with an input and variables. It keeps the input until End. An error
// has class fault.Memory: the input does not fit.
func (k *Kernel) Begin(input []byte, vars Vars) error {
	if cap(k.arena) > maxKept {
		k.arena = nil
	}
	k.arena, k.blocks, k.live = k.arena[:0], k.blocks[:0], 0
	k.input, k.output, k.failed, k.Work = len(input), place{}, 0, 0
	if k.held = 0; len(k.vars) > maxVars {
		k.vars = nil
	}
	clear(k.vars)
	for name, value := range vars {
		k.put(name, value)
	}
	if len(input) > 0 {
		if _, err := k.Place(input); err != nil {
			return err
		}
	}
	k.request = input
	return nil
}

// Text returns the contents of the block at an address, valid until a block is made.
// Address 0 has none.
func (k *Kernel) Text(at uint64, what string) ([]byte, error) {
	if at == 0 {
		return nil, nil
	}
	b := k.handle(at)
	if b == nil {
		return nil, fault.New(fault.Protocol, "the plugin gives %s at %d, where no block of the host's memory begins", what, at)
	}
	k.Work += int(b.size)
	return k.bytes(at, int(b.size)), nil
}

// InputAt returns the address of the input, 0 if it is empty or was freed.
func (k *Kernel) InputAt() uint64 {
	if k.input == 0 {
		return 0
	}
	return base
}

// InputLength returns the bytes of the input.
func (k *Kernel) InputLength() uint64 { return uint64(k.input) }

// Input8 returns a byte of the input, 0 behind its end.
func (k *Kernel) Input8(offset uint64) uint64 {
	if offset >= uint64(k.input) {
		return 0
	}
	return uint64(k.arena[offset])
}

// Input64 returns eight bytes of the input, the lowest first; 0 if the last of
// them lies behind its end.
func (k *Kernel) Input64(offset uint64) uint64 {
	if n := uint64(k.input); n < 8 || offset > n-8 {
		return 0
	}
	return binary.LittleEndian.Uint64(k.arena[offset:])
}

// SetOutput says where the answer lies; it is read when the call has ended.
func (k *Kernel) SetOutput(at, size uint64) error {
	if size == 0 {
		k.output = place{}
		return nil
	}
	k.output = place{at, size}
	_, err := k.Output()
	return err
}

// Output returns the answer, until the next call begins. It is empty if the
// plugin has set none.
func (k *Kernel) Output() ([]byte, error) {
	if k.output.size == 0 {
		return nil, nil
	}
	b, ok := k.inside(k.output.at, k.output.size)
	if !ok {
		return nil, fault.New(fault.Output, "the answer, %d bytes at %d, is in no block of the host's memory", k.output.size, k.output.at)
	}
	return b, nil
}

// SetError says where the text of an error lies; 0: there is none. It is read
// when the call has ended.
func (k *Kernel) SetError(at uint64) error {
	if at != 0 && k.handle(at) == nil {
		return fault.New(fault.Protocol, "the plugin gives an error at %d, where no block of the host's memory begins", at)
	}
	k.failed = at
	return nil
}

// ErrorAt returns the address of the error that is set, 0 if there is none.
func (k *Kernel) ErrorAt() uint64 { return k.failed }

// Failed returns the text of the error that the plugin has set, and whether it
// has set one. The text is nil if the plugin has freed it since.
func (k *Kernel) Failed() ([]byte, bool) {
	if k.failed == 0 {
		return nil, false
	}
	b := k.handle(k.failed)
	if b == nil {
		return nil, true
	}
	return k.bytes(k.failed, int(b.size)), true
}
