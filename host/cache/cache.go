// Package cache keeps answers on disk by the digest of everything that decides
// them, so that a question that was answered once is not paid for again.
//
// The cache is best-effort: a missing, corrupt or foreign entry is a miss. It
// does not know the meaning of questions and answers; whoever makes a Key answers
// for its being complete.
//
// Stability: experimental.
package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/private"
)

// A Mode selects how a Store is used. The zero value is On.
type Mode string

// The modes.
const (
	On      Mode = "on"      // read and write
	Off     Mode = "off"     // neither
	Read    Mode = "read"    // answer from existing entries; add none
	Refresh Mode = "refresh" // ask again, and replace existing entries
)

// Modes lists the modes, in the order of the documentation.
func Modes() []string { return []string{string(On), string(Off), string(Read), string(Refresh)} }

// A Key is the digest of a question.
type Key [sha256.Size]byte

// KeyOf returns the key of a question that consists of parts. Where one part
// ends and the next begins is part of the key.
func KeyOf(parts ...[]byte) Key {
	h := sha256.New()
	var size [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(size[:], uint64(len(p)))
		h.Write(size[:])
		h.Write(p)
	}
	return Key(h.Sum(nil))
}

// DefaultMaxBytes bounds a store whose Options name no other size: 1 GiB.
const DefaultMaxBytes = 1 << 30

// Options configure a Store. The zero value is On with DefaultMaxBytes.
type Options struct {
	Mode     Mode
	MaxBytes int64 // size above which the least recently used entries are removed on Close; 0: DefaultMaxBytes
}

// A Store is a directory of answers. It is safe for concurrent use, by several
// processes too. A nil Store has no answers and keeps none.
type Store struct {
	dir   string
	o     Options
	added atomic.Int64
}

// Mode returns how the store is used: Off if it is nil.
func (s *Store) Mode() Mode {
	if s == nil {
		return Off
	}
	return s.o.Mode
}

// layout is the name of the directory of this version's entries.
const layout = "v1"

// maxEntry is the largest answer that is kept, in bytes.
const maxEntry = 16 << 20

// Open returns the store in dir, which is made when the first answer is kept.
// With mode Off, or without a directory, it returns nil. An error has class
// fault.Usage (an unknown mode) or fault.Invalid (a directory that others can
// write to).
func Open(dir string, o Options) (*Store, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	switch o.Mode {
	case "":
		o.Mode = On
	case On, Read, Refresh:
	case Off:
		return nil, nil
	default:
		return nil, fault.WithHint(fault.New(fault.Usage, "unknown cache mode %q", o.Mode), "use on, off, read or refresh")
	}
	if dir == "" {
		return nil, nil
	}
	if st, err := os.Lstat(dir); err == nil {
		if err := private.Check(dir, st); err != nil {
			return nil, fault.WithHint(fault.New(fault.Invalid, "answer cache: %w", err), "chmod 700 it, or name another with "+fault.OptionCache)
		}
	}
	return &Store{dir: dir, o: o}, nil
}

func (s *Store) path(k Key) string {
	name := hex.EncodeToString(k[:])
	return filepath.Join(s.dir, layout, name[:2], name[2:])
}

// Get returns the answer to a question. The caller may change it.
func (s *Store) Get(k Key) (answer []byte, ok bool) {
	if s == nil || s.o.Mode == Refresh {
		return nil, false
	}
	path := s.path(k)
	f, err := openRegular(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || st.Size() < sha256.Size || st.Size() > maxEntry+sha256.Size {
		return nil, false
	}
	b := make([]byte, st.Size())
	if _, err := f.ReadAt(b, 0); err != nil {
		return nil, false
	}
	sum, answer := b[:sha256.Size], b[sha256.Size:]
	if Key(sum) != checksum(k, answer) {
		if s.o.Mode == On {
			os.Remove(path) //nolint:errcheck // best effort: the next Put replaces the entry
		}
		return nil, false
	}
	if now := time.Now(); s.o.Mode == On && now.Sub(st.ModTime()) > time.Hour {
		os.Chtimes(path, now, now) //nolint:errcheck // best effort: the entry only looks older than it is
	}
	return answer, true
}

// checksum binds an answer to its key: an entry under another name is a miss.
func checksum(k Key, answer []byte) Key { return KeyOf(k[:], answer) }

// Put keeps an answer. An answer that cannot be kept is dropped: the error is
// for callers that want to report it.
func (s *Store) Put(k Key, answer []byte) error {
	if s == nil || s.o.Mode == Read || len(answer) > maxEntry {
		return nil
	}
	sum := checksum(k, answer)
	if err := file.Put(s.path(k), append(sum[:], answer...)); err != nil {
		return fmt.Errorf("answer cache: %w", err)
	}
	s.added.Add(1)
	return nil
}

// Close removes the least recently used entries if this process has added some
// and the store is larger than its bound.
func (s *Store) Close() error {
	if s == nil || s.added.Load() == 0 {
		return nil
	}
	_, err := Prune(s.dir, s.o.MaxBytes)
	return err
}

// openRegular opens a regular file that is not a link.
func openRegular(path string) (*os.File, error) {
	st, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	return os.Open(path)
}
