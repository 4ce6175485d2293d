package binary

const nameSection = "name"

// functionNamesID is the subsection of function names.
const functionNamesID = 1

// A Name is the name of a function, for traces.
type Name struct {
	Index    uint32 // of the function, imported ones first
	Function string
}

// FunctionNames returns the function names of the name section, in its order. It leaves out names of
// functions that do not exist, and stops after as many names as there are functions.
func (m *Module) FunctionNames() []Name {
	b := m.Custom(nameSection)
	if b == nil {
		return nil
	}
	count := m.Count(FunctionKind)
	var names []Name
	readNames(&cursor{b: b, section: nameSection}, func(n Name) {
		if int64(n.Index) < int64(count) && len(names) < count {
			names = append(names, n)
		}
	})
	return names
}

// readNames reads the function names of a name section; other subsections are
// skipped.
func readNames(c *cursor, each func(Name)) {
	for c.ok() && c.left() > 0 {
		id := c.u8()
		sub := c.take(c.u32())
		if !c.ok() || id != functionNamesID {
			continue
		}
		in := &cursor{b: sub, base: c.base + c.at - len(sub), section: c.section}
		for n := in.count("names", 2); n > 0 && in.ok(); n-- {
			if name := (Name{Index: in.u32(), Function: in.name()}); in.ok() {
				each(name)
			}
		}
		if !in.ok() {
			c.trouble = in.trouble
		}
	}
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
