package script_test

import (
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/wasm"
)

// settingCases are functions with their arguments, and the expected answers and
// settings read.
var settingCases = []struct {
	name, js, py string
	kind         string // of the request; empty: metric
	config, of   string // members of config and case
	answer       string
	reads        string // the keys, as JSON
}{
	{"a setting by its name", `export const score = (output, expected, threshold = 0.5) => threshold;`, "def score(output, expected, threshold=0.5): return threshold",
		"", `"threshold":0.9`, `"output":"a","references":["a"]`, `{"score":0.9}`, `["threshold"]`},
	{"a setting that is not set", `export const score = (output, expected, threshold = 0.5) => threshold;`, "def score(output, expected, threshold=0.5): return threshold",
		"", ``, `"output":"a","references":["a"],"threshold":0.1`, `{"score":0.5}`, `["threshold"]`},
	{"a setting without a default", `export const score = (output, expected, k) => k;`, "def score(output, expected, k): return k",
		"", `"k":0.25`, `"output":"a","references":["a"]`, `{"score":0.25}`, `["k"]`},
	{"a setting that is null", `export const score = (output, expected, k = 1) => k === null ? 0.75 : 0;`, "def score(output, expected, k=1): return 0.75 if k is None else 0",
		"", `"k":null`, `"output":"a","references":["a"]`, `{"score":0.75}`, `["k"]`},
	{"another name of a field", `export const score = (output, label = "x") => label === "y" ? 1 : 0;`, "def score(output, label='x'): return label == 'y'",
		"", `"label":"y"`, `"output":"a"`, `{"score":1}`, `["label"]`},
	{"a field of the case is none", `export const score = (output, expected) => output === "a" ? 1 : 0;`, "def score(output, expected): return output == 'a'",
		"", `"output":"b"`, `"output":"a","references":["a"]`, `{"score":1}`, `[]`},
	{"the whole configuration", `export const score = (c, config) => config.k;`, "def score(case, config): return config['k']",
		"", `"k":0.5`, `"output":"a"`, `{"score":0.5}`, `null`},
	{"the configuration by name", `export const score = (output, config) => config.k;`, "def score(output, config): return config['k']",
		"", `"k":0.5`, `"output":"a"`, `{"score":0.5}`, `null`},
	{"no configuration", `export const score = (c) => 1;`, "def score(case): return 1",
		"", `"k":0.5`, `"output":"a"`, `{"score":1}`, `[]`},
	{"a setting behind the case", `export const score = (c, limit = 2) => limit / 10;`, "def score(case, limit=2): return limit / 10",
		"", `"limit":5`, `"output":"a"`, `{"score":0.5}`, `["limit"]`},
	{"taken apart", `export const score = ({ output, expected, k = 1 }) => k;`, "def score(case, *, k=1): return k",
		"", `"k":0.5`, `"output":"a","references":["a"]`, `{"score":0.5}`, `["k"]`},
	{"everything by name", `export const score = ({ output, ...rest }) => rest.k;`, "def score(output, **rest): return rest['k']",
		"", `"k":0.5`, `"output":"a","references":["a"]`, `{"score":0.5}`, `null`},
	{"verl", ``, "def compute_score(data_source, solution_str, ground_truth, extra_info=None, method='strict'): return 1.0 if method == 'flexible' else 0",
		"", `"method":"flexible"`, `"output":"a","references":["a"]`, `{"score":1.0}`, `["data_source","extra_info","ground_truth","method","solution_str"]`},
	{"TRL", ``, "def length_reward(completions, most=10, **kwargs): return [len(c) / most for c in completions]",
		"", `"most":4`, `"output":"a"`, `{"score":0.25}`, `null`},
	{"DeepEval", ``, "from deepeval.metrics import BaseMetric\nclass M(BaseMetric):\n    def __init__(self, threshold=0.5): self.threshold = threshold\n    def measure(self, case): return self.threshold\n",
		"", `"threshold":0.75`, `"output":"a"`, "", `["threshold"]`},
	{"promptfoo", `module.exports = (output, context) => context.config.k;`, "def get_assert(output, context): return context['config']['k']",
		"", `"k":0.5`, `"output":"a"`, `{"score":0.5}`, `null`},
	{"promptfoo without a context", `module.exports = (output) => 1;`, "",
		"", `"k":0.5`, `"output":"a"`, `{"score":1}`, `[]`},

	{"dataknobs", `export const score = (content) => content.questions.length > 1 ? "pass" : "fail";`, "def score(content): return 'pass' if len(content['questions']) > 1 else 'fail'",
		"scorer", ``, `"target":{"questions":[1,2]},"output":"x"`, `{"level":"pass"}`, `[]`},
	{"dataknobs, by the name of a field", `export const score = async (target) => target.n ? "pass" : "fail";`, "async def score(target): return 'pass' if target['n'] else 'fail'",
		"scorer", ``, `"target":{"n":1},"output":"x"`, `{"level":"pass"}`, `[]`},
	{"dataknobs, with a setting", `export const score = (c, most = 1) => c.target.n > most ? "pass" : "fail";`, "def score(case, most=1): return 'pass' if case['target']['n'] > most else 'fail'",
		"scorer", `"most":5`, `"target":{"n":3},"output":"x"`, `{"level":"fail"}`, `["most"]`},
	{"dataknobs that cannot decide", `export const score = (content) => null;`, "def score(content): return None",
		"scorer", ``, `"target":{},"output":"x"`, "", `[]`},
	{"dataknobs with a reason", `export const score = (content) => ({ level: "pass", reason: "why" });`, "def score(content): return {'level': 'pass', 'reason': 'why'}",
		"scorer", ``, `"target":{},"output":"x"`, "", `[]`},
	{"the criterion's levels", `export const score = (c, config, criterion) => criterion.levels[0].id;`, "def score(case, config, criterion): return criterion['levels'][0]['id']",
		"scorer", ``, `"target":{},"output":"x"`, `{"level":"fail"}`, `null`},
	{"a text is not a score of a metric", `export const score = (c) => "pass";`, "def score(case): return 'pass'",
		"", ``, `"output":"x"`, "", `[]`},
}

func TestConfiguration_ReachesFunctionsByName(t *testing.T) {
	for _, l := range []struct {
		name, file string
		runtime    func(t *testing.T) *wasm.Runtime
		of         func(k int) string
	}{
		{"JavaScript", "score.js", func(t *testing.T) *wasm.Runtime { return openRuntime(t, "") }, func(k int) string { return settingCases[k].js }},
		{"Python", "score.py", func(t *testing.T) *wasm.Runtime { return python(t) }, func(k int) string { return settingCases[k].py }},
	} {
		t.Run(l.name, func(t *testing.T) {
			rt := l.runtime(t)
			for k, tt := range settingCases {
				if l.of(k) == "" {
					continue
				}
				m := mustLoad(t, rt, bundle(t, l.file, l.of(k)))
				kind := tt.kind
				if kind == "" {
					kind = "metric"
				}
				const levels = `{"id":"c","levels":[{"id":"fail","score":0},{"id":"pass","score":1}]}`
				got := ask(t, m, "score", `{"contract":1,"kind":"`+kind+`","config":{`+tt.config+`},"criterion":`+levels+`,"case":{`+tt.of+`}}`)
				if tt.answer != "" && compact(got) != compact(tt.answer) && compact(got) != compact(floated(tt.answer)) {
					t.Errorf("%s: answers %s, want %s", tt.name, got, tt.answer)
				}
				if got := ask(t, m, "score", `{"contract":1,"kind":"reads","config":{},"case":{}}`); compact(got) != `{"reads":`+tt.reads+`}` {
					t.Errorf("%s: reads %s, want %s", tt.name, got, tt.reads)
				}
			}
		})
	}
}

// compact removes the white space that Python writes.
func compact(s string) string { return strings.NewReplacer(", ", ",", ": ", ":").Replace(s) }

// floated writes a score as Python writes one that came as a float.
func floated(s string) string { return strings.Replace(s, ":1}", ":1.0}", 1) }
