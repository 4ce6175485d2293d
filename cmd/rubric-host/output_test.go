//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPlaceOf(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	file := filepath.Join(dir, "file")
	link := filepath.Join(dir, "link")
	must(t, os.WriteFile(file, nil, 0o600))
	must(t, os.Symlink(file, link))
	for path, want := range map[string]bool{
		file: false, link: false, dir: false, filepath.Join(dir, "new"): false,
		os.DevNull: true, "/dev/fd/1": true, "/dev/stdout": true,
	} {
		place, inPlace := placeOf(path)
		if path == link {
			path = file
		}
		if place != path || inPlace != want {
			t.Errorf("%s: %s, in place %t", path, place, inPlace)
		}
	}
	for _, s := range []string{"csv:/dev/stdout", "csv:-", "csv"} {
		if o, err := parseOut(s); err != nil || o.path != "-" {
			t.Errorf("%s: %v, %v", s, o, err)
		}
	}
}
