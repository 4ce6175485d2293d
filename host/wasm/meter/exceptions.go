package meter

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// Exceptions are compiled away, because wazero 1.12 handles them wrongly: when a try_table
// catches, locals lose the values that its body has written, and exceptions that the guest
// still references are freed. A pending exception becomes a global that is not zero. A throw
// sets it and branches to the handler, or out of the function. Code after a call that may
// throw checks it. Leaving a function by an exception restores the depth, as a return does.
//
// The value of an exception is an i64: its tag plus one in the upper half, its payload in the
// lower. Zero: no exception.

type try struct {
	of      binary.BlockType
	clauses [2]int // range in analysis.clauses
	outer   uint32 // the label where an exception that it does not catch goes, seen from outside
	last    bool   // that label ends the function
}

// A throwSite is an instruction after which an exception may be pending.
type throwSite struct {
	of uint32 // the tag of a throw, or the callee, as in analysis.callees
	to uint32 // the label that the exception goes to, in the metered code
}

// neverThrown is the label of a throw in dead code.
const neverThrown = ^uint32(0)

// checkTags refuses exceptions with a larger payload than a value has room for.
func checkTags(m *binary.Module) error {
	for i, t := range m.Tags {
		if f := m.Types[t]; len(f.Results) > 0 || len(f.Params) > 1 || len(f.Params) == 1 && f.Params[0] != binary.I32 {
			return fault.New(fault.Refused, "tag %d: an exception carries nothing or one i32", i)
		}
	}
	for i, t := range m.Functions {
		if holds(m.Types[t]) {
			return fault.New(fault.Refused, "function %d: an exception is neither a parameter nor a result", m.Imported(binary.FunctionKind)+i)
		}
	}
	return nil
}

// holds reports whether a type has an exception among its parameters or results.
func holds(t binary.FuncType) bool {
	return slices.Contains(t.Params, binary.ExnRef) || slices.Contains(t.Results, binary.ExnRef)
}

// handler returns the label in the metered code that handles an exception thrown here, and
// whether that ends the function.
func (r *runs) handler() (label uint32, last bool) {
	top := len(r.frames) - 1
	in := &r.frames[top]
	if in.try == 0 {
		return uint32(top+in.inside) + 1, true
	}
	at := in.try - 1
	return uint32(top-at+in.inside-r.frames[at].added) - 1, false
}

// openTry enters a try_table. Its clauses count as jumps from its body.
func (r *runs) openTry(it *binary.Instructions) {
	a := r.a
	t := try{of: it.BlockType()}
	t.outer, t.last = r.handler()
	f := r.newFrame(binary.TryTable)
	t.clauses[0] = len(a.clauses)
	a.clauses = it.Clauses(a.clauses)
	t.clauses[1] = len(a.clauses)
	for k := range a.clauses[t.clauses[0]:] {
		c := &a.clauses[t.clauses[0]+k]
		if r.now != unreachable {
			f.escape = min(f.escape, len(r.frames)-1-int(c.Label))
		}
		c.Label = r.to(c.Label)
		f.catchesAll = f.catchesAll || c.Kind.All()
	}
	f.inside++
	f.try = len(r.frames) + 1
	r.frames = append(r.frames, f)
	r.tries = append(r.tries, len(a.tries))
	a.replace(openTry, it, uint32(len(a.tries)))
	a.tries = append(a.tries, t)
}

// closeTry leaves a try_table.
func (r *runs) closeTry(it *binary.Instructions) {
	last := len(r.tries) - 1
	r.a.replace(closeTry, it, uint32(r.tries[last]))
	r.tries = r.tries[:last]
}

func (r *runs) throw(it *binary.Instructions) {
	k, x := throwTag, throwSite{it.Index, neverThrown}
	if it.Op == binary.ThrowRef {
		k = rethrow
	}
	if r.now != unreachable {
		x.to, _ = r.handler()
		r.f.throwsUncaught = r.f.throwsUncaught || !r.frames[len(r.frames)-1].catchesAll
	}
	r.a.replace(k, it, uint32(len(r.a.throwSites)))
	r.a.throwSites = append(r.a.throwSites, x)
	r.now = unreachable
}

// called records a call that may end with an exception.
func (r *runs) called(it *binary.Instructions) {
	callee := it.Index
	if it.Op == binary.CallIndirect {
		if callee |= indirectly; holds(r.a.m.Types[it.Index]) {
			r.a.err = fault.New(fault.Refused, "type %d: an exception is neither a parameter nor a result", it.Index)
		}
	}
	if r.now == unreachable || callee < r.a.imported {
		return
	}
	to, _ := r.handler()
	r.a.insert(checkThrown, it.End, uint32(len(r.a.throwSites)))
	r.a.throwSites = append(r.a.throwSites, throwSite{callee, to})
	if !r.frames[len(r.frames)-1].catchesAll {
		r.a.uncaught = append(r.a.uncaught, callee)
	}
}

// propagateThrows finds the functions that may end with an exception: those that throw
// one, and their callers that do not catch it.
func (a *analysis) propagateThrows() {
	a.throwing = make([]bool, len(a.m.Types))
	if !a.exceptions {
		return
	}
	n := uint32(len(a.functions))
	node := func(callee uint32) uint32 {
		if callee&indirectly != 0 {
			return n + a.types[callee&^indirectly]
		}
		return callee - a.imported
	}
	callers := make([][]uint32, int(n)+len(a.m.Types))
	var left []uint32 // throwing functions whose callers are not marked yet
	for i := range a.functions {
		f := &a.functions[i]
		for _, c := range a.uncaught[f.uncaught[0]:f.uncaught[1]] {
			callers[node(c)] = append(callers[node(c)], uint32(i))
		}
		if f.throws = f.throwsUncaught; f.throws {
			left = append(left, uint32(i))
		}
	}
	for len(left) > 0 {
		at := left[len(left)-1]
		left = left[:len(left)-1]
		if t := a.types[a.m.Functions[at]]; a.addressTaken[at+a.imported] && !a.throwing[t] {
			a.throwing[t] = true
			left = a.markThrowing(left, callers[n+t])
		}
		left = a.markThrowing(left, callers[at])
	}
}

// markThrowing marks callers as throwing, and appends the new ones.
func (a *analysis) markThrowing(left, callers []uint32) []uint32 {
	for _, c := range callers {
		if f := &a.functions[c]; !f.throws {
			f.throws = true
			left = append(left, c)
		}
	}
	return left
}

// mayThrow reports whether a call to an entry of callees may end with an exception.
func (a *analysis) mayThrow(callee uint32) bool {
	if callee&indirectly != 0 {
		return a.throwing[a.types[callee&^indirectly]]
	}
	return a.functions[callee-a.imported].throws
}

// exception appends the replacement of an instruction about exceptions.
func (w *writer) exception(dst []byte, f *function, e *edit, old []byte) []byte {
	switch e.kind {
	case retypeBlock:
		dst = append(dst, old[0], byte(binary.I64))
	case throwTag, rethrow:
		x := w.a.throwSites[e.arg]
		if x.to == neverThrown {
			return append(dst, byte(binary.Unreachable))
		}
		dst = binary.AppendU32(append(w.throw(dst, e.kind, x.of), byte(binary.Br)), x.to)
	case checkThrown:
		if x := w.a.throwSites[e.arg]; w.a.mayThrow(x.of) {
			dst = appendGlobal(dst, binary.GlobalGet, w.thrown)
			dst = binary.AppendU32(append(dst, byte(binary.BrIf)), x.to)
		}
	case openTry:
		dst = w.openTry(dst, &w.a.tries[e.arg])
	case closeTry:
		dst = w.closeTry(dst, f, &w.a.tries[e.arg])
	}
	return dst
}

// throw makes an exception pending.
func (w *writer) throw(dst []byte, k kind, tag uint32) []byte {
	if k == rethrow {
		return appendCall(dst, w.helper(putThrown))
	}
	if w.hasPayload(tag) {
		dst = appendGlobal(dst, binary.GlobalSet, w.payload)
	}
	dst = binary.AppendS64(append(dst, byte(binary.I32Const)), int64(tag)+1)
	return appendGlobal(dst, binary.GlobalSet, w.thrown)
}

func (w *writer) hasPayload(tag uint32) bool { return len(w.m.Types[w.m.Tags[tag]].Params) > 0 }

// openTry writes the start of a try_table:
//
//	block $done             ;; of its type
//	  block $thrown
//	    ...                 ;; jumps here to $thrown
func (w *writer) openTry(dst []byte, t *try) []byte {
	of, inner := int64(t.of), int64(binary.NoResult)
	if v, one := t.of.Result(); one && v == binary.ExnRef {
		of = int64(binary.I64) - 0x80
	}
	if of >= 0 {
		if params := w.out.Types[of].Params; len(params) > 0 {
			inner = int64(w.typeOf(params, nil))
		}
	}
	dst = binary.AppendS64(append(dst, byte(binary.Block)), of)
	return binary.AppendS64(append(dst, byte(binary.Block)), inner)
}

// closeTry writes the end of a try_table:
//
//	    br $done
//	  end $thrown
//	  ...                   ;; each clause: is it this one?
//	  br $outer
//	end $done
func (w *writer) closeTry(dst []byte, f *function, t *try) []byte {
	dst = append(dst, byte(binary.Br), 1, byte(binary.End))
	for _, c := range w.a.clauses[t.clauses[0]:t.clauses[1]] {
		if c.Kind.All() {
			return append(w.catch(dst, c, 1), byte(binary.End))
		}
		dst = appendGlobal(dst, binary.GlobalGet, w.thrown)
		dst = binary.AppendS64(append(dst, byte(binary.I32Const)), int64(c.Tag)+1)
		dst = append(dst, i32Eq, byte(binary.If), emptyBlock)
		dst = append(w.catch(dst, c, 2), byte(binary.End))
	}
	if t.last && !f.throws {
		return append(dst, byte(binary.Unreachable), byte(binary.End))
	}
	return append(binary.AppendU32(append(dst, byte(binary.Br)), t.outer+1), byte(binary.End))
}

// catch writes a clause: it branches to its label, some frames further out, with the values
// that it hands on.
func (w *writer) catch(dst []byte, c binary.Clause, further uint32) []byte {
	if !c.Kind.All() && w.hasPayload(c.Tag) {
		dst = appendGlobal(dst, binary.GlobalGet, w.payload)
	}
	if c.Kind.Ref() {
		dst = appendCall(dst, w.helper(takeThrown))
	} else {
		dst = appendGlobal(append(dst, byte(binary.I32Const), 0), binary.GlobalSet, w.thrown)
	}
	return binary.AppendU32(append(dst, byte(binary.Br)), c.Label+further)
}

// takeThrown writes the body of the helper of that name.
func (w *writer) takeThrown(b []byte) []byte {
	b = appendGlobal(b, binary.GlobalGet, w.thrown)
	b = append(b, i64ExtendU, byte(binary.I64Const), 32, i64Shl)
	b = appendGlobal(b, binary.GlobalGet, w.payload)
	b = append(b, i64ExtendU, i64Or, byte(binary.I32Const), 0)
	return appendGlobal(b, binary.GlobalSet, w.thrown)
}

// putThrown writes the body of the helper of that name. It traps for a null reference.
func (w *writer) putThrown(b []byte) []byte {
	b = append(b, byte(binary.LocalGet), 0, i64Eqz, byte(binary.If), emptyBlock, byte(binary.Unreachable), byte(binary.End))
	b = append(b, byte(binary.LocalGet), 0, i32WrapI64)
	b = appendGlobal(b, binary.GlobalSet, w.payload)
	b = append(b, byte(binary.LocalGet), 0, byte(binary.I64Const), 32, i64ShrU, i32WrapI64)
	return appendGlobal(b, binary.GlobalSet, w.thrown)
}

// types replaces the type of exceptions by i64.
func (w *writer) types() {
	w.out.Tags = nil
	w.out.Types = slices.Clone(w.m.Types)
	for i, t := range w.out.Types {
		w.out.Types[i] = binary.FuncType{Params: plainTypes(t.Params), Results: plainTypes(t.Results)}
	}
	_, w.typed = typeNumbers(w.out.Types)
}

// plainTypes returns types with i64 in place of exceptions.
func plainTypes(types []binary.ValType) []binary.ValType {
	if !slices.Contains(types, binary.ExnRef) {
		return types
	}
	types = slices.Clone(types)
	for i, t := range types {
		if t == binary.ExnRef {
			types[i] = binary.I64
		}
	}
	return types
}

// declarations returns the declarations of a function's locals: i64 in place of exceptions, and the
// scratch locals.
func declarations(f *function, groups []binary.Locals) []binary.Locals {
	if own := f.scratch.declared(); own != nil {
		groups = slices.Concat(groups, own)
	}
	is := func(l binary.Locals) bool { return l.Type == binary.ExnRef }
	if !slices.ContainsFunc(groups, is) {
		return groups
	}
	groups = slices.Clone(groups)
	for i := range groups {
		if is(groups[i]) {
			groups[i].Type = binary.I64
		}
	}
	return groups
}

// appendZeros appends the dummy results of a function that ends with an exception.
func appendZeros(dst []byte, types []binary.ValType) []byte {
	for _, t := range types {
		switch t {
		case binary.I32:
			dst = append(dst, byte(binary.I32Const), 0)
		case binary.I64:
			dst = append(dst, byte(binary.I64Const), 0)
		case binary.F32:
			dst = append(dst, byte(binary.F32Const), 0, 0, 0, 0)
		case binary.F64:
			dst = append(append(dst, byte(binary.F64Const)), make([]byte, 8)...)
		case binary.V128:
			dst = append(append(dst, 0xfd, 0x0c), make([]byte, 16)...)
		default:
			dst = append(dst, byte(binary.RefNull), byte(t))
		}
	}
	return dst
}
