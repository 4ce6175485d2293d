package plan_test

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plan"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/score"
	"github.com/rubric-host/rubric-host/host/wasm/grant"
)

// module is a module that is never run, with its manifest.
func module(manifest string) []byte {
	section := binary.AppendUvarint(nil, uint64(len(plugin.ManifestSection)))
	section = append(append(section, plugin.ManifestSection...), manifest...)
	return append(binary.AppendUvarint([]byte("\x00asm\x01\x00\x00\x00\x00"), uint64(len(section))), section...)
}

var manifests = []string{
	"plugin: bleu\nversion: 1.0.0\ninputs: [output, references]\ncorpus: sums\nexports: {bleu: x}\n" +
		"config: {schema: {additionalProperties: false, properties: {n: {type: integer}, lowercase: {type: boolean}}}, default: {n: 4}}\n",
	"plugin: rouge\nkind: scorer\nrange: [0, 100]\nexports: {rougeL: {config: {stem: true}}, rouge1: x}\ndefault: rougeL\nconfig: {default: {stem: false}}\n",
	"plugin: odd\nconfig: {schema: {type: strin}}\n",
	"plugin: words\nexports: {shared: x, words: y}\n",
	"plugin: text\nexports: {shared: x}\n",
	"plugin: keyed\nexports: {a: {keys: [x, y], config: {z: 1}}, b: {keys: []}}\n" +
		"config: {schema: {properties: {x: {enum: [red, green]}, y: {items: {enum: [one, three]}}}}}\n",
}

func catalog(t testing.TB, order []string) *plugin.Catalog {
	t.Helper()
	none, modules := map[string]string{}, map[string]plugin.Module{}
	for _, m := range order {
		name, _, _ := strings.Cut(strings.TrimPrefix(m, "plugin: "), "\n")
		none[name], modules[name] = "", plugin.Module{Bytes: module(m)}
	}
	c, err := plugin.Carried(none, func(name string) plugin.Module { return modules[name] }).With(t.TempDir())
	must(t, err)
	return c
}

func moduleDigest(i int) string { return digest.Of(module(manifests[i])) }

func metric(id string, m rubric.Metric) rubric.Criterion {
	return rubric.Criterion{ID: id, Weight: rubric.One, Scorer: rubric.Binding{Way: rubric.ByMetric, Metric: &m}}
}

func shaped(id string, s rubric.Schema) rubric.Criterion {
	return rubric.Criterion{ID: id, Weight: rubric.One, Scorer: rubric.Binding{Way: rubric.BySchema, Schema: &s}}
}

func judged(id string) rubric.Criterion {
	return rubric.Criterion{ID: id, Text: "is it good?", Weight: rubric.One}
}

func of(list ...rubric.Criterion) *rubric.Rubric {
	return &rubric.Rubric{ID: "r", Criteria: list}
}

var mini = &plan.Judge{Name: "mini", Model: "m", Attempts: 3, Prompts: map[string]string{"criterion": "sha256:00"}}

func TestBuild_BindsCriteriaToScorers(t *testing.T) {
	prompted := judged("p")
	prompted.Scorer.Prompt = &rubric.Prompt{Template: "{{ x }}"}
	group := rubric.Criterion{ID: "g", Weight: rubric.One, Criteria: []rubric.Criterion{judged("a"), metric("b", rubric.Metric{Plugin: "bleu"})}}
	bleu := plan.Task{Way: rubric.ByMetric, Plugin: moduleDigest(0), Export: "bleu", Kind: "metric", Inputs: []string{"output", "references"}, Range: [2]float64{0, 1}, Corpus: "sums"}
	rouge := plan.Task{Way: rubric.ByMetric, Plugin: moduleDigest(1), Export: "rougeL", Kind: "scorer", Range: [2]float64{0, 100}}
	ask := func(s rubric.Strategy, ids ...string) plan.Task {
		return plan.Task{Way: rubric.ByJudge, Strategy: s, Criteria: ids}
	}
	with := func(t plan.Task, id, config string) plan.Task {
		t.Criteria, t.Config = []string{id}, jsontext.Value(config)
		return t
	}
	inline := plan.Task{Way: rubric.BySchema, Criteria: []string{"s"}, JSONSchema: jsontext.Value(`{"const":1,"type":"integer"}`), SchemaDigest: digest.Of([]byte(`{"const":1,"type":"integer"}`))}
	hybrid := of(judged("a"))
	hybrid.Metrics = []rubric.Criterion{metric("m", rubric.Metric{Plugin: "bleu"})}
	batched := of(judged("a"), judged("b"), judged("c"))
	batched.Judge = rubric.Judge{Strategy: rubric.Batch, Batch: 2}
	ofDialect := of(judged("a"), judged("b"))
	ofDialect.Policy.Strategy = rubric.Holistic
	kinded := bleu
	kinded.Kind = "judge"
	referred := bleu
	referred.References = []string{"gold"}

	tests := []struct {
		name string
		r    *rubric.Rubric
		o    plan.Options
		want []plan.Task
	}{
		{"a plugin, with the defaults of its manifest", of(metric("m", rubric.Metric{Plugin: "bleu"})), plan.Options{}, []plan.Task{with(bleu, "m", `{"n":4}`)}},
		{"a plugin, with the rubric's configuration over them", of(metric("m", rubric.Metric{Plugin: "bleu", Config: map[string]any{"n": 2, "lowercase": true}})), plan.Options{}, []plan.Task{with(bleu, "m", `{"lowercase":true,"n":2}`)}},
		{"a plugin, as the kind that the rubric says", of(metric("m", rubric.Metric{Plugin: "bleu", Kind: "judge"})), plan.Options{}, []plan.Task{with(kinded, "m", `{"n":4}`)}},
		{"a plugin, with references of other names", of(metric("m", rubric.Metric{Plugin: "bleu", References: []string{"gold"}})), plan.Options{}, []plan.Task{with(referred, "m", `{"n":4}`)}},
		{"the default export, whose configuration comes first", of(metric("m", rubric.Metric{Plugin: "rouge"})), plan.Options{}, []plan.Task{with(rouge, "m", `{"stem":true}`)}},
		{"an export by its own name", of(metric("m", rubric.Metric{Plugin: "rougeL"})), plan.Options{}, []plan.Task{with(rouge, "m", `{"stem":true}`)}},
		{"a scorer of the program", of(metric("m", rubric.Metric{Plugin: "mine", Export: "e"})), plan.Options{Native: []string{"mine"}},
			[]plan.Task{{Way: rubric.ByMetric, Criteria: []string{"m"}, Plugin: "go:mine", Export: "e", Config: jsontext.Value("{}"), Range: [2]float64{0, 1}}}},
		{"a schema", of(shaped("s", rubric.Schema{Inline: map[string]any{"type": "integer", "const": 1}})), plan.Options{}, []plan.Task{inline}},
		{"a judge, asked for each", of(judged("a"), judged("b")), plan.Options{}, []plan.Task{ask(rubric.PerCriterion, "a"), ask(rubric.PerCriterion, "b")}},
		{"a judge, asked for all at once", of(judged("a"), judged("b")), plan.Options{Strategy: rubric.Batch}, []plan.Task{ask(rubric.Batch, "a", "b")}},
		{"a judge, asked for some at once", of(judged("a"), judged("b"), judged("c")), plan.Options{Strategy: rubric.Batch, Batch: 2}, []plan.Task{ask(rubric.Batch, "a", "b"), ask(rubric.Batch, "c")}},
		{"a judge, asked as the rubric says", batched, plan.Options{}, []plan.Task{ask(rubric.Batch, "a", "b"), ask(rubric.Batch, "c")}},
		{"a judge, asked as the user says, whatever the rubric does", batched, plan.Options{Strategy: rubric.Batch}, []plan.Task{ask(rubric.Batch, "a", "b", "c")}},
		{"a judge, asked as the dialect says", ofDialect, plan.Options{}, []plan.Task{ask(rubric.Holistic, rubric.Overall)}},
		{"a prompt of its own is asked alone", of(judged("a"), prompted, judged("b")), plan.Options{Strategy: rubric.Batch}, []plan.Task{ask(rubric.Batch, "p"), ask(rubric.Batch, "a", "b")}},
		{"a group is its members, the judge last", of(group), plan.Options{}, []plan.Task{with(bleu, "b", `{"n":4}`), ask(rubric.PerCriterion, "a")}},
		{"metrics beside the criteria", hybrid, plan.Options{}, []plan.Task{with(bleu, "m", `{"n":4}`), ask(rubric.PerCriterion, "a")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Catalog, tt.o.Judge = catalog(t, manifests), mini
			p, err := plan.Build([]*rubric.Rubric{tt.r}, tt.o)
			must(t, err)
			if d := cmp.Diff(tt.want, p.Graders[0].Tasks); d != "" {
				t.Error(d)
			}
			judges := slices.ContainsFunc(tt.want, func(t plan.Task) bool { return t.Way == rubric.ByJudge })
			if p.Judged() != (p.Judge != nil) || p.Judged() != judges {
				t.Errorf("judged: %v, judge: %v", p.Judged(), p.Judge)
			}
			for _, task := range p.Graders[0].Tasks {
				if task.Way == rubric.ByMetric && p.Plugin(task.Plugin) == nil {
					t.Errorf("%s is not pinned", task.Plugin)
				}
			}
		})
	}
}

func TestBuild_RefusesWhatCannotBeBound(t *testing.T) {
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "canary.json")
	must(t, errors.Join(os.WriteFile(elsewhere, []byte(`{"title":"canary"}`), 0o600), os.Symlink(elsewhere, filepath.Join(dir, "link.json"))))
	for name, text := range map[string]string{"bad.json": `{"type":`, "strin.json": `{"type":"strin"}`, "plain.wasm": "MZ"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	must(t, os.WriteFile(filepath.Join(dir, "big.json"), nil, 0o600))
	must(t, os.Truncate(filepath.Join(dir, "big.json"), 1<<20+1))
	mixed := of(judged("a"), metric("m", rubric.Metric{Plugin: "bleu"}))
	mixed.Judge.Strategy = rubric.Holistic
	gates := of(judged("a"), judged("b"))
	gates.Judge.Strategy, gates.Policy.Required = rubric.Holistic, rubric.RequiredMet
	gates.Criteria[0].Required, gates.Criteria[1].Min = true, new(float64)
	tests := []struct {
		name  string
		r     *rubric.Rubric
		class fault.Class
		want  []string
	}{
		{"a directory without ./", of(metric("m", rubric.Metric{Plugin: "a/b"})), fault.NotFound, []string{`no plugin "a/b"`, "write a path as ./a/b"}},
		{"a plugin that is not there", of(metric("m", rubric.Metric{Plugin: "blue"})), fault.NotFound, []string{`rubric "r": criterion "m": no plugin "blue"`, `did you mean "bleu"?`}},
		{"an export that is not there", of(metric("m", rubric.Metric{Plugin: "rouge", Export: "rouge9"})), fault.NotFound, []string{`plugin "rouge" has no export "rouge9"`, `did you mean`}},
		{"an export that two have", of(metric("m", rubric.Metric{Plugin: "shared"})), fault.NotFound, []string{"text, words"}},
		{"a path that leads nowhere", of(metric("m", rubric.Metric{Plugin: "./none.wasm"})), fault.NotFound, []string{"none.wasm: no such file"}},
		{"a file that is not a module", of(metric("m", rubric.Metric{Plugin: "./plain.wasm"})), fault.Refused, []string{"plain.wasm", "not a WebAssembly module"}},
		{"a configuration that is misspelt", of(metric("m", rubric.Metric{Plugin: "bleu", Config: map[string]any{"m": 2}})), fault.Invalid, []string{`plugin "bleu" has no configuration key "m"`}},
		{"a configuration of another scorer", of(metric("m", rubric.Metric{Plugin: "keyed", Export: "a", Config: map[string]any{"x": 1, "w": 2}})), fault.Invalid, []string{`plugin "keyed": scorer "a" does not take configuration key "w"`, "a takes x, y"}},
		{"a configuration of a scorer that takes none", of(metric("m", rubric.Metric{Plugin: "keyed", Export: "b", Config: map[string]any{"x": 1}})), fault.Invalid, []string{`scorer "b" does not take configuration key "x"`, "b takes no configuration"}},
		{"a configuration of another type", of(metric("m", rubric.Metric{Plugin: "bleu", Config: map[string]any{"n": "2"}})), fault.Invalid, []string{"/n: expected integer, but got string"}},
		{"a value that is misspelt", of(metric("m", rubric.Metric{Plugin: "keyed", Export: "a", Config: map[string]any{"x": "gren"}})), fault.Invalid, []string{"/x: value must be one of", `did you mean "green"?`}},
		{"a value of a list that is misspelt", of(metric("m", rubric.Metric{Plugin: "keyed", Export: "a", Config: map[string]any{"x": "red", "y": []string{"one", "tree"}}})), fault.Invalid, []string{"/y/1: value must be one of", `did you mean "three"?`}},
		{"a value that is unlike all", of(metric("m", rubric.Metric{Plugin: "keyed", Export: "a", Config: map[string]any{"x": "violet"}})), fault.Invalid, []string{"known: red, green"}},
		{"a value of another type", of(metric("m", rubric.Metric{Plugin: "keyed", Export: "a", Config: map[string]any{"x": 1}})), fault.Invalid, []string{"/x: value must be one of", "correct the configuration"}},
		{"a configuration that is not JSON", of(metric("m", rubric.Metric{Plugin: "words", Config: map[string]any{"f": "\xff"}})), fault.Invalid, []string{`rubric "r" is not JSON`, "invalid UTF-8"}},
		{"a schema that is not JSON", of(shaped("s", rubric.Schema{Inline: map[string]any{"minimum": math.NaN()}})), fault.Invalid, []string{`rubric "r" is not JSON`}},
		{"a plugin whose own schema is wrong", of(metric("m", rubric.Metric{Plugin: "odd", Config: map[string]any{"n": 1}})), fault.Invalid, []string{`plugin "odd": its configuration the schema is not valid`}},
		{"a schema that is none", of(shaped("s", rubric.Schema{Inline: map[string]any{"type": "strin"}})), fault.Invalid, []string{`criterion "s": the schema is not valid: /type`}},
		{"a schema that is not there", of(shaped("s", rubric.Schema{Ref: "none.json"})), fault.NotFound, []string{"its schema none.json: no such file"}},
		{"a schema that is a directory", of(shaped("s", rubric.Schema{Ref: "."})), fault.Invalid, []string{"not a regular file"}},
		{"a schema that is too large", of(shaped("s", rubric.Schema{Ref: "big.json"})), fault.Invalid, []string{"at most 1048576 bytes"}},
		{"a schema that is not JSON", of(shaped("s", rubric.Schema{Ref: "bad.json"})), fault.Invalid, []string{"its schema bad.json"}},
		{"a schema in a file that is none", of(shaped("s", rubric.Schema{Ref: "strin.json"})), fault.Invalid, []string{"the schema is not valid: /type"}},
		{"a schema at an absolute path", of(shaped("s", rubric.Schema{Ref: elsewhere})), fault.Invalid, []string{elsewhere + " is not a path within the rubric's directory", "copy the file"}},
		{"a schema above the rubric", of(shaped("s", rubric.Schema{Ref: "../" + filepath.Base(filepath.Dir(elsewhere)) + "/canary.json"})), fault.Invalid, []string{"/canary.json is not a path within the rubric's directory"}},
		{"a schema behind a link", of(shaped("s", rubric.Schema{Ref: "link.json"})), fault.Invalid, []string{"link.json is not a path within the rubric's directory"}},
		{"a judge that is not given", of(judged("a"), judged("b"), judged("c"), judged("d")), fault.Usage, []string{"needs a judge for 4 of its criteria (a, b, c, and 1 more), and none is given", "host.Options.Judge"}},
		{"one number for criteria that are not all judged", mixed, fault.Invalid, []string{"the holistic strategy asks for one number", "per-criterion or batch"}},
		{"one number for criteria with gates", gates, fault.Invalid, []string{`criterion "a" has a gate`, `criterion "b" has a gate`, "per-criterion or batch"}},
		{"a rubric of nothing", &rubric.Rubric{}, fault.Invalid, []string{"the rubric has no id", "the rubric has no criteria", "add at least one criterion"}},
		{"everything at once", of(metric("m", rubric.Metric{Plugin: "blue"}), metric("n", rubric.Metric{Plugin: "bleu", Config: map[string]any{"m": 2}}), shaped("s", rubric.Schema{Ref: "none.json"}), judged("a")), fault.NotFound,
			[]string{`no plugin "blue"`, "has no configuration key", "no such file", "needs a judge for 1", "hint: did you mean"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := plan.Options{Catalog: catalog(t, manifests), BaseDir: dir}
			if tt.r == mixed || tt.r == gates {
				o.Judge = mini
			}
			p, err := plan.Build([]*rubric.Rubric{tt.r}, o)
			if p != nil || fault.Of(err) != tt.class {
				t.Fatalf("%s: %v; want %s", fault.Of(err), err, tt.class)
			}
			text := err.Error() + "\n" + fault.Hint(err)
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s\nlacks %q", text, want)
				}
			}
		})
	}
	if _, err := plan.Build([]*rubric.Rubric{of(metric("m", rubric.Metric{Plugin: "bleu"}))}, plan.Options{}); fault.Of(err) != fault.NotFound || !strings.Contains(err.Error(), "no catalog is loaded") {
		t.Errorf("without a catalog: %v", err)
	}
}

func TestBuild_GivenVerdictsReplaceScorers(t *testing.T) {
	r := of(metric("m", rubric.Metric{Plugin: "blue"}), shaped("s", rubric.Schema{Ref: "none.json"}), judged("a"))
	p, err := plan.Build([]*rubric.Rubric{r}, plan.Options{Verdicts: "sha256:11"})
	must(t, err)
	want := []plan.Task{
		{Way: rubric.ByMetric, Criteria: []string{"m"}, Export: "blue"},
		{Way: rubric.BySchema, Criteria: []string{"s"}},
		{Way: rubric.ByJudge, Criteria: []string{"a"}, Strategy: rubric.PerCriterion},
	}
	if d := cmp.Diff(want, p.Graders[0].Tasks); d != "" || p.Verdicts != "sha256:11" {
		t.Error(d)
	}
}

func TestBuild_PlansARubricOnce(t *testing.T) {
	a, b := of(metric("m", rubric.Metric{Plugin: "bleu"})), of(metric("m", rubric.Metric{Plugin: "bleu"}), metric("n", rubric.Metric{Plugin: "rouge"}))
	again := of(metric("m", rubric.Metric{Plugin: "bleu"}))
	again.Source.Format = "yaml"
	p, err := plan.Build([]*rubric.Rubric{a, b, again}, plan.Options{Catalog: catalog(t, manifests)})
	must(t, err)
	if len(p.Graders) != 2 || p.Grader("") != &p.Graders[0] || p.Grader(b.Digest()) != &p.Graders[1] || p.Grader("sha256:none") != nil {
		t.Errorf("%d graders", len(p.Graders))
	}
	if len(p.Plugins) != 2 || p.Plugin(moduleDigest(1)).Name != "rouge" || p.Plugin("sha256:none") != nil {
		t.Errorf("%+v", p.Plugins)
	}
	if p.Unscored != score.Null || p.Repeat != 1 || p.Judge != nil || p.Schema != plan.SchemaVersion {
		t.Errorf("%+v", p)
	}
}

// onDisk writes a plugin and a schema below a new directory, and plans r there.
func onDisk(t *testing.T, schemaText string, r *rubric.Rubric, o plan.Options) *plan.Plan {
	t.Helper()
	o.BaseDir = t.TempDir()
	for name, text := range map[string]string{"mine.wasm": string(module("plugin: mine\n")), "s.json": schemaText} {
		must(t, os.WriteFile(filepath.Join(o.BaseDir, name), []byte(text), 0o600))
	}
	p, err := plan.Build([]*rubric.Rubric{r}, o)
	must(t, err)
	return p
}

func TestDigest_CoversWhatDecidesANumber(t *testing.T) {
	r := func() *rubric.Rubric {
		return of(metric("m", rubric.Metric{Plugin: "./mine.wasm", Config: map[string]any{"k": 1}}), shaped("s", rubric.Schema{Ref: "s.json"}), judged("a"))
	}
	judge := func(change func(*plan.Judge)) *plan.Judge {
		j := *mini
		change(&j)
		return &j
	}
	const text = `{"type": "integer", "minimum": 1.50, "maximum": 12345678901234567890}`
	base := onDisk(t, text, r(), plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 1}})
	same := map[string]*plan.Plan{
		"in another directory":           onDisk(t, text, r(), plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 1}}),
		"more gradings of a case":        onDisk(t, text, r(), plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 1}, Repeat: 5}),
		"a schema in another form":       onDisk(t, "{\"maximum\":12345678901234567890,\n\t\"minimum\":15e-1,\"type\":\"integer\"}\n", r(), plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 1}}),
		"the default of unscored, named": onDisk(t, text, r(), plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 1}, Unscored: score.Null}),
	}
	for name, p := range same {
		if p.Digest() != base.Digest() {
			t.Errorf("%s: another digest", name)
		}
	}
	reworded := r()
	reworded.Criteria[2].Text = "is it bad?"
	other := map[string]*plan.Plan{
		"another schema, in its last digit": onDisk(t, strings.Replace(text, "890}", "891}", 1), r(), plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 1}}),
		"another text":                      onDisk(t, text, reworded, plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 1}}),
		"another cost of fuel":              onDisk(t, text, r(), plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 2}}),
		"another limit of fuel":             onDisk(t, text, r(), plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 1, Limit: 5}}),
		"another way with the unscored":     onDisk(t, text, r(), plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 1}, Unscored: score.Worst}),
		"another model":                     onDisk(t, text, r(), plan.Options{Judge: judge(func(j *plan.Judge) { j.Model = "n" }), Fuel: plan.Fuel{Table: 1}}),
		"another prompt":                    onDisk(t, text, r(), plan.Options{Judge: judge(func(j *plan.Judge) { j.Prompts = map[string]string{"criterion": "sha256:01"} }), Fuel: plan.Fuel{Table: 1}}),
		"another strategy":                  onDisk(t, text, r(), plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 1}, Strategy: rubric.Batch}),
		"given verdicts":                    onDisk(t, text, r(), plan.Options{Judge: mini, Fuel: plan.Fuel{Table: 1}, Verdicts: "sha256:11"}),
	}
	seen := map[string]string{base.Digest(): "the plan"}
	for name, p := range other {
		if twin := seen[p.Digest()]; twin != "" {
			t.Errorf("%s has the digest of %s", name, twin)
		}
		seen[p.Digest()] = name
	}
	if base.Plugins[0].Source == "" || base.Graders[0].Rubric == nil {
		t.Error("a digest changes the plan")
	}
}

// TestDigest_StaysTheSame has the bytes of plans as they are kept in run directories: a plan
// whose bytes or digest change cannot resume or verify earlier runs.
func TestDigest_StaysTheSame(t *testing.T) {
	asking := catalog(t, []string{"plugin: asks\nversion: 1.0.0\ngrants: [clock, random]\n"})
	clock := map[string][]grant.Grant{"asks": {{Kind: grant.Clock}}}
	tests := []struct {
		name string
		r    *rubric.Rubric
		o    plan.Options
		sum  string
		text string // without line breaks
	}{
		{"no grants", of(metric("m", rubric.Metric{Plugin: "bleu"})), plan.Options{Catalog: catalog(t, manifests)},
			"sha256:c671a455d6a970b95860a78d6004500d17fe3aa03ec98f21f0632d2a04b64251", `{"schema":1,"graders":[{"digest":"sha256:a27f3f5802c69dec1b89ed080ee0979b23bcf4d157dfd23d8283e32950bc4af5","rubric":{"id":"r","criteria":[{"id":"m","weight":{"value":1},"scorer":{"way":"metric","metric":{"plugin":"bleu"}}}],"policy":{}},
"tasks":[{"way":"metric","criteria":["m"],"plugin":"sha256:27215bd0a2d43e7e3938e2799adecc10765f233d9388d5b01534f486e0fe9e6a","export":"bleu","kind":"metric","config":{"n":4},"inputs":["output","references"],"range":[0,1],"corpus":"sums"}]}],
"plugins":[{"name":"bleu","version":"1.0.0","digest":"sha256:27215bd0a2d43e7e3938e2799adecc10765f233d9388d5b01534f486e0fe9e6a","source":"builtin"}],"unscored":"null","repeat":1,"fuel":{"table":0}}`},
		{"some of the grants, a schema and a judge", of(metric("m", rubric.Metric{Plugin: "asks"}), shaped("s", rubric.Schema{Inline: map[string]any{"type": "integer"}}), judged("a")), plan.Options{Catalog: asking, Allow: clock, Judge: mini},
			"sha256:132fb4aa364891d408ba94762e9f5c63cf8b716a24f4262958e59918ba307bf4", `{"schema":1,"graders":[{"digest":"sha256:97918894ec31e3a20bfb2a98ec26c3faad2c8f40c563e716aa0119324841c2e5","rubric":{"id":"r","criteria":[{"id":"m","weight":{"value":1},"scorer":{"way":"metric","metric":{"plugin":"asks"}}},{"id":"s","weight":{"value":1},"scorer":{"way":"schema","schema":{"inline":{"type":"integer"}}}},{"id":"a","text":"is it good?","weight":{"value":1}}],"policy":{}},
"tasks":[{"way":"metric","criteria":["m"],"plugin":"sha256:645c1ccec209b138bc69ef105584daa0c57b4549cf7437251b9a38b212333251","export":"score","kind":"metric","config":{},"range":[0,1]},
{"way":"schema","criteria":["s"],"json_schema":{"type":"integer"},"schema_digest":"sha256:f0765dbf409c74f001806c446f2cf171d8c46b5b15779d54423dde921a4b0670"},
{"way":"judge","criteria":["a"],"strategy":"per-criterion"}]}],
"plugins":[{"name":"asks","version":"1.0.0","digest":"sha256:645c1ccec209b138bc69ef105584daa0c57b4549cf7437251b9a38b212333251","source":"builtin","grants":["clock"],"missing":["random"]}],
"judge":{"name":"mini","model":"m","attempts":3,"prompts":{"criterion":"sha256:00"}},"unscored":"null","repeat":1,"fuel":{"table":0}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := plan.Build([]*rubric.Rubric{tt.r}, tt.o)
			must(t, err)
			b, err := json.Marshal(p, json.Deterministic(true))
			must(t, err)
			if d := cmp.Diff(strings.ReplaceAll(tt.text, "\n", ""), string(b)); d != "" || p.Digest() != tt.sum {
				t.Errorf("digest %s, want %s; bytes (-want +got):\n%s", p.Digest(), tt.sum, d)
			}
		})
	}
}

func TestBuild_OrderOfTheCatalogDoesNotMatter(t *testing.T) {
	r := of(metric("m", rubric.Metric{Plugin: "bleu", Config: map[string]any{"n": 2, "lowercase": true}}), metric("n", rubric.Metric{Plugin: "rougeL"}), metric("o", rubric.Metric{Plugin: "words"}))
	var first []byte
	rapid.Check(t, func(rt *rapid.T) {
		p, err := plan.Build([]*rubric.Rubric{r}, plan.Options{Catalog: catalog(t, rapid.Permutation(manifests).Draw(rt, "catalog"))})
		if err != nil {
			rt.Fatal(err)
		}
		b, err := json.Marshal(p, json.Deterministic(true))
		if err != nil {
			rt.Fatal(err)
		}
		b = append(b, p.Digest()...)
		if first == nil {
			first = b
		}
		if d := cmp.Diff(string(first), string(b)); d != "" {
			rt.Error(d)
		}
	})
}

func TestRead_ReturnsTheSamePlan(t *testing.T) {
	p := onDisk(t, `{"const":12345678901234567890}`, of(metric("m", rubric.Metric{Plugin: "./mine.wasm", Config: map[string]any{"k": []any{1.0, "a b"}}}), shaped("s", rubric.Schema{Ref: "s.json"}), judged("a")), plan.Options{Judge: mini})
	p.Graders[0].Rubric.Metadata = map[string]any{"big": jsontext.Value("12345678901234567890"), "long": jsontext.Value("0.10000000000000000555"), "plain": 0.1, "text": "1.0"}
	b, err := json.Marshal(p, jsontext.WithIndent("  "))
	must(t, err)
	again, err := plan.Read(b)
	must(t, err)
	if d := cmp.Diff(p, again); d != "" || again.Digest() != p.Digest() || again.Graders[0].Rubric.Digest() != p.Graders[0].Rubric.Digest() {
		t.Error(d)
	}
	again.Graders[0].Tasks[0].Config = jsontext.Value("{")
	if again.Compact() == nil {
		t.Error("a configuration that is not JSON passes")
	}
	for _, text := range []string{"", "{", `{"schema":1,"later":1}`, `{"schema":1,"schema":1}`, `{"schema":"1"}`, `{"schema":1,"repeat":1152921504606846976}`} {
		if p, err := plan.Read([]byte(text)); p != nil || err == nil {
			t.Errorf("%q: %+v", text, p)
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
