package worker

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Bounds on what is kept for workers: directories of compiled code, and images.
const (
	mostKept      = 200
	mostKeptBytes = 4 << 30
	unfinished    = time.Hour // after which what is being written or removed is left over
)

// filled is a file in each directory of compiled code that is whole.
const filled = "filled"

// Prefixes of what is being written, and of what is being removed.
const (
	coming = "new-"
	going  = "old-"
)

// use notes that something that is kept is used now. It reports false if it is not
// there.
func use(path string) bool {
	now := time.Now()
	return os.Chtimes(path, now, now) == nil
}

// A keeping is something that is kept.
type keeping struct {
	name string
	used time.Time
	size int64
}

// evict removes what was not used for the longest time, as far as there is more
// than the bounds allow, and what is left over from processes that ended before
// they were done. What modules of this runtime use stays. A worker that still reads
// what another process removes has it open, or compiles anew.
func (r *Runtime) evict() { r.evictTo(mostKept, mostKeptBytes) }

func (r *Runtime) evictTo(most int, bytes int64) {
	entries, err := os.ReadDir(r.kept)
	if err != nil {
		return
	}
	live := r.live()
	var all []keeping
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil:
		case strings.HasPrefix(e.Name(), coming), strings.HasPrefix(e.Name(), going):
			if time.Since(info.ModTime()) > unfinished {
				os.RemoveAll(filepath.Join(r.kept, e.Name())) //nolint:errcheck // the next process tries again
			}
		default:
			all = append(all, keeping{e.Name(), info.ModTime(), sizeOf(filepath.Join(r.kept, e.Name()))})
		}
	}
	slices.SortFunc(all, func(a, b keeping) int { return b.used.Compare(a.used) })
	total := int64(0)
	for n, k := range all {
		if total += k.size; (n >= most || total > bytes) && !live[k.name] {
			r.remove(k.name)
			total -= k.size
		}
	}
}

// live returns the names of what the modules of this runtime use.
func (r *Runtime) live() map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := map[string]bool{}
	for m := range r.modules {
		names[filepath.Base(m.cache)] = true
		if m.script {
			names[filepath.Base(m.imageFile())] = true
		}
	}
	return names
}

// remove removes something that is kept: under another name, so that nobody finds
// half of it.
func (r *Runtime) remove(name string) {
	gone := filepath.Join(r.kept, going+name)
	if os.Rename(filepath.Join(r.kept, name), gone) != nil {
		gone = filepath.Join(r.kept, name)
	}
	os.RemoveAll(gone) //nolint:errcheck // the next process tries again
}

// sizeOf returns the bytes of all files at a path and below.
func sizeOf(path string) (size int64) {
	filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error { //nolint:errcheck // what cannot be seen is not counted
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}
