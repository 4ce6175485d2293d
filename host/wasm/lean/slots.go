package lean

import (
	"cmp"
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// A slot is a part of a frame that becomes a local.
type slot struct {
	frame, offset, width int32
	of                   binary.ValType
	local                uint32
	accesses             int
	unusable             bool // it is accessed with different widths or types
}

// maxSlots bounds the slots that become locals: those with the most accesses.
const maxSlots = 4_000

// slots returns the slots of the function that was walked, by frame and offset. Their locals
// are numbered from first.
func (w *walk) slots(first uint32) (byPlace map[[2]int32]*slot, list []*slot) {
	byPlace = map[[2]int32]*slot{}
	for k := range w.frames {
		w.reach(int32(k))
	}
	for _, a := range w.accesses {
		if w.reached(a) {
			continue
		}
		op, at := w.instructions[a.at].op, [2]int32{a.frame, a.offset}
		s := byPlace[at]
		if s == nil {
			s = &slot{frame: a.frame, offset: a.offset, width: width(op), of: standIn(op)}
			byPlace[at] = s
			list = append(list, s)
		}
		s.unusable = s.unusable || s.of == 0 || s.of != standIn(op) || s.width != width(op)
		s.width = max(s.width, width(op))
		s.accesses++
	}
	slices.SortFunc(list, byOffset)
	overlaps(list)
	list = slices.DeleteFunc(list, func(s *slot) bool {
		if s.unusable {
			delete(byPlace, [2]int32{s.frame, s.offset})
		}
		return s.unusable
	})
	if len(list) > maxSlots {
		slices.SortStableFunc(list, func(a, b *slot) int { return cmp.Compare(b.accesses, a.accesses) })
		for _, s := range list[maxSlots:] {
			delete(byPlace, [2]int32{s.frame, s.offset})
		}
		list = list[:maxSlots:maxSlots]
		slices.SortFunc(list, byOffset)
	}
	for k, s := range list {
		s.local = first + uint32(k)
	}
	return byPlace, list
}

// byOffset compares slots by frame and offset.
func byOffset(a, b *slot) int {
	return cmp.Or(cmp.Compare(a.frame, b.frame), cmp.Compare(a.offset, b.offset))
}

// overlaps marks the slots that share bytes. They are sorted by frame and offset.
func overlaps(list []*slot) {
	var widest *slot // the one that ends last
	for _, s := range list {
		if widest != nil && widest.frame == s.frame && widest.offset+widest.width > s.offset {
			s.unusable, widest.unusable = true, true
		}
		if widest == nil || widest.frame != s.frame || s.offset+s.width > widest.offset+widest.width {
			widest = s
		}
	}
}
