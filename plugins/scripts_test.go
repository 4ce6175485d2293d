package plugins_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
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

// TestScripts_TakeLargeRequests: a row of LiveCodeBench or CodeContests may have more than the 4 MiB
// that a request may have by default.
func TestScripts_TakeLargeRequests(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	catalog, err := plugins.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	input := strings.Repeat("12345 ", 360_000)
	row := func(output, input string, printed int) map[string]any {
		test := map[string]any{"input": input, "output": fmt.Sprint(printed)}
		return map[string]any{"output": output, "tests_io": []map[string]any{test, test}}
	}
	rt := wasmtest.Runtime(t, scripts(t))
	for name, output := range map[string]string{
		"run-python":     "import sys\nprint(len(sys.stdin.read()))",
		"run-javascript": "console.log(require('fs').readFileSync(0, 'utf8').length)",
	} {
		p := catalog.Plugin(name)
		m, err := rt.Load(t.Context(), wasm.Source{Name: name, Module: p.Module()}, p.Manifest.Limits.Apply(wasm.Limits{Compile: time.Hour, Deadline: 10 * time.Minute}))
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range []struct {
			printed int
			score   string
		}{{len(input), "1"}, {len(input) + 1, "0"}} {
			if got, _ := (runner{m}).run(t, "io", row(output, input, of.printed), nil); strings.TrimSuffix(fmt.Sprint(got["score"]), ".0") != of.score {
				t.Errorf("%s: of %d bytes: %.500v", name, len(input), got)
			}
		}
		// So much at once would be a fault of the memory that the candidate has: it is not tested.
		if got, _ := (runner{m}).run(t, "io", row(output, input+input[:2_140_000], 4_300_000), nil); !strings.Contains(fmt.Sprint(got["error"], got["failed"]), " at once") && !strings.Contains(fmt.Sprint(got["failed"]), "allowed") {
			t.Errorf("%s: of 4.3 MB at once: %.500v", name, got)
		}
	}
}
