package wasm_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// bare calls a guest on wazero as it is: not metered, nothing put back.
func bare(b *testing.B, module []byte, export string) func(request, answer []byte) []byte {
	b.Helper()
	ctx := context.Background()
	rt := wazero.NewRuntime(ctx)
	b.Cleanup(func() { rt.Close(ctx) })
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

func BenchmarkCall(b *testing.B) {
	module := fixture(b, "bleu/bleu.wasm")
	ctx := context.Background()
	for _, export := range []string{"echo", "f1", "bleu"} {
		b.Run(export+"/bare-wazero", func(b *testing.B) {
			b.ReportAllocs()
			call := bare(b, module, export)
			var answer []byte
			for b.Loop() {
				answer = call(pair, answer)
			}
		})
		b.Run(export+"/everything-on", func(b *testing.B) {
			b.ReportAllocs()
			rt := runtimes(b)["compiler"]
			m := load(b, rt, "bleu", module, wasm.Limits{})
			var answer []byte
			var usage wasm.Usage
			for b.Loop() {
				var err error
				if answer, usage, err = m.Call(ctx, export, pair, answer); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(usage.Fuel), "fuel")
		})
	}
	b.Run("bleu/everything-on-parallel", func(b *testing.B) {
		b.ReportAllocs()
		rt := runtimes(b)["compiler"]
		m := load(b, rt, "bleu", module, wasm.Limits{})
		b.RunParallel(func(pb *testing.PB) {
			var answer []byte
			for pb.Next() {
				var err error
				if answer, _, err = m.Call(ctx, "bleu", pair, answer); err != nil {
					b.Error(err)
					return
				}
			}
		})
	})
	b.Run("new-instance-each-time", func(b *testing.B) {
		b.ReportAllocs()
		rt := runtimes(b)["compiler"]
		m := load(b, rt, "guest", assemble(string(fixture(b, "guests/irreversible.wat"))), wasm.Limits{})
		for b.Loop() {
			if _, _, err := m.Call(ctx, "see", []byte("x"), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkGuests compares bare wazero with everything on, for the modules with
// the direct ABI in the directory GUESTS. A request stands beside its module,
// name.wasm.json; without one it is the usual pair.
func BenchmarkGuests(b *testing.B) {
	guests, err := filepath.Glob(filepath.Join(os.Getenv("GUESTS"), "*.wasm"))
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range guests {
		module, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		request, err := os.ReadFile(file + ".json")
		if err != nil {
			request = pair
		}
		m := load(b, runtimes(b)["compiler"], "guest", module, wasm.Limits{})
		export := m.Exports()[0]
		b.Run(filepath.Base(file)+"/bare-wazero", func(b *testing.B) {
			b.ReportAllocs()
			call := bare(b, module, export)
			var answer []byte
			for b.Loop() {
				answer = call(request, answer)
			}
		})
		b.Run(filepath.Base(file)+"/everything-on", func(b *testing.B) {
			b.ReportAllocs()
			var answer []byte
			var usage wasm.Usage
			for b.Loop() {
				if answer, usage, err = m.Call(context.Background(), export, request, answer); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(usage.Fuel), "fuel")
			b.ReportMetric(float64(usage.PeakMemoryBytes>>16), "pages")
		})
	}
}

// BenchmarkFirstScore is what a program pays from the bytes of a module to its
// first score. GUESTS names a directory of further modules with the direct ABI.
func BenchmarkFirstScore(b *testing.B) {
	guests, err := filepath.Glob(filepath.Join(os.Getenv("GUESTS"), "*.wasm"))
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range append(guests, "testdata/bleu/bleu.wasm") {
		module, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		for name, cached := range map[string]bool{"cold": false, "cached": true} {
			b.Run(filepath.Base(file)+"/"+name, func(b *testing.B) {
				dir := filepath.Join(b.TempDir(), "cache")
				for first := true; first || b.Loop(); first = false {
					o := wasm.Options{}
					if cached {
						o.CacheDir = dir
					}
					score(b, o, module)
				}
			})
		}
	}
}

// score loads a module and makes one call.
func score(b *testing.B, o wasm.Options, module []byte) {
	ctx := context.Background()
	rt, err := wasm.New(ctx, o)
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close(ctx)
	m, err := rt.Load(ctx, "guest", module, wasm.Limits{})
	if err != nil {
		b.Skip(err)
	}
	if _, _, err := m.Call(ctx, m.Exports()[0], pair, nil); err != nil {
		b.Fatal(err)
	}
}
