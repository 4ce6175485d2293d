package binary

// CustomSection returns the first custom section of that name, without reading
// the rest of the module: the section headers suffice. It reports false if
// there is none, or if b is no module. What it finds is not a sign that Read
// would take the module.
func CustomSection(b []byte, name string) ([]byte, bool) {
	c := &cursor{b: b, section: "module"}
	header(c)
	for c.ok() && c.left() > 0 {
		id := c.u8()
		in := &cursor{b: c.take(c.u32())}
		if c.ok() && id == customID && in.name() == name && in.ok() {
			return in.b[in.at:], true
		}
	}
	return nil, false
}
