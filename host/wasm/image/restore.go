package image

import "bytes"

const (
	block = 4 << 10 // what memories are compared and copied by

	// small is the size up to which comparing everything costs less than
	// asking the kernel.
	small = 64 << 10

	// mostCompared is the size up to which comparing everything costs less than
	// the page faults after everything was dropped.
	mostCompared = 1 << 20

	// wasteful is how many times more a page fault costs than looking at a page
	// for nothing.
	wasteful = 16
)

// Restore makes a memory what the image is. It reports false if it cannot: the
// memory has grown, and whoever uses it cannot be told that it is smaller now.
// Free it then.
func (im *Image) Restore(m *Memory) bool {
	if m.im != im || len(m.b) != len(im.b) {
		return false
	}
	m.restore()
	return true
}

// restore makes what is accessible the same as the image.
func (a *area) restore() {
	a.starved = false
	switch {
	case !a.attached || len(a.b) <= small:
	case a.sys.find != nil:
		if a.written() == nil {
			a.putBackSpans()
			return
		}
	case len(a.b) > mostCompared:
		if a.drop() == nil {
			return
		}
	}
	putBack(a.b, a.im.b)
}

// written finds the pages that are no longer those of the image: a.spans. Their
// bytes may be the same.
func (a *area) written() error {
	a.spans = a.spans[:0]
	return a.sys.find(a)
}

// putBackSpans puts back the pages that are the area's own, which stay its own:
// the next call most likely writes to them again. Pages that are looked at for
// nothing too often are dropped, with all others.
func (a *area) putBackSpans() {
	own, changed := 0, 0
	for _, s := range a.spans {
		own += (s.to - s.from) / block
		changed += putBack(a.b[s.from:s.to], a.im.b[s.from:s.to])
	}
	if a.waste += own - changed; a.waste > wasteful*own && a.drop() == nil {
		a.waste = 0
	}
}

// drop forgets all that was written to an attached area.
func (a *area) drop() error {
	if a.sys.advise {
		return advise(a.b)
	}
	return a.attach()
}

// putBack makes now what was is, and returns how many blocks differed.
func putBack(now, was []byte) (changed int) {
	for at := 0; at < len(now); at += block {
		n, w := now[at:at+block], was[at:at+block]
		if !bytes.Equal(n, w) {
			copy(n, w)
			changed++
		}
	}
	return changed
}

// shrink takes back what the memory grew by since the image was taken.
func (a *area) shrink() bool {
	size := len(a.im.b)
	if a.space != nil && len(a.b) > size && unprotect(a.space[size:len(a.b)]) != nil {
		return false
	}
	a.b = a.b[:size:size]
	return true
}
