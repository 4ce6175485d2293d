package dialect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
)

// spellings are documents that use the keys which one document cannot hold
// beside their twins.
var spellings = []struct{ dialect, src string }{
	{AgentV, "tests: [{id: a, outcome: b, assertions: [{type: rubric, criteria: [{id: x, criteria: y}]}]}]"},
	{AgentV, "eval_cases: [{id: a, criteria: b, execution: {assert: [{type: rubrics, value: [{id: x, description: y}]}]}}]"},
	{AgentV, "cases: [{id: a, expected_outcome: b, input: c, expected_messages: [], execution: {assertions: [{name: c, type: composite, assert: [x]}, {name: d, type: composite, evaluators: [{name: e, type: rubric, rubrics: [x]}]}], evaluators: [{name: s, type: code_judge, script: a.py}]}}]"},
	{AgentV, "evaluators: [{name: s, type: rubric, rubrics: [{outcome: a, score_ranges: [{score_range: [0, 10], outcome: o}]}, {outcome: a, score_ranges: [{score_range: [0, 10], criteria: o}]}, {outcome: a, score_ranges: [{score_range: [0, 10], description: o}]}]}]\nrubrics: [a]\nassert: [b]"},
	{AgentV, "assertions: [a]\nevalcases: [{id: a, expected_outcome: b, turns: []}, {id: b, expected_outcome: b, mode: conversation}]"},
	{AgentEvals, "tests: [{id: a, outcome: b, input: c, rubrics: [{id: x, outcome: y}, {id: z, criteria: y}, {id: u, description: y}]}]\nassert: [{name: n, type: rubrics, criteria: [a]}, {name: o, type: rubric, value: [a]}]"},
	{AgentEvals, "eval_cases: [{id: a, criteria: b, assert: [x], evaluators: [{name: j, type: llm_judge, model: m, target: t, temperature: 1, max_steps: 1, preprocessors: [], config: {}, cwd: c}]}]\nassertions: [a]"},
	{AgentEvals, "cases: [{id: a, expected_outcome: b, assertions: [x], execution: {target: t, targets: [], workers: 1, cache: true, trials: 1, budget_usd: 1, fail_on_error: true, total_budget_usd: 1, threshold: 0.5, skip_defaults: true, assert: [y]}}]\nevaluators: [{name: r, type: rubric, rubrics: [a], min_score: 0.5, negate: false, config: {}, target: t, model: m}]\nrubrics: [z]"},
	{AgentEvals, "evalcases: [{id: a, expected_outcome: b, turns: [], execution: {assertions: [y], timeout_seconds: 1}}, {id: b, mode: c, rubrics: [r]}]\nexecution: {evaluators: [{name: c, type: composite, assert: [a], aggregator: {type: minimum, required: [], threshold: 1, prompt: p, path: p, model: m, cwd: c, script: s}}, {name: d, type: composite, assertions: [a]}, {name: s, type: code_judge, command: c}, {name: l, type: llm_judge, rubrics: [a], prompt: p}]}"},
	{RubricList, `{"sections": [{"criteria": [{"weight": 1, "requirement": "a"}]}]}`},
	{Native, "rubric: a\npass: 0.5\ncriteria: [{id: a, judge: b}]"},
}

// A vocabulary is the keys of one kind of object.
type vocabulary struct{ asked, written map[string]bool }

// vocabularyOf reads every document of a dialect and returns its words.
func vocabularyOf(t *testing.T, name string) map[string]*vocabulary {
	t.Helper()
	words := map[string]*vocabulary{}
	read := func(label string, src []byte, format string) {
		d := newDecoder(label, src)
		d.Seen = func(what, key string, asked bool) {
			if words[what] == nil {
				words[what] = &vocabulary{asked: map[string]bool{}, written: map[string]bool{}}
			}
			if asked {
				words[what].asked[key] = true
			} else {
				words[what].written[key] = true
			}
		}
		n, _ := d.read(format)
		if d.root = n; n == nil {
			t.Fatalf("%s: %v", label, d.Err())
		}
		find(name).decode(d, n)
		if err := d.Err(); err != nil {
			t.Fatalf("%s: %v", label, err)
		}
	}
	for _, f := range fixtures(t) {
		if f.dialect == name && f.loads && strings.Contains(f.name, "/") {
			read(f.name, f.src, f.format)
		}
	}
	for _, s := range spellings {
		if s.dialect == name {
			read(s.src, []byte(s.src), "")
		}
	}
	return words
}

func TestFixtures_UseEveryKeyOfADialect(t *testing.T) {
	for _, name := range Names() {
		for what, v := range vocabularyOf(t, name) {
			for key := range v.asked {
				if !v.written[key] {
					t.Errorf("%s: no document has %q in an object of kind %q", name, key, what)
				}
			}
		}
	}
}

// freeKeys are the keys below which, or in which, keys are free.
var freeKeys = []string{
	"metadata", "config", "ext", "with", "schema", "output_schema", "decode_output_schema",
	"input", "input_messages", "expected_output", "expected_messages", "vars", "run", "workspace", "weights", "trials", "hooks",
	"requires", "experiment", "bands", "score_ranges", "ranges", "examples",
}

// keyPaths lists the paths of all keys of a tree that a decoder should know.
func keyPaths(n *node, path string, freely bool, visit func(owner *node, i int, path string)) {
	for i, item := range n.Items {
		keyPaths(item, document.Index(path, i), freely, visit)
	}
	code := n.Get("type")
	code2 := code.Is(document.Text) && (strings.HasPrefix(code.Value, "code"))
	for i := range n.Members {
		m := &n.Members[i]
		if !freely && !code2 {
			visit(n, i, document.Join(path, m.Key))
		}
		below := freely || slices.Contains(freeKeys, m.Key)
		if m.Value.Kind == document.List && (m.Key == "score_ranges" || m.Key == "ranges") {
			below = freely
		}
		keyPaths(m.Value, document.Join(path, m.Key), below, visit)
	}
}

func TestDecode_SuggestsTheKeyForEveryTypo(t *testing.T) {
	tried := map[string]int{}
	check := func(name, dialect string, src []byte, format string) {
		tree := treeOf(t, src, format)
		keyPaths(tree, "", false, func(owner *node, i int, path string) {
			m := &owner.Members[i]
			right := m.Key
			if dialect == Native && strings.HasPrefix(path, "cases[") && strings.Count(path, ".") == 1 {
				return // a field of the case
			}
			if len(right) < 2 {
				return
			}
			m.Key = "q" + right[1:]
			defer func() { m.Key = right }()
			out, err := document.Write(tree, JSON)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Decode(name, out, Options{Dialect: dialect, Format: JSON})
			if !suggests(err, m.Key, right) {
				t.Errorf("%s: %s as %q: %v", name, path, m.Key, err)
			}
			tried[dialect]++
		})
	}
	for _, f := range fixtures(t) {
		if f.loads && strings.Contains(f.name, "/") {
			check(f.name, f.dialect, f.src, f.format)
		}
	}
	for _, s := range spellings {
		check(s.src, s.dialect, []byte(s.src), "")
	}
	for _, name := range Names() {
		if tried[name] < 10 {
			t.Errorf("%s: only %d keys were tried", name, tried[name])
		}
	}
}

// suggests reports whether an error names an unknown key and the right one.
func suggests(err error, wrong, right string) bool {
	for _, d := range diag.In(err) {
		if d.Code == "unknown-key" && strings.Contains(d.Message, fmt.Sprintf("%q", wrong)) && strings.Contains(d.Hint, fmt.Sprintf("did you mean %q", right)) && d.Pos.Line > 0 {
			return true
		}
	}
	return false
}

func TestDecode_RefusesEveryValueOfAnotherType(t *testing.T) {
	others := map[document.Kind][]*node{
		document.Text:    {{Kind: document.Number, Value: "7"}, {Kind: document.Boolean, Value: "true"}, listOf(nil), newObject()},
		document.Number:  {textOf("7"), {Kind: document.Boolean, Value: "true"}, listOf(nil), newObject()},
		document.Boolean: {textOf("true"), {Kind: document.Number, Value: "1"}},
		document.List:    {{Kind: document.Number, Value: "7"}, newObject()},
		document.Object:  {{Kind: document.Number, Value: "7"}, listOf([]*node{{Kind: document.Number, Value: "7"}})},
	}
	for _, f := range fixtures(t) {
		if !f.loads || !strings.Contains(f.name, "everything") {
			continue
		}
		tree := treeOf(t, f.src, f.format)
		keyPaths(tree, "", false, func(owner *node, i int, path string) {
			m := &owner.Members[i]
			right := m.Value
			for _, other := range others[right.Kind] {
				if takesAnything(f.dialect, path, m.Key, right.Kind, other.Kind) {
					continue
				}
				m.Value = other
				out, err := document.Write(tree, JSON)
				if err != nil {
					t.Fatal(err)
				}
				_, err = Decode(f.name, out, Options{Dialect: f.dialect, Format: JSON})
				if fault.Of(err) != fault.Invalid || !allPlaced(err) {
					t.Errorf("%s: %s as %s: %v", f.name, path, other.Kind, err)
				}
			}
			m.Value = right
		})
	}
}

func allPlaced(err error) bool {
	for _, d := range diag.In(err) {
		if d.Pos.Line < 1 || d.Pos.Column < 1 || d.Code == "" || d.Message == "" {
			return false
		}
	}
	return true
}

// takesAnything reports keys whose value may be of several types, or is kept
// and not read.
func takesAnything(dialect, path, key string, is, other document.Kind) bool {
	switch key {
	case "$schema", "output_schema", "reference_key", "input", "input_messages", "expected_output", "expected_messages",
		"script", "command", "min_score":
		return true
	case "required":
		return dialect == AgentV || dialect == AgentEvals
	case "reference", "schema", "judge", "rubric":
		return is == document.Text && (other == document.List || other == document.Object) || is == document.Object && other == document.List
	case "score_ranges", "ranges":
		return is == document.List && other == document.Object || is == document.Object && other == document.List
	}
	if dialect == AgentV || dialect == AgentEvals {
		kept := append(append([]string{"turns", "mode", "target", "model", "temperature", "max_steps", "preprocessors", "config", "cwd", "prompt", "threshold", "path", "required"}, runKeys...), append(agentVStyle.keeps, agentVStyle.caseKeeps...)...)
		return slices.Contains(kept, key)
	}
	return dialect == Native && strings.HasPrefix(path, "cases[") && strings.Count(path, ".") == 1 && key != "id" && key != "rubric"
}
