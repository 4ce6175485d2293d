package plugin

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
	sandbox "github.com/rubric-host/rubric-host/host/wasm"
)

// Limits are the resources that one call of a plugin needs, by its manifest: more than the
// default or less. A zero field is the default of package wasm. Limits that the
// user sets win.
type Limits struct {
	Fuel     uint64        // units of the meter, at most MostFuel
	PeerFuel uint64        // of the peers of a call together, at most MostPeerFuel
	Memory   uint64        // bytes, whole pages of 64 KiB, at most MostMemory
	Input    uint64        // bytes of a request, whole pages of 64 KiB, at most MostInput
	Deadline time.Duration // on the wall clock, at most MostDeadline
}

// Upper bounds on the limits of a manifest. A user may allow more.
const (
	MostFuel     = 20_000_000_000
	MostPeerFuel = 100_000_000_000
	MostMemory   = 256 << 20
	MostInput    = 64 << 20
	MostDeadline = time.Minute
)

const pageBytes = 64 << 10

// Apply returns the limits of a user with those of the manifest where the user
// sets none.
func (l Limits) Apply(user sandbox.Limits) sandbox.Limits {
	user.Fuel = cmp.Or(user.Fuel, l.Fuel)
	user.PeerFuel = cmp.Or(user.PeerFuel, l.PeerFuel)
	user.MemoryPages = cmp.Or(user.MemoryPages, uint32(l.Memory/pageBytes))
	user.InputBytes = cmp.Or(user.InputBytes, int(l.Input))
	user.Deadline = cmp.Or(user.Deadline, l.Deadline)
	return user
}

// String returns the limits as a manifest writes them; empty: none.
func (l Limits) String() string {
	var out []string
	if l.Fuel > 0 {
		out = append(out, "fuel "+strconv.FormatUint(l.Fuel, 10))
	}
	if l.PeerFuel > 0 {
		out = append(out, "peer_fuel "+strconv.FormatUint(l.PeerFuel, 10))
	}
	for _, b := range []struct {
		key   string
		bytes uint64
	}{{"memory", l.Memory}, {"input", l.Input}} {
		switch {
		case b.bytes == 0:
		case b.bytes%(1<<20) == 0:
			out = append(out, fmt.Sprintf("%s %dMiB", b.key, b.bytes>>20))
		default:
			out = append(out, fmt.Sprintf("%s %dKiB", b.key, b.bytes>>10))
		}
	}
	if l.Deadline > 0 {
		out = append(out, "deadline "+l.Deadline.String())
	}
	return strings.Join(out, ", ")
}

func (p *parser) limits(o *strict.Object, into *Limits) {
	n, at := o.Raw(strict.May, "limits")
	l := p.Object(n, at, "limits")
	if l == nil {
		return
	}
	into.Fuel = p.fuel(l, "fuel", MostFuel, fault.OptionFuel)
	into.PeerFuel = p.fuel(l, "peer_fuel", MostPeerFuel, fault.OptionPeerFuel)
	into.Memory = p.bytes(l, "memory", MostMemory, "; the user may allow more with "+fault.OptionMemory)
	into.Input = p.bytes(l, "input", MostInput, "")
	p.text(l, strict.May, "deadline", "limit", "use a unit, such as 30s; the user may allow more with "+fault.OptionDeadline, "in the range 1ms to "+MostDeadline.String(), func(s string) bool {
		var err error
		into.Deadline, err = time.ParseDuration(s)
		return err == nil && into.Deadline >= time.Millisecond && into.Deadline <= MostDeadline
	})
	l.Close()
}

func (p *parser) fuel(l *strict.Object, key string, most uint64, option string) uint64 {
	x, ok := l.Number(strict.May, key)
	if !ok {
		return 0
	}
	if !(x >= 1 && x <= float64(most) && x == float64(uint64(x))) {
		n := l.Node.Get(key)
		p.Fail(n.At, l.Sub(key), "limit", "the user may allow more with "+option, "%s is a whole number from 1 to %d, not %s", l.Sub(key), most, fault.Clip(n.Value, 60))
	}
	return uint64(x)
}

// bytes reads a number of bytes in whole pages, at most so many.
func (p *parser) bytes(l *strict.Object, key string, most uint64, hint string) (n uint64) {
	p.text(l, strict.May, key, "limit", "write a multiple of 64KiB, such as 32MiB"+hint, fmt.Sprintf("in the range 64KiB to %dMiB", most>>20), func(s string) (ok bool) {
		n, ok = bytesOf(s)
		return ok && n >= pageBytes && n <= most && n%pageBytes == 0
	})
	return n
}

func bytesOf(text string) (uint64, bool) {
	digits, mega := strings.CutSuffix(text, "MiB")
	digits, kilo := strings.CutSuffix(digits, "KiB")
	n, err := strconv.ParseUint(digits, 10, 64)
	if n <<= 10; mega {
		n <<= 10
	}
	return n, err == nil && mega != kilo && len(digits) <= 9
}
