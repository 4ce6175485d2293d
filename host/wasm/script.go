package wasm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/script"
)

// Scripted is the ABI of a script: an interpreter that was started with it once
// is called from the image of that moment.
const Scripted ABI = "script"

// A scripted module is a script in its interpreter.
type scripted struct {
	language *language
	script   *script.Script
	base     *Module  // the interpreter, if it has an image of its own
	library  *library // of the interpreter; nil: all of it is in the module
	slots    []uint64 // of the guest, as starting found them; what they are is the language's matter
}

// loadScript starts an interpreter with a script, or finds the image of that.
func (r *Runtime) loadScript(ctx context.Context, src *Source, module []byte, limits Limits) (*Module, error) {
	name := src.Name
	s, l, err := readScript(module)
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	if s.Interpreter != l.Interpreter {
		return nil, fault.WithHint(fault.New(fault.Mismatch, "plugin %s: it requires the interpreter %s of %s; there is %s",
			name, printable(s.Interpreter, 80), l.Name, l.Interpreter), "make the plugin again with this version of rubric-host")
	}
	m := &Module{name: name, digest: src.Digest, limits: l.limits(limits), idle: newPool(), owner: r, how: &l.how}
	if err := m.limits.check(); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	base, err := r.engine(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", name, err)
	}
	m.runsIn(base)
	m.traits.Exports = s.Functions()
	m.scripted = &scripted{language: l, script: s, library: base.scripted.library}
	m.access = m.library().with(src.Access)
	if base.image != nil {
		m.scripted.base = base
	}
	r.remember(m)
	if r.restoreImage(m) {
		return m, nil
	}
	if base.image != nil {
		err = m.firstFrom(ctx, base)
	} else {
		err = m.first(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, m.Close(ctx))
	}
	r.keepImage(m)
	return m, nil
}

// readScript returns a script and its language.
func readScript(module []byte) (*script.Script, *language, error) {
	s, err := script.Read(module)
	if err != nil {
		return nil, nil, err
	}
	l, err := languageOf(s)
	return s, l, err
}

// limits fills in what a language has of its own.
func (l *language) limits(given Limits) Limits {
	if given.MemoryPages == 0 {
		given.MemoryPages = l.usualPages
	}
	given.MemoryPages = min(given.MemoryPages, l.mostPages)
	given.Compile = cmp.Or(given.Compile, l.compile)
	return given.WithDefaults()
}

// runsIn makes a module of what its interpreter is.
func (m *Module) runsIn(base *Module) {
	m.code, m.borrows, m.cacheMiss = base.code, true, base.cacheMiss
	m.traits, m.data = base.traits, base.data
	m.traits.MostMemory = min(base.traits.MostMemory, uint64(m.limits.MemoryPages)<<16)
}

// firstFrom makes the first instance of a script from an interpreter that runs
// none, and from it, the image.
func (m *Module) firstFrom(caller context.Context, base *Module) error {
	m.scripted.slots = slices.Clone(base.scripted.slots)
	i := m.newInstance(base.image.MemoryUpTo(m.traits.MostMemory), 0)
	defer i.close()
	if err := i.link(); err != nil {
		return err
	}
	if err := i.adopt(base.image); err != nil {
		return err
	}
	i.beginStart(caller)
	i.boot()
	if err := m.how.ready(i); err != nil {
		return err
	}
	m.image = i.freeze()
	return nil
}

// boot gives starting a script what it may use. What the caller allows a call
// does not bind it: it happens once.
func (i *instance) boot() { i.bootWith(max(i.m.limits.Fuel, i.m.scripted.language.startFuel)) }

func (i *instance) bootWith(fuel uint64) {
	i.budget.allow(fuel, max(i.m.limits.Deadline, i.m.limits.Compile))
}

// unstarted says that a script could not be started, in its author's terms.
func (i *instance) unstarted(format string, args ...any) error {
	return fault.WithHint(fault.New(fault.Load, "plugin %s: %s%s", i.m.name, fmt.Sprintf(format, args...), lastLogged(i.world.Log())), "correct the script")
}

// block returns hostile text fit for several lines of a terminal.
func block(b []byte) string {
	lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	for k, l := range lines {
		lines[k] = plain([]byte(l), mostSaid)
	}
	return strings.Join(lines, "\n")
}

// ImageDigest returns "sha256:<hex>" of what every instance begins as: memory and
// globals. It is the same in every process. Empty: the module has no image, or
// begins with what has not run yet.
func (m *Module) ImageDigest() string {
	if !m.traits.Restorable || m.traits.Late {
		return ""
	}
	return digestOf(m.image.AppendEncoded(nil))
}
