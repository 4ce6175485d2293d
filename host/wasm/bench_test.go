package wasm_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/rubric-host/rubric-host/host/wasm"
)

// bare calls a guest on wazero as it is: not metered, nothing put back.
func bare(b *testing.B, rt wazero.Runtime, module []byte, export string) func(request, answer []byte) []byte {
	b.Helper()
	ctx := context.Background()
	wasi_snapshot_preview1.MustInstantiate(ctx, rt)
	mod, err := rt.InstantiateWithConfig(ctx, module, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		b.Fatal(err)
	}
	alloc, score, mem := mod.ExportedFunction("alloc"), mod.ExportedFunction(export), mod.Memory()
	var stack [2]uint64
	must := func(f api.Function) {
		if err := f.CallWithStack(ctx, stack[:]); err != nil {
			b.Fatal(err)
		}
	}
	return func(request, answer []byte) []byte {
		stack[0] = uint64(len(request))
		must(alloc)
		at := stack[0]
		mem.Write(uint32(at), request)
		stack = [2]uint64{at, uint64(len(request))}
		must(score)
		out, _ := mem.Read(uint32(stack[0]>>32), uint32(stack[0]))
		return append(answer[:0], out...)
	}
}

// BenchmarkNewInstance calls a module with changes that cannot be restored, so that
// each call gets an instance of its own.
func BenchmarkNewInstance(b *testing.B) {
	b.ReportAllocs()
	m := load(b, runtimes(b)["compiler"], "guest", assemble(string(fixture(b, "guests/irreversible.wat"))), wasm.Limits{})
	for b.Loop() {
		if _, _, err := m.Call(context.Background(), "see", []byte("x"), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// A guest is a module with the direct ABI, and a request for it.
type guest struct {
	name            string
	module, request []byte
}

// guests returns the C scorer and the modules in the directory GUESTS. A request
// stands beside its module, name.wasm.json; without one it is the usual pair.
func guests(b *testing.B) []guest {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv("GUESTS"), "*.wasm"))
	if err != nil {
		b.Fatal(err)
	}
	all := []guest{{"lean-c", fixture(b, "bleu/bleu.wasm"), pair}}
	for _, file := range files {
		g := guest{name: filepath.Base(file), request: pair}
		if g.module, err = os.ReadFile(file); err != nil {
			b.Fatal(err)
		}
		if own, err := os.ReadFile(file + ".json"); err == nil {
			g.request = own
		}
		all = append(all, g)
	}
	return all
}

// BenchmarkFirstScore measures the time from the bytes of a module to its first
// score, without and with a store, and the same on bare wazero.
func BenchmarkFirstScore(b *testing.B) {
	for _, g := range guests(b) {
		for _, name := range []string{"cold", "cached"} {
			b.Run(g.name+"/"+name, func(b *testing.B) {
				o, dir := wasm.Options{}, ""
				if name == "cached" {
					o.CacheDir, dir = filepath.Join(b.TempDir(), "ours"), filepath.Join(b.TempDir(), "bare")
				}
				m := load(b, runtimes(b)["compiler"], "guest", g.module, wasm.Limits{})
				export := m.Exports()[0]
				bareScore(b, dir, g.module, export, g.request)
				score(b, o, &g).Close(context.Background())
				var theirs, ours sample
				for b.Loop() {
					theirs.time(func() { bareScore(b, dir, g.module, export, g.request) })
					var rt *wasm.Runtime
					ours.time(func() { rt = score(b, o, &g) })
					rt.Close(context.Background())
				}
				b.ReportMetric(theirs.at(50)/1e3, "bare-p50-ms")
				b.ReportMetric(ours.at(50)/1e3, "p50-ms")
				b.ReportMetric(ours.at(5)/1e3, "best-ms")
				b.ReportMetric(ours.at(50)/theirs.at(50), "ratio")
			})
		}
	}
}

// score loads a module and makes one call.
func score(b *testing.B, o wasm.Options, g *guest) *wasm.Runtime {
	ctx := context.Background()
	rt, err := wasm.New(ctx, o)
	if err != nil {
		b.Fatal(err)
	}
	m, err := rt.Load(ctx, wasm.Source{Name: "guest", Module: g.module}, wasm.Limits{})
	if err == nil {
		_, _, err = m.Call(ctx, m.Exports()[0], g.request, nil)
	}
	if err != nil {
		b.Fatal(err)
	}
	return rt
}

// bareScore does the same on wazero as it is.
func bareScore(b *testing.B, dir string, module []byte, export string, request []byte) {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig()
	if dir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(dir)
		if err != nil {
			b.Fatal(err)
		}
		defer cache.Close(ctx)
		config = config.WithCompilationCache(cache)
	}
	rt := wazero.NewRuntimeWithConfig(ctx, config)
	defer rt.Close(ctx)
	bare(b, rt, module, export)(request, nil)
}
