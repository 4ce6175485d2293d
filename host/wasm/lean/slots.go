package lean

import (
	"cmp"
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// A slot is a part of a frame that a local stands for.
type slot struct {
	frame, offset, width int32
	of                   binary.ValType
	local                uint32
	spoilt               bool // it is accessed in more than one way
}

// mostSlots is how many locals a function gets for what was in memory.
const mostSlots = 400

// slots returns the slots of the function that was walked, by frame and offset. Their
// locals are counted from first, in the order of the slots.
func (w *walk) slots(first uint32) (byPlace map[[2]int32]*slot, list []*slot) {
	byPlace = map[[2]int32]*slot{}
	for _, a := range w.accesses {
		if w.frames[a.frame].escapes {
			continue
		}
		op, at := w.instructions[a.at].op, [2]int32{a.frame, a.offset}
		s := byPlace[at]
		if s == nil {
			s = &slot{frame: a.frame, offset: a.offset, width: width(op), of: standIn(op)}
			byPlace[at] = s
			list = append(list, s)
		}
		s.spoilt = s.spoilt || s.of == 0 || s.of != standIn(op) || s.width != width(op)
		s.width = max(s.width, width(op))
	}
	slices.SortFunc(list, func(a, b *slot) int {
		return cmp.Or(cmp.Compare(a.frame, b.frame), cmp.Compare(a.offset, b.offset))
	})
	overlaps(list)
	list = slices.DeleteFunc(list, func(s *slot) bool {
		if s.spoilt {
			delete(byPlace, [2]int32{s.frame, s.offset})
		}
		return s.spoilt
	})
	for k, s := range list[min(len(list), mostSlots):] {
		delete(byPlace, [2]int32{s.frame, s.offset})
		list[mostSlots+k] = nil
	}
	list = list[:min(len(list), mostSlots)]
	for k, s := range list {
		s.local = first + uint32(k)
	}
	return byPlace, list
}

// overlaps marks the slots that share bytes. They are sorted by frame and offset.
func overlaps(list []*slot) {
	var widest *slot // the one that reaches furthest
	for _, s := range list {
		if widest != nil && widest.frame == s.frame && widest.offset+widest.width > s.offset {
			s.spoilt, widest.spoilt = true, true
		}
		if widest == nil || widest.frame != s.frame || s.offset+s.width > widest.offset+widest.width {
			widest = s
		}
	}
}
