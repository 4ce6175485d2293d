package wasm_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// BenchmarkGranted measures calls that do nothing, open a file, read it, read all of
// a larger one, and send a request: in this process and in a worker, in turns. Times
// are medians.
func BenchmarkGranted(b *testing.B) {
	dir := b.TempDir()
	for name, size := range map[string]int{"f": 4_096, "big": 1 << 20} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", 1_000)) }))
	b.Cleanup(s.Close)
	a := wasmtest.Access(b, grant.Grant{Kind: grant.Files, Target: dir}, grant.Grant{Kind: grant.HTTP, Target: strings.TrimPrefix(s.URL, "http://")})
	step := func(what, file, name byte, n uint32) string {
		return string([]byte{what, file, name, 0, byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
	}
	open, read, closing := step(0, 3, 0, 0), step(2, 4, 0, 4_090), step(6, 4, 0, 0)
	for _, g := range []struct {
		name, request string
		module        []byte
	}{
		{"nothing", "", clerk()},
		{"open", open + closing, clerk()},
		{"open and read 4 KiB", open + read + closing, clerk()},
		{"read 1 MiB", step(0, 3, 1, 0) + strings.Repeat(step(2, 4, 0, 262_139), 4) + closing, clerk()},
		{"a request", `{"url":"` + s.URL + `"}`, assemble(requesters["direct"])},
	} {
		b.Run(strings.ReplaceAll(g.name, " ", "-"), func(b *testing.B) {
			var took [2]sample
			var places [2]callable
			for k, in := range []place{here(b), there(b)} {
				places[k] = in(b, "guest", g.module, wasm.Limits{}, a)
			}
			for range b.N/turns + 1 {
				for k, m := range places {
					for range turns {
						took[k].time(func() {
							if _, _, err := m.Call(context.Background(), "score", []byte(g.request), nil); err != nil {
								b.Fatal(err)
							}
						})
					}
				}
			}
			b.ReportMetric(took[0].at(50), "process-us")
			b.ReportMetric(took[1].at(50), "worker-us")
		})
	}
}
