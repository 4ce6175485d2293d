//go:build unix

package worker

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/store"
)

// BenchmarkKilled is how long past its deadline a call fails whose worker has to be
// killed, because nothing of it runs any more.
func BenchmarkKilled(b *testing.B) {
	limits := wasm.Limits{Deadline: 300 * time.Millisecond}
	m := load(b, isolated(b, madOptions()), "mad", bleu(b), limits)
	var late []time.Duration
	for b.Loop() {
		begun := time.Now()
		if _, _, err := m.Call(b.Context(), "bleu", request("#freeze"), nil); !fault.Is(err, fault.Deadline) {
			b.Fatal(err)
		}
		late = append(late, time.Since(begun)-limits.Deadline)
		if _, _, err := m.Call(b.Context(), "bleu", pair, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(median(late))/1e6, "past-deadline-ms")
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// typical small scorers in script languages.
var scorers = map[string]string{
	"score.js": `export function score(c) { return c.output.split(/\\s+/).length > 0 ? 1 : 0 }`,
	"score.py": `
import re, math, json, collections, statistics
def score(case, config):
    return 1 if re.split(r"\s+", case["output"]) else 0
`,
}

// BenchmarkFirstScore is the time from the bytes of a script to its first score in a
// worker, and of the worker's processor, by turns without an image that is kept and
// with one. Compiled code is kept.
func BenchmarkFirstScore(b *testing.B) {
	for file, source := range scorers {
		b.Run(file, func(b *testing.B) {
			l, _ := script.Of(file)
			s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: file, Files: map[string]string{file: source}}
			module, err := s.Module()
			if err != nil {
				b.Fatal(err)
			}
			rt := isolated(b, Options{CacheDir: withInterpreter(b)})
			first := load(b, rt, "p", module, wasm.Limits{}) // compiles
			kept := filepath.Join(first.runtime.store.Path(first.owner.l.imageKey), store.File)
			info, err := os.Stat(kept)
			if err != nil {
				b.Fatal(err)
			}
			image, err := os.ReadFile(kept)
			if err != nil {
				b.Fatal(err)
			}
			first.Close(b.Context())
			var took, worked [2][]time.Duration
			var answers [2][]byte
			for b.Loop() {
				for k := range took {
					if k == 0 {
						err = os.Remove(kept)
					} else {
						err = os.WriteFile(kept, image, 0o600)
					}
					if err != nil {
						b.Fatal(err)
					}
					begun := time.Now()
					m := load(b, rt, "p", module, wasm.Limits{})
					if answers[k], _, err = m.Call(b.Context(), "score", []byte(question), answers[k]); err != nil {
						b.Fatal(err)
					}
					took[k] = append(took[k], time.Since(begun))
					p := processOf(m)
					m.Close(b.Context())
					worked[k] = append(worked[k], p.cmd.ProcessState.UserTime()+p.cmd.ProcessState.SystemTime())
				}
			}
			if !bytes.Equal(answers[0], answers[1]) {
				b.Errorf("%s with an image, %s without", answers[1], answers[0])
			}
			b.ReportMetric(float64(info.Size())/1e6, "image-MB")
			b.ReportMetric(float64(median(took[0]))/1e6, "anew-ms")
			b.ReportMetric(float64(median(took[1]))/1e6, "kept-ms")
			b.ReportMetric(float64(median(worked[0]))/1e6, "anew-cpu-ms")
			b.ReportMetric(float64(median(worked[1]))/1e6, "kept-cpu-ms")
		})
	}
}
