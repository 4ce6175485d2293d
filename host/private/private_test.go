package private_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/host/private"
)

func TestSeal_BindsKeyNameAndContent(t *testing.T) {
	key := private.Key("one key of a user, 32 bytes long").Derive("test")
	for _, size := range []int{0, 1, 64<<10 - 1, 64 << 10, 3<<20 + 5} {
		content := bytes.Repeat([]byte{7}, size)
		seal, err := key.Seal("name", bytes.NewReader(content))
		if err != nil || len(seal) != private.SealBytes {
			t.Fatal(len(seal), err)
		}
		verify := func(key private.Key, name string, content, seal []byte) bool {
			read, held := key.Verify(name, bytes.NewReader(content), seal), key.Verify(name, bytes.NewBuffer(content), seal)
			if read != held {
				t.Errorf("%d bytes: accepted from a file: %t, from memory: %t", size, read, held)
			}
			return held
		}
		if !verify(key, "name", content, seal) {
			t.Errorf("%d bytes: the seal is not accepted", size)
		}
		if verify(key, "other", content, seal) {
			t.Errorf("%d bytes: accepted under another name", size)
		}
		if verify(key.Derive("x"), "name", content, seal) || verify(nil, "name", content, seal) {
			t.Errorf("%d bytes: accepted with another key", size)
		}
		if verify(key, "name", append(bytes.Clone(content), 0), seal) {
			t.Errorf("%d bytes: accepted with one byte more", size)
		}
		for _, at := range []int{0, size / 2, size - 1} {
			if size > 0 {
				changed := bytes.Clone(content)
				changed[at] ^= 1
				if verify(key, "name", changed, seal) {
					t.Errorf("%d bytes: accepted with byte %d changed", size, at)
				}
			}
		}
		changed := bytes.Clone(seal)
		changed[31] ^= 128
		if verify(key, "name", content, changed) {
			t.Errorf("%d bytes: another seal is accepted", size)
		}
	}
	if _, err := private.Key(nil).Seal("name", strings.NewReader("")); err == nil {
		t.Error("sealed without a key")
	}
}

func TestUserKey_IsCreatedOnceForTheUserAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	t.Setenv("XDG_STATE_HOME", dir)
	keys := make([]private.Key, 8)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			var err error
			if keys[i], err = private.UserKey(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, k := range keys {
		if len(k) != 32 || !bytes.Equal(k, keys[0]) {
			t.Fatalf("%d bytes, equal: %v", len(k), bytes.Equal(k, keys[0]))
		}
	}
	file := filepath.Join(dir, "rubric-host", "cache.key")
	info, err := os.Stat(file)
	must(t, err)
	if runtime.GOOS != "windows" {
		if info.Mode().Perm() != 0o600 {
			t.Errorf("mode %#o", info.Mode().Perm())
		}
		for mode, says := range map[fs.FileMode]string{0o640: "has mode 0640", 0o604: "has mode 0604"} {
			must(t, os.Chmod(file, mode))
			if _, err := private.UserKey(); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%#o: %v", mode, err)
			}
		}
		must(t, os.Chmod(file, 0o600))
	}
	must(t, os.WriteFile(file, []byte("short"), 0o600))
	if _, err := private.UserKey(); err == nil || !strings.Contains(err.Error(), "has 5 bytes, not 32") {
		t.Error(err)
	}
}

func TestCheckWrite_RefusesWhatOthersCanWrite(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs mode bits, which Windows lacks")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	check := func(path string, mode fs.FileMode) error {
		t.Helper()
		must(t, os.Chmod(path, mode))
		info, err := os.Stat(path)
		must(t, err)
		return private.CheckWrite(path, info)
	}
	for mode, ok := range map[fs.FileMode]bool{0o600: true, 0o644: true, 0o664: true, 0o666: false, 0o602: false} {
		if err := check(file, mode); (err == nil) != ok {
			t.Errorf("file %#o: %v", mode, err)
		}
	}
	for mode, ok := range map[fs.FileMode]bool{0o700: true, 0o755: true, 0o777: false, 0o777 | fs.ModeSticky: true} {
		if err := check(dir, mode); (err == nil) != ok {
			t.Errorf("directory %v: %v", mode, err)
		}
	}
	if os.Geteuid() != 0 {
		return
	}
	must(t, check(file, 0o644))
	must(t, os.Chown(file, 12345, 12345))
	if err := check(file, 0o644); err == nil || !strings.Contains(err.Error(), "belongs to user 12345") {
		t.Error(err)
	}
	t.Setenv("SUDO_UID", "12345")
	if err := check(file, 0o664); err != nil {
		t.Errorf("the user who called sudo: %v", err)
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
