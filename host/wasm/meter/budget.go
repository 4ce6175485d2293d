package meter

// A Budget is the host's side of the count: it hands out fuel in slices and
// knows how much was used. The zero value has none. It is not safe for
// concurrent use.
type Budget struct {
	Limit uint64 // all that may be used
	Slice uint64 // what is handed out at a time; zero means DefaultSlice

	given uint64
}

// DefaultSlice is the fuel handed out at a time: less than a millisecond of
// work.
const DefaultSlice = 1_000_000

// Start begins a new count and returns what to put into the fuel global.
func (b *Budget) Start(limit uint64) int64 {
	b.Limit, b.given = limit, 0
	return b.slice()
}

// Refill takes what the guest has left, below zero, and returns what it has
// then. It reports false if more was used than the limit: the call must end.
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

// slice hands out the next slice, 0 if there is none.
func (b *Budget) slice() int64 {
	size := b.Slice
	if size == 0 {
		size = DefaultSlice
	}
	size = min(size, b.Limit-b.given, 1<<62)
	b.given += size
	return int64(size)
}

// Used returns how much was used, given what is left. It is above the limit by
// the last charge if the limit ended the call.
func (b *Budget) Used(left int64) uint64 { return b.given - uint64(left) }
