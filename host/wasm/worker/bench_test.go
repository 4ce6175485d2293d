package worker

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

type guest interface {
	Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error)
}

// drive makes n calls from so many callers and returns how long they took.
func drive(b *testing.B, g guest, export string, callers, n int) time.Duration {
	b.Helper()
	begun := time.Now()
	var done sync.WaitGroup
	for range callers {
		done.Go(func() {
			var answer []byte
			for range (n + callers - 1) / callers {
				var err error
				if answer, _, err = g.Call(context.Background(), export, pair, answer); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	done.Wait()
	return time.Since(begun)
}

// BenchmarkCall makes calls of a module in process and in a worker, by turns, from
// one caller - each waits for its answer - and from many, whose calls travel
// together. over-ns is the additional cost of a worker per call, ratio how much
// longer all calls take.
func BenchmarkCall(b *testing.B) {
	in, err := wasmtest.Runtime(b, wasm.Options{}).Load(b.Context(), wasm.Source{Name: "bleu", Module: bleu(b)}, wasm.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	out := load(b, isolated(b, Options{}), "bleu", bleu(b), wasm.Limits{})
	for _, export := range []string{"echo", "bleu"} {
		for _, callers := range []int{1, 2, 8, 64} {
			b.Run(fmt.Sprintf("%s/callers=%d", export, callers), func(b *testing.B) {
				b.ReportAllocs()
				var near, far time.Duration
				const turn = 500
				for left := b.N; left > 0; left -= turn {
					n := min(turn, left)
					near += drive(b, in, export, callers, n)
					far += drive(b, out, export, callers, n)
				}
				b.ReportMetric(float64(far-near)/float64(b.N), "over-ns/op")
				b.ReportMetric(float64(far)/float64(near), "ratio")
				b.ReportMetric(float64(far)/float64(b.N), "isolated-ns/op")
				b.ReportMetric(float64(near)/float64(b.N), "process-ns/op")
			})
		}
	}
}

// BenchmarkLoad starts a worker with a module of a common size, with its
// compiled code kept and without.
func BenchmarkLoad(b *testing.B) {
	for name, dir := range map[string]string{"compiled": "", "kept": b.TempDir() + "/cache"} {
		b.Run(name, func(b *testing.B) {
			rt := isolated(b, Options{CacheDir: dir})
			module := large(b)
			load(b, rt, "exact", module, wasm.Limits{}).Close(b.Context())
			for b.Loop() {
				load(b, rt, "exact", module, wasm.Limits{}).Close(b.Context())
			}
		})
	}
}
