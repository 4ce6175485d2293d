package cache

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rubric-host/rubric-host/host/file"
)

// Info describes a store.
type Info struct {
	Dir     string    `json:"dir"`
	Entries int       `json:"entries"`
	Bytes   int64     `json:"bytes"` // of the files
	Oldest  time.Time `json:"oldest,omitzero"`
	Newest  time.Time `json:"newest,omitzero"`
}

type entry struct {
	path string
	size int64
	used time.Time
}

// entries lists the files of a store. A store that does not exist has none.
func entries(dir string) ([]entry, error) {
	var list []entry
	err := filepath.WalkDir(filepath.Join(dir, layout), func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed by another process
			return nil
		case err != nil:
			return err
		case !d.Type().IsRegular():
			return nil
		}
		st, err := d.Info()
		if err != nil { // removed by another process
			return nil
		}
		list = append(list, entry{path, st.Size(), st.ModTime()})
		return nil
	})
	return list, err
}

// Describe returns the size of the store in dir.
func Describe(dir string) (Info, error) {
	list, err := entries(dir)
	info := Info{Dir: dir, Entries: len(list)}
	for _, e := range list {
		info.Bytes += e.size
		if info.Oldest.IsZero() || e.used.Before(info.Oldest) {
			info.Oldest = e.used
		}
		if e.used.After(info.Newest) {
			info.Newest = e.used
		}
	}
	return info, err
}

// tooOldToBeWritten is the age of a temporary file that no process writes any
// more.
const tooOldToBeWritten = time.Hour

// Prune removes the least recently used entries until at most maxBytes are left,
// and leftovers of killed processes. It returns how many entries it removed.
func Prune(dir string, maxBytes int64) (removed int, err error) {
	list, err := entries(dir)
	if err != nil {
		return 0, err
	}
	var size int64
	kept := list[:0]
	for _, e := range list {
		if strings.HasPrefix(filepath.Base(e.path), file.TempPrefix) {
			if time.Since(e.used) > tooOldToBeWritten {
				os.Remove(e.path) //nolint:errcheck // best effort
			}
			continue
		}
		size += e.size
		kept = append(kept, e)
	}
	slices.SortFunc(kept, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), strings.Compare(a.path, b.path)) })
	for _, e := range kept {
		if size <= maxBytes {
			break
		}
		if err := os.Remove(e.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, err
		}
		size -= e.size
		removed++
	}
	return removed, nil
}

// Clear removes every entry, and returns how many there were.
func Clear(dir string) (removed int, err error) {
	list, err := entries(dir)
	if err != nil {
		return 0, err
	}
	return len(list), os.RemoveAll(filepath.Join(dir, layout))
}
