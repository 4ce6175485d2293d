package lean

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// A value is the known state of an operand or local.
type value struct {
	kind  kind
	frame int32 // index of a frame
	n     int32 // a constant, or the offset from the frame's start
	from  int32 // of an operand: the one instruction that only pushes it, or nowhere
}

// A kind is a kind of value.
type kind byte

const (
	plain   kind = iota // not a place in a frame
	number              // a constant
	place               // a place in a frame
	pointer             // the value of the stack pointer
	mixed               // a place in a frame on one path to here, not on another
)

// nowhere stands for no instruction.
const nowhere = -1

var unknown = value{from: nowhere}

// A frame is a frame that a function allocates on the stack in memory.
type frame struct {
	size     int32
	computed [2]int32 // the first and last of the instructions that compute its start
	escapes  bool     // any address in it may escape
	escaped  []int32  // offsets whose addresses escape
	shared   []Object // that others can reach
	kept     bool     // the frame must be allocated: an instruction needs its address or the stack pointer
	enters   [][2]int32
	leaves   [][2]int32 // instructions that set the stack pointer to its start, and to its end
}

// An access is a load or store in a frame.
type access struct {
	frame, offset int32
	at            int32 // the instruction
	address       int32 // the instruction that pushes the address, or nowhere
}

// An instruction is one of the function.
type instruction struct {
	op         binary.Op
	start, end int
	index      uint32
}

// A block is an open block, loop, if or function.
type block struct {
	op      binary.Op
	at      int32 // the instruction that opened it
	results int
	height  int     // of the stack below it
	before  []value // of a loop or if: locals at its start
	after   []value // locals at its end, of all paths so far; nil: none yet
	dead    bool    // dead code
}

// A walk follows the addresses of frames through one function.
type walk struct {
	m            *binary.Module
	stackPointer uint32
	objects      []Object // of the function's own frame

	instructions []instruction
	locals       []value
	stack        []value
	blocks       []block
	dead         bool // the current code is dead
	failed       bool // the function cannot be followed

	frames   []frame
	accesses []access

	// loops has, by loop and local, the kind of a local at the start of every round, if it
	// differs from that before the loop. again: an entry was added.
	loops map[[2]int32]kind
	again bool
}

// maxRounds bounds the walks through a function until its loops reach a fixed point.
const maxRounds = 50

// follow walks the i-th function until its loops reach a fixed point. It reports whether the
// result can be used.
func (w *walk) follow(i int) bool {
	w.instructions = w.instructions[:0]
	takes := false
	it := w.m.Code[i].Instructions()
	for it.Next() {
		takes = takes || it.Op == binary.GlobalGet && it.Index == w.stackPointer
		w.instructions = append(w.instructions, instruction{it.Op, it.Start, it.End, it.Index})
	}
	if !takes {
		return false
	}
	w.loops = map[[2]int32]kind{}
	for range maxRounds {
		w.again = false
		w.once(i)
		if w.failed || !w.again {
			return !w.failed
		}
	}
	return false
}

// once walks the code from its start to its end.
func (w *walk) once(i int) {
	n := int(locals(w.m, i))
	w.locals = slices.Grow(w.locals[:0], n)[:n]
	for k := range w.locals {
		w.locals[k] = unknown
	}
	w.stack, w.frames, w.accesses, w.dead, w.failed = w.stack[:0], w.frames[:0], w.accesses[:0], false, false
	w.blocks = append(w.blocks[:0], block{op: binary.Block, results: len(w.m.Types[w.m.Functions[i]].Results)})
	it := w.m.Code[i].Instructions()
	for k := int32(0); !w.failed && it.Next(); k++ {
		w.step(&it, k)
	}
}

func (w *walk) push(v value) { w.stack = append(w.stack, v) }

func (w *walk) pop() value {
	last := len(w.stack) - 1
	if last < w.blocks[len(w.blocks)-1].height {
		w.failed = true
		return unknown
	}
	v := w.stack[last]
	w.stack = w.stack[:last]
	return v
}

// popEscaping pops values, which escape.
func (w *walk) popEscaping(n int) {
	for range n {
		w.markEscaping(w.pop())
	}
}

// markEscaping records that a value escapes.
func (w *walk) markEscaping(v value) {
	switch v.kind {
	case place:
		f := &w.frames[v.frame]
		f.escaped = append(f.escaped, v.n)
	case mixed, pointer:
		w.failed = true
	}
}

// pushUnknown pushes values that are not addresses.
func (w *walk) pushUnknown(n int) {
	for range n {
		w.push(unknown)
	}
}

// open enters a block, loop or if.
func (w *walk) open(it *binary.Instructions, k int32) {
	b := block{op: it.Op, at: k, dead: w.dead}
	if !w.dead {
		if it.Op == binary.If {
			w.popEscaping(1)
		}
		params, results := w.m.BlockSignature(it.BlockType())
		b.results = len(results)
		w.failed = w.failed || len(params) > 0
		if it.Op == binary.Loop {
			w.start(k)
		}
		if it.Op != binary.Block {
			b.before = slices.Clone(w.locals)
		}
	}
	b.height = len(w.stack)
	w.blocks = append(w.blocks, b)
}

// start sets the locals to their state at the start of every round of a loop.
func (w *walk) start(loop int32) {
	for l := range w.locals {
		if k, other := w.loops[[2]int32{loop, int32(l)}]; other {
			w.locals[l] = value{kind: k, from: nowhere}
		}
	}
}

// elseArm enters the second arm of an if.
func (w *walk) elseArm() {
	b := &w.blocks[len(w.blocks)-1]
	if b.dead {
		return
	}
	w.finish(b)
	w.dead, b.op = false, binary.Else
	w.stack = w.stack[:b.height]
	copy(w.locals, b.before)
}

// finish handles control that reaches the end of a block.
func (w *walk) finish(b *block) {
	if w.dead {
		return
	}
	w.popEscaping(b.results)
	b.join(w.locals)
}

// join adds a path to the end of a block.
func (b *block) join(now []value) {
	if b.after == nil {
		b.after = slices.Clone(now)
		return
	}
	for k := range now {
		b.after[k] = meet(b.after[k], now[k])
	}
}

// meet returns the state of a value that is a or b.
func meet(a, b value) value {
	switch {
	case a.kind == b.kind && a.frame == b.frame && a.n == b.n:
		return a
	case a.kind == place || a.kind == mixed || b.kind == place || b.kind == mixed:
		return value{kind: mixed, from: nowhere}
	}
	return unknown
}

// close leaves a block, loop, if or function.
func (w *walk) close() {
	last := len(w.blocks) - 1
	b := w.blocks[last]
	if !b.dead {
		w.finish(&b)
		if b.op == binary.If { // without an else arm
			b.join(b.before)
		}
	}
	w.blocks = w.blocks[:last]
	if b.dead || last == 0 {
		return
	}
	if w.dead = b.after == nil; w.dead {
		w.stack = w.stack[:w.blocks[last-1].height]
		return
	}
	w.stack = w.stack[:b.height]
	copy(w.locals, b.after)
	w.pushUnknown(b.results)
}

// jump adds a path to a label.
func (w *walk) jump(label uint32) {
	b := &w.blocks[len(w.blocks)-1-int(label)]
	if b.op == binary.Loop {
		w.back(b)
		return
	}
	for k := max(len(w.stack)-b.results, 0); k < len(w.stack); k++ {
		w.markEscaping(w.stack[k])
	}
	b.join(w.locals)
}

// back adds a path to the start of a loop.
func (w *walk) back(b *block) {
	for l, was := range b.before {
		if is := meet(was, w.locals[l]); is.kind != was.kind {
			w.loops[[2]int32{b.at, int32(l)}] = is.kind
			w.again = true
		}
	}
}

// markDead marks the following code as dead.
func (w *walk) markDead() {
	w.dead = true
	w.stack = w.stack[:w.blocks[len(w.blocks)-1].height]
}
