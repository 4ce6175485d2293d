package wasi

import (
	crypto "crypto/rand"
	"encoding/binary"
	"time"
)

const (
	clockTick = 1_000_000 // nanoseconds that pass each time the guest reads its clock
	clocks    = 4         // realtime, monotonic, process, thread

	maxSubscriptions = 1_024 // events in one poll_oneoff
)

// now returns the time that the guest sees: its own, or if granted, the real one.
func (w *World) now() uint64 {
	if w.access != nil && w.access.Clock {
		return uint64(time.Now().UnixNano())
	}
	w.clock += clockTick
	return w.clock
}

func clockResolution(w *World, args []uint64) error {
	if w.Program.Parks && len(w.Program.Stdout) > 0 {
		return ErrParked
	}
	if uint32(args[0]) >= clocks {
		return errInval
	}
	return w.memory().writeUint64(uint32(args[1]), clockTick)
}

func clockTime(w *World, args []uint64) error {
	if uint32(args[0]) >= clocks {
		return errInval
	}
	return w.memory().writeUint64(uint32(args[2]), w.now())
}

// pollOneoff reports that all events have happened. A sleep returns at once and
// advances the clock.
func pollOneoff(w *World, args []uint64) error {
	in, out, n := uint32(args[0]), uint32(args[1]), uint32(args[2])
	if n == 0 || n > maxSubscriptions {
		return errInval
	}
	w.Budget.Spend(int(n) * 48)
	mem := w.memory()
	for k := range n {
		s, err := mem.read(in+48*k, 48)
		if err != nil {
			return err
		}
		var event [32]byte
		copy(event[:8], s[:8]) // the guest's own mark
		event[10] = s[8]       // the kind of event
		if s[8] == 0 {         // a clock
			w.sleep(binary.LittleEndian.Uint64(s[24:]), binary.LittleEndian.Uint16(s[40:])&1 != 0)
		}
		if err := mem.write(out+32*k, event[:]); err != nil {
			return err
		}
	}
	return mem.writeUint32(uint32(args[3]), n)
}

// sleep advances the clock by a time, or to one if absolute.
func (w *World) sleep(nanoseconds uint64, absolute bool) {
	const century = 100 * 365 * 24 * 3_600_000_000_000
	if absolute {
		w.clock = min(max(w.clock, nanoseconds), ClockStart+century)
	} else {
		w.clock = min(w.clock+min(nanoseconds, century), ClockStart+century)
	}
}

func randomGet(w *World, args []uint64) error {
	b, err := w.memory().read(uint32(args[0]), uint32(args[1]))
	if err != nil {
		return err
	}
	for ; len(b) > stride; b = b[stride:] {
		w.Budget.Spend(stride)
		w.fillRandom(b[:stride])
		if err := w.Budget.Checkpoint(); err != nil {
			return err
		}
	}
	w.Budget.Spend(len(b))
	w.fillRandom(b)
	return nil
}

// fillRandom fills b with random bytes: the call's own, or if granted, real ones.
func (w *World) fillRandom(b []byte) {
	if w.access != nil && w.access.Random {
		_, _ = crypto.Read(b) // it never fails
		return
	}
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, w.random.Uint64())
		b = b[8:]
	}
	if len(b) > 0 {
		var last [8]byte
		binary.LittleEndian.PutUint64(last[:], w.random.Uint64())
		copy(b, last[:])
	}
}
