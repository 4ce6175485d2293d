package plugin

import (
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

func TestFromModule_FillsTheManifest(t *testing.T) {
	const (
		direct = `(module (memory (export "memory") 1) (func (export "alloc") (param i32) (result i32) (i32.const 8))
			(func (export "one") (param i32 i32) (result i64) (i64.const 0)))`
		extism = `(module (import "extism:host/env" "input_length" (func $l (result i64)))
			(func (export "one") (result i32) (i32.const 0)) (func (export "two") (result i32) (i32.const 0)))`
		program = `(module (memory (export "memory") 1) (func (export "_start")))`
	)
	tests := []struct {
		name, module, plugin, export string
		want, err                    string
	}{
		{"the only scorer", direct, "any", "", "one", ""},
		{"a scorer by its name", direct, "any", "one", "one", ""},
		{"a misspelt scorer", direct, "any", "on", "", `plugin "any" has no export "on": did you mean "one"?`},
		{"what is exported and no scorer", direct, "any", "alloc", "", `plugin "any" has no export "alloc"`},
		{"the scorer of the plugin's name", extism, "two", "", "two", ""},
		{"none among several", extism, "any", "", "score", ""},
		{"a program", program, "any", "", "score", ""},
		{"a program by a wrong name", program, "any", "_start", "", `plugin "any" has no export "_start"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Open([]Module{{Name: tt.plugin, Bytes: wasmtest.Assemble(tt.module)}})
			if err != nil {
				t.Fatal(err)
			}
			s, err := c.Find(tt.plugin, tt.export)
			switch {
			case tt.err == "" && (err != nil || s.Export != tt.want):
				t.Errorf("%q, %v", s.Export, err)
			case tt.err != "" && (fault.Of(err) != fault.NotFound || !strings.Contains(err.Error()+": "+fault.Hint(err), tt.err)):
				t.Errorf("%v: %s; want %s", err, fault.Hint(err), tt.err)
			}
		})
	}
}
