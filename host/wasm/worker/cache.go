package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/script"
)

// Compiled code is kept in a directory for each module, and for each interpreter
// of scripts, which its workers can read and no other. It is filled by a worker that compiles the module, runs
// nothing of it, and can write there only. Nothing else reads it: code that was
// compiled behind the second wall never runs in front of it.

// keptIn is the part of Options.CacheDir that holds these directories.
const keptIn = "isolated"

// worthKeeping is the size of a module from which on compiling takes longer
// than starting a worker for it.
const worthKeeping = 16 << 10

// openCache makes the place for compiled code.
func (r *Runtime) openCache() error {
	if r.o.CacheDir == "" || r.o.Interpreter || !canKeep() {
		return nil
	}
	dir, err := filepath.Abs(r.o.CacheDir)
	if err != nil {
		return fault.As(fault.Invalid, fmt.Errorf("compile cache: %w", err))
	}
	kept := filepath.Join(dir, keptIn)
	for _, d := range []string{dir, kept} {
		if err := private.Dir(d); err != nil {
			return fault.WithHint(fault.As(fault.Invalid, fmt.Errorf("compile cache: %w", err)), "give the cache a directory of its own, or run without one")
		}
	}
	key := r.o.Key
	if key == nil {
		if key, err = private.UserKey(); err != nil {
			return nil //nolint:nilerr // nothing is kept
		}
	}
	r.kept, r.keys = kept, key.Derive(keptIn)
	return nil
}

// keep fills the directory of compiled code of a module, unless it is there. If
// it cannot be, the module is compiled by each worker; an error says that there
// is no compiling it.
func (m *Module) keep(ctx context.Context) error {
	kept := m.runtime.kept
	if kept == "" || len(m.module) < worthKeeping && !m.script {
		return nil
	}
	dir := filepath.Join(kept, m.key())
	if use(filepath.Join(dir, filled)) && use(dir) {
		m.cache = dir
		return nil
	}
	fresh, err := os.MkdirTemp(kept, coming)
	if err != nil { // a full disk, say, keeps nobody from scoring
		return nil
	}
	defer os.RemoveAll(fresh) //nolint:errcheck // it is not there any more, or of no use
	m.cache = fresh
	err = m.fill(ctx)
	m.cache = ""
	if err != nil {
		return err
	}
	if os.WriteFile(filepath.Join(fresh, filled), nil, 0o600) != nil {
		return nil
	}
	if !use(filepath.Join(dir, filled)) { // else another was quicker
		m.runtime.remove(m.key())
		if os.Rename(fresh, dir) != nil {
			return nil
		}
	}
	m.cache = dir
	m.runtime.evict()
	return nil
}

// fill starts a worker that compiles the module, and waits for its end. Meanwhile
// the one that will run it starts.
func (m *Module) fill(ctx context.Context) error {
	next, failed := start(m.runtime.command, m.runtime.args)
	k, _, err := m.connectFor(ctx, true)
	if err == nil {
		k.p.end()
		k.p.close()
	}
	switch {
	case failed != nil: // it comes again
	case err == nil:
		m.ahead = next
	default:
		next.end()
		next.close()
	}
	return err
}

// key names the module, what is compiled of it, and the program that does. Of a
// script its interpreter is compiled, which many may share: it is of one digest.
func (m *Module) key() string {
	h := sha256.New()
	if s, err := script.Read(m.module); m.script && err == nil {
		fmt.Fprintln(h, s.Language, s.Interpreter)
	} else {
		fmt.Fprintln(h, m.digest, digest(m.limits))
	}
	program(h)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// seals is the key of what is kept of the module: nobody gets from it to that of another.
func (m *Module) seals() private.Key {
	if m.runtime.kept == "" {
		return nil
	}
	return m.runtime.keys.Derive(m.key())
}

// program writes which program this is, and what it can read of what is kept: not
// every program knows of which sources it was built.
func program(h io.Writer) {
	fmt.Fprintln(h, wasm.KeptVersion())
	if info, ok := debug.ReadBuildInfo(); ok {
		fmt.Fprintln(h, info.Main.Version, info.GoVersion)
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
				fmt.Fprintln(h, s.Value)
			}
		}
	}
}

// compileBytes returns the memory that compiling may take in a worker that does
// nothing else, or that has no compiled code.
func (m *Module) compileBytes(fill bool) uint64 {
	if !fill && m.cache != "" {
		return 0
	}
	return wasm.CompileBytes(m.language)
}
