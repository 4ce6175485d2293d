package wasm_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
)

// TestLoad_GivesDataFiles checks that every call and every instance begins with the data.
func TestLoad_GivesDataFiles(t *testing.T) {
	module := assemble(string(fixture(t, "guests/data.wat")))
	content := []byte("dictionary")
	for name, rt := range everyWay(t) {
		t.Run(name, func(t *testing.T) {
			m, err := rt.Load(context.Background(), wasm.Source{Name: "data", Module: module, Data: []wasm.Data{{Name: "a", Bytes: []byte("other")}, {Name: "b", Bytes: content}}}, wasm.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					for range 5 {
						for request, want := range map[string]string{"": "dictionary", "X": "Xictionary"} {
							if got, _, err := m.Call(context.Background(), "score", []byte(request), nil); err != nil || string(got) != want {
								t.Errorf("%q gives %q, %v; want %q", request, got, err, want)
							}
						}
					}
				})
			}
			all.Wait()
		})
	}
	if string(content) != "dictionary" {
		t.Errorf("the caller's bytes are now %q", content)
	}
}

func TestLoad_DataFilesAreNotPartOfTheArtifact(t *testing.T) {
	module := assemble(string(fixture(t, "guests/data.wat")))
	o := wasm.Options{CacheDir: filepath.Join(t.TempDir(), "cache")}
	for _, content := range []string{"one", "two, longer", "one"} {
		rt, err := wasm.New(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := rt.Load(context.Background(), wasm.Source{Name: "data", Module: module, Data: []wasm.Data{{Name: "a", Bytes: []byte(content)}}}, wasm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := m.Call(context.Background(), "score", nil, nil); err != nil || string(got) != content {
			t.Errorf("%q, %v; want %q", got, err, content)
		}
		if err := rt.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLoad_RefusesDataFiles(t *testing.T) {
	guest := string(fixture(t, "guests/data.wat"))
	direct := string(fixture(t, "hostile/loop.wat"))
	big := bytes.Repeat([]byte("x"), 30<<20)
	tests := []struct {
		name, module, file string
		content            []byte
		class              fault.Class
		want               string
	}{
		{"no export", direct, "a", nil, fault.Load, `no function "data" from (i32, i32, i32, i32)`},
		{"another type", strings.Replace(guest, "(param $ptr i32) (param $len i32)\n    (if", "(param $ptr i32) (param $len i64)\n    (if", 1), "a", nil, fault.Load, `no function "data"`},
		{"a program", `(module (memory (export "memory") 1) (func (export "_start")))`, "a", nil, fault.Load, "only modules of the direct ABI"},
		{"it never ends", guest, "x", nil, fault.Fuel, "used"},
		{"too large for its memory", guest, "a", big, fault.Memory, "denied"},
	}
	rt := runtimes(t)["compiler"]
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(tt.module, "(param $ptr i32) (param $len i64)", "(param $ptr i32) (param $long i64) (local $len i32)", 1)
			_, err := rt.Load(context.Background(), wasm.Source{Name: "data", Module: assemble(text), Data: []wasm.Data{{Name: tt.file, Bytes: tt.content}}}, wasm.Limits{Fuel: 10_000_000})
			if err == nil || fault.Of(err) != tt.class || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v (%s), want %q (%s)", err, fault.Of(err), tt.want, tt.class)
			}
		})
	}
}
