package plugins_test

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestCases runs each plugin's cases.jsonl, as `plugin test` does.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, p := range compiled() {
		t.Run(p.Name, func(t *testing.T) {
			g := newGuest(t, p.Name)
			run := 0
			for l := range bytes.Lines(p.Cases) {
				var c struct {
					Name, Export         string
					Case, Config, Expect map[string]any
					Criterion            map[string]any
					Tolerance            float64
				}
				d := json.NewDecoder(bytes.NewReader(l))
				d.UseNumber()
				d.DisallowUnknownFields()
				if err := d.Decode(&c); err != nil {
					t.Fatalf("%s: %v", l, err)
				}
				if c.Tolerance == 0 {
					c.Tolerance = 1e-9
				}
				if c.Criterion != nil { // a check gets the output as its target
					c.Case = map[string]any{"target": c.Case["output"]}
				}
				req, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "case": c.Case, "config": c.Config})
				if err != nil {
					t.Fatal(err)
				}
				run++
				if s := differ(c.Expect, decode(t, g.call(t, c.Export, req)), c.Tolerance); s != "" {
					t.Errorf("%s: %s", c.Name, s)
				}
			}
			t.Logf("%d cases", run)
		})
	}
}
