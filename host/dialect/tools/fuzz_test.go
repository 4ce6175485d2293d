package tools

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
)

func seed(f *testing.F, pattern string, add func(src []byte)) {
	files, err := filepath.Glob("../testdata/" + pattern + "/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		must(f, err)
		add(src)
	}
}

// FuzzLint lints whatever loads: no panic, and no error among the warnings.
func FuzzLint(f *testing.F) {
	seed(f, "*", func(src []byte) { f.Add(src) })
	f.Fuzz(func(t *testing.T, src []byte) {
		doc, err := dialect.Decode("in", src, dialect.Options{})
		if err != nil {
			return
		}
		for _, d := range Lint(doc) {
			if d.Severity == diag.Error || d.Message == "" {
				t.Fatalf("%q: %v", src, d)
			}
		}
	})
}

// FuzzMigrate migrates any input: a migrated document needs no second migration.
func FuzzMigrate(f *testing.F) {
	seed(f, "openrubricrl", func(src []byte) { f.Add(src, "2.0.0") })
	f.Fuzz(func(t *testing.T, src []byte, version string) {
		m, err := Migrate("in", src, version)
		if err != nil || len(m.Remaining) > 0 {
			return
		}
		again, err := Migrate("in", m.Output, version)
		if err != nil || len(again.Changes) > 0 {
			t.Fatalf("%q: migrated again: %v %v", src, err, again)
		}
	})
}
