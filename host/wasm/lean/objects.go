package lean

import "slices"

// An Object is a variable in the frame of a function, or adjacent ones: the bytes of the frame
// from From up to To. Code with an address within it can reach all of it, and nothing else of
// the frame.
type Object struct{ From, To int32 }

// cuts reports whether an object contains some but not all bytes of a range.
func (o Object) cuts(from, to int32) bool { return o.meets(from, to) && (from < o.From || to > o.To) }

// meets reports whether an object contains some bytes of a range.
func (o Object) meets(from, to int32) bool { return o.From < to && from < o.To }

// reach finds the part of a frame that other code can reach: the objects whose addresses
// escape, or if the layout is unknown, all of it. The layout is known for the function's own
// frame, at its start; other frames are those of inlined functions.
func (w *walk) reach(k int32) {
	f := &w.frames[k]
	f.escapes = f.escapes || len(f.escaped) > 0 && (f.computed[0] != 0 || w.contradicted(k))
	if f.escapes {
		return
	}
	for _, at := range f.escaped {
		n := slices.IndexFunc(w.objects, func(o Object) bool { return o.From <= at && at < o.To })
		if n < 0 {
			f.escapes = true
			return
		}
		f.shared = append(f.shared, w.objects[n])
	}
}

// contradicted reports whether an access in a frame crosses the boundary of an object: then
// the layout is wrong.
func (w *walk) contradicted(k int32) bool {
	return slices.ContainsFunc(w.accesses, func(a access) bool {
		return a.frame == k && slices.ContainsFunc(w.objects, func(o Object) bool { return o.cuts(a.offset, w.end(a)) })
	})
}

// reached reports whether other code can reach the bytes of an access.
func (w *walk) reached(a access) bool {
	f := &w.frames[a.frame]
	return f.escapes || slices.ContainsFunc(f.shared, func(o Object) bool { return o.meets(a.offset, w.end(a)) })
}

// end returns the end of the bytes of an access.
func (w *walk) end(a access) int32 { return a.offset + width(w.instructions[a.at].op) }
