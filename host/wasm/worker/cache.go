package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/store"
)

// The store of workers has an entry for each module, and for each interpreter of scripts:
// a store of its own, which its workers can read and no other process uses. A worker that
// compiles the module, and runs nothing of it, fills it and can write nothing else. So code
// that was compiled in a worker never runs outside of one. The images of scripts are
// entries too; see image.go.

// keptIn is the part of Options.CacheDir that is the store.
const keptIn = "isolated"

// worthKeeping is the size of a module from which on compiling takes longer
// than starting a worker for it.
const worthKeeping = 16 << 10

// openCache opens the store.
func (r *Runtime) openCache() error {
	if r.o.CacheDir == "" || r.o.Interpreter || !canKeep() {
		return nil
	}
	dir, err := filepath.Abs(r.o.CacheDir)
	if err == nil {
		err = private.Dir(dir)
	}
	var s *store.Store
	if err == nil {
		s, err = store.Open(filepath.Join(dir, keptIn), nil)
	}
	if err != nil {
		return fault.WithHint(fault.As(fault.Invalid, fmt.Errorf("compile cache: %w", err)), "give the cache a directory of its own, or run without one")
	}
	key := r.o.Key
	if key == nil {
		if key, err = private.UserKey(); err != nil {
			return nil //nolint:nilerr // nothing is kept
		}
	}
	r.store, r.keys = s, key.Derive(keptIn)
	return nil
}

// keep fills the entry of a module, unless it is filled. If it cannot be, each worker
// compiles the module. An error says that it does not compile.
func (m *Module) keep(ctx context.Context) error {
	s := m.runtime.store
	if s == nil || len(m.module) < worthKeeping && !m.script {
		return nil
	}
	key := m.key()
	if !s.Has(key) {
		d := s.Draft()
		if d == nil {
			return nil
		}
		defer d.Discard()
		m.cache = d.Dir
		err := m.fill(ctx)
		m.cache = ""
		if err != nil {
			return err
		}
		if !s.Has(key) && !d.Commit(key) { // else another process was quicker
			return nil
		}
	}
	s.Use(key)
	m.cache = s.Path(key)
	return nil
}

// forget removes the entry of a module that was of no use, so that the next process fills
// it again.
func (m *Module) forget() {
	if m.cache != "" {
		m.runtime.store.Remove(m.key())
		m.cache = ""
	}
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

// key is that of the module's entry: a digest of the module, its limits and the program.
// Scripts share the entry of their interpreter.
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

// seals is the key of the module's artifacts. It tells nothing of that of another module.
func (m *Module) seals() private.Key {
	return m.runtime.keys.Derive(m.key())
}

// program writes which program this is, and which artifacts it can read: not every
// program knows from which sources it was built.
func program(h io.Writer) {
	fmt.Fprintln(h, wasm.CacheVersion())
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
	return script.CompileBytes(m.language)
}
