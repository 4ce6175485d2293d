package worker

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// pair is a request of usual size for the scorers in testdata/bleu.
var pair = []byte(`{"candidate":"the model answers that Paris is the capital of France and that the Seine flows through it which a system evaluates as a translation of quality with a score","reference":"The model answered that the capital of France is Paris and that the river Seine flows through it which the system evaluates as a translation of high quality with the score"}`)

func bleu(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile("../testdata/bleu/bleu.wasm")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func isolated(t testing.TB, o Options) *Runtime {
	t.Helper()
	rt, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rt.Close(context.Background()) })
	return rt
}

func load(t testing.TB, rt *Runtime, name string, module []byte, l wasm.Limits) *Module {
	t.Helper()
	m, err := rt.Load(context.Background(), wasm.Source{Name: name, Module: module}, l)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCall_SameAsInProcess(t *testing.T) {
	ctx := t.Context()
	m := load(t, isolated(t, Options{}), "bleu", bleu(t), wasm.Limits{})
	in, err := wasmtest.Runtime(t, wasm.Options{}).Load(ctx, wasm.Source{Name: "bleu", Module: bleu(t)}, wasm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, export := range in.Exports() {
		want, used, err := in.Call(ctx, export, pair, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, usage, err := m.Call(ctx, export, pair, nil)
		if err != nil || !bytes.Equal(got, want) || usage.Fuel != used.Fuel || usage.PeakMemoryBytes != used.PeakMemoryBytes {
			t.Errorf("%s: %s, %+v, %v; want %s, %+v", export, got, usage, err, want, used)
		}
	}
}

func (m *Module) inFlight() (n int) {
	m.inspect(func(o *owner) { n = len(o.flight) })
	return n
}

// processOf returns the process of a module's worker.
func processOf(m *Module) (p *process) {
	m.inspect(func(o *owner) { p = o.worker.p })
	return p
}

// findingsOf returns how a module's worker is confined.
func findingsOf(m *Module) (list []Finding) {
	m.inspect(func(o *owner) { list = o.worker.findings })
	return list
}
