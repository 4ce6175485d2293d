package script_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/store"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// TestLoad_ScriptArtifactsAreUntrusted changes or removes each artifact in turn; the answer stays.
// They are those of every language.
func TestLoad_ScriptArtifactsAreUntrusted(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	score := func() string {
		rt := openRuntime(t, dir)
		return scoreWith(t, rt, bundle(t, "score.js", f1JS), request)
	}
	want := score()
	kept, err := filepath.Glob(filepath.Join(dir, "modules", "*", "*"))
	if err != nil || len(kept) != 2 {
		t.Fatalf("%q, %v: an interpreter and an image", kept, err)
	}
	for _, path := range kept {
		path, interpreter := fileIn(t, path)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(whole)
		binary.LittleEndian.PutUint64(changed[len(changed)/2:], 0x0123456789abcdef)
		write := func(b []byte) func() error { return func() error { return os.WriteFile(path, b, 0o600) } }
		for name, spoil := range map[string]func() error{
			"changed": write(changed), "cut": write(whole[:len(whole)-100]), "empty": write(nil), "longer": write(append(bytes.Clone(whole), 0)),
			"missing": func() error { return os.Remove(path) },
		} {
			if interpreter && name != "changed" { // it takes seconds to compile, and was missing at first
				continue
			}
			if err := spoil(); err != nil {
				t.Fatal(err)
			}
			if got := score(); got != want {
				t.Errorf("%s %s: %s, want %s", filepath.Base(path), name, got, want)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) {
				t.Errorf("%s %s: it is not written again as it was (%v)", filepath.Base(path), name, err)
			}
		}
	}
	// The interpreter has its memory from its module then, and the next process compiles it again.
	interpreter := damageData(t, kept)
	if got := score(); got != want {
		t.Errorf("with damaged data: %s, want %s", got, want)
	}
	if _, err := os.Stat(interpreter); !os.IsNotExist(err) {
		t.Errorf("the artifact with damaged data stays: %v", err)
	}
}

// damageData changes the initial memory of a kept interpreter, which only a script that is started needs, and removes
// the image of a script. It returns the artifact of the interpreter.
func damageData(t *testing.T, kept []string) (interpreter string) {
	t.Helper()
	for _, path := range kept {
		file, _ := fileIn(t, path)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		at, err := 0, os.Remove(file)
		for _, part := range regexp.MustCompile(`"name":"([a-z]+)","size":([0-9]+)`).FindAllSubmatch(b, -1) {
			size, _ := strconv.Atoi(string(part[2]))
			if string(part[1]) == "data" {
				b[at+size/2] ^= 1
				interpreter, err = file, os.WriteFile(file, b, 0o600)
			}
			at += size
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return interpreter
}

// fileIn returns the file of an artifact, and whether it is that of an interpreter.
func fileIn(t *testing.T, path string) (file string, interpreter bool) {
	t.Helper()
	if inner, err := filepath.Glob(filepath.Join(path, "*")); err == nil && len(inner) == 1 {
		return inner[0], true
	}
	return path, false
}

// TestLoad_InterpreterAloneTakesNoPlaceOfAScript starts a script where the store has an
// interpreter without the image that it starts from, as that of an earlier driver. The image
// of the interpreter once took the place of the script's, and in the next process the other way round:
// every start cost one of both. Whoever has the script's image does not miss the other.
func TestLoad_InterpreterAloneTakesNoPlaceOfAScript(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	cache, times, image := warmCache(t), 0, &wasm.ScriptImage{Dir: filepath.Join(t.TempDir(), "image")}
	if err := os.Mkdir(image.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	image.Keep = func(made []byte) {
		times++
		if err := os.WriteFile(filepath.Join(image.Dir, store.File), made, 0o600); err != nil {
			t.Error(err)
		}
	}
	for _, miss := range []bool{true, false} {
		rt := wasmtest.Runtime(t, wasm.Options{CacheDir: cache, Scripts: script.Open, ScriptImage: image})
		m := mustLoad(t, rt, bundle(t, "score.py", "def score(case, config):\n    return 0.5\n"))
		if m.CacheMiss() != miss {
			t.Errorf("CacheMiss() = %v, and the store lacks the image that only a start needs", !miss)
		}
		if err := m.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if times != 1 {
		t.Errorf("%d images are kept, want that of the script", times)
	}
}

// TestLoad_KeptAndNewScriptsAtOnce has a second runtime load two scripts whose images are kept and two that are to be
// started, beside each other.
func TestLoad_KeptAndNewScriptsAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	cache := warmCache(t)
	for known := 2; known <= 4; known += 2 {
		rt := wasmtest.Runtime(t, wasm.Options{CacheDir: cache, Scripts: script.Open})
		var all sync.WaitGroup
		for n := range 4 {
			module := bundle(t, "score.py", fmt.Sprintf("def score(case, config):\n    return 0.%d\n", n%known+1))
			all.Go(func() {
				if got, want := scoreWith(t, rt, module, request), fmt.Sprintf("0.%d", n%known+1); !strings.Contains(got, want) {
					t.Errorf("%s, want %s", got, want)
				}
			})
		}
		all.Wait()
	}
}
