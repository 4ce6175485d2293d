package peer

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkCall calls the same plugin by turns on a warm instance of the go-sdk
// with its timeout set, and on our engine with everything on: fuel, depth,
// deadline, guarded blocks, state put back. theirs/ours above 1 means that ours
// is faster.
func BenchmarkCall(b *testing.B) {
	request := []byte(`{"contract":1,"kind":"metric","config":{},"case":{"output":"` + strings.Repeat("The quick brown fox. ", 20) + `","references":["` + strings.Repeat("A quick brown fox. ", 20) + `"]}}`)
	for _, g := range []struct{ file, export string }{
		{"count_vowels.wasm", "count_vowels"}, {"replace.wasm", "run_test"}, {"hello_haskell.wasm", "testing"}, {"input_offset.wasm", "input_offset_length"},
		{"../../testdata/extism/recall-go.wasm", "recall"}, {"../../testdata/extism/recall-rust.wasm", "recall"},
	} {
		b.Run(strings.TrimSuffix(filepath.Base(g.file), ".wasm"), func(b *testing.B) {
			ctx := context.Background()
			module, err := os.ReadFile(g.file)
			if err != nil {
				module = shipped(b, g.file)
			}
			i := instance(b, theirs(b, module, nil, 10*time.Second))
			m := ours(b, filepath.Join(b.TempDir(), "cache"), module)
			var answer []byte
			var sum [2]time.Duration
			for b.Loop() {
				began := time.Now()
				_, want, err := i.Call(g.export, request)
				middle := time.Now()
				var failed error
				answer, _, failed = m.Call(ctx, g.export, request, answer)
				sum[0], sum[1] = sum[0]+middle.Sub(began), sum[1]+time.Since(middle)
				if err != nil || failed != nil || len(want) == 0 || len(answer) == 0 || !bytes.Equal(want[:1], answer[:1]) {
					b.Fatalf("theirs %q %v, ours %q %v", want, err, answer, failed)
				}
			}
			n := float64(b.N)
			b.ReportMetric(float64(sum[0])/n, "theirs-ns/op")
			b.ReportMetric(float64(sum[1])/n, "ours-ns/op")
			b.ReportMetric(float64(sum[0])/float64(sum[1]), "theirs/ours")
		})
	}
}
