package wasm

// Images keep what starting scripts came to, where CacheDir can only be read. What
// comes back may be anything: it is read as a stranger's, and what is of no use is
// no loss. They are safe for concurrent use.
type Images interface {
	// Image returns what Keep was given under a name, or nil.
	Image(name string) []byte

	// Keep keeps bytes under a name, if it likes to. They are not changed later.
	Keep(name string, image []byte)
}

// readImage returns the image of a script, as it was kept.
func (r *Runtime) readImage(name string) []byte {
	b := r.readKept(name)
	if b == nil && r.images != nil {
		b = r.images.Image(name)
	}
	return b
}

// writeImage keeps the image of a script.
func (r *Runtime) writeImage(name string, b []byte) {
	if r.images != nil {
		r.images.Keep(name, b)
		return
	}
	r.writeKept(name, b)
	r.forgetImages()
}
