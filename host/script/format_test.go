package script_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
)

func TestRead_ReturnsWhatModuleWrote(t *testing.T) {
	s := script.Script{Language: "python", Interpreter: "sha256:00", Entry: "a.py", Exports: []string{"one"}, Files: map[string]string{"a.py": "x = 'é\x00'", "b/c.py": ""}}
	module, err := s.Module(binary.Custom{Name: "more", Bytes: []byte("of it")})
	if err != nil || !script.Is(module) {
		t.Fatal(err)
	}
	read, err := script.Read(module)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&s, read); d != "" {
		t.Error(d)
	}
	if more, ok := binary.CustomSection(module, "more"); !ok || string(more) != "of it" {
		t.Errorf("%q", more)
	}
	if m, err := binary.Read(module, binary.Limits{}); err != nil || len(m.Code) != 0 {
		t.Errorf("it is not a module without code: %v", err)
	}
	again, err := s.Module(binary.Custom{Name: "more", Bytes: []byte("of it")})
	if err != nil || !bytes.Equal(again, module) {
		t.Error("it is written in another way")
	}
}

func TestRead_RefusesOtherModules(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    script.Script
		says string
	}{
		{"no file", script.Script{Entry: "a.js"}, `has no file "a.js"`},
		{"a file elsewhere", script.Script{Entry: "a.js", Files: map[string]string{"a.js": "", "../b": ""}}, `"../b" is not the path`},
		{"an absolute file", script.Script{Entry: "/a.js", Files: map[string]string{"/a.js": ""}}, `"/a.js" is not the path`},
		{"a path that is another", script.Script{Entry: "a.js", Files: map[string]string{"a.js": "", "b/./c": ""}}, "is not the path"},
		{"no text", script.Script{Entry: "a.js", Files: map[string]string{"a.js": "\xff"}}, "is not UTF-8"},
		{"a function that is code", script.Script{Entry: "a.js", Exports: []string{"x); evil("}, Files: map[string]string{"a.js": ""}}, "not a function name"},
		{"too long", script.Script{Entry: "a.js", Files: map[string]string{"a.js": strings.Repeat(" ", script.MaxBytes+1)}}, "at most"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := tt.s.Module(); err == nil || !strings.Contains(err.Error(), tt.says) || fault.Of(err) != fault.Invalid {
				t.Errorf("%v, want %q", err, tt.says)
			}
		})
	}
}

// FuzzRead looks for bytes that are wrongly taken for a script, and for bytes that
// break the reader.
func FuzzRead(f *testing.F) {
	s := script.Script{Language: "js", Interpreter: "sha256:00", Entry: "a.js", Files: map[string]string{"a.js": "1"}}
	module, err := s.Module()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(module)
	f.Add(module[:20])
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x00\x80\x80\x80\x80\x00\x12rubric-host.script{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := script.Read(b)
		if err != nil {
			if fault.Of(err) != fault.Refused {
				t.Errorf("%v (%s)", err, fault.Of(err))
			}
			return
		}
		again, err := s.Module()
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if read, err := script.Read(again); err != nil || !cmp.Equal(read, s) {
			t.Errorf("%+v is read as %+v, %v", s, read, err)
		}
	})
}
