package wasm

import (
	"context"
	"fmt"
	"slices"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/extism"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// A prototype is what a module is: its rules, its code, and the state in which instances
// start. Instances are made of it. Nothing changes it once it is loaded.
type prototype struct {
	name       string
	digest     string
	limits     Limits
	scorers    []string // that can be called, sorted; empty: all
	convention *convention
	traits     traits
	runtime    *Runtime

	code      *code
	linked    *instance     // checked by isWhole, for first to start; nil: there is none
	cacheMiss bool          // there is a store, but code or the image that it starts from was not in it
	data      []binary.Data // initial memory
	files     []Data        // that the guest gets when it is started
	vars      extism.Vars   // Extism's variables at the start of a call
	image     *image.Image  // state of a new instance: initialised, if restorable

	script  *hosted  // nil: the module is not a script
	library *library // of the interpreter; nil: there is none
}

// first starts the first instance and makes the image from it: from the base of a script,
// if that is started.
func (p *prototype) first(caller context.Context) error {
	if p.script != nil && p.script.started() != nil {
		return p.firstOver(caller, p.script.started())
	}
	if len(p.files) > 0 && p.convention.abi != Direct {
		return fault.New(fault.Load, "plugin %s: it has data files, which only modules of the direct ABI can have, and it has the ABI %s", p.name, p.convention.abi)
	}
	i := p.linked
	if p.linked = nil; i == nil {
		i = p.newInstance(p.runtime.system().Memory(p.traits.MaxMemory))
	}
	defer i.close()
	if i.mod == nil {
		if err := i.link(); err != nil {
			return err
		}
	}
	if err := i.fill(); err != nil {
		return err
	}
	if !p.traits.Restorable || p.traits.PerCall {
		p.image = i.freeze(p.runtime.system()) // before anything has run
	}
	if p.traits.PerCall {
		return nil
	}
	if err := i.initialise(caller); err != nil {
		return err
	}
	p.vars = i.kernel.Vars()
	if p.traits.Restorable {
		p.image, p.files = i.freeze(p.runtime.system()), nil
	}
	return nil
}

// firstOver starts the first instance of a script from the image of its interpreter.
func (p *prototype) firstOver(caller context.Context, base *image.Image) error {
	i := p.newInstance(base.MemoryUpTo(p.traits.MaxMemory))
	defer i.close()
	if err := i.link(); err != nil {
		return err
	}
	if err := i.adopt(base); err != nil {
		return fmt.Errorf("plugin %s: %w", p.name, err)
	}
	i.beginStart(caller)
	if err := p.convention.ready(i); err != nil {
		return err
	}
	p.image = i.freeze(p.runtime.system())
	return nil
}

// start returns a new instance, in the state of the image if the module is restorable.
func (p *prototype) start(caller context.Context) (*instance, error) {
	i := p.newInstance(p.image.Memory())
	err := i.link()
	switch {
	case err != nil:
	case p.traits.Restorable:
		if err = i.adopt(p.image); err != nil {
			err = fmt.Errorf("plugin %s: %w", p.name, err)
		}
	case !p.traits.PerCall:
		err = i.initialise(caller)
	}
	if err != nil {
		i.close()
		return nil, err
	}
	return i, nil
}

// isWhole reports whether a module's machine code is that of the whole module: if wazero
// did not find it, it has compiled the stub. Its instance becomes the first one; that of an interpreter does not, as it may start from an image.
func (p *prototype) isWhole(key string) (whole bool) {
	i := p.newInstance(p.runtime.system().Memory(p.traits.MaxMemory))
	if i.link() == nil {
		f := i.mod.ExportedFunction(meter.WholeName)
		whole = f != nil && i.enter(f) == nil && int64(i.stack[0]) == meter.WholeMark(keyBytes(key))
	}
	if whole && p.script == nil {
		p.linked = i
	} else {
		i.close()
	}
	return whole
}

// find returns the index of a scorer. A program answers to any name.
func (p *prototype) find(export string) (int, bool) {
	if p.convention.abi == Command {
		return 0, true
	}
	if len(p.scorers) > 0 && !slices.Contains(p.scorers, export) {
		return 0, false
	}
	return slices.BinarySearch(p.traits.Exports, export)
}

// close frees the image, and the code if it is the module's own. No instance is left.
func (p *prototype) close(ctx context.Context) error {
	p.forgetImage()
	if p.script != nil && p.script.base != nil {
		return nil // the code is that of the base
	}
	return p.code.close(ctx)
}

func (p *prototype) forgetImage() {
	if p.image != nil {
		p.image.Close()
		p.image = nil
	}
}
