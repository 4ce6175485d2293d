package dataset_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/digest"
)

// lists are the paths of the results in the files of testdata.
var lists = map[string]string{"promptfoo": "results.results", "deepeval": "testCases", "inspect": "samples"}

// promptfoo.json, deepeval.json and inspect.json are outputs of promptfoo 0.121.20, of DeepEval 4.3.1 and of Inspect 0.3.285,
// without figures of tokens and time, events and messages.
func TestPreset_ReadsResultsOfOtherEvaluators(t *testing.T) {
	for preset, wants := range map[string][]string{
		"promptfoo": {
			`0 cluster sha256:d5677a452e40 [{"role":"system","content":"S"},{"role":"user","content":"Hi Ann"}] -> "Hello Ann" refs [Hello Ann] Ann mine`,
			`invalid: case "1" has no output: promptfoo recorded the error "API down"`,
			`2 cluster sha256:903d452f9660 [{"role":"system","content":"S"},{"role":"user","content":"Hi obj"}] -> {"a":1} refs [] obj mine`,
			`3 cluster sha256:9939c86097cf "Say hello to Bob \"B\"" -> "Say hello to Bob \"B\"" refs [] Bob "B" echo`,
			`3/1 cluster sha256:9939c86097cf "Greet Bob \"B\" kindly" -> "Greet Bob \"B\" kindly" refs [] Bob "B" echo`,
		},
		"deepeval": {
			`0 cluster  "When does the shop open?" -> "It opens at 9:00." refs [At 9:00.] open `,
			`1 cluster  "Refund?" -> "You get 30 days, é." refs [30 days] test_case_1 `,
		},
		"inspect": {
			`2 cluster 2 [{"id":"W9Gkm5yFnpH4ELbAUroMbu","content":"What?","role":"user"}] -> "The answer is What?What?What?What?What?What?What?What?" refs [x y]  `,
			`invalid: case "bad" has no output: Inspect recorded the error "ValueError('boom')"`,
			`s1 cluster s1 "abc" -> "The answer is abcabcabcabcabcabcabcabc" refs [abc]  `,
			`2#2 cluster 2 [{"id":"W9Gkm5yFnpH4ELbAUroMbu","content":"What?","role":"user"}] -> "The answer is What?What?What?What?What?What?What?What?" refs [x y]  `,
			`invalid: case "bad" has no output: Inspect recorded the error "ValueError('boom')"`,
			`s1#2 cluster s1 "abc" -> "The answer is abcabcabcabcabcabcabcabc" refs [abc]  `,
		},
	} {
		whole := filepath.Join("testdata", preset+".json")
		for _, file := range []string{whole, lined(t, whole, lists[preset])} {
			if got := described(t, dataset.Options{Paths: []string{file}, Preset: preset}); !cmp.Equal(got, wants) {
				t.Errorf("%s of %s (-want +got):\n%s", preset, file, cmp.Diff(wants, got))
			}
		}
	}
}

// Outputs of another evaluator are joined with cases of one's own.
func TestPreset_JoinsResultsOfOtherEvaluators(t *testing.T) {
	outputs, err := dataset.OpenOutputs(filepath.Join("testdata", "inspect.json"), "inspect")
	must(t, err)
	got := described(t, dataset.Options{Given: []dataset.Given{{Value: []byte(`{"id":"s1","references":["mine"]}`)}}, Outputs: outputs, Preset: "inspect"})
	want := []string{`s1 cluster s1 "abc" -> "The answer is abcabcabcabcabcabcabcabc" refs [mine]  `, `s1#2 cluster s1 "abc" -> "The answer is abcabcabcabcabcabcabcabc" refs [mine]  `}
	if !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

// Calls of tools are in the fields that metrics read: of DeepEval, and of Inspect without its input, in which
// examples may call tools.
func TestPreset_ResultsKeepTheCallsOfTools(t *testing.T) {
	for _, tc := range [][3]string{
		{
			"deepeval",
			`{"order":0,"metricsData":[],"actualOutput":"x","toolsCalled":[{"name":"f","inputParameters":{"a":1}}],"expectedTools":[{"name":"g"}]}`,
			`tool_calls [{"name":"f","inputParameters":{"a":1}}] expected_tool_calls [{"name":"g"}] output_messages `,
		},
		{
			"inspect",
			`{"id":"a","epoch":1,"output":{"choices":[{}],"completion":"x"},"messages":[{"role":"system"},{"role":"assistant","source":"input"}, {"role":"assistant"},{"role":"tool"}]}`,
			`tool_calls  expected_tool_calls  output_messages [{"role":"assistant"},{"role":"tool"}]`,
		},
		{
			"inspect", // stopped before it answered
			`{"id":"a","epoch":1,"output":{"choices":[{}],"completion":"x"},"messages":[{"role":"system"},{"role":"user","source":"input"}]}`,
			`tool_calls  expected_tool_calls  output_messages `,
		},
	} {
		file := filepath.Join(t.TempDir(), "results.jsonl")
		must(t, os.WriteFile(file, []byte(tc[1]), 0o600))
		r, err := dataset.Open(dataset.Options{Paths: []string{file}, Preset: tc[0]})
		must(t, err)
		for c, err := range r.Cases() {
			must(t, err)
			got := make([]string, 0, 6)
			for _, name := range []string{"tool_calls", "expected_tool_calls", "output_messages"} {
				i := slices.IndexFunc(c.Fields, func(f dataset.Field) bool { return f.Name == name })
				got = append(got, name)
				if i >= 0 {
					got = append(got, string(c.Fields[i].Value))
				} else {
					got = append(got, "")
				}
			}
			if got := strings.Join(got, " "); got != tc[2] {
				t.Errorf("%s:\ngot  %s\nwant %s", tc[0], got, tc[2])
			}
		}
	}
}

// With promptfoo eval --repeat each repeat of a test has a testIdx of its own, and the same variables.
func TestPreset_RepeatsOfPromptfooAreACluster(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.jsonl")
	text := ""
	for i, vars := range []string{`{"q":"a"}`, `{"q": "a"}`, `{"q":"b"}`, `{}`, `{}`} {
		text += fmt.Sprintf(`{"testIdx":%d,"promptIdx":0,"response":{"output":"x"},"vars":%s}`+"\n", i, vars)
	}
	must(t, os.WriteFile(file, []byte(text), 0o600))
	r, err := dataset.Open(dataset.Options{Paths: []string{file}, Preset: "promptfoo"})
	must(t, err)
	var got []int // the first row of each row's cluster
	var clusters []string
	for c, err := range r.Cases() {
		must(t, err)
		clusters = append(clusters, c.Cluster)
		got = append(got, slices.Index(clusters, c.Cluster))
	}
	if want := []int{0, 0, 2, 3, 4}; !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

// lined writes the results in a file as a line each.
func lined(t *testing.T, file, path string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	for _, name := range strings.Split(path, ".") {
		var object map[string]json.RawMessage
		must(t, json.Unmarshal(text, &object))
		text = object[name]
	}
	var rows []json.RawMessage
	must(t, json.Unmarshal(text, &rows))
	var b bytes.Buffer
	for _, row := range rows {
		must(t, json.Compact(&b, row))
		b.WriteByte('\n')
	}
	out := filepath.Join(t.TempDir(), "results.jsonl")
	must(t, os.WriteFile(out, b.Bytes(), 0o600))
	return out
}

// described lists the cases of a dataset.
func described(t *testing.T, o dataset.Options) (out []string) {
	t.Helper()
	r, err := dataset.Open(o)
	must(t, err)
	for c, err := range r.Cases() {
		if err != nil {
			message, _, _ := strings.Cut(err.Error()[strings.Index(err.Error(), "case "):], " [")
			out = append(out, "invalid: "+message)
			continue
		}
		field := func(name string) string {
			for _, f := range c.Fields {
				if f.Name == name {
					return string(f.Value)
				}
			}
			return ""
		}
		out = append(out, strings.Join([]string{c.ID, "cluster", digest.Short(c.Cluster), field("input"), "->", field("output"), "refs", fmt.Sprint(c.References), unquoted(field("name")), unquoted(field("provider"))}, " "))
	}
	return out
}

func unquoted(s string) (out string) {
	_ = json.Unmarshal([]byte(s), &out) // empty if there is none
	return out
}

// Without the preset, the object around the output is not taken for it.
func TestPreset_ResultsOfOtherEvaluatorsNeedTheirPreset(t *testing.T) {
	for preset, path := range lists {
		whole := filepath.Join("testdata", preset+".json")
		for _, file := range []string{whole, lined(t, whole, path)} {
			r, err := dataset.Open(dataset.Options{Paths: []string{file}})
			must(t, err)
			for _, err := range r.Cases() {
				if err == nil || !strings.Contains(err.Error(), preset) {
					t.Errorf("%s: %v", file, err)
				}
				break
			}
		}
	}
}

// An answer of OpenAI's chat completions has choices, as the output in a log of Inspect has.
func TestPreset_AnswersOfOpenAIAreNoResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows.jsonl")
	row := `{"id": "a", "epoch": 3, "output": "x"}` + "\n" + `{"id": "b", "output": {"object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "x"}}]}}` + "\n"
	must(t, os.WriteFile(file, []byte(row), 0o600))
	r, err := dataset.Open(dataset.Options{Paths: []string{file}})
	must(t, err)
	for c, err := range r.Cases() {
		if err != nil || !c.HasOutput {
			t.Errorf("%+v, %v", c, err)
		}
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
