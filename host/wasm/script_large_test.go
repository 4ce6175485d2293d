// Not under the race detector: nothing here is concurrent, and compiling QuickJS
// takes long.
//
//go:build !race

package wasm_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// counting is a script that knows how often it was called, and can take memory.
const counting = `
let n = 0;
const kept = [];
export function score(c) {
  n++;
  if (c.output === "much") kept.push(new Uint8Array(12 << 20).fill(n));
  if (c.output === "loop") while (true);
  return { score: 1 / n, details: { kept: kept.length, random: Math.random() } };
}
`

// countingPy is the same in Python.
const countingPy = `
import random
n, kept = 0, []
def score(case, config):
    global n
    n += 1
    if case["output"] == "much":
        kept.append(bytearray(20_000_000))
    while case["output"] == "loop":
        pass
    return {"score": 1 / n, "details": {"kept": len(kept), "random": random.random()}}
`

// TestRestore_ScriptsInJavaScriptByEveryWay denies the ways of putting memories back, one after
// the other; answers, fuel and image are the same by each.
func TestRestore_ScriptsInJavaScriptByEveryWay(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	forgetsByEveryWay(t, wasm.Options{CacheDir: wasmtest.CacheDir(t), Scripts: script.Open}, "score.js", counting)
}

// TestRestore_ScriptsInPythonByEveryWay is the same in Python.
func TestRestore_ScriptsInPythonByEveryWay(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	forgetsByEveryWay(t, wasm.Options{CacheDir: wasmtest.CacheDir(t), Scripts: script.Open}, "score.py", countingPy)
}

func forgetsByEveryWay(t *testing.T, o wasm.Options, file, source string) {
	l, _ := script.Of(file)
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: file, Files: map[string]string{file: source}}
	module, err := s.Module()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, deny := range [][]image.Way{{}, {image.Memfd}, {image.Scan}, {image.Scan, image.Pagemap}, {image.Scan, image.Pagemap, image.Drop}, {image.Map}} {
		rt, err := wasm.New(context.Background(), wasm.Denying(o, deny...))
		if err != nil {
			t.Fatal(err)
		}
		m, err := rt.Load(context.Background(), wasm.Source{Name: "p", Module: module}, wasm.Limits{Fuel: 100_000_000})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range rt.Memory() {
			if slices.Contains(deny, f.Way) && (f.Err == nil || f.Err.Error() != "denied") {
				t.Errorf("%s was denied, the runtime says %v of it", f.Way, f.Err)
			}
		}
		for _, what := range []string{"a", "much", "a", "loop", "a"} {
			request := fmt.Sprintf(`{"contract":1,"kind":"metric","config":{},"case":{"output":%q}}`, what)
			answer, usage, err := m.Call(context.Background(), "score", []byte(request), nil)
			if what == "a" {
				said[fmt.Sprintf("%s %d %v %s", answer, usage.Fuel, err, m.ImageDigest())] = true
			}
		}
		if err := rt.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if len(said) != 1 {
		t.Errorf("the ways differ: %v", said)
	}
}
