package metric

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/scorer/scorertest"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/plugins"
)

// A builtin is a built-in plugin, loaded.
type builtin struct {
	*wasm.Module
	plugin *plugin.Plugin
	cases  []byte
}

// builtins loads the built-in plugins that are compiled to WebAssembly, or the named one.
func builtins(tb testing.TB, names ...string) []builtin {
	tb.Helper()
	rt, err := wasm.New(tb.Context(), wasm.Options{CacheDir: wasmtest.CacheDir(tb)})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { rt.Close(tb.Context()) })
	catalog, err := plugins.Catalog()
	if err != nil {
		tb.Fatal(err)
	}
	var out []builtin
	for _, p := range catalog.Plugins() {
		if p.Manifest.Language() != "" || len(names) > 0 && p.Manifest.Name != names[0] {
			continue
		}
		_, cases, err := p.ReadCases()
		if err != nil {
			tb.Fatal(err)
		}
		m, err := rt.Load(tb.Context(), wasm.Source{Name: p.Manifest.Name, Module: p.Module()}, p.Manifest.Limits.Apply(wasm.Limits{}))
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, builtin{m, p, cases})
	}
	return out
}

// options binds a criterion to an export as its manifest says.
func (b *builtin) options(tb testing.TB, export string, config jsontext.Value) Options {
	tb.Helper()
	s, err := b.plugin.Scorer(export)
	if err != nil {
		tb.Fatal(err)
	}
	o := options()
	o.Plugin, o.Digest, o.Export, o.Kind, o.Inputs, o.Range, o.Config = b.plugin.Manifest.Name, b.plugin.Digest, s.Export, s.Kind, s.Inputs, s.Range, config
	return o
}

// caseLine is a line of a plugin's cases.jsonl.
type caseLine struct {
	Name      string         `json:"name"`
	Export    string         `json:"export"`
	Case      jsontext.Value `json:"case"`
	Criterion *Criterion     `json:"criterion"` // nil: any
	Config    jsontext.Value `json:"config"`
	Expect    map[string]any `json:"expect"`
	Tolerance float64        `json:"tolerance"`
}

// TestScore_BuiltinPluginsAnswerTheirCases runs every line twice: as a raw request
// that holds the case as it is written, and as a case of a dataset through a scorer.
// Both must give the expected answer. One line in four: plugins runs all.
func TestScore_BuiltinPluginsAnswerTheirCases(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	lines, one := 0, amount.OneIn(4)
	for _, b := range builtins(t) {
		for text := range bytes.Lines(b.cases) {
			var l caseLine
			if err := json.Unmarshal(text, &l, json.RejectUnknownMembers(true)); err != nil {
				t.Fatal(err)
			}
			if len(l.Config) == 0 {
				l.Config = jsontext.Value("{}")
			}
			if lines++; !one() {
				continue
			}
			t.Run(b.Name()+"/"+l.Name, func(t *testing.T) {
				raw := l.Case
				if l.Criterion != nil { // a check gets the output as its target
					raw = fmt.Appendf(nil, `{"target":%s}`, caseOf(t, string(l.Case)).Raw(dataset.FieldOutput))
				}
				request := fmt.Appendf(nil, `{"contract":1,"kind":"metric","case":%s,"config":%s}`, raw, l.Config)
				text, _, err := b.Call(t.Context(), l.Export, request, nil)
				if err != nil {
					t.Fatal(err)
				}
				var answer map[string]any
				decode(t, string(text), &answer)
				if l.Tolerance == 0 {
					l.Tolerance = 1e-9
				}
				if why := differ(l.Expect, answer, l.Tolerance); why != "" {
					t.Errorf("%s: %s", text, why)
				}
				b.same(t, &l, answer)
			})
		}
	}
	if lines < 100 {
		t.Errorf("only %d lines", lines)
	}
}

// same holds the verdict of a scorer to the raw answer.
func (b *builtin) same(t *testing.T, l *caseLine, raw map[string]any) {
	t.Helper()
	o := b.options(t, l.Export, l.Config)
	if l.Criterion != nil {
		c := o.Criterion
		c.ID, c.Answer = l.Criterion.ID, rubric.Answer{Kind: rubric.KindLevel}
		for _, level := range l.Criterion.Levels {
			c.Answer.Levels = append(c.Answer.Levels, rubric.Level{ID: level.ID, Score: level.Score})
		}
	}
	s := newScorer(t, b.Module, o)
	verdicts, err := s.Score(t.Context(), caseOf(t, string(l.Case)))
	if want, broken := raw["error"]; broken {
		if fault.Of(err) != fault.PluginError || !bytes.Contains([]byte(err.Error()), []byte(want.(string))) {
			t.Errorf("%s: %v; the raw answer is %v", fault.Of(err), err, raw)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	v := verdicts[0]
	got := map[string]any{}
	if v.Native.Kind == rubric.KindLevel {
		got["level"] = v.Native.Level
	} else if v.Status == rubric.Scored {
		got["score"] = v.Value
	} else {
		got["unscored"] = v.Reason
	}
	for name, text := range map[string]any{"reason": v.Reason, "hits": v.Hits, "misses": v.Misses, "stats": v.Stats, "evidence": v.Evidence, "details": jsontext.Value(v.Details)} {
		if _, there := raw[name]; !there {
			continue
		}
		again, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		decode(t, string(again), &value)
		got[name] = value
	}
	// A verdict has start and end, or neither.
	if evidence, there := raw["evidence"].([]any); there {
		for _, part := range evidence {
			part := part.(map[string]any)
			if end := part["end"]; end == float64(0) {
				delete(part, "start")
				delete(part, "end")
			} else if end != nil && part["start"] == nil {
				part["start"] = float64(0)
			}
		}
	}
	if d := cmp.Diff(raw, got); d != "" {
		t.Error(d)
	}
	if v.How.Fuel == 0 || v.How.Digest != b.Digest() {
		t.Errorf("%+v", v.How)
	}
}

// differ returns where a value differs from the expected one: additional members may
// be anything, and numbers may differ by the tolerance.
func differ(want, got any, tolerance float64) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		for k, w := range want {
			if why := differ(w, got[k], tolerance); why != "" || !ok {
				return "." + k + why
			}
		}
		return ""
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return fmt.Sprintf(": %v, want %v", got, want)
		}
		for i := range want {
			if why := differ(want[i], got[i], tolerance); why != "" {
				return fmt.Sprintf("[%d]%s", i, why)
			}
		}
		return ""
	case float64:
		x, ok := got.(float64)
		if !ok || !(math.Abs(x-want) <= tolerance*max(1, math.Abs(want))) {
			return fmt.Sprintf(": %v, want %v", got, want)
		}
		return ""
	}
	if d := cmp.Diff(want, got); d != "" {
		return d
	}
	return ""
}

// TestScore_BuiltinPluginsKeepTheContract asks the default export of
// each, with the configuration of its manifest.
func TestScore_BuiltinPluginsKeepTheContract(t *testing.T) {
	var names []string
	if testing.Short() {
		names = []string{"exact"}
	}
	for _, b := range builtins(t, names...) {
		t.Run(b.Name(), func(t *testing.T) {
			if strings.HasPrefix(b.Name(), "code-") && b.Name() != "code-json" && !amount.Full() { // the same code with another grammar
				return
			}
			scorertest.Run(t, func(t *testing.T) scorertest.Subject {
				o := b.options(t, "", nil)
				return scorertest.Subject{Scorer: newScorer(t, b.Module, o), Rubric: o.Rubric, Criteria: []string{"c"}}
			})
		})
	}
}

// aFile is 37 lines of Python, as a model answers a task.
const aFile = `from collections import deque
from typing import Iterable, Optional


class Graph:
    """A directed graph with weights."""

    def __init__(self) -> None:
        self._edges: dict[str, dict[str, float]] = {}

    def add_edge(self, source: str, target: str, weight: float = 1.0) -> None:
        if weight < 0:
            raise ValueError(f"negative weight: {weight}")
        self._edges.setdefault(source, {})[target] = weight
        self._edges.setdefault(target, {})

    def neighbors(self, node: str) -> Iterable[str]:
        return sorted(self._edges.get(node, {}))

    def shortest_path(self, start: str, goal: str) -> Optional[list[str]]:
        """Returns the path with the fewest edges."""
        queue = deque([[start]])
        seen = {start}
        while queue:
            path = queue.popleft()
            if path[-1] == goal:
                return path
            for node in self.neighbors(path[-1]):
                if node not in seen:
                    seen.add(node)
                    queue.append(path + [node])
        return None


if __name__ == "__main__":
    graph = Graph()
    graph.add_edge("a", "b")
`

// BenchmarkBuiltin is a whole call: request, sandbox, the guest's own work,
// answer, verdict. p50 and least are of single calls.
func BenchmarkBuiltin(b *testing.B) {
	cat := `{"output":"The cat sat on the mat.","references":["A cat sat on the mat.","The cat sat."]}`
	file := fmt.Sprintf(`{"output":%q}`, aFile)
	for _, bb := range []struct{ plugin, export, text string }{
		{"exact", "exact", cat}, {"rouge", "rougeL", cat}, {"bleu", "bleu", cat}, {"code-python", "syntax", file},
	} {
		b.Run(bb.plugin+"#"+bb.export, func(b *testing.B) {
			p := builtins(b, bb.plugin)[0]
			s := newScorer(b, p.Module, p.options(b, bb.export, nil))
			c := caseOf(b, bb.text)
			var times []time.Duration
			b.ReportAllocs()
			for b.Loop() {
				start := time.Now()
				if _, err := s.Score(b.Context(), c); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2])/1e3, "p50-us")
			b.ReportMetric(float64(times[0])/1e3, "least-us")
		})
	}
}
