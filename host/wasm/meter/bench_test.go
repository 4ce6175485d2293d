package meter_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/wasm/meter"
)

// large lets any module of real life in.
var large = binary.Limits{FileBytes: 64 << 20, MemoryPages: 1 << 16}

// guests calls f with the C scorer and with the modules in the directory GUESTS.
func guests(b *testing.B, f func(b *testing.B, file string, module []byte)) {
	more, err := filepath.Glob(filepath.Join(os.Getenv("GUESTS"), "*.wasm"))
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range append(more, "../testdata/bleu/bleu.wasm") {
		module, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(file), func(b *testing.B) { f(b, file, module) })
	}
}

func BenchmarkRewrite(b *testing.B) {
	guests(b, func(b *testing.B, _ string, module []byte) {
		m, err := binary.Read(module, large)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(module)))
		b.ReportAllocs()
		for b.Loop() {
			r, err := meter.Rewrite(m, meter.Options{MemoryPages: 1 << 16})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(len(r.Module))/float64(len(module)), "size")
		}
	})
}

// BenchmarkRule compares charging rules on modules with the direct ABI. A
// request stands beside its module, name.wasm.json.
func BenchmarkRule(b *testing.B) {
	request := []byte(`{"candidate":"the model answers that Paris is the capital of France and that the Seine flows through it","reference":"The model answered that the capital of France is Paris and that the river Seine flows through it"}`)
	options := meter.Options{MemoryPages: 1 << 16}
	rules := []struct {
		name string
		form func(*binary.Module) (*meter.Result, error)
	}{
		{"none", func(m *binary.Module) (*meter.Result, error) { return &meter.Result{Module: m.Append(nil)}, nil }},
		{"look-everywhere", func(m *binary.Module) (*meter.Result, error) { return meter.Rewrite(m, options.Rule(0, true)) }},
		{"every-run", func(m *binary.Module) (*meter.Result, error) { return meter.Rewrite(m, options.Rule(1, false)) }},
		{"the-table's", func(m *binary.Module) (*meter.Result, error) { return meter.Rewrite(m, options) }},
		{"lexical", func(m *binary.Module) (*meter.Result, error) { return meter.Rewrite(m, options.Rule(1<<40, false)) }},
	}
	guests(b, func(b *testing.B, file string, module []byte) {
		own, err := os.ReadFile(file + ".json")
		if err != nil {
			own = request
		}
		m, err := binary.Read(module, large)
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range rules {
			b.Run(r.name, func(b *testing.B) {
				metered, err := r.form(m)
				if err != nil {
					b.Fatal(err)
				}
				score(b, metered.Module, own)
			})
		}
	})
}

// score calls the first function that scores, again and again.
func score(b *testing.B, module, request []byte) {
	box := newMachine(b, wazero.NewRuntimeConfigCompiler())
	wasi_snapshot_preview1.MustInstantiate(ctx, box.rt)
	mod := box.instantiate(module)
	if mod == nil {
		b.Skip("not a module with the direct ABI")
	}
	f := mod.ExportedFunction("bleu")
	if f == nil {
		f = mod.ExportedFunction("score")
	}
	alloc := mod.ExportedFunction("alloc")
	if f == nil || alloc == nil {
		b.Skip("not a module with the direct ABI")
	}
	if init := mod.ExportedFunction("_initialize"); init != nil {
		if _, err := init.Call(ctx); err != nil {
			b.Fatal(err)
		}
	}
	counter, metered := mod.ExportedGlobal(meter.FuelName).(api.MutableGlobal)
	var stack [2]uint64
	for b.Loop() {
		if metered {
			counter.Set(uint64(box.budget.Start(1 << 40)))
		}
		stack[0] = uint64(len(request))
		if err := alloc.CallWithStack(ctx, stack[:]); err != nil {
			b.Fatal(err)
		}
		at := stack[0]
		mod.Memory().Write(uint32(at), request)
		stack = [2]uint64{at, uint64(len(request))}
		if err := f.CallWithStack(ctx, stack[:]); err != nil {
			b.Fatal(err)
		}
	}
	if metered {
		b.ReportMetric(float64(box.budget.Used(int64(counter.Get()))), "fuel")
	}
}
