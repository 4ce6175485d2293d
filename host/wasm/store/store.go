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

// Key returns the name of an artifact for all that it depends on. Lists of texts that
// differ have different keys.
func Key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(p))))
		io.WriteString(h, p) //nolint:errcheck // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A Store is a directory of artifacts. It is safe for concurrent use, by several
// processes too. A nil Store has nothing and keeps nothing.
type Store struct {
	dir string
	key private.Key

	mu   sync.Mutex
	used map[string]bool // by this process
}

// Open returns the store in a directory, which is created if it does not exist. Without a
// key no artifact can be read or sealed, but entries can be moved. An error says who
// else can reach the directory.
func Open(dir string, key private.Key) (*Store, error) {
	if err := private.Dir(dir); err != nil {
		return nil, err
	}
	return &Store{dir: dir, key: key, used: map[string]bool{}}, nil
}

// Path returns where an entry is, whether it exists or not.
func (s *Store) Path(key string) string { return filepath.Join(s.dir, key) }

// Has reports whether an entry exists and holds something. What it holds may be of no use.
func (s *Store) Has(key string) bool { return sizeOf(s.Path(key)) > 0 }

// Use notes that an entry is used now, so that other entries are removed first, and that
// this process uses it.
func (s *Store) Use(key string) {
	s.mu.Lock()
	s.used[key] = true
	s.mu.Unlock()
	now := time.Now()
	os.Chtimes(s.Path(key), now, now) //nolint:errcheck // then it is removed sooner
}

// Get opens an artifact; nil if there is none that was sealed under this key. Anything else
// in its place is removed.
func (s *Store) Get(key string) *Artifact {
	if s == nil {
		return nil
	}
	a := s.open(key)
	if a == nil {
		s.Remove(key)
		return nil
	}
	s.Use(key)
	return a
}

func (s *Store) open(key string) *Artifact {
	path, size := onlyFile(s.Path(key))
	if path == "" {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	a := read(f, size, key, s.key)
	if a == nil {
		f.Close() //nolint:errcheck // it was only read
		return nil
	}
	a.Dir, a.close = s.Path(key), f.Close
	return a
}

// depth is how many directories an artifact's file may be below its own.
const depth = 1

// onlyFile returns the one file below a directory; empty if there is more, less, or
// something that another user can reach.
func onlyFile(path string) (string, int64) {
	for range depth + 1 {
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || private.Check(path, info) != nil {
			return "", 0
		}
		entries, err := os.ReadDir(path)
		if err != nil || len(entries) != 1 {
			return "", 0
		}
		path = filepath.Join(path, entries[0].Name())
		if !entries[0].IsDir() {
			break
		}
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || private.Check(path, info) != nil {
		return "", 0
	}
	return path, info.Size()
}

// Put keeps an artifact. A failure is no error: the next process makes it again.
func (s *Store) Put(key string, parts ...Part) {
	d := s.Draft()
	if d == nil {
		return
	}
	defer d.Discard()
	if d.Seal(key, "artifact", parts...) == nil {
		d.Commit(key)
	}
}

// Remove removes an entry, atomically for those who look for it.
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

// A Draft is a directory that is not an entry yet. Discard it. A nil Draft keeps nothing.
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

// Draft creates a directory to fill; nil if nothing can be kept.
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

// Seal makes a file of the draft an artifact of the key. What the file holds already
// becomes its part Code.
func (d *Draft) Seal(key, file string, parts ...Part) error {
	f, err := os.OpenFile(filepath.Join(d.Dir, file), os.O_RDWR|os.O_CREATE, 0o600)
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

// Append adds bytes to a file of the draft.
func (d *Draft) Append(file string, b []byte) error {
	if d == nil {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(d.Dir, file), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

// Commit makes the draft the entry of a key, in place of what was there, and removes
// entries beyond the bounds. It reports whether it did.
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
	d.store.sweep(maxEntries, maxSize)
	return true
}

// Discard removes what was not committed.
func (d *Draft) Discard() {
	if d != nil {
		os.RemoveAll(d.Dir) //nolint:errcheck // sweep tries again
	}
}

// Bounds on a store, and the age at which drafts are left over from a process that was
// killed.
const (
	maxEntries   = 200
	maxSize      = 4 << 30
	leftOverAfter = time.Hour
)

// sweep removes entries that were not used for the longest time while there are too many,
// except those that this process uses; and what killed processes have left. A process that
// still reads what another removes has it open, or makes it again.
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
	filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error { //nolint:errcheck // what cannot be read is not counted
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}
