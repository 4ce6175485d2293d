package binary

import "strconv"

// A Body is the code of one defined function.
type Body struct {
	Locals []Locals // in groups, without parameters
	Code   []byte   // instructions up to and with the final end
}

// Locals is a run of locals of one type.
type Locals struct {
	Count uint32
	Type  ValType
}

func (r *reader) bodies(c *cursor) {
	n := c.count("function bodies", 3)
	if n != len(r.m.Functions) && c.ok() {
		c.fail("%d function bodies for %d functions", n, len(r.m.Functions))
		return
	}
	r.m.Code = make([]Body, n)
	r.env()
	for i := 0; i < n && c.ok(); i++ {
		r.body(c, i)
	}
}

func (r *reader) body(c *cursor, i int) {
	at := c.here()
	size := c.u32()
	c.hold(at, "BodyBytes", uint64(size), "bytes of code in one function")
	start := c.at
	raw := c.take(size)
	if !c.ok() {
		return
	}
	b := cursor{b: raw, base: c.base + start, section: c.section, bounds: c.bounds}
	body := &r.m.Code[i]
	total := r.locals(&b, body, i)
	if b.ok() {
		body.Code = b.b[b.at:]
		r.code(&b, i, total)
	}
	if !b.ok() {
		b.trouble.Message += " (function " + strconv.Itoa(r.imported+i) + ")"
		c.trouble = b.trouble
	}
}

// locals reads the declarations and returns the number of locals, parameters included.
func (r *reader) locals(b *cursor, body *Body, i int) uint64 {
	total := uint64(len(r.m.Types[r.m.Functions[i]].Params))
	n := b.count("groups of locals", 2)
	if n > 0 {
		body.Locals = make([]Locals, 0, n)
	}
	for ; n > 0 && b.ok(); n-- {
		l := Locals{Count: b.u32(), Type: b.valType()}
		body.Locals = append(body.Locals, l)
		total += uint64(l.Count)
	}
	b.hold(b.here(), "Locals", total, "locals in one function")
	return total
}

// env counts entities, for the index checks.
func (r *reader) env() {
	r.imported = r.m.Imported(FunctionKind)
	r.functions = uint32(r.m.Count(FunctionKind))
	r.globals = uint32(r.m.Count(GlobalKind))
	r.tables = uint32(r.m.Count(TableKind))
	r.memories = uint32(r.m.Count(MemoryKind))
	r.types = uint32(len(r.m.Types))
	r.tagged = uint32(len(r.m.Tags))
	r.results = make([]uint32, 0, r.functions)
	for i := range r.m.Imports {
		if in := &r.m.Imports[i]; in.Kind == FunctionKind {
			r.results = append(r.results, uint32(len(r.m.Types[in.Type].Results)))
		}
	}
	for _, t := range r.m.Functions {
		r.results = append(r.results, uint32(len(r.m.Types[t].Results)))
	}
	r.elements = uint32(len(r.m.Elements))
	if r.m.DataCount != nil {
		r.data = *r.m.DataCount
	}
}

// code validates the body of the i-th defined function, as the package comment describes.
func (r *reader) code(b *cursor, i int, locals uint64) {
	w := walk{r: r, c: b, it: r.m.Code[i].Instructions(), locals: uint32(locals), open: r.open[:0]}
	w.carry = append(r.carry[:0], r.results[r.imported+i])
	w.run()
	r.open, r.carry = w.open, w.carry
	if b.ok() {
		w.finish()
	}
}
