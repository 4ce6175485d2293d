package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/plugins"
)

// BenchmarkProcess measures a process that scores once with a plugin from a file,
// worker included: wall time from start to end, and CPU time of all processors. Cold:
// its cache is empty.
func BenchmarkProcess(b *testing.B) {
	program := filepath.Join(b.TempDir(), "rubric-host")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	catalog, err := plugins.Catalog()
	must(b, err)
	stranger := func(name string) string { // a plugin that is built in is not one with another byte
		path := filepath.Join(b.TempDir(), name+".wasm")
		if err := os.WriteFile(path, append(bytes.Clone(catalog.Plugin(name).Module()), 0, 2, 1, 'x'), 0o600); err != nil { // a custom section
			b.Fatal(err)
		}
		return path
	}
	for _, g := range []struct{ name, file, export string }{
		{"go-3.3MB", "../../host/wasm/testdata/extism/recall-go.wasm", "recall"},
		{"rust-84KB", stranger("rouge"), "rouge1"},
	} {
		for _, wall := range []string{"auto", "never"} {
			for _, state := range []string{"cold", "cached"} {
				b.Run(g.name+"/isolate="+wall+"/"+state, func(b *testing.B) {
					cache := filepath.Join(b.TempDir(), "cache")
					var spent, passed []time.Duration
					score := func() {
						p := exec.Command(program, "score", g.file, "--export", g.export, "--isolate", wall, "--cache-dir", cache, "output=a b", `references=["a c"]`)
						begin := time.Now()
						if out, err := p.CombinedOutput(); err != nil {
							b.Fatalf("%v: %s", err, out)
						}
						passed = append(passed, time.Since(begin))
						spent = append(spent, p.ProcessState.UserTime()+p.ProcessState.SystemTime())
					}
					score()
					spent, passed = nil, nil
					for b.Loop() {
						if state == "cold" {
							must(b, os.RemoveAll(cache))
						}
						score()
					}
					ms := func(list []time.Duration, at int) float64 {
						slices.Sort(list)
						return list[len(list)*at/100].Seconds() * 1e3
					}
					b.ReportMetric(ms(passed, 50), "p50-ms")
					b.ReportMetric(ms(passed, 0), "best-ms")
					b.ReportMetric(ms(spent, 0), "cpu-ms")
				})
			}
		}
	}
}
