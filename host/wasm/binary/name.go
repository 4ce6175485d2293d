package binary

// nameSection is the custom section that holds names for people.
const nameSection = "name"

// functionNamesID is the subsection of function names.
const functionNamesID = 1

// A Name is the name of a function, for traces.
type Name struct {
	Index    uint32 // of the function, imported ones first
	Function string
}

// FunctionNames returns the names in the name section, as they stand there.
// Names of functions that do not exist are left out.
func (m *Module) FunctionNames() []Name {
	b := m.Custom(nameSection)
	if b == nil {
		return nil
	}
	var sink cursor
	names := functionNames(&cursor{b: b, section: nameSection}, &sink)
	count := uint64(m.Count(FunctionKind))
	out := names[:0]
	for _, n := range names {
		if uint64(n.Index) < count {
			out = append(out, n)
		}
	}
	return out
}

// functionNames reads a name section; trouble goes to report. Subsections other
// than function names are skipped.
func functionNames(c, report *cursor) []Name {
	var names []Name
	for c.ok() && c.left() > 0 {
		id := c.u8()
		sub := c.take(c.u32())
		if c.ok() && id == functionNamesID {
			in := &cursor{b: sub, base: c.base + c.at - len(sub), section: c.section}
			names = nameMap(in, names)
			if !in.ok() {
				c.trouble = in.trouble
			}
		}
	}
	if !c.ok() && report.ok() {
		report.trouble = c.trouble
	}
	return names
}

func nameMap(c *cursor, names []Name) []Name {
	for n := c.count("names", 2); n > 0 && c.ok(); n-- {
		name := Name{Index: c.u32(), Function: c.name()}
		if c.ok() {
			names = append(names, name)
		}
	}
	return names
}

// NameSection returns a custom section that holds function names. They must be
// in the order of their indices.
func NameSection(names []Name) Custom {
	body := AppendU32(nil, uint32(len(names)))
	for _, n := range names {
		body = AppendU32(body, n.Index)
		body = appendName(body, n.Function)
	}
	b := append([]byte{functionNamesID}, AppendU32(nil, uint32(len(body)))...)
	return Custom{Name: nameSection, Bytes: append(b, body...), After: dataID}
}
