package binary

const functionForm = 0x60

func (c *cursor) valType() ValType {
	t := ValType(c.u8())
	if c.ok() && !t.valid() && !(t == ExnRef && c.bounds.max.Exceptions) {
		c.at--
		c.fail("unknown value type 0x%02x", byte(t))
	}
	return t
}

func (r *reader) functionForms(c *cursor) {
	n := c.limited("types", 3, "Types")
	r.m.Types = make([]FuncType, n)
	values := uint64(0)
	for i := 0; i < n && c.ok(); i++ {
		if form := c.u8(); c.ok() && form != functionForm {
			c.at--
			c.fail("unknown form of type 0x%02x", form)
		}
		t := &r.m.Types[i]
		t.Params = c.valTypes("parameters", "Params")
		t.Results = c.valTypes("results", "Results")
		values += uint64(len(t.Params) + len(t.Results))
		c.hold(c.here(), "TypeValues", values, "parameters and results of types")
	}
	r.types = uint32(n)
}

func (c *cursor) valTypes(what, limit string) []ValType {
	n := c.limited(what, 1, limit)
	if n == 0 {
		return nil
	}
	return listOf(c, n, c.valType)
}

func (r *reader) typeIndex(c *cursor) uint32 { return c.index("type", len(r.m.Types)) }

func (r *reader) imports(c *cursor) {
	n := c.limited("imports", 4, "Imports")
	r.m.Imports = make([]Import, n)
	for i := 0; i < n && c.ok(); i++ {
		m := &r.m.Imports[i]
		m.Module, m.Name = boundedName(c), boundedName(c)
		at := c.at
		switch m.Kind = Kind(c.u8()); {
		case !c.ok():
		case m.Kind == FunctionKind:
			m.Type = r.typeIndex(c)
		case m.Kind == TableKind && r.max.ImportTable:
			m.Table = r.tableType(c)
		case m.Kind == MemoryKind && r.max.ImportMemory:
			m.Memory = memoryType(c)
		case m.Kind == GlobalKind:
			m.Global = c.globalType()
		case m.Kind == TableKind, m.Kind == MemoryKind:
			c.at = at
			c.fail("import %q %q is a table or a memory: a module must bring its own", m.Module, m.Name)
		default:
			c.at = at
			c.fail("unknown kind of import 0x%02x", byte(m.Kind))
		}
	}
}

func (r *reader) functionTypes(c *cursor) {
	r.m.Functions = listOf(c, c.limited("functions", 1, "Functions"), func() uint32 { return r.typeIndex(c) })
}

func (r *reader) tableTypes(c *cursor) {
	r.m.Tables = listOf(c, c.limited("tables", 3, "Tables"), func() Table { return r.tableType(c) })
}

func (r *reader) tableType(c *cursor) Table {
	t := Table{Of: c.valType()}
	if c.ok() && !t.Of.reference() {
		c.fail("a table cannot hold values of type 0x%02x", byte(t.Of))
	}
	t.Size = c.size()
	r.entries += uint64(t.Size.Min)
	c.hold(c.here(), "TableEntries", r.entries, "table entries")
	return t
}

func (r *reader) memoryTypes(c *cursor) {
	n := c.count("memories", 2)
	if n > 1 { // a module of 16 MiB can announce eight million
		c.fail(manyMemories)
		return
	}
	r.m.Memories = listOf(c, n, func() Size { return memoryType(c) })
}

const manyMemories = "more than one memory"

// noExceptions is the message for a module with exceptions.
const noExceptions = "exception handling is not allowed to plugins: build without it (for C++, -fno-exceptions)"

const tagForm = 0

func (r *reader) tags(c *cursor) {
	if !r.max.Exceptions {
		c.fail(noExceptions)
		return
	}
	r.m.Tags = listOf(c, c.limited("tags", 2, "Tags"), func() uint32 {
		if form := c.u8(); c.ok() && form != tagForm {
			c.at--
			c.fail("unknown form of tag 0x%02x", form)
		}
		return r.typeIndex(c)
	})
}

const maxPages = 1 << 16 // address space of 32 bits

func memoryType(c *cursor) Size {
	s := c.size()
	if s.Min > maxPages || s.HasMax && s.Max > maxPages {
		c.fail("memory of %d to %d pages is beyond 32-bit addresses", s.Min, s.Max)
	}
	c.hold(c.here(), "MemoryPages", uint64(s.Min), "pages of memory to begin with")
	return s
}

// size reads a minimum and an optional maximum size.
func (c *cursor) size() (s Size) {
	switch flag := c.u8(); flag {
	case 0:
		s.Min = c.u32()
	case 1:
		s.Min, s.Max, s.HasMax = c.u32(), c.u32(), true
		if c.ok() && s.Min > s.Max {
			c.fail("least size %d is above greatest size %d", s.Min, s.Max)
		}
	default:
		c.fail("unknown form of limits 0x%02x", flag)
	}
	return s
}

func (c *cursor) globalType() GlobalType {
	t := GlobalType{Type: c.valType()}
	if t.Type == ExnRef {
		c.fail("a global cannot hold an exception")
	}
	switch flag := c.u8(); flag {
	case 0:
	case 1:
		t.Mutable = true
	default:
		c.fail("malformed mutability 0x%02x", flag)
	}
	return t
}

func (r *reader) globalInits(c *cursor) {
	r.m.Globals = listOf(c, c.limited("globals", 4, "Globals"), func() Global { return Global{c.globalType(), r.constExpr(c)} })
}

func (r *reader) exports(c *cursor) {
	n := c.limited("exports", 3, "Exports")
	seen := make(map[string]bool)
	for ; n > 0 && c.ok(); n-- {
		at := c.at
		e := Export{Name: boundedName(c), Kind: Kind(c.u8()), Index: c.u32()}
		switch {
		case !c.ok():
			return
		case e.Kind > GlobalKind:
			c.at = at
			c.fail("unknown kind of export 0x%02x", byte(e.Kind))
		case seen[e.Name]:
			c.at = at
			c.fail("two exports are called %q", e.Name)
		case uint64(e.Index) >= uint64(r.m.Count(e.Kind)):
			c.at = at
			c.fail("export %q is number %d of %d", e.Name, e.Index, r.m.Count(e.Kind))
		}
		seen[e.Name] = true
		r.m.Exports = append(r.m.Exports, e)
	}
}

func (r *reader) start(c *cursor) {
	r.m.Start = new(c.index("function", r.m.Count(FunctionKind)))
}

func (r *reader) dataCount(c *cursor) {
	r.m.DataCount = new(c.u32())
}

// boundedName reads the name of an import or export.
func boundedName(c *cursor) string {
	at := c.here()
	name := c.name()
	c.hold(at, "NameBytes", uint64(len(name)), "bytes in a name")
	return name
}
