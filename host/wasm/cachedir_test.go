package wasm_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/private"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

func TestLoad_StoreOutlivesTheRuntime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	ctx := context.Background()
	module := fixture(t, "bleu/bleu.wasm")
	score := func() string {
		rt, err := wasm.New(ctx, wasm.Options{CacheDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		defer rt.Close(ctx)
		answer, _, err := load(t, rt, "bleu", module, wasm.Limits{}).Call(ctx, "bleu", pair, nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(answer)
	}
	want := score()
	kept := files(t, dir)
	if len(kept) != 1 {
		t.Fatalf("files in the cache: %q", kept)
	}
	if got := score(); got != want || len(files(t, dir)) != 1 {
		t.Errorf("from the cache: %s, want %s", got, want)
	}
	// A file that was cut short does not stop anybody.
	if err := os.Truncate(kept[0], 100); err != nil {
		t.Fatal(err)
	}
	if got := score(); got != want {
		t.Errorf("with a broken cache: %s, want %s", got, want)
	}
}

func files(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestNew_RefusesCacheDirThatOthersCanReach(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs mode bits, which Windows lacks")
	}
	base := t.TempDir()
	path := func(name string) string { return filepath.Join(base, name) }
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, mode := range map[string]fs.FileMode{"group": 0o750, "world": 0o777, "kept": 0o700, "private": 0o700} {
		must(os.Mkdir(path(name), 0o700))
		must(os.Chmod(path(name), mode))
	}
	rt, err := wasm.New(context.Background(), wasm.Options{CacheDir: path("kept")})
	must(err)
	must(rt.Close(context.Background()))
	forms, err := filepath.Glob(path("kept/modules"))
	if must(err); len(forms) != 1 {
		t.Fatal(forms)
	}
	must(os.Chmod(forms[0], 0o770))
	must(os.Symlink(path("private"), path("link")))
	must(os.WriteFile(path("file"), nil, 0o600))
	tests := []struct{ name, says string }{
		{"group", "has mode 0750"},
		{"world", "has mode 0777"},
		{"kept", "has mode 0770"},
		{"link", "is a symbolic link"},
		{"file", "file"},
		{"private", ""},
		{"new/one", ""},
	}
	if os.Geteuid() == 0 {
		must(os.Mkdir(path("foreign"), 0o700))
		must(os.Chown(path("foreign"), 12345, 12345))
		tests = append(tests, struct{ name, says string }{"foreign", "belongs to user 12345"})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rt, err := wasm.New(context.Background(), wasm.Options{CacheDir: path(tt.name)})
			if err == nil {
				rt.Close(context.Background())
			}
			switch {
			case tt.says == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says) || fault.Of(err) != fault.Invalid):
				t.Errorf("error %v, want %q", err, tt.says)
			}
		})
	}
}

// TestLoad_MachineCodeMustBeSealed poisons the artifact of a module in ways that
// wazero does not notice: the process would die of it.
func TestLoad_MachineCodeMustBeSealed(t *testing.T) {
	dir, ctx := filepath.Join(t.TempDir(), "cache"), context.Background()
	key := private.Key(strings.Repeat("k", 32))
	codes := func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "modules", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	score := func(o wasm.Options) {
		t.Helper()
		o.CacheDir = dir
		rt, err := wasm.New(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := load(t, rt, "bleu", fixture(t, "bleu/bleu.wasm"), wasm.Limits{}).Call(ctx, "bleu", pair, nil); err != nil {
			t.Fatal(err)
		}
		if err := rt.Close(ctx); err != nil {
			t.Fatal(err)
		}
	}
	score(wasm.Options{Key: key})
	first := codes()
	if len(first) != 1 {
		t.Fatalf("%q", first)
	}
	path := first[0]
	read := func(path string) string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	whole := read(path)
	for name, spoil := range map[string]func(path string) error{
		"poisoned":        wasmtest.Poison,
		"others can read": func(path string) error { return os.Chmod(path, 0o644) },
		"a link": func(path string) error {
			return errors.Join(os.Rename(path, path+"-"), os.Rename(path+"-", filepath.Join(dir, "there")), os.Symlink(filepath.Join(dir, "there"), path))
		},
	} {
		if err := spoil(path); err != nil {
			t.Fatal(err)
		}
		score(wasm.Options{Key: key})
		if now := codes(); len(now) != 1 || read(path) != whole {
			t.Errorf("%s: it is not compiled anew: %q", name, now)
		}
	}
	// A cache that was made with another key, on another machine, is a miss.
	other := private.Key(strings.Repeat("o", 32))
	score(wasm.Options{Key: other})
	if read(path) == whole {
		t.Errorf("%s was sealed with another key, and is used", path)
	}
}
