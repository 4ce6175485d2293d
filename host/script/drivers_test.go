package script

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// TestDrivers_HaveEveryFile looks for files that no driver has, and for conventions without a
// file.
func TestDrivers_HaveEveryFile(t *testing.T) {
	files, err := driverFiles.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]int{}
	for _, f := range files {
		text, err := driverFiles.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		all := cpythonDriver()
		if path.Ext(f.Name()) == ".js" {
			all = quickjsDriver() + quickjsSplit()
		}
		if n := strings.Count(all, string(text)); n != 1 {
			t.Errorf("%s is %d times in the drivers, want once", f.Name(), n)
		}
		has[strings.TrimSuffix(f.Name(), path.Ext(f.Name()))]++
	}
	for _, name := range conventions {
		if has[name] == 0 {
			t.Errorf("convention %s has no file", name)
		}
	}
	for _, name := range []string{"driver", "answer", "case", "by_name", "native", "program"} {
		if has[name] != 2 || slices.Contains(conventions, name) {
			t.Errorf("%s has %d files, want one for each language, and is not a convention", name, has[name])
		}
	}
}
