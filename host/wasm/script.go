package wasm

import (
	"context"
	"errors"
	"fmt"

	"github.com/rubric-host/rubric-host/host/wasm/image"
)

// Scripted is the ABI of a script: an interpreter that was started with it once
// is called from the image of that moment.
const Scripted ABI = "script"

// A hosted script is one in its interpreter.
type hosted struct {
	*Script
	interpreter *interpreter
	handles     []uint64 // as Start has returned them
}

// readScript returns the script that a source is, nil if it is none or has no bytes yet.
func (r *Runtime) readScript(src *Source) (*Script, error) {
	if r.scripts == nil || src.Module == nil {
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
	m.limits = s.Language.Limits(limits)
	if err := m.limits.check(); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", m.name, err)
	}
	in, err := r.interpreterOf(ctx, s.Language)
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", m.name, err)
	}
	m.runIn(in, s)
	m.access = m.library().with(m.access)
	r.remember(m)
	if r.artifacts.loadImage(m) {
		return m, nil
	}
	if err = m.firstOfScript(ctx, in.module.image); err != nil {
		return nil, errors.Join(err, m.Close(ctx))
	}
	r.artifacts.saveImage(m)
	return m, nil
}

// runIn makes m a script in an interpreter.
func (m *Module) runIn(in *interpreter, s *Script) {
	base := in.module
	m.script = &hosted{Script: s, interpreter: in, handles: base.script.handles}
	m.convention, m.code, m.data, m.cacheMiss = base.convention, base.code, base.data, base.cacheMiss
	m.traits = base.traits
	m.traits.Exports = s.Exports
	m.traits.MaxMemory = min(base.traits.MaxMemory, uint64(m.limits.MemoryPages)<<16)
}

// baseImage is the image of the interpreter that a script starts from, nil if there is none.
func (m *Module) baseImage() *image.Image {
	if base := m.script.interpreter.module; base != m {
		return base.image
	}
	return nil
}

// firstOfScript makes the first instance of a script and, from it, the image. Base is the
// image of the interpreter, nil if it was not started.
func (m *Module) firstOfScript(caller context.Context, base *image.Image) error {
	if base == nil {
		return m.first(caller)
	}
	i := m.newInstance(base.MemoryUpTo(m.traits.MaxMemory), 0)
	defer i.close()
	if err := i.link(); err != nil {
		return err
	}
	if err := i.adopt(base); err != nil {
		return fmt.Errorf("plugin %s: %w", m.name, err)
	}
	i.beginStart(caller)
	if err := m.convention.ready(i); err != nil {
		return err
	}
	m.image = i.freeze(m.owner.system)
	return nil
}

// forgetImage frees the image of a module that has no instances.
func (m *Module) forgetImage() {
	if m.image != nil {
		m.image.Close()
		m.image = nil
	}
}

// ImageDigest returns "sha256:<hex>" of the initial state of every instance: memory
// and globals. It is the same in every process. Empty: the module has no image, or
// its start has not run yet.
func (m *Module) ImageDigest() string {
	if !m.traits.Restorable || m.traits.PerCall {
		return ""
	}
	return digestOf(m.image.AppendEncoded(nil))
}
