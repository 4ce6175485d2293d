package binary

import "math"

// A ConstExpr is a constant expression: one instruction and an end.
type ConstExpr []byte

// Instruction returns the one instruction of the expression.
func (e ConstExpr) Instruction() Instructions {
	it := Instructions{code: e}
	it.Next()
	return it
}

// constant reports whether an instruction is allowed in a constant expression.
func (o Op) constant() bool {
	switch o {
	case I32Const, I64Const, F32Const, F64Const, V128Const, GlobalGet, RefNull, RefFunc:
		return true
	}
	return false
}

func (r *reader) constExpr(c *cursor) ConstExpr {
	if !c.ok() {
		return nil
	}
	it := Instructions{code: c.b[c.at:]}
	switch {
	case !it.Next():
		c.fail("malformed constant expression")
	case !it.Op.constant():
		c.fail("instruction 0x%x is not constant", it.Op)
	case it.Op == RefFunc && uint64(it.Index) >= uint64(r.m.Count(FunctionKind)):
		c.fail("function %d does not exist", it.Index)
	case it.Op == GlobalGet && uint64(it.Index) >= uint64(r.m.Imported(GlobalKind)):
		c.fail("global %d is not imported: a constant expression cannot read it", it.Index)
	case it.End >= len(it.code) || Op(it.code[it.End]) != End:
		c.fail("constant expression does not end after one instruction")
	default:
		return ConstExpr(c.take(uint32(it.End) + 1))
	}
	return nil
}

// Forms of an element segment, as bits of its flags.
const (
	elementNotActive = 1 << iota
	elementExplicit  // of active: table index follows; else: declarative
	elementExprs     // entries are expressions
)

func (r *reader) elementSegments(c *cursor) {
	n := c.limited("element segments", 3, "ElementSegments")
	r.m.Elements = make([]Element, 0, min(n, 1024))
	for ; n > 0 && c.ok(); n-- {
		var e Element
		if e.flags = c.u32(); e.flags > 7 {
			c.fail("unknown form of element segment %d", e.flags)
			return
		}
		r.elementHead(c, &e)
		if e.flags&elementExprs != 0 {
			e.Exprs = listOf(c, r.elementCount(c, 3), func() ConstExpr { return r.constExpr(c) })
		} else {
			count := r.m.Count(FunctionKind)
			e.Functions = listOf(c, r.elementCount(c, 1), func() uint32 { return c.index("function", count) })
		}
		r.m.Elements = append(r.m.Elements, e)
	}
}

func (r *reader) elementHead(c *cursor, e *Element) {
	e.Type = FuncRef
	explicit := e.flags&elementExplicit != 0
	switch {
	case e.flags&elementNotActive == 0:
		if explicit {
			e.Table = c.u32()
		}
		if n := r.m.Count(TableKind); c.ok() && uint64(e.Table) >= uint64(n) {
			c.fail("table %d does not exist; the module has %d", e.Table, n)
		}
		e.Offset = r.constExpr(c)
	case explicit:
		e.Mode = Declarative
	default:
		e.Mode = Passive
	}
	if e.flags&(elementNotActive|elementExplicit) == 0 {
		return // the short form has no type
	}
	if e.flags&elementExprs == 0 {
		if kind := c.u8(); c.ok() && kind != 0 {
			c.fail("unknown kind of element 0x%02x", kind)
		}
	} else if e.Type = c.valType(); c.ok() && !e.Type.reference() {
		c.fail("an element segment cannot hold values of type 0x%02x", byte(e.Type))
	}
}

// elementCount reads the number of entries of a segment; all segments together
// are limited.
func (r *reader) elementCount(c *cursor, size int) int {
	n := c.count("elements", size)
	r.listed += uint64(n)
	if c.hold(c.here(), "Elements", r.listed, "elements"); !c.ok() {
		return 0
	}
	return n
}

func (r *reader) dataSegments(c *cursor) {
	n := c.limited("data segments", 2, "DataSegments")
	r.m.Data = make([]Data, 0, n)
	for ; n > 0 && c.ok(); n-- {
		var d Data
		switch d.flags = c.u32(); d.flags {
		case 0, 2:
			if d.flags == 2 {
				d.Memory = c.u32()
			}
			if k := r.m.Count(MemoryKind); c.ok() && uint64(d.Memory) >= uint64(k) {
				c.fail("memory %d does not exist; the module has %d", d.Memory, k)
			}
			d.Offset = r.constExpr(c)
		case 1:
			d.Mode = Passive
		default:
			c.fail("unknown form of data segment %d", d.flags)
		}
		d.Bytes = c.take(c.u32())
		r.m.Data = append(r.m.Data, d)
	}
}

// I32 returns the value of an i32.const expression. It reports false for any
// other expression.
func (e ConstExpr) I32() (int32, bool) {
	if len(e) < 2 || Op(e[0]) != I32Const {
		return 0, false
	}
	v, next := signed(e, 1, 32)
	return int32(v), next > 0 && v >= math.MinInt32 && v <= math.MaxInt32
}
