package meter

import "cmp"

// A Budget is the host's side of metering: it hands out fuel in slices and knows how much
// was used. The zero value has no fuel. It is not safe for concurrent use.
type Budget struct {
	Limit uint64 // of the call
	Slice uint64 // handed out at a time; zero means defaultSlice

	handedOut uint64
}

// defaultSlice is some 30 microseconds of work, or 15 to 50 milliseconds of a guest whose every
// instruction waits for memory. Meanwhile Go's collector waits.
const defaultSlice = 1 << 16

// Start begins a new count and returns the first value of the fuel global.
func (b *Budget) Start(limit uint64) int64 {
	b.Limit, b.handedOut = limit, 0
	return b.slice()
}

// Refill takes the fuel that the guest has left, below zero, and returns its fuel after the
// refill. It reports false if the limit is used up: the call must end.
func (b *Budget) Refill(left int64) (int64, bool) {
	for left < 0 {
		more := b.slice()
		if more == 0 {
			return left, false
		}
		left += more
	}
	return left, true
}

// slice hands out the next slice; 0: the limit is reached.
func (b *Budget) slice() int64 {
	size := cmp.Or(b.Slice, defaultSlice)
	size = min(size, b.Limit-b.handedOut, 1<<62)
	b.handedOut += size
	return int64(size)
}

// Used returns the fuel used, from the fuel left. If the limit ended the call, it exceeds the
// limit by the last charge.
func (b *Budget) Used(left int64) uint64 { return b.handedOut - uint64(left) }
