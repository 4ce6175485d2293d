package meter

import (
	"math"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

// A run is code that is executed exactly as often as its first instruction. It need not be
// contiguous: the code after an if belongs to the run of the code before it, unless
// something inside jumps further out. A run is charged where it starts.
//
// Runs form a tree. The parent of a run is executed before it, in the same round of the
// same loop, but perhaps more often.
type run struct {
	edit   int    // its charge, in analysis.edits
	parent int    // none for the entry of the function and of a loop body
	payer  int    // the run that charges for this one: itself, or an ancestor
	own    uint64 // fuel of its instructions
	extra  uint64 // fuel of the other runs it pays for
	check  bool   // check the fuel where the run starts
}

// Loops beyond these limits get a check inside in place of a pad: the time to compile
// grows with the square of blocks, of which a pad adds three.
const (
	maxPads       = 256 // in one function
	maxNestedPads = 32  // one inside the other
)

// unreachable stands for the run of dead code, and for the missing parent of a first run.
const unreachable = -1

// A frame is an open block, loop or if; the outermost one is the function.
type frame struct {
	op     binary.Op
	around int  // the run around it
	escape int  // index of the outermost frame that is a jump target of code inside
	joined bool // control also reaches its end by a jump, or from the other arm
	other  bool // an if whose else has come
	padded bool // a loop that is rewritten with a pad; see edit.go
	pads   int  // how many of the frames up to this one are padded

	// Number of frames that the meter adds: outside of the jump target that this frame is,
	// and outside of the code in it.
	added, inside int

	try        int  // 1 + the frame of the try_table around the code in it, perhaps itself; 0: there is none
	catchesAll bool // a try_table around that code catches everything
}

// runs splits a function into runs, in one walk.
type runs struct {
	a      *analysis
	f      *function
	list   []run
	frames []frame
	now    int   // the run that the next instruction belongs to
	pads   int   // loops with a pad so far
	tries  []int // the open ones, in analysis.tries
	labels []uint32
}

// newFrame returns a frame inside of the innermost one.
func (r *runs) newFrame(op binary.Op) frame {
	in := &r.frames[len(r.frames)-1]
	return frame{op: op, around: r.now, escape: len(r.frames), pads: in.pads, added: in.inside, inside: in.inside, try: in.try, catchesAll: in.catchesAll}
}

func (r *runs) reset(a *analysis, f *function) {
	r.a, r.f, r.list, r.pads, r.tries = a, f, r.list[:0], 0, r.tries[:0]
	r.begin(0, unreachable)
	r.frames = append(r.frames[:0], frame{op: binary.Block})
}

// begin starts a run at an offset.
func (r *runs) begin(at, parent int) {
	r.now = len(r.list)
	r.list = append(r.list, run{edit: len(r.a.edits), parent: parent})
	r.a.insert(none, at, 0)
}

// spend adds the cost of an instruction to the current run.
func (r *runs) spend(cost uint64) {
	if r.now != unreachable {
		r.list[r.now].own += cost
	}
}

// open enters a block, loop or if.
func (r *runs) open(it *binary.Instructions) {
	f := r.newFrame(it.Op)
	if it.Op == binary.Loop && r.now != unreachable && r.paramless(it.BlockType()) && r.pads < maxPads && f.pads < maxNestedPads {
		f.padded = true
		r.pads++
		r.f.guarded = r.f.guarded || r.now == 0 && len(r.a.callees) == r.f.callees[0]
		f.pads++
		f.added += padFrames
		f.inside = f.added
		r.a.replace(openLoop, it, 0)
	} else if v, one := it.BlockType().Result(); one && v == binary.ExnRef {
		r.a.replace(retypeBlock, it, 0)
	}
	r.frames = append(r.frames, f)
	switch {
	case r.now == unreachable:
	case it.Op == binary.Loop:
		r.begin(it.End, unreachable)
		r.list[r.now].check = !f.padded
		r.spend(Cost(binary.Loop)) // every round costs something
	case it.Op == binary.If:
		r.begin(it.End, r.now)
	}
}

// paramless reports whether a block of this type takes nothing from the stack.
func (r *runs) paramless(t binary.BlockType) bool {
	return t < 0 || len(r.a.m.Types[t].Params) == 0
}

// elseArm enters the second arm of an if.
func (r *runs) elseArm(it *binary.Instructions) {
	f := &r.frames[len(r.frames)-1]
	f.other = true
	f.joined = f.joined || r.now != unreachable
	if r.now = f.around; r.now != unreachable {
		r.begin(it.End, r.now)
	}
}

// close leaves a block, loop, if or function.
func (r *runs) close(it *binary.Instructions) {
	at := len(r.frames) - 1
	f := &r.frames[at]
	r.frames = r.frames[:at]
	if at == 0 {
		return
	}
	switch {
	case f.padded:
		r.a.replace(closeLoop, it, 0)
	case f.op == binary.TryTable:
		r.closeTry(it)
	}
	if out := &r.frames[at-1]; f.escape < out.escape {
		out.escape = f.escape
	}
	skipped := f.op == binary.If && !f.other
	switch {
	case f.around == unreachable:
		r.now = unreachable
	case r.now == unreachable && !f.joined && !skipped:
		// the end is unreachable
	case (f.op == binary.Block || f.op == binary.TryTable) && !f.joined:
		// the code after the end continues the current run
	case f.escape >= at:
		r.now = f.around
	default:
		r.begin(it.End, f.around)
	}
}

// jump handles a branch, return or trap. The label of a dead branch is adjusted too:
// validators check it.
func (r *runs) jump(it *binary.Instructions) {
	dead := r.now == unreachable
	switch it.Op {
	case binary.BrIf, binary.Br:
		to := r.to(it.Index)
		if to != it.Index {
			r.a.replace(branch, it, to)
		}
		if it.Op == binary.BrIf && !dead {
			r.begin(it.End, r.now)
			return
		}
	case binary.BrTable:
		r.table(it)
	case binary.Return:
		if dead {
			return
		}
		to := r.to(uint32(len(r.frames)) - 1)
		r.a.replace(leave, it, to)
	}
	r.now = unreachable
}

// table handles a br_table.
func (r *runs) table(it *binary.Instructions) {
	r.labels = it.Labels(r.labels[:0])
	changed := false
	for i, l := range r.labels {
		r.labels[i] = r.to(l)
		changed = changed || r.labels[i] != l
	}
	if changed {
		r.a.replace(branchTable, it, uint32(len(r.a.tables)))
		r.a.tables = append(r.a.tables, uint32(len(r.labels)))
		r.a.tables = append(r.a.tables, r.labels...)
	}
}

// to records a jump to a label, and returns the label in the metered code.
func (r *runs) to(label uint32) uint32 {
	target := len(r.frames) - 1 - int(label)
	if f := &r.frames[target]; f.op != binary.Loop && r.now != unreachable {
		f.joined = true
	}
	if in := &r.frames[len(r.frames)-1]; target < in.escape && r.now != unreachable {
		in.escape = target
	}
	return label + uint32(r.frames[len(r.frames)-1].inside-r.frames[target].added)
}

// assignCharges decides which runs charge, and writes the charges into the edits. An ancestor
// pays in advance for a run that is small beside it, even if that is then not executed.
func (r *runs) assignCharges() {
	for i := range r.list {
		w := &r.list[i]
		if w.payer = i; w.parent == unreachable {
			continue
		}
		p := &r.list[r.list[w.parent].payer]
		if p.extra+w.own <= p.own*r.a.rule.advance/100 {
			p.extra += w.own
			w.payer = r.list[w.parent].payer
		}
	}
	for i := range r.list {
		w := &r.list[i]
		if w.payer != i || w.own+w.extra == 0 {
			continue
		}
		e := &r.a.edits[w.edit]
		e.kind, e.arg = charge, uint32(min(w.own+w.extra, math.MaxUint32))
		e.check = r.a.rule.everywhere || w.check
	}
}
