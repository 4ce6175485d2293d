package plugins_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/plugins"
)

// TestScripts_ArePacked compares each script plugin with the files of its directory, and with its
// manifest.
func TestScripts_ArePacked(t *testing.T) {
	n := 0
	for _, b := range plugins.All() {
		if b.Runtime == "" {
			continue
		}
		n++
		s, err := script.Read(b.Module)
		if err != nil {
			t.Fatalf("%s: %v", b.Name, err)
		}
		if s.Language != b.Runtime {
			t.Errorf("%s runs in %s, listed is %s", b.Name, s.Language, b.Runtime)
		}
		l, _ := script.Find(b.Runtime)
		dirs := []string{b.Name}
		if b.Name == "run-python-sci" { // its judge and candidate are those of run-python
			dirs = append(dirs, "run-python")
		}
		n := 0
		for _, dir := range dirs {
			for _, pattern := range []string{"*", "harness/*"} {
				files, err := filepath.Glob(filepath.Join(dir, pattern+l.Extensions[0]))
				if err != nil {
					t.Fatal(err)
				}
				for _, file := range files {
					n++
					name, _ := filepath.Rel(dir, file)
					if text, err := os.ReadFile(file); err != nil || string(text) != s.Files[filepath.ToSlash(name)] {
						t.Errorf("%s is not what is packed, %v", file, err)
					}
				}
			}
		}
		if n != len(s.Files) {
			t.Errorf("%s holds %v, its directories %d files", b.Name, s.Paths(), n)
		}
		p, err := plugin.FromModule(plugin.Module{Name: b.Name, Bytes: b.Module})
		if err != nil {
			t.Fatal(err)
		}
		if m := p.Manifest; m.Name != b.Name || m.Peer != s.Peer || m.Language() != b.Runtime || len(b.Cases) == 0 {
			t.Errorf("%s: its manifest is %+v, its script %+v", b.Name, m, s)
		}
		catalog, err := plugins.Catalog()
		if err != nil {
			t.Fatal(err)
		}
		if listed := catalog.Plugin(b.Name); listed.Digest != p.Digest || !bytes.Equal(listed.Module(), b.Module) {
			t.Errorf("%s has the digest %s in the catalog, packed %s", b.Name, listed.Digest, p.Digest)
		}
	}
	if n == 0 {
		t.Error("no plugin is a script")
	}
}
