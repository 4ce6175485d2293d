package worker

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
)

type guest interface {
	Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error)
}

// BenchmarkCall compares a module in a worker with one in process, in one run:
// one caller at a time, and many.
func BenchmarkCall(b *testing.B) {
	ctx := context.Background()
	in, err := inProcess(b).Load(ctx, "bleu", bleu(b), wasm.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	guests := []struct {
		name  string
		guest guest
	}{{"in-process", in}, {"isolated", load(b, isolated(b, Options{}), "bleu", bleu(b), wasm.Limits{})}}
	for _, export := range []string{"echo", "bleu"} {
		for _, callers := range []int{1, 2, 16, 64} {
			for _, g := range guests {
				b.Run(fmt.Sprintf("%s/callers=%d/%s", export, callers, g.name), func(b *testing.B) {
					b.ReportAllocs()
					var done sync.WaitGroup
					for range callers {
						done.Go(func() {
							var answer []byte
							for range (b.N + callers - 1) / callers {
								var err error
								if answer, _, err = g.guest.Call(ctx, export, pair, answer); err != nil {
									b.Error(err)
									return
								}
							}
						})
					}
					done.Wait()
				})
			}
		}
	}
}
