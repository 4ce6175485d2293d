package wasm_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/image"
	"github.com/rubric-host/rubric-host/host/wasm/script"
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

// TestScriptsForgetByEveryWay denies the ways of putting memories back, one after
// the other; answers, fuel and image are the same by each.
func TestScriptsForgetByEveryWay(t *testing.T) {
	l, _ := script.Find(script.JavaScript)
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: "score.js", Files: map[string]string{"score.js": counting}}
	module, err := s.Module()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, deny := range [][]image.Way{{}, {image.Scan}, {image.Scan, image.Pagemap}, {image.Scan, image.Pagemap, image.Drop}, {image.Map}} {
		rt, err := wasm.New(context.Background(), wasm.Denying(wasm.Options{}, deny...))
		if err != nil {
			t.Fatal(err)
		}
		m, err := rt.Load(context.Background(), "p", module, wasm.Limits{Fuel: 100_000_000})
		if err != nil {
			t.Fatal(err)
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
