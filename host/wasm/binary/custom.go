package binary

// CustomSection returns the first custom section with a name. It reads only the section headers, so
// it does not tell whether Read would accept the module. It reports false if there is no such
// section, or if b is not a module.
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
