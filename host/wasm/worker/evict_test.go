package worker

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// TestWhatWasNotUsedForLongestGoes has more than there is room for, by number and by
// bytes.
func TestWhatWasNotUsedForLongestGoes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		most  int
		bytes int64
		want  string
	}{
		{"room for all", 100, 10_000, "a b.image c d e.image live new-fresh"},
		{"room for three, and one in use", 3, 10_000, "c d e.image live new-fresh"},
		{"room for three hundred bytes", 100, 350, "c d e.image live new-fresh"},
		{"room for one", 1, 10_000, "e.image live new-fresh"},
		{"room for none", 0, 0, "live new-fresh"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for n, name := range []string{"live", "a", "b.image", "c", "d", "e.image", "new-fresh", "new-left", "old-left"} {
				path := filepath.Join(dir, name)
				file := path
				if !strings.HasSuffix(name, imageSuffix) {
					file = filepath.Join(path, "code")
				}
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, make([]byte, 100), 0o600); err != nil {
					t.Fatal(err)
				}
				used := time.Now().Add(time.Duration(n-100) * time.Minute)
				if name == "new-fresh" {
					used = time.Now()
				}
				if err := os.Chtimes(path, used, used); err != nil {
					t.Fatal(err)
				}
			}
			r := &Runtime{kept: dir, modules: map[*Module]bool{{cache: filepath.Join(dir, "live")}: true}}
			r.evictTo(tt.most, tt.bytes)
			entries, err := os.ReadDir(dir)
			var left []string
			for _, e := range entries {
				left = append(left, e.Name())
			}
			slices.Sort(left)
			if got := strings.Join(left, " "); err != nil || got != tt.want {
				t.Errorf("%s is left, want %s; %v", got, tt.want, err)
			}
		})
	}
}

// TestWhatIsUsedStays uses compiled code, removes it under a worker that lives, and
// takes its marker away.
func TestWhatIsUsedStays(t *testing.T) {
	wasmtest.NeedsKernel(t, canKeep(), "Landlock (Linux 5.13 or later)")
	o := Options{CacheDir: filepath.Join(t.TempDir(), "cache")}
	first := load(t, isolated(t, o), "bleu", padded(t), wasm.Limits{})
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(first.cache, long, long); err != nil {
		t.Fatal(err)
	}
	rt := isolated(t, o)
	m := load(t, rt, "bleu", padded(t), wasm.Limits{})
	if info, err := os.Stat(m.cache); err != nil || time.Since(info.ModTime()) > time.Minute {
		t.Errorf("it was used, and looks as if it was not: %v", err)
	}
	rt.evictTo(0, 0)
	if _, err := os.Stat(m.cache); err != nil {
		t.Error(err)
	}
	calls := func(m *Module) {
		t.Helper()
		if _, _, err := m.Call(t.Context(), "bleu", pair, nil); err != nil {
			t.Error(err)
		}
	}
	rt.remove(filepath.Base(m.cache)) // as another process may
	calls(m)
	m.conn.p.end()
	calls(m)
	// The worker has made a directory, which is empty: it is filled again.
	again := load(t, isolated(t, o), "bleu", padded(t), wasm.Limits{})
	calls(again)
	if _, err := os.Stat(filepath.Join(again.cache, filled)); err != nil || sizeOf(again.cache) == 0 {
		t.Errorf("%d bytes: %v", sizeOf(again.cache), err)
	}
}

// padded returns a scorer that is worth keeping, and quick to compile.
func padded(t testing.TB) []byte {
	t.Helper()
	const size = worthKeeping
	b := append(bleu(t), 0, size&0x7f|0x80, size>>7&0x7f|0x80, size>>14)
	return append(b, make([]byte, size)...)
}
