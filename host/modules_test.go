package host

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host/datafile"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/host/wasm/worker"
	"github.com/rubric-host/rubric-host/plugins"
)

// TestUse_KeyTellsListsOfNames: names may have spaces. A module that is loaded for one scorer of such a
// name cannot answer for two others.
func TestUse_KeyTellsListsOfNames(t *testing.T) {
	p := &plugin.Plugin{Digest: "d"}
	known := map[string]use{}
	for _, u := range []use{
		{}, {exports: []string{"a b"}}, {exports: []string{"a", "b"}}, {exports: []string{"a"}, data: []string{"b"}},
		{data: []string{"a b"}}, {data: []string{"a", "b"}},
		{grants: []grant.Grant{{Kind: grant.Files, Target: "/a"}, {Kind: grant.Clock}}}, {grants: []grant.Grant{{Kind: grant.Files, Target: "/a clock"}}},
	} {
		u.plugin = p
		key := u.key()
		if other, is := known[key]; is {
			t.Errorf("%+v is loaded as %+v", u, other)
		}
		known[key] = u
	}
}

// TestLoad_FailureIsNotKept installs a data file after a plugin was loaded in vain without it, as a user does
// while a server runs.
func TestLoad_FailureIsNotKept(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	content := []byte("an answer")
	for name, text := range map[string][]byte{
		"plugin.yaml": fmt.Appendf(nil, "plugin: words\nversion: 1.0.0\ninputs: [output]\nexports:\n  score: answers\ndata:\n  answer:\n    sha256: %s\n    summary: the answer\n", datafile.SumOf(content)),
		"words.wasm": wasmtest.Assemble(`(module (memory (export "memory") 1)
			(func (export "alloc") (param i32) (result i32) (i32.const 1024))
			(func (export "data") (param i32 i32 i32 i32))
			(func (export "score") (param i32 i32) (result i64) (i64.const 0)))`),
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	p, err := plugin.ReadFile(dir)
	must(t, err)
	e, err := New(ctx, Options{RuntimeDir: filepath.Join(dir, "runtimes"), Isolate: worker.Never})
	must(t, err)
	defer e.Close(ctx)
	u := use{plugin: p, data: []string{"answer"}}
	if _, err := e.modules.load(ctx, u); fault.Of(err) != fault.NotFound {
		t.Errorf("without its data file: %v", err)
	}
	if _, err := datafile.In(e.o.RuntimeDir).Add(content); err != nil {
		t.Fatal(err)
	}
	if _, err := e.modules.load(ctx, u); err != nil {
		t.Errorf("with it: %v", err)
	}
}

// TestLoad_KeyIsThatOfCompile: the artifact that plugins/compile makes of a built-in plugin has the key that an
// evaluator asks for. Else programs of make build would carry machine code in vain.
func TestLoad_KeyIsThatOfCompile(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	catalog, err := plugins.Catalog()
	must(t, err)
	rt, err := wasm.New(ctx, wasm.Options{CacheDir: filepath.Join(dir, "compile")})
	must(t, err)
	defer rt.Close(ctx)
	p := catalog.Plugin("perplexity")
	key, _, err := rt.Pack(ctx, wasm.Source{Name: p.Manifest.Name, Digest: p.Code, Module: p.Module()}, p.Manifest.Limits.Apply(wasm.Limits{}))
	must(t, err)
	e, err := New(ctx, Options{CacheDir: filepath.Join(dir, "evaluator")})
	must(t, err)
	defer e.Close(ctx)
	if _, err := e.Call(ctx, Call{Plugin: "perplexity"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "evaluator", "modules", key)); err != nil {
		t.Error(err)
	}
}
