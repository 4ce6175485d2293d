package lean

import "github.com/rubric-host/rubric-host/host/wasm/binary"

// A callee is a small function, ready to be inlined.
type callee struct {
	body    binary.Body // without the last end
	params  int
	results []binary.ValType
	locals  []binary.ValType // parameters included
	zeroed  []bool           // by local: it may be read before it is written
	jumps   bool             // some instruction jumps to its end
}

// maxLocals bounds the locals of a small function, parameters included.
const maxLocals = 16

// callee returns a function as a callee, or nil if it is not small, has a loop, calls itself,
// or has an instruction that cannot be inlined.
func (in *inliner) callee(i uint32) *callee {
	body, t := in.m.Code[i], in.m.Types[in.m.Functions[i]]
	if len(body.Code) > in.most || body.Loops || len(t.Results) > 1 || locals(in.m, int(i)) > maxLocals {
		return nil
	}
	c := &callee{body: body, params: len(t.Params), results: t.Results, locals: in.m.AppendLocals(nil, int(i))}
	for _, t := range c.locals {
		if t < binary.F64 || t > binary.I32 {
			return nil
		}
	}
	c.zeroed = make([]bool, len(c.locals))
	if !c.scan(in.imported + i) {
		return nil
	}
	c.body.Code = body.Code[:len(body.Code)-1]
	return c
}

// scan fills zeroed and jumps. self is the function's index. It reports false if the code
// cannot be inlined.
func (c *callee) scan(self uint32) bool {
	written := make([]bool, len(c.locals))
	depth := uint32(0)
	it := c.body.Instructions()
	for it.Next() {
		switch it.Op {
		case binary.Block, binary.If:
			depth++
		case binary.End:
			depth-- // the last one wraps around
		case binary.Br, binary.BrIf:
			c.jumps = c.jumps || it.Index == depth
		case binary.Return:
			c.jumps = true
		case binary.LocalGet:
			c.zeroed[it.Index] = c.zeroed[it.Index] || !written[it.Index]
		case binary.LocalSet, binary.LocalTee:
			written[it.Index] = written[it.Index] || depth == 0
		case binary.Call:
			if it.Index == self {
				return false
			}
		case binary.BrTable, binary.TryTable, binary.Throw, binary.ThrowRef:
			return false
		}
	}
	return true
}

// put appends the inlined code, for arguments on the stack.
func (c *callee) put(dst []byte, p *pool) []byte {
	clear(p.taken)
	index := make([]uint32, len(c.locals))
	for k, t := range c.locals {
		index[k] = p.local(t)
	}
	for k := c.params - 1; k >= 0; k-- {
		dst = binary.AppendU32(append(dst, byte(binary.LocalSet)), index[k])
	}
	for k := c.params; k < len(c.locals); k++ {
		if c.zeroed[k] {
			dst = appendZero(dst, c.locals[k])
			dst = binary.AppendU32(append(dst, byte(binary.LocalSet)), index[k])
		}
	}
	if !c.jumps {
		return c.code(dst, index)
	}
	t := byte(binary.NoResult & 0x7f)
	if len(c.results) > 0 {
		t = byte(c.results[0])
	}
	return append(c.code(append(dst, byte(binary.Block), t), index), byte(binary.End))
}

// code appends the instructions with renumbered locals. The block around them replaces the
// function, so labels do not change.
func (c *callee) code(dst []byte, index []uint32) []byte {
	depth := uint32(0)
	it := c.body.Instructions()
	for it.Next() {
		switch it.Op {
		case binary.Return:
			dst = binary.AppendU32(append(dst, byte(binary.Br)), depth)
			continue
		case binary.LocalGet, binary.LocalSet, binary.LocalTee:
			dst = binary.AppendU32(append(dst, byte(it.Op)), index[it.Index])
			continue
		case binary.Block, binary.If:
			depth++
		case binary.End:
			depth--
		}
		dst = append(dst, it.Code(it.Start, it.End)...)
	}
	return dst
}

// appendZero appends a constant of a number type.
func appendZero(dst []byte, t binary.ValType) []byte {
	switch t {
	case binary.I32:
		return append(dst, byte(binary.I32Const), 0)
	case binary.I64:
		return append(dst, byte(binary.I64Const), 0)
	case binary.F32:
		return append(dst, byte(binary.F32Const), 0, 0, 0, 0)
	}
	return append(dst, byte(binary.F64Const), 0, 0, 0, 0, 0, 0, 0, 0)
}
