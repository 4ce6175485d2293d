package wasm_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// A babbler writes a module that calls imports of the host in any order with any
// arguments: boundary values, and results of earlier calls.
type babbler struct {
	random  []byte // decides; zeros follow
	imports []wasm.Import
	used    []string // declarations
	code    strings.Builder
}

func (b *babbler) next(n int) int {
	if len(b.random) == 0 {
		return 0
	}
	v := int(b.random[0])
	b.random = b.random[1:]
	return v % n
}

// edges are boundary values: null, a page, the memory, 32 and 64 bits, sizes of
// WASI's structures, and the start of Extism's blocks.
var edges = []int64{
	0, 1, 2, 3, 4, 8, 15, 16, 24, 48, 63, 64, 255, 1_000, 1_024, 1_025, 4_096, 65_535, 65_536, 131_064, 131_068, 131_071, 131_072,
	1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 8, 1<<32 - 1, -1, -8, 1 << 40, 1<<63 - 1, -1 << 63,
}

func (b *babbler) value(letter rune) string {
	v := edges[b.next(len(edges))]
	kind, local := "i32", "$i"
	if letter == 'I' {
		kind, local = "i64", "$I"
	} else {
		v = int64(int32(v))
	}
	switch b.next(4) {
	case 0:
		return "(local.get " + local + ")"
	case 1:
		return fmt.Sprintf("(%s.add (local.get %s) (%s.const %d))", kind, local, kind, v)
	}
	return fmt.Sprintf("(%s.const %d)", kind, v)
}

// call writes a call of an import, whose results go to the locals.
func (b *babbler) call() {
	in := b.imports[b.next(len(b.imports))]
	params, results, _ := strings.Cut(in.Shape, ":")
	name := "$" + in.Name
	types := func(keyword, letters string) string {
		if letters == "" {
			return ""
		}
		return " (" + keyword + strings.NewReplacer("i", " i32", "I", " i64").Replace(letters) + ")"
	}
	line := fmt.Sprintf("(import %q %q (func %s%s%s))", in.Module, in.Name, name, types("param", params), types("result", results))
	if !slices.Contains(b.used, line) {
		b.used = append(b.used, line)
	}
	call := "(call " + name
	for _, letter := range params {
		call += " " + b.value(letter)
	}
	call += ")"
	switch results {
	case "i":
		call = "(local.set $i " + call + ")"
	case "I":
		call = "(local.set $I " + call + ")"
	}
	b.code.WriteString(call + "\n")
}

// module writes the whole: one function that stores and calls.
func (b *babbler) module(abi wasm.ABI) string {
	for n := 1 + b.next(16); n > 0; n-- {
		if b.next(4) == 0 {
			fmt.Fprintf(&b.code, "(i64.store (i32.and %s (i32.const 65535)) %s)\n", b.value('i'), b.value('I'))
			continue
		}
		b.call()
	}
	export, result := `(export "score") (param i32 i32) (result i64)`, "(local.get $I)"
	switch abi {
	case wasm.Extism:
		export, result = `(export "score") (result i32)`, "(local.get $i)"
		b.used = append(b.used, `(import "extism:host/env" "input_length" (func $always (result i64)))`)
	case wasm.Command:
		export, result = `(export "_start")`, ""
	}
	return `(module ` + strings.Join(b.used, "\n") + `
		(memory (export "memory") 2 4)
		(func (export "alloc") (param i32) (result i32) (i32.const 1024))
		(func ` + export + ` (local $i i32) (local $I i64)
			` + b.code.String() + result + `))`
}

// endings are the classes that a babbler may end with.
var endings = []fault.Class{
	fault.None, fault.Trap, fault.Fuel, fault.Memory, fault.Output, fault.Protocol, fault.PluginError, fault.Refused,
}

// FuzzImports calls every import with arguments that no honest guest would pass. The
// result is the same every time, in both engines.
func FuzzImports(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 120 {
		seed := make([]byte, 20+n)
		for k := range seed {
			seed[k] = byte(random.Uint32())
		}
		f.Add(seed)
	}
	all := runtimes(f)
	imports := map[wasm.ABI][]wasm.Import{}
	for _, in := range wasm.Imports() {
		for _, abi := range map[string][]wasm.ABI{
			"wasi_snapshot_preview1": {wasm.Direct, wasm.Command, wasm.Extism}, "rubric-host": {wasm.Direct}, "extism:host/env": {wasm.Extism},
		}[in.Module] {
			imports[abi] = append(imports[abi], in)
		}
	}
	dir := f.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), make([]byte, 100_000), 0o600); err != nil {
		f.Fatal(err)
	}
	granted, err := grant.OpenAccess([]grant.Grant{{Kind: grant.Files, Target: dir}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { granted.Close() })
	f.Fuzz(func(t *testing.T, random []byte) {
		b := &babbler{random: random}
		abi := []wasm.ABI{wasm.Direct, wasm.Extism, wasm.Command}[b.next(3)]
		b.imports = imports[abi]
		text := b.module(abi)
		limits := wasm.Limits{Fuel: 3_000_000, LogBytes: 1_000, LogLines: 10, OutputBytes: 10_000}
		var first outcome
		for _, engine := range []string{"compiler", "interpreter"} {
			m, err := all[engine].Load(context.Background(), wasm.Source{Name: "babbler", Module: assemble(text)}, limits)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			m.Grant(granted)
			for round := range 2 {
				got := call(m, m.Exports()[0], []byte("request"))
				if round == 0 && engine == "compiler" {
					first = got
				}
				if got != first || !slices.Contains(endings, got.class) || len(got.log) > limits.LogBytes || strings.ContainsAny(got.says, "\n\x1b") {
					t.Fatalf("%s, call %d: %+v, the first gives %+v\n%s", engine, round, got, first, text)
				}
			}
			m.Close(context.Background())
		}
	})
}
