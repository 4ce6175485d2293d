package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rubric-host/rubric-host/host/private"
)

// Key returns the key of an artifact from all its inputs. Different lists have different keys.
func Key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(p))))
		io.WriteString(h, p) //nolint:errcheck // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A Store is a directory of artifacts. It is safe for concurrent use, also by several processes.
// A nil Store is empty and keeps nothing.
type Store struct {
	dir string
	key private.Key

	mu      sync.Mutex
	used    map[string]bool // by this process
	commits int             // of this process
}

// Open returns the store in a directory, which it creates if necessary. Without a key, artifacts
// cannot be read or sealed, but entries can be moved. It refuses a directory that other users
// can reach.
func Open(dir string, key private.Key) (*Store, error) {
	if err := private.Dir(dir); err != nil {
		return nil, err
	}
	return &Store{dir: dir, key: key, used: map[string]bool{}}, nil
}

// Path returns the path of an entry, whether it exists or not.
func (s *Store) Path(key string) string { return filepath.Join(s.dir, key) }

// Has reports whether an entry exists, is a directory and is not empty. It does not verify it.
func (s *Store) Has(key string) bool {
	info, err := os.Lstat(s.Path(key))
	return err == nil && info.IsDir() && sizeOf(s.Path(key)) > 0
}

// Use marks an entry as used by this process now, so that other entries are removed first.
func (s *Store) Use(key string) {
	s.mu.Lock()
	s.used[key] = true
	s.mu.Unlock()
	now := time.Now()
	os.Chtimes(s.Path(key), now, now) //nolint:errcheck // then it is removed sooner
}

// Get opens the artifact that was sealed under a key, nil if there is none. It removes anything
// else in its place.
func (s *Store) Get(key string) *Artifact {
	if s == nil {
		return nil
	}
	a := At(s.Path(key), key, s.key)
	if a == nil {
		s.Remove(key)
		return nil
	}
	s.Use(key)
	return a
}

// At opens the artifact in a directory that was sealed for a name, nil if there is none.
func At(dir, name string, key private.Key) *Artifact {
	path := filepath.Join(dir, File)
	size := int64(0)
	for _, p := range []string{dir, path} { // neither is a link
		info, err := os.Lstat(p)
		if err != nil || info.IsDir() != (p == dir) || p == path && !info.Mode().IsRegular() || private.Check(p, info) != nil {
			return nil
		}
		size = info.Size()
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	a := read(f, size, name, key)
	if a == nil {
		f.Close() //nolint:errcheck // it was only read
		return nil
	}
	a.close = f.Close
	return a
}

// Put stores an artifact. It ignores failures: the next process computes it again.
func (s *Store) Put(key string, parts ...Part) {
	d := s.Draft()
	if d == nil {
		return
	}
	defer d.Discard()
	if d.Seal(key, parts...) == nil {
		d.Commit(key)
	}
}

// Remove removes an entry atomically.
func (s *Store) Remove(key string) {
	if s == nil {
		return
	}
	gone := s.Path(leaving + key)
	if os.Rename(s.Path(key), gone) != nil {
		gone = s.Path(key)
	}
	os.RemoveAll(gone) //nolint:errcheck // sweep tries again
}

// A Draft is a directory that is not an entry yet. Discard it after use. A nil Draft keeps nothing.
type Draft struct {
	// Dir is the directory.
	Dir string

	store *Store
}

// Prefixes of directories that are being filled, and removed.
const (
	coming  = "new-"
	leaving = "old-"
)

// Draft creates a draft; nil if the store cannot be written.
func (s *Store) Draft() *Draft {
	if s == nil {
		return nil
	}
	dir, err := os.MkdirTemp(s.dir, coming)
	if err != nil {
		return nil
	}
	return &Draft{Dir: dir, store: s}
}

// Seal makes the draft the artifact of a key. What was written to it becomes its part Code.
func (d *Draft) Seal(key string, parts ...Part) error {
	f, err := os.OpenFile(filepath.Join(d.Dir, File), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(d.seal(f, key, parts), f.Close())
}

func (d *Draft) seal(f *os.File, key string, parts []Part) error {
	var before []indexed
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if size := info.Size(); size > 0 {
		seal, err := d.store.key.Seal(partName(key, Code), f) // it reads to the end
		if err != nil {
			return err
		}
		before = append(before, indexed{Name: Code, Size: size, Seal: seal})
	}
	return write(f, key, d.store.key, before, parts)
}

// Write adds bytes to the draft's file.
func (d *Draft) Write(b []byte) (int, error) {
	if d == nil {
		return len(b), nil
	}
	f, err := os.OpenFile(filepath.Join(d.Dir, File), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return 0, err
	}
	n, err := f.Write(b)
	return n, errors.Join(err, f.Close())
}

// Commit makes the draft the entry of a key, replacing an older one, and from time to time removes
// entries beyond the bounds. It reports success.
func (d *Draft) Commit(key string) bool {
	if d == nil {
		return false
	}
	place := d.store.Path(key)
	if os.Rename(d.Dir, place) != nil {
		d.store.Remove(key)
		if os.Rename(d.Dir, place) != nil {
			return false
		}
	}
	d.store.Use(key)
	if d.store.due() {
		d.store.sweep(maxEntries, maxSize)
	}
	return true
}

// Discard removes the draft, if it was not committed.
func (d *Draft) Discard() {
	if d != nil {
		os.RemoveAll(d.Dir) //nolint:errcheck // sweep tries again
	}
}

// Bounds on a store, and the age from which drafts count as left by a killed process.
const (
	maxEntries    = 200
	maxSize       = 4 << 30
	leftOverAfter = time.Hour
	sweepEvery    = 16
)

// due reports whether to sweep after this commit: after the first of a process, and then after every
// sixteenth. A sweep of a full store takes as long as starting a script.
func (s *Store) due() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commits++
	return s.commits%sweepEvery == 1
}

// sweep removes the least recently used entries beyond the bounds, except those that this process
// uses, and drafts of killed processes. A process that reads an entry while another one removes
// it has its file open, or misses.
func (s *Store) sweep(most int, bytes int64) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	var all []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil:
		case !strings.HasPrefix(e.Name(), coming) && !strings.HasPrefix(e.Name(), leaving):
			all = append(all, info)
		case time.Since(info.ModTime()) > leftOverAfter:
			os.RemoveAll(s.Path(e.Name())) //nolint:errcheck // the next sweep tries again
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	s.mu.Lock()
	used := maps.Clone(s.used)
	s.mu.Unlock()
	total := int64(0)
	for n, info := range all {
		size := sizeOf(s.Path(info.Name()))
		if total += size; (n >= most || total > bytes) && !used[info.Name()] {
			s.Remove(info.Name())
			total -= size
		}
	}
}

// sizeOf returns the bytes of all files at a path and below.
func sizeOf(path string) (size int64) {
	filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error { //nolint:errcheck // unreadable files are not counted
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}
