package wasm

import (
	"context"
	"errors"
	"fmt"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/image"
)

// Scripted is the ABI of a script: an interpreter that was started with it once
// is called from the image of that moment.
const Scripted ABI = "script"

// A hosted script is one in its interpreter.
type hosted struct {
	*Script
	base    *prototype // the interpreter, which owns the code; nil: this is the interpreter, alone
	handles []uint64   // as Start has returned them
}

// started returns the image of the interpreter that the script starts from; nil: there is none.
func (h *hosted) started() *image.Image {
	if h.base == nil {
		return nil
	}
	return h.base.image
}

// readScript returns the script that a source with bytes is, nil if it is none.
func (r *Runtime) readScript(src *Source) (*Script, error) {
	if r.scripts == nil {
		return nil, nil //nolint:nilnil // a module that is not a script
	}
	s, err := r.scripts(src.Module)
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", src.Name, err)
	}
	return s, nil
}

// loadScript starts an interpreter with a script, or takes the image of that from the store.
func (r *Runtime) loadScript(ctx context.Context, m *Module, s *Script, limits Limits) (*Module, error) {
	m.limits, m.scorers = s.Runtime.Limits(limits), nil
	if err := m.limits.check(); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", m.name, err)
	}
	in, err := r.interpreters.interpreterOf(ctx, s.Runtime)
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", m.name, err)
	}
	m.runIn(in, s)
	m.access = m.library.with(m.access)
	r.remember(m)
	if !r.artifacts.loadImage(&m.prototype) {
		if in, err = r.interpreters.started(ctx, s.Runtime); err == nil {
			m.runIn(in, s)
			err = m.first(ctx)
		}
		if err != nil {
			return nil, errors.Join(err, m.Close(ctx))
		}
		r.artifacts.saveImage(&m.prototype)
	}
	if len(s.Front) > 0 {
		if m.front, err = r.loadFront(ctx, m); err != nil {
			return nil, errors.Join(err, m.Close(ctx))
		}
	}
	return m, nil
}

// loadFront loads the front of a script, which has no grants. The script closes it.
func (r *Runtime) loadFront(ctx context.Context, script *Module) (*Module, error) {
	name := script.name + ", its front"
	f, err := r.newModule(&Source{Name: name, Module: script.script.Front}, script.limits)
	if err != nil {
		return nil, err
	}
	if !r.fronts.load(ctx, &f.prototype) {
		if err := r.build(ctx, &f.prototype, script.script.Front); err != nil {
			return nil, err
		}
	}
	if f.ABI() != Direct {
		err = fault.New(fault.Load, "plugin %s: it has the ABI %q; a front has %q", name, f.ABI(), Direct)
	} else {
		err = f.first(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(ctx))
	}
	return f, nil
}

// runIn makes m a script in an interpreter.
func (p *prototype) runIn(base *prototype, s *Script) {
	p.script, p.library = &hosted{Script: s, base: base, handles: base.script.handles}, base.library
	p.convention, p.code, p.data, p.cacheMiss = base.convention, base.code, base.data, base.cacheMiss
	p.traits = base.traits
	p.traits.Exports = s.Exports
	p.traits.MaxMemory = min(base.traits.MaxMemory, uint64(p.limits.MemoryPages)<<16)
}
