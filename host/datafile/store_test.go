package datafile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/datafile"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
)

func TestStore_KeepsFilesByTheirSum(t *testing.T) {
	s := datafile.In(filepath.Join(t.TempDir(), "new"))
	content := []byte("dictionary")
	sum := datafile.SumOf(content)
	if _, err := s.Bytes(sum); !fault.Is(err, fault.NotFound) || s.Has(sum) {
		t.Errorf("an empty store: %v", err)
	}
	path, err := s.Add(content)
	if err != nil || path != s.Path(sum) || !s.Has(sum) {
		t.Fatalf("%s, %v", path, err)
	}
	if _, err := s.Add(content); err != nil {
		t.Errorf("again: %v", err)
	}
	if b, err := s.Bytes(sum); err != nil || string(b) != "dictionary" {
		t.Errorf("%q, %v", b, err)
	}
	if err := os.WriteFile(path, []byte("dictionarY"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Bytes(sum); !fault.Is(err, fault.Mismatch) {
		t.Errorf("a changed file: %v", err)
	}
	entries, err := os.ReadDir(filepath.Dir(s.Path(sum)))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestStore_WithoutADirectory(t *testing.T) {
	s, sum := datafile.In(""), strings.Repeat("0", 64)
	if _, err := s.Add([]byte("x")); !fault.Is(err, fault.Usage) {
		t.Error(err)
	}
	if _, err := s.Bytes(sum); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

func TestRead_RefusesWrongFiles(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large")
	f, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(datafile.Most + 1); err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, path := range []string{dir, large, filepath.Join(dir, "none")} {
		if _, _, err := datafile.Read(path); err == nil {
			t.Errorf("%s is taken", path)
		}
	}
}

func TestOf_NamesTheMissingFile(t *testing.T) {
	s := datafile.In(t.TempDir())
	sum := datafile.SumOf([]byte("dictionary"))
	p := &plugin.Plugin{Manifest: plugin.Manifest{Name: "p", Data: map[string]plugin.Data{"words": {SHA256: sum, Source: "get it\x1b[2J there"}}}}
	_, err := s.Of(p, []string{"words"})
	if !fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), "words") || !strings.Contains(err.Error(), sum) {
		t.Errorf("%v", err)
	}
	if hint := fault.Hint(err); !strings.Contains(hint, "get it") || strings.Contains(hint, "\x1b") || !strings.Contains(hint, fault.OptionAddData+" p FILE") {
		t.Errorf("hint %q", hint)
	}
	if _, err := s.Add([]byte("dictionary")); err != nil {
		t.Fatal(err)
	}
	files, err := s.Of(p, []string{"words"})
	if err != nil || len(files) != 1 || files[0].Name != "words" || string(files[0].Bytes) != "dictionary" {
		t.Errorf("%v, %v", files, err)
	}
}
