package lean

import "slices"

// An Object is a variable in the frame of a function, or variables side by side: From
// is where it begins, counted from the frame's start, and To where it ends. Whoever has
// an address within it reaches all of it, and nothing else of the frame.
type Object struct{ From, To int32 }

// cuts reports whether an object has some of the bytes from one place to another, and
// not all of them.
func (o Object) cuts(from, to int32) bool { return o.meets(from, to) && (from < o.From || to > o.To) }

// meets reports whether an object has any of the bytes from one place to another.
func (o Object) meets(from, to int32) bool { return o.From < to && from < o.To }

// reach finds what others can reach of a frame: the objects whose addresses go where
// they are not followed, or all of it where that is not known. Objects are known of the
// frame that the function itself takes, at its start; other frames are of functions
// that were put into it.
func (w *walk) reach(k int32) {
	f := &w.frames[k]
	f.escapes = f.escapes || len(f.given) > 0 && (f.made[0] != 0 || w.contradicted(k))
	if f.escapes {
		return
	}
	for _, at := range f.given {
		n := slices.IndexFunc(w.objects, func(o Object) bool { return o.From <= at && at < o.To })
		if n < 0 {
			f.escapes = true
			return
		}
		f.open = append(f.open, w.objects[n])
	}
}

// contradicted reports whether what is accessed in a frame says that its objects are
// others, because it lies across the end of one.
func (w *walk) contradicted(k int32) bool {
	return slices.ContainsFunc(w.accesses, func(a access) bool {
		return a.frame == k && slices.ContainsFunc(w.objects, func(o Object) bool { return o.cuts(a.offset, w.end(a)) })
	})
}

// reached reports whether others can reach what an access touches.
func (w *walk) reached(a access) bool {
	f := &w.frames[a.frame]
	return f.escapes || slices.ContainsFunc(f.open, func(o Object) bool { return o.meets(a.offset, w.end(a)) })
}

// end returns where what an access touches ends.
func (w *walk) end(a access) int32 { return a.offset + width(w.instructions[a.at].op) }
