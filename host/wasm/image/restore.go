package image

import (
	"bytes"
	"math"
)

const (
	block = 4 << 10 // what memories are compared and copied by

	// small is the size up to which comparing everything costs less than
	// asking the kernel which pages were written to after every call.
	small = 64 << 10

	// mostCompared is the size up to which comparing everything costs less than
	// the page faults after everything was dropped.
	mostCompared = 1 << 20

	// looked is how many pages are looked at before those that were not written to
	// all that time are dropped: a few milliseconds.
	looked = 32 << 10
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
	unfaulted := a.unwatch()
	switch {
	case !a.attached || len(a.b) <= small && a.sys.faults == nil:
	case a.sys.find != nil:
		if unfaulted || a.written() == nil {
			a.putBackSpans()
			return
		}
	case len(a.b) > mostCompared:
		if a.drop(span{0, len(a.b)}) == nil {
			return
		}
	}
	putBack(a.b, a.im.b)
}

// written finds the pages that are no longer those of the image: a.spans. Their
// bytes may be the same.
func (a *area) written() error {
	a.spans, a.known = a.spans[:0], false
	return a.sys.find(a)
}

// putBackSpans puts back the pages that are the area's own, which stay its own:
// the next call most likely writes to them again. Those that no call wrote to for
// long are dropped, and no others: to fault a page in again costs as much as
// looking at it twenty times, and more when other processors have to be told.
func (a *area) putBackSpans() {
	page := a.sys.page
	if a.looks == nil {
		a.looks = make([]uint8, (len(a.im.b)+page-1)/page)
	}
	own := 0
	for _, s := range a.spans {
		own += (s.to - s.from) / page
	}
	cold := uint8(min(looked/max(own, 1)+1, math.MaxUint8))
	a.cold = a.cold[:0]
	for _, s := range a.spans {
		for at := s.from; at < s.to; at += page {
			looks := &a.looks[at/page]
			if putBack(a.b[at:at+page], a.im.b[at:at+page]) > 0 {
				*looks = 0
			} else if *looks++; *looks >= cold {
				*looks = 0
				a.cold = extend(a.cold, at, at+page)
			}
		}
	}
	a.known = len(a.cold) == 0
	for _, s := range a.cold {
		if a.drop(s) != nil {
			return // they hold what they should, and are looked at further on
		}
	}
}

// drop forgets what was written to a part of an attached area.
func (a *area) drop(s span) error {
	if a.sys.advise {
		return advise(a.b[s.from:s.to])
	}
	return a.attach(s)
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
