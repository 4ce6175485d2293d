package metric

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/plugins"
)

// BenchmarkBoundary measures the most that scoring many cases in one call of a plugin
// could save: the time of one Score between writing the request and reading the
// answer, without the guest's. most-saved-% is that share; a batched call would still
// copy requests and answers, and restore the guest's memory.
func BenchmarkBoundary(b *testing.B) {
	ctx := context.Background()
	rt, err := wasm.New(ctx, wasm.Options{Timed: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { rt.Close(ctx) })
	const (
		output    = "The committee met on Tuesday to discuss the new budget, and after three hours of debate it agreed to raise spending on schools, roads and hospitals by nearly four percent next year."
		reference = "On Tuesday the committee met to discuss the new budget; after a debate of three hours it agreed to increase spending on schools, roads and hospitals by almost four percent for next year."
		request   = `{"contract":1,"kind":"metric","config":{},"case":{"output":"` + output + `","references":["` + reference + `"],"logprobs":[-0.1,-0.2,-0.4]}}`
	)
	catalog, err := plugins.Catalog()
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range catalog.Plugins() {
		m, err := rt.Load(ctx, wasm.Source{Name: p.Manifest.Name, Module: p.Module()}, wasm.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		for _, export := range m.Exports() {
			buffer, _, err := m.Call(ctx, export, []byte(request), nil)
			if err != nil {
				continue
			}
			if a, err := ParseAnswer(buffer); err != nil || a.Score == nil {
				continue // the plugin needs another request
			}
			b.Run(p.Manifest.Name+"/"+export, func(b *testing.B) {
				var calls, inside []time.Duration
				for b.Loop() {
					began := time.Now()
					answer, usage, err := m.Call(ctx, export, []byte(request), buffer)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := ParseAnswer(answer); err != nil {
						b.Fatal(err)
					}
					calls, inside = append(calls, time.Since(began)), append(inside, usage.Guest)
				}
				slices.Sort(calls)
				slices.Sort(inside)
				middle := len(calls) / 2
				b.ReportMetric(float64(calls[middle].Nanoseconds()), "p50-ns")
				b.ReportMetric(float64((calls[middle] - inside[middle]).Nanoseconds()), "outside-p50-ns")
				b.ReportMetric(100*(1-float64(inside[middle])/float64(calls[middle])), "most-saved-%")
			})
		}
	}
}
