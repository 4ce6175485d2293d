package main_test

import (
	"bytes"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/rubric"
)

// TestOwnPlugin_InRustAndC holds both modules to the cases of the plugin.
func TestOwnPlugin_InRustAndC(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Parallel()
	cases, err := os.ReadFile(examples + "/own-plugin/cases.jsonl")
	must(t, err)
	for _, dir := range []string{"own-plugin", "own-plugin/c"} {
		ev, err := host.New(t.Context(), host.Options{Plugins: []string{filepath.Join(examples, dir)}})
		must(t, err)
		for line := range bytes.Lines(cases) {
			checkCase(t, ev, line)
		}
		if err := ev.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func checkCase(t *testing.T, ev *host.Evaluator, line []byte) {
	var c struct {
		Name, Export string
		Case         jsontext.Value
		Expect       struct {
			Score    *float64
			Unscored string
			Details  map[string]float64 // of the one in Rust
		}
	}
	if err := json.Unmarshal(line, &c, json.MatchCaseInsensitiveNames(true), json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	called, err := ev.Call(t.Context(), host.Call{Plugin: c.Export})
	must(t, err)
	in, err := dataset.FromJSON(c.Case, diag.Pos{})
	must(t, err)
	v := called.Score(t.Context(), in)
	plugin := v.How.Plugin
	switch {
	case c.Expect.Score == nil:
		if v.Status != rubric.Unscored || v.Reason != c.Expect.Unscored {
			t.Errorf("%s: %s: %s %q, want unscored %q", plugin, c.Name, v.Status, v.Reason, c.Expect.Unscored)
		}
	case plugin == "scoring" && c.Expect.Details != nil && !maps.Equal(details(t, &v), c.Expect.Details):
		t.Errorf("%s: %s: details %s, want %v", plugin, c.Name, v.Details, c.Expect.Details)
	case v.Status != rubric.Scored || math.Abs(v.Value-*c.Expect.Score) > 1e-9:
		t.Errorf("%s: %s: %s %v %s, want %v", plugin, c.Name, v.Status, v.Value, v.Message, *c.Expect.Score)
	}
}

func details(t *testing.T, v *rubric.Verdict) (m map[string]float64) {
	if err := json.Unmarshal(v.Details, &m); err != nil {
		t.Errorf("%s: %v", v.Details, err)
	}
	return m
}

// TestOwnPlugin_ShowsItsSource holds the README to the source that it shows.
func TestOwnPlugin_ShowsItsSource(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(examples + "/own-plugin/README.md")
	must(t, err)
	source, err := os.ReadFile(examples + "/own-plugin/src/lib.rs")
	must(t, err)
	shown := regexp.MustCompile("(?s)```rust\n(.*?)```").FindAllSubmatch(readme, -1)
	if len(shown) == 0 {
		t.Error("the README shows no source")
	}
	for _, s := range shown {
		if !bytes.Contains(source, s[1]) {
			t.Errorf("the README shows what src/lib.rs does not have:\n%s", s[1])
		}
	}
	c, err := os.ReadFile(examples + "/own-plugin/c/distinct.c")
	must(t, err)
	if n := bytes.Count(c, []byte("\n")); n >= 60 || !strings.Contains(string(readme), "58 lines of C") || n != 58 {
		t.Errorf("c/distinct.c has %d lines; the README says 58", n)
	}
}

// TestOwnPlugin_TemplateInCIsTheExample compares the scaffold of plugin new with the example,
// byte for byte, except for the first line and the name of the export.
func TestOwnPlugin_TemplateInCIsTheExample(t *testing.T) {
	t.Parallel()
	body := func(path string) string {
		b, err := os.ReadFile(path)
		must(t, err)
		_, rest, _ := strings.Cut(string(b), "\n")
		return rest
	}
	example, template := body(examples+"/own-plugin/c/distinct.c"), body("template/new-c/score.c")
	if want := strings.Replace(example, `EXPORT("distinct") answer distinct(`, `EXPORT("score") answer score(`, 1); template != want || want == example {
		t.Error("the template new-c/score.c and own-plugin/c/distinct.c have grown apart")
	}
}
