package plugin

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	sandbox "github.com/rubric-host/rubric-host/host/wasm"
)

const wholeManifest = `# everything that a manifest can say
plugin: rouge
version: 1.4.0-rc.1+build
summary: "ROUGE: recall"
license: Apache-2.0
reference: rouge_score 0.1.2
cost: "8 µs, linear"
kind: scorer
module: other.wasm
inputs: [output, references]
embeddings: [output]
range: [-1, 2.5e0]
deterministic: true
exports:
  rougeL: longest common subsequence
  rouge1: {summary: single tokens, kind: judge, inputs: [output], embeddings: [input, references], range: [0, 10], corpus: sums, config: {stem: true}, keys: [stem, n], reference: ROUGE-1.5.5, cost: 9 µs}
  bare:
  fixed: {keys: []}
default: rougeL
corpus: true
config:
  schema: {type: object, properties: {n: {type: integer, maximum: 12345678901234567890}}}
  default: {stem: false, n: 12345678901234567890, x: 0.5, list: [1, null, "a"]}
cases: cases.jsonl
grants: ["fs:read:words"]
limits: {fuel: 3000000000, memory: 128MiB, deadline: 30s}
data:
  words: {sha256: 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef, summary: a dictionary, source: ask for it, when: {stem: true}}
`

func TestParseManifest_ReadsEveryKey(t *testing.T) {
	want := &Manifest{
		Name: "rouge", Version: "1.4.0-rc.1+build", Summary: "ROUGE: recall", License: "Apache-2.0", Reference: "rouge_score 0.1.2", Cost: "8 µs, linear", Kind: "scorer", Module: "other.wasm",
		Inputs: []string{"output", "references"}, Embeds: []string{"output"}, Range: [2]float64{-1, 2.5}, Corpus: "corpus", Default: "rougeL", Cases: "cases.jsonl", Grants: []string{"fs:read:words"},
		Limits: Limits{Fuel: 3_000_000_000, Memory: 128 << 20, Deadline: 30 * time.Second},
		Data:   map[string]Data{"words": {SHA256: strings.Repeat("0123456789abcdef", 4), Summary: "a dictionary", Source: "ask for it", When: map[string]any{"stem": true}}},
		Exports: map[string]Export{
			"rougeL": {Summary: "longest common subsequence"},
			"rouge1": {Summary: "single tokens", Kind: "judge", Inputs: []string{"output"}, Embeds: []string{"input", "references"}, Range: [2]float64{0, 10}, Corpus: "sums", Default: map[string]any{"stem": true}, Keys: []string{"stem", "n"}, Reference: "ROUGE-1.5.5", Cost: "9 µs"},
			"bare":   {},
			"fixed":  {Keys: []string{}},
		},
		Config: Config{
			Schema:  jsontext.Value(`{"properties":{"n":{"maximum":12345678901234567890,"type":"integer"}},"type":"object"}`),
			Default: map[string]any{"stem": false, "n": jsontext.Value("12345678901234567890"), "x": 0.5, "list": []any{1.0, nil, "a"}},
		},
	}
	for name, src := range map[string]string{
		"as it is":                        wholeManifest,
		"with a byte order mark":          "\xEF\xBB\xBF" + wholeManifest,
		"with lines as Windows ends them": strings.ReplaceAll(wholeManifest, "\n", "\r\n"),
		"with marks of begin and end":     "---\n" + wholeManifest + "...\n",
		"with an alias":                   strings.Replace(strings.Replace(wholeManifest, "[output, references]", "[&o output, references]", 1), "inputs: [output]", "inputs: [*o]", 1),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseManifest("plugin.yaml", []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParseManifest_Limits(t *testing.T) {
	for text, want := range map[string]Limits{
		"{fuel: 1}":                        {Fuel: 1},
		"{fuel: 2e10}":                     {Fuel: MostFuel},
		"{memory: 64KiB, deadline: 1ms}":   {Memory: 64 << 10, Deadline: time.Millisecond},
		"{memory: 256MiB, deadline: 1m0s}": {Memory: MostMemory, Deadline: time.Minute},
		"{input: 64MiB}":                   {Input: MostInput},
		"{}":                               {},
	} {
		m, err := ParseManifest("m", []byte("plugin: a\nlimits: "+text+"\n"))
		if err != nil || m.Limits != want {
			t.Errorf("%s: %+v, %v", text, m, err)
		}
	}
	for _, text := range []string{
		"{fuel: 0}", "{fuel: -1}", "{fuel: 1.5}", "{fuel: 20000000001}", "{fuel: 1e300}", "{fuel: 99999999999999999999}", "{fuel: '5'}", "{fuel: .inf}", "{fuel: .nan}", "{fuel: true}", "{fuel: [1]}", "{fuel: null}",
		"{memory: 0MiB}", "{memory: 63KiB}", "{memory: 65KiB}", "{memory: 257MiB}", "{memory: 1GiB}", "{memory: -1MiB}", "{memory: 64MB}", "{memory: 64 MiB}", "{memory: 999999999999MiB}", "{memory: 67108864}", "{memory: 1.5MiB}", "{memory: ''}",
		"{deadline: 30}", "{deadline: 0s}", "{deadline: -5s}", "{deadline: 61s}", "{deadline: 999999h}", "{deadline: 1us}", "{deadline: soon}", "{deadline: ''}",
		"{input: 65MiB}", "{input: 1KiB}", "{input: 4194304}",
		"{fuell: 1}", "5", "[1]", "all",
	} {
		_, err := ParseManifest("m", []byte("plugin: a\nlimits: "+text+"\n"))
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "m:2:") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestLimits_OfTheUserWin(t *testing.T) {
	asked := Limits{Fuel: 5, Memory: 128 << 20, Input: 192 << 10, Deadline: time.Second}
	if got := asked.Apply(sandbox.Limits{}); got.Fuel != 5 || got.MemoryPages != 2048 || got.InputBytes != 192<<10 || got.Deadline != time.Second {
		t.Errorf("%+v", got)
	}
	user := sandbox.Limits{Fuel: 1, MemoryPages: 1, Deadline: time.Hour, InputBytes: 7}
	if got := asked.Apply(user); got != user {
		t.Errorf("%+v", got)
	}
	if got := (Limits{}).Apply(user); got != user {
		t.Errorf("%+v", got)
	}
	if got := asked.String(); got != "fuel 5, memory 128MiB, input 192KiB, deadline 1s" {
		t.Error(got)
	}
}

func TestParseManifest_ReadsJSON(t *testing.T) {
	m, err := ParseManifest("m", []byte(`{"plugin": "a", "exports": {"b": {"config": {"k": "\u00e9\n"}}}, "range": [0, 1e2]}`))
	if err != nil || m.Name != "a" || m.Exports["b"].Default["k"] != "é\n" || m.Range != [2]float64{0, 100} {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestParseManifest_ReadsQuestionMarks(t *testing.T) {
	for _, src := range []string{"{plugin: a, summary: What is it?, license: MIT}", "%YAML 1.2\n---\nplugin: a\nsummary: What is it?\n"} {
		if m, err := ParseManifest("m", []byte(src)); err != nil || m.Summary != "What is it?" {
			t.Errorf("%q: %+v, %v", src, m, err)
		}
	}
}

// bomb is an alias that stands for 9^n elements.
func bomb(n int) string {
	var b strings.Builder
	b.WriteString("plugin: a\nconfig:\n  default:\n    a0: &a0 [x]\n")
	for i := range n {
		fmt.Fprintf(&b, "    a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), ", "))
	}
	return b.String()
}

func utf16Text(s string) string {
	b := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8)) //nolint:gosec // the low and the high byte
	}
	return string(b)
}

func TestParseManifest_RefusesWrongManifests(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"empty", "", "m:1:1: error: the manifest is empty [empty]\n\thint: write at least plugin and version"},
		{"a comment alone", "# nothing\n", "the manifest is empty [empty]"},
		{"a byte order mark alone", "\xEF\xBB\xBF", "the manifest is empty [empty]"},
		{"null", "null\n", "m:1:1: error: the manifest has no value [value-missing]\n\thint: write an object: manifest"},
		{"a list", "- plugin: a\n", "m:1:1: error: the manifest must be an object: manifest, not a list [wrong-type]"},
		{"a text", "plugin\n", "the manifest must be an object: manifest, not the text \"plugin\""},
		{"UTF-16", utf16Text("plugin: a\n"), "the manifest is UTF-16 [encoding]\n\thint: save it as UTF-8"},
		{"invalid UTF-8", "plugin: a\nsummary: \"\xC3\x28\"\n", "m:2:11: error: the manifest is not valid UTF-8: byte 0xc3 [encoding]"},
		{"NUL", "plugin: a\x00\n", "m:1:10: error: the manifest holds a NUL byte [encoding]"},
		{"a tab that indents", "plugin: a\nconfig:\n\tdefault: {}\n", "hint: indent with spaces; YAML takes no tabs"},
		{"no YAML", "plugin: [a\n", "not YAML: "},
		{"two documents", "plugin: a\n---\nplugin: b\n", "a second document begins here [many-documents]"},
		{"too many bytes", "plugin: a\nsummary: " + strings.Repeat("x", maxManifest), "at most 1048576 are read [too-large]"},
		{"an alias bomb", bomb(30), "the manifest has more than 50000 elements [too-large]"},
		{"nesting", "plugin: a\nconfig: {default: {a: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}}", "lists and objects nest more than 64 deep [too-deep]"},
		{"nesting beyond the reader", "plugin: " + strings.Repeat("[", 20_000), "not YAML: "},
		{"an alias within itself", "plugin: a\nconfig: {default: &a {b: *a}}\n", "the alias *a refers to itself [alias-loop]"},
		{"an alias of nothing", "plugin: *a\n", "not YAML: unknown anchor 'a' referenced"},
		{"a merge key", "plugin: a\nx: &x {}\nconfig: {<<: *x}\n", "merge keys are not supported [key-type]"},
		{"a key twice", "plugin: a\nversion: 1.0.0\nplugin: b\n", "m:3:1: error: the key \"plugin\" is written twice, first on line 1 [duplicate-key]"},
		{"a key twice within", "plugin: a\nconfig: {default: {x: 1, x: 2}}\n", "m:2:26: error: the key \"x\" is written twice, first on line 2"},
		{"an export twice", "plugin: a\nexports:\n  s: one\n  s: two\n", "m:4:3: error: the key \"s\" is written twice, first on line 3"},
		{"a key that is a list", "plugin: a\n? [x]\n: y\n", "m:2:3: error: a key is a list or an object [key-type]"},
		{"a key that is a number", "plugin: a\nconfig: {default: {1: x}}\n", "the key 1 is not text [key-type]\n\thint: quote it: \"1\""},
		{"no name", "version: 1.0.0\n", "m:1:1: error: the manifest needs \"plugin\" [key-missing]"},
		{"a name with capitals", "plugin: Bleu\n", "m:1:9: error: plugin: \"Bleu\" is not a plugin name [name]\n\thint: use lower-case letters"},
		{"a name that is a path", "plugin: ../a\n", "\"../a\" is not a plugin name"},
		{"a name that is too long", "plugin: " + strings.Repeat("a", 65) + "\n", "is not a plugin name"},
		{"a name that is a number", "plugin: 12\n", "plugin must be text, not a number 12 [wrong-type]\n\thint: quote it: \"12\""},
		{"a name without a value", "plugin:\n", "\"plugin\" has no value [value-missing]"},
		{"a version of two parts", "plugin: a\nversion: 1.4\n", "m:2:10: error: version: \"1.4\" is not a semantic version [version]\n\thint: write it as major.minor.patch"},
		{"a kind that is unknown", "plugin: a\nkind: metrics\n", "kind: \"metrics\" is not one of: metric, scorer, judge, check [choice-unknown]\n\thint: did you mean \"metric\"?"},
		{"a kind of an export that is unknown", "plugin: a\nexports: {s: {kind: jugde}}\n", "exports.s.kind: \"jugde\" is not one of: metric, scorer, judge, check [choice-unknown]\n\thint: did you mean \"judge\"?"},
		{"a module elsewhere", "plugin: a\nmodule: ../b.wasm\n", "\"../b.wasm\" is not a file name [module]\n\thint: keep the module beside its manifest"},
		{"a module elsewhere, as Windows has it", "plugin: a\nmodule: 'b\\c.wasm'\n", "is not a file name"},
		{"a module that is the directory", "plugin: a\nmodule: ..\n", "\"..\" is not a file name"},
		{"inputs that are a text", "plugin: a\ninputs: output\n", "inputs must be a list of texts, not the text \"output\""},
		{"inputs that are numbers", "plugin: a\ninputs: [output, 1]\n", "m:2:18: error: inputs[1] must be text, not a number 1"},
		{"a range of three", "plugin: a\nrange: [0, 1, 2]\n", "range must be two numbers, the lower one first [range]\n\thint: write [low, high]"},
		{"a range the wrong way round", "plugin: a\nrange: [1, 0]\n", "range must be two numbers"},
		{"a range of nothing", "plugin: a\nrange: []\n", "range must be two numbers"},
		{"a range without an end", "plugin: a\nrange: [0, .inf]\n", "range[1] is infinite: .inf [number-form]"},
		{"a range of no number", "plugin: a\nrange: [.nan, 1]\n", "range[0] is not a number: .nan"},
		{"a range beyond numbers", "plugin: a\nrange: [0, 1e999]\n", "range[1] is too large: 1e999 [number-form]"},
		{"a range wider than numbers", "plugin: a\nrange: [-1e308, 1e308]\n", "range must be two numbers"},
		{"a range in hexadecimal", "plugin: a\nrange: [0, 0x10]\n", "range[1] is not a plain decimal number: 0x10 [number-form]\n\thint: write a finite decimal number"},
		{"a range of texts", "plugin: a\nrange: ['0', '1']\n", "range[0] must be a number, not the text \"0\" [wrong-type]\n\thint: remove the quotes: 0"},
		{"infinity in the configuration", "plugin: a\nconfig: {default: {x: -.Inf}}\n", "config.default.x is infinite: -.Inf"},
		{"no number in the schema", "plugin: a\nconfig: {schema: {minimum: .NaN}}\n", "config.schema.minimum is not a number: .NaN"},
		{"deterministic as a text", "plugin: a\ndeterministic: 'true'\n", "deterministic must be true or false, not the text \"true\""},
		{"yes for true", "plugin: a\ndeterministic: yes\n", "deterministic must be true or false, not the text \"yes\""},
		{"a corpus that is a list", "plugin: a\ncorpus: [a]\n", "corpus must be text, not a list"},
		{"a schema that is a text", "plugin: a\nconfig: {schema: object}\n", "config.schema must be an object, not the text \"object\""},
		{"bytes in the configuration", "plugin: a\nconfig: {default: {x: !!binary YQ==}}\n", "the tag !!binary is not understood [tag]"},
		{"a tag of its own", "plugin: !name a\n", "m:1:9: error: the tag !name is not understood [tag]"},
		{"a set", "plugin: a\nexports: !!set {a}\n", "m:2:10: error: the tag !!set is not understood [tag]"},
		{"a default that is not an export", "plugin: a\nexports: {bleu: x}\ndefault: blue\n", "default: unknown export \"blue\" [default]\n\thint: did you mean \"bleu\"?"},
		{"a column after other letters", "plugin: a\nconfig: {default: {ééé: 1, x: .inf}}\n", "m:2:34: error: config.default.x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := ParseManifest("m", []byte(tt.src))
			if m != nil || fault.Of(err) != fault.Invalid || diag.In(err) == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v; want %q", fault.Of(err), err, tt.want)
			}
			if err != nil && len(err.Error()) > 100_000 {
				t.Errorf("a message of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestParseManifest_ReportsEveryProblem(t *testing.T) {
	_, err := ParseManifest("m", []byte("plugn: a\nversion: x\nrange: [2, 1]\nexports: {s: {knd: metric, inputs: 1}}\nconfig: {defaults: {}}\n"))
	var codes []string
	for _, d := range diag.In(err) {
		codes = append(codes, fmt.Sprintf("%d:%d %s", d.Pos.Line, d.Pos.Column, d.Code))
	}
	want := []string{"1:1 key-missing", "1:1 unknown-key", "2:10 version", "3:8 range", "4:15 unknown-key", "4:36 wrong-type", "5:10 unknown-key"}
	if d := cmp.Diff(want, codes); d != "" {
		t.Errorf("%s\n%v", d, err)
	}
}

// TestParseManifest_SuggestsTheKeyForEveryTypo changes every letter of every
// key of every object in turn.
func TestParseManifest_SuggestsTheKeyForEveryTypo(t *testing.T) {
	top := []string{"plugin", "version", "summary", "license", "reference", "cost", "kind", "module", "runtime", "script", "inputs", "embeddings", "range", "corpus", "deterministic", "config", "exports", "default", "cases", "grants", "limits", "data"}
	for _, object := range []struct {
		what, format string
		keys         []string
	}{
		{"the manifest", "%s: x\n", top},
		{"the export", "plugin: a\nexports: {s: {%s: x}}\n", []string{"summary", "kind", "inputs", "embeddings", "range", "corpus", "config", "keys", "reference", "cost"}},
		{"the configuration", "plugin: a\nconfig: {%s: {}}\n", []string{"schema", "default"}},
		{"the limits", "plugin: a\nlimits: {%s: 1}\n", []string{"fuel", "memory", "input", "deadline"}},
	} {
		for _, key := range object.keys {
			for i := range key {
				for _, wrong := range []string{key[:i] + "q" + key[i+1:], key[:i] + key[i+1:], key[:i] + "q" + key[i:], key[:i] + strings.ToUpper(key[i:i+1]) + key[i+1:]} {
					_, err := ParseManifest("m", fmt.Appendf(nil, object.format, wrong))
					want := fmt.Sprintf("unknown key %q in %s [unknown-key]\n\thint: did you mean %q?", wrong, object.what, key)
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("%q for %q: %v", wrong, key, err)
					}
				}
			}
		}
	}
}

// written is a manifest as rapid writes it.
var written = rapid.Custom(func(t *rapid.T) map[string]any {
	text := rapid.SampledFrom([]string{"a", "é", "yes", "1.5", "", " ", "a: b", "#", "null", "line\nline", "\t", "~", "2024-01-01", "'\"", "*a", "&a", "<<"})
	free := rapid.MapOfN(text, rapid.OneOf(text.AsAny(), rapid.Float64Range(-1e6, 1e6).AsAny(), rapid.Bool().AsAny(), rapid.SliceOfN(text.AsAny(), 0, 2).AsAny()), 0, 3)
	return map[string]any{
		"plugin": rapid.StringMatching(`[a-z0-9][a-z0-9._-]{0,20}`).Draw(t, "name"), "summary": text.Draw(t, "summary"), "inputs": rapid.SliceOfN(text, 1, 3).Draw(t, "inputs"),
		"range": []float64{rapid.Float64Range(-9, 0).Draw(t, "low"), rapid.Float64Range(1, 9).Draw(t, "high")}, "config": map[string]any{"default": free.Draw(t, "default")},
		"exports": rapid.MapOfN(text, rapid.OneOf(text.AsAny(), rapid.Custom(func(t *rapid.T) any { return map[string]any{"config": free.Draw(t, "config")} })), 0, 3).Draw(t, "exports"),
	}
})

func TestManifest_WrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := written.Draw(t, "manifest")
		src, err := json.Marshal(in) // which is YAML, too
		if err != nil {
			t.Fatal(err)
		}
		m, err := ParseManifest("m", src)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		if m.Name != in["plugin"] || m.Summary != in["summary"] || !reflect.DeepEqual(m.Inputs, in["inputs"]) || !reflect.DeepEqual(m.Range[:], in["range"]) {
			t.Errorf("%s\n%+v", src, m)
		}
		for name, e := range in["exports"].(map[string]any) {
			switch e := e.(type) {
			case string:
				if m.Exports[name].Summary != e {
					t.Errorf("%q: %+v", name, m.Exports[name])
				}
			case map[string]any:
				if d := cmp.Diff(e["config"], any(m.Exports[name].Default)); d != "" {
					t.Error(d)
				}
			}
		}
		if d := cmp.Diff(in["config"].(map[string]any)["default"], any(m.Config.Default)); d != "" {
			t.Error(d)
		}
	})
}

func FuzzManifest(f *testing.F) {
	f.Add(wholeManifest)
	f.Add(bomb(3))
	f.Add("plugin: a\nconfig: {default: &a {b: [*a, ~, 1e5, .inf]}}\nexports: {s: {range: [0, 1]}}\n")
	f.Add("{\"plugin\":\"a\",\"version\":\"1.0.0\"}")
	f.Fuzz(func(t *testing.T, src string) {
		m, err := ParseManifest("m", []byte(src))
		if err != nil {
			if m != nil || fault.Of(err) != fault.Invalid || diag.In(err) == nil {
				t.Fatalf("%v, %v", m, err)
			}
			for _, d := range diag.In(err) {
				if d.Pos.Line < 0 || d.Pos.Line > 2+strings.Count(src, "\n")+strings.Count(src, "\r")+strings.Count(src, "\u2028")+strings.Count(src, "\u2029")+strings.Count(src, "\u0085") {
					t.Fatalf("line %d of %q", d.Pos.Line, src)
				}
			}
			return
		}
		if !isName(m.Name) || m.Range != [2]float64{} && !(m.Range[0] < m.Range[1]) {
			t.Fatalf("%+v", m)
		}
		if _, err := json.Marshal(m.Config.Default); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkParseManifest(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseManifest("m", []byte(wholeManifest)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestDataFor_DependsOnTheConfiguration(t *testing.T) {
	m := Manifest{Data: map[string]Data{"b": {}, "a": {When: map[string]any{"unit": "x", "n": 1.0}}, "c": {When: map[string]any{"list": []any{"y"}}}}}
	for config, want := range map[string]string{
		``: "b", `{}`: "b", `{"unit":"x","n":1,"more":2}`: "a b", `{"unit":"x"}`: "b", `{"unit":"x","n":1.0}`: "a b", `{"list":["y"]}`: "b c", `{"list":["y","z"]}`: "b",
	} {
		if got := strings.Join(m.DataFor(jsontext.Value(config)), " "); got != want {
			t.Errorf("%s needs %q, want %q", config, got, want)
		}
	}
	if got := new(Manifest).DataFor(jsontext.Value(`{}`)); got != nil {
		t.Errorf("%q", got)
	}
}

func TestParseManifest_RefusesWrongDataFiles(t *testing.T) {
	sum := strings.Repeat("0123456789abcdef", 4)
	for text, want := range map[string]string{
		"{words: {}}":                                     `needs "sha256"`,
		"{words: {sha256: " + sum[1:] + "}}":              "is not 64 lower-case",
		"{words: {sha256: " + strings.ToUpper(sum) + "}}": "is not 64 lower-case",
		"{Words!: {sha256: " + sum + "}}":                 "not a name",
		"{words: {sha256: " + sum + ", wen: {}}}":         `did you mean "when"`,
		"{words: {sha256: " + sum + ", when: x}}":         "an object",
		"[words]":              "an object",
		"{words: " + sum + "}": "an object",
		"{w: {sha256: " + sum + "}}\nruntime: python": "only a WebAssembly module",
	} {
		_, err := ParseManifest("m", []byte("plugin: a\ndata: "+text+"\n"))
		if err == nil || !strings.Contains(fmt.Sprint(err, diag.In(err)), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	var many strings.Builder
	for k := range 17 {
		fmt.Fprintf(&many, "  d%d: {sha256: %s}\n", k, sum)
	}
	if _, err := ParseManifest("m", []byte("plugin: a\ndata:\n"+many.String())); err == nil || !strings.Contains(err.Error(), "at most 16") {
		t.Errorf("%v", err)
	}
}

func TestDigest_CoversDataFiles(t *testing.T) {
	a := Manifest{Name: "a", Data: map[string]Data{"w": {SHA256: strings.Repeat("a", 64), Summary: "one"}}}
	b, c := a, a
	b.Data = map[string]Data{"w": {SHA256: strings.Repeat("b", 64)}}
	c.Data = map[string]Data{"w": {SHA256: strings.Repeat("a", 64), Summary: "two"}}
	digest := func(m *Manifest) string { return of(m, nil, "x").Digest }
	if digest(&a) == digest(&b) || digest(&a) != digest(&c) {
		t.Error("the sum decides the digest, the summary does not")
	}
}
