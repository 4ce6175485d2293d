package image

import (
	"bytes"
	"math"
)

const (
	block = 4 << 10 // unit of comparing and copying

	// small is the size up to which comparing everything costs less than asking the
	// kernel for the written pages.
	small = 64 << 10

	// maxCompared is the size up to which comparing everything costs less than the page
	// faults after dropping everything.
	maxCompared = 1 << 20

	// coldAfter is the number of page comparisons, some 30 milliseconds, after which private
	// pages that were never written to meanwhile are dropped.
	coldAfter = 128 << 10
)

// Restore makes a memory equal to the image. It reports false if it cannot: the memory has
// grown, and its user cannot be told that it is smaller now. Free it then.
func (im *Image) Restore(m *Memory) bool {
	if m.im != im || len(m.b) != len(im.b) {
		return false
	}
	m.restore()
	return true
}

// restore makes the accessible part equal to the image.
func (a *area) restore() {
	a.starved = false
	unfaulted := a.unwatch()
	switch {
	case !a.attached || len(a.b) <= small && a.sys.faults == nil:
	case a.sys.find != nil:
		if unfaulted || a.written() == nil {
			a.copyBackSpans()
			return
		}
	case len(a.b) > maxCompared:
		if a.drop(span{0, len(a.b)}) == nil {
			return
		}
	}
	copyBack(a.b, a.im.b)
}

// written sets a.spans to the pages that are private to the mapping. Their bytes may still be
// those of the image.
func (a *area) written() error {
	a.spans, a.known = a.spans[:0], false
	return a.sys.find(a)
}

// copyBackSpans restores the private pages, which stay private: the next call most likely
// writes to them again. Only pages that no call wrote to for long are dropped: the page fault
// costs as much as a hundred comparisons, since the next restore must ask the kernel, and other
// processors must flush their TLB.
func (a *area) copyBackSpans() {
	page := a.sys.page
	if a.unchanged == nil {
		a.unchanged = make([]uint16, (len(a.im.b)+page-1)/page)
	}
	own := 0
	for _, s := range a.spans {
		own += (s.to - s.from) / page
	}
	cold := uint16(min(coldAfter/max(own, 1)+1, math.MaxUint16))
	a.kept, a.cold = a.kept[:0], a.cold[:0]
	for _, s := range a.spans {
		for at := s.from; at < s.to; at += page {
			unchanged := &a.unchanged[at/page]
			if copyBack(a.b[at:at+page], a.im.b[at:at+page]) > 0 {
				*unchanged = 0
			} else if *unchanged++; *unchanged >= cold {
				*unchanged = 0
				a.cold = extend(a.cold, at, at+page)
				continue
			}
			a.kept = extend(a.kept, at, at+page)
		}
	}
	a.known = false
	for _, s := range a.cold {
		if a.drop(s) != nil {
			return // their content is right, and they are compared again
		}
		for at := s.from; at < s.to; at += page {
			a.touched += a.b[at] // here, a page fault does not end what is known
		}
	}
	a.spans, a.kept, a.known = a.kept, a.spans, true
}

// drop discards the private pages in a part of an attached area.
func (a *area) drop(s span) error {
	if a.sys.advise {
		return advise(a.b[s.from:s.to])
	}
	return a.attach(s)
}

// copyBack copies was to now, and returns the number of blocks that differed.
func copyBack(now, was []byte) (changed int) {
	for at := 0; at < len(now); at += block {
		n, w := now[at:at+block], was[at:at+block]
		if !bytes.Equal(n, w) {
			copy(n, w)
			changed++
		}
	}
	return changed
}

// shrink undoes the growth since the image was taken.
func (a *area) shrink() bool {
	size := len(a.im.b)
	if a.space != nil && len(a.b) > size && unprotect(a.space[size:len(a.b)]) != nil {
		return false
	}
	a.b = a.b[:size:size]
	return true
}
