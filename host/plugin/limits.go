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
	Deadline time.Duration // on the wall clock, at most MostDeadline
}

// Upper bounds on the limits of a manifest. A user may allow more.
const (
	MostFuel     = 20_000_000_000
	MostPeerFuel = 100_000_000_000
	MostMemory   = 256 << 20
	MostDeadline = time.Minute
)

const pageBytes = 64 << 10

// Apply returns the limits of a user with those of the manifest where the user
// sets none.
func (l Limits) Apply(user sandbox.Limits) sandbox.Limits {
	user.Fuel = cmp.Or(user.Fuel, l.Fuel)
	user.PeerFuel = cmp.Or(user.PeerFuel, l.PeerFuel)
	user.MemoryPages = cmp.Or(user.MemoryPages, uint32(l.Memory/pageBytes))
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
	if l.Memory > 0 {
		unit, name := uint64(1<<10), "KiB"
		if l.Memory%(1<<20) == 0 {
			unit, name = 1<<20, "MiB"
		}
		out = append(out, fmt.Sprintf("memory %d%s", l.Memory/unit, name))
	}
	if l.Deadline > 0 {
		out = append(out, "deadline "+l.Deadline.String())
	}
	return strings.Join(out, ", ")
}

// limits reads the key limits.
func (p *parser) limits(o *strict.Object, into *Limits) {
	n, at := o.Raw(strict.May, "limits")
	l := p.Object(n, at, "limits")
	if l == nil {
		return
	}
	into.Fuel = p.fuel(l, "fuel", MostFuel, fault.OptionFuel)
	into.PeerFuel = p.fuel(l, "peer_fuel", MostPeerFuel, fault.OptionPeerFuel)
	p.text(l, strict.May, "memory", "limit", "write a multiple of 64KiB, such as 128MiB; the user may allow more with "+fault.OptionMemory, fmt.Sprintf("in the range 64KiB to %dMiB", MostMemory>>20), func(s string) (ok bool) {
		into.Memory, ok = memoryOf(s)
		return ok && into.Memory >= pageBytes && into.Memory <= MostMemory && into.Memory%pageBytes == 0
	})
	p.text(l, strict.May, "deadline", "limit", "use a unit, such as 30s; the user may allow more with "+fault.OptionDeadline, "in the range 1ms to "+MostDeadline.String(), func(s string) bool {
		var err error
		into.Deadline, err = time.ParseDuration(s)
		return err == nil && into.Deadline >= time.Millisecond && into.Deadline <= MostDeadline
	})
	l.Close()
}

// fuel reads a number of fuel, at most so much.
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

var memoryPattern = lazily(`^([0-9]{1,9})(KiB|MiB)$`)

// memoryOf reads a number of bytes with its unit.
func memoryOf(text string) (uint64, bool) {
	m := memoryPattern().FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseUint(m[1], 10, 64)
	return n * map[string]uint64{"KiB": 1 << 10, "MiB": 1 << 20}[m[2]], err == nil
}
