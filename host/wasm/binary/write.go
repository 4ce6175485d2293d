package binary

import "slices"

// Append appends the binary form of m to dst. An unchanged module from Read is written byte for byte
// as it was read, if it used the shortest form of every length and index outside of code; otherwise
// it is written in that form. Custom sections keep their places. Append does not validate m.
func (m *Module) Append(dst []byte) []byte {
	size := 0
	for i := range m.Customs { // a script's have megabytes
		size += len(m.Customs[i].Name) + len(m.Customs[i].Bytes) + 16
	}
	dst = append(slices.Grow(dst, size), magic...)
	dst = append(dst, version...)
	dst = m.customs(dst, customID)
	for _, id := range []byte{typeID, importID, functionID, tableID, memoryID, tagID, globalID, exportID, startID, elementID, dataCountID, codeID, dataID} {
		if body, present := m.section(id); present {
			dst = append(dst, id)
			dst = appendBytes(dst, body)
		}
		dst = m.customs(dst, id)
	}
	return dst
}

// customs appends the custom sections that follow section after.
func (m *Module) customs(dst []byte, after byte) []byte {
	for i := range m.Customs {
		if c := &m.Customs[i]; c.After == after {
			name := appendName(nil, c.Name)
			dst = AppendU32(append(dst, customID), uint32(len(name)+len(c.Bytes)))
			dst = append(append(dst, name...), c.Bytes...)
		}
	}
	return dst
}

func appendBytes(dst, b []byte) []byte { return append(AppendU32(dst, uint32(len(b))), b...) }

func appendName(dst []byte, s string) []byte { return append(AppendU32(dst, uint32(len(s))), s...) }

// vec returns a vector of the entries of list, and whether it has any.
func vec[T any](list []T, entry func([]byte, *T) []byte) ([]byte, bool) {
	b := AppendU32(nil, uint32(len(list)))
	for i := range list {
		b = entry(b, &list[i])
	}
	return b, len(list) > 0
}

func (m *Module) section(id byte) ([]byte, bool) {
	switch id {
	case typeID:
		return vec(m.Types, appendType)
	case importID:
		return vec(m.Imports, appendImport)
	case functionID:
		return vec(m.Functions, func(b []byte, i *uint32) []byte { return AppendU32(b, *i) })
	case tableID:
		return vec(m.Tables, appendTable)
	case memoryID:
		return vec(m.Memories, appendSize)
	case tagID:
		return vec(m.Tags, func(b []byte, t *uint32) []byte { return AppendU32(append(b, tagForm), *t) })
	case globalID:
		return vec(m.Globals, func(b []byte, g *Global) []byte {
			return append(appendGlobalType(b, g.GlobalType), g.Init...)
		})
	case exportID:
		return vec(m.Exports, func(b []byte, e *Export) []byte {
			return AppendU32(append(appendName(b, e.Name), byte(e.Kind)), e.Index)
		})
	case startID:
		return optional(m.Start)
	case elementID:
		return vec(m.Elements, appendElement)
	case dataCountID:
		return optional(m.DataCount)
	case codeID:
		return vec(m.Code, appendBody)
	default:
		return vec(m.Data, appendData)
	}
}

func optional(v *uint32) ([]byte, bool) {
	if v == nil {
		return nil, false
	}
	return AppendU32(nil, *v), true
}

func appendBody(b []byte, f *Body) []byte {
	locals := AppendU32(nil, uint32(len(f.Locals)))
	for _, l := range f.Locals {
		locals = append(AppendU32(locals, l.Count), byte(l.Type))
	}
	b = AppendU32(b, uint32(len(locals)+len(f.Code)))
	return append(append(b, locals...), f.Code...)
}

func appendType(b []byte, t *FuncType) []byte {
	b = append(b, functionForm)
	for _, list := range [][]ValType{t.Params, t.Results} {
		b = AppendU32(b, uint32(len(list)))
		for _, v := range list {
			b = append(b, byte(v))
		}
	}
	return b
}

func appendImport(b []byte, m *Import) []byte {
	b = append(appendName(appendName(b, m.Module), m.Name), byte(m.Kind))
	switch m.Kind {
	case FunctionKind:
		return AppendU32(b, m.Type)
	case TableKind:
		return appendTable(b, &m.Table)
	case MemoryKind:
		return appendSize(b, &m.Memory)
	default:
		return appendGlobalType(b, m.Global)
	}
}

func appendTable(b []byte, t *Table) []byte { return appendSize(append(b, byte(t.Of)), &t.Size) }

func appendSize(b []byte, s *Size) []byte {
	if !s.HasMax {
		return AppendU32(append(b, 0), s.Min)
	}
	return AppendU32(AppendU32(append(b, 1), s.Min), s.Max)
}

func appendGlobalType(b []byte, t GlobalType) []byte {
	if t.Mutable {
		return append(b, byte(t.Type), 1)
	}
	return append(b, byte(t.Type), 0)
}

func appendElement(b []byte, e *Element) []byte {
	b = AppendU32(b, e.flags)
	if e.Mode == Active {
		if e.flags&elementExplicit != 0 {
			b = AppendU32(b, e.Table)
		}
		b = append(b, e.Offset...)
	}
	exprs := e.flags&elementExprs != 0
	if e.flags&(elementNotActive|elementExplicit) != 0 {
		if exprs {
			b = append(b, byte(e.Type))
		} else {
			b = append(b, 0)
		}
	}
	if exprs {
		b = AppendU32(b, uint32(len(e.Exprs)))
		for _, x := range e.Exprs {
			b = append(b, x...)
		}
		return b
	}
	b = AppendU32(b, uint32(len(e.Functions)))
	for _, i := range e.Functions {
		b = AppendU32(b, i)
	}
	return b
}

func appendData(b []byte, d *Data) []byte {
	b = AppendU32(b, d.flags)
	if d.Mode == Active {
		if d.flags == 2 {
			b = AppendU32(b, d.Memory)
		}
		b = append(b, d.Offset...)
	}
	return appendBytes(b, d.Bytes)
}
