// Package datafile keeps the data files of plugins, such as dictionaries and vocabularies, in a
// directory, by their SHA-256. The manifest of a plugin fixes the SHA-256 of each file, and a
// file is verified whenever it is read: the content of the directory does not affect scores. This
// package downloads nothing.
//
// Stability: experimental.
package datafile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// Most is the size of the largest data file, in bytes.
const Most = 16 << 20

// A Store is a directory with data files. It is safe for concurrent use.
type Store struct{ dir string }

// In returns the store of a directory, which need not exist. With an empty name, it has no files.
func In(dir string) *Store { return &Store{dir} }

// Path returns the path of the file with a SHA-256, in 64 hexadecimal digits, whether or not it
// exists.
func (s *Store) Path(sha256 string) string { return filepath.Join(s.dir, "data-"+sha256) }

// Has reports whether the store has a file. Its content is not read.
func (s *Store) Has(sha256 string) bool {
	if s.dir == "" {
		return false
	}
	info, err := os.Stat(s.Path(sha256))
	return err == nil && info.Mode().IsRegular()
}

// Bytes returns a file. An error has class fault.NotFound if the store does not have it, and
// fault.Mismatch if its content has changed.
func (s *Store) Bytes(sha256 string) ([]byte, error) {
	if !s.Has(sha256) {
		return nil, fault.New(fault.NotFound, "no data file with the SHA-256 %s is installed", sha256)
	}
	b, err := file.Read(s.Path(sha256), Most)
	if err != nil {
		return nil, err
	}
	if sum := SumOf(b); sum != sha256 {
		return nil, fault.New(fault.Mismatch, "%s has changed: its SHA-256 is %s", s.Path(sha256), sum)
	}
	return b, nil
}

// Of returns the data files of a plugin that have these names. An error has class
// fault.NotFound if one of them is not installed; its hint says how to install it.
func (s *Store) Of(p *plugin.Plugin, names []string) ([]wasm.Data, error) {
	var files []wasm.Data
	for _, name := range names {
		d := p.Manifest.Data[name]
		b, err := s.Bytes(d.SHA256)
		switch {
		case fault.Is(err, fault.NotFound):
			return nil, fault.WithHint(fault.New(fault.NotFound, "plugin %s: this configuration needs the data file %s (SHA-256 %s), which is not installed", p.Manifest.Name, name, d.SHA256), "%s", HowToAdd(p, name))
		case err != nil:
			return nil, fault.WithHint(fmt.Errorf("plugin %s: data file %s: %w", p.Manifest.Name, name, err), "add it again: "+fault.OptionAddData+" %s FILE", p.Manifest.Name)
		}
		files = append(files, wasm.Data{Name: name, Bytes: b})
	}
	return files, nil
}

// HowToAdd says how to get and to install a data file of a plugin.
func HowToAdd(p *plugin.Plugin, name string) string {
	how := fault.OptionAddData + " " + p.Manifest.Name + " FILE"
	if source := p.Manifest.Data[name].Source; source != "" {
		return diag.Plain(source) + "; then: " + how
	}
	return "install it: " + how
}

// Read reads a file that is to be added, and returns its SHA-256. It is a regular file of at most
// Most bytes.
func Read(path string) (content []byte, sum string, err error) {
	content, err = file.Read(path, Most)
	return content, SumOf(content), err
}

// Add puts a file into the store, atomically. It returns its path.
func (s *Store) Add(content []byte) (string, error) {
	if s.dir == "" {
		return "", fault.WithHint(fault.New(fault.Usage, "no directory for data files: the user has no cache directory"), "set "+fault.OptionRuntimeDir+" to a directory, here and wherever the data is used")
	}
	path := s.Path(SumOf(content))
	if err := file.Put(path, content); err != nil {
		return "", fault.WithHint(fault.As(fault.Invalid, err), "name another directory with "+fault.OptionRuntimeDir)
	}
	return path, nil
}

// SumOf returns the SHA-256 of bytes in hexadecimal digits.
func SumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
