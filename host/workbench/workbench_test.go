package workbench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/interpreter"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/plugins"
)

func open(t *testing.T, p *plugin.Plugin, cases []Case) *Workbench {
	t.Helper()
	return openLimited(t, p, cases, wasm.Limits{})
}

func openLimited(t *testing.T, p *plugin.Plugin, cases []Case, l wasm.Limits) *Workbench {
	t.Helper()
	o := optionsFor(t, p.Manifest.Language())
	o.Limits = l
	w, err := Open(t.Context(), p, cases, o)
	must(t, err)
	t.Cleanup(func() { w.Close(context.Background()) })
	return w
}

// optionsFor returns the options of a plugin that needs a runtime; empty: none.
func optionsFor(t *testing.T, runtime string) Options {
	t.Helper()
	if runtime != script.PythonSci {
		return Options{}
	}
	wheel := wasmtest.Wheel(t, "RUBRIC_HOST_PYTHON_SCI", "CI_REQUIRE_PYTHON_SCI")
	dir := filepath.Dir(wheel)
	store := interpreter.In(filepath.Join(dir, "runtimes"))
	if _, err := store.Add(runtime, wheel); err != nil {
		t.Fatal(err)
	}
	return Options{CacheDir: filepath.Join(dir, "compiled"), Interpreters: store.Bytes}
}

// builtin opens a built-in plugin with its cases, a script with the first of them.
func builtin(t *testing.T, name string) *Workbench {
	t.Helper()
	catalog, err := plugins.Catalog()
	must(t, err)
	p := catalog.Plugin(name)
	file, text, err := p.ReadCases()
	must(t, err)
	cases, err := ReadCases(file, text)
	must(t, err)
	if p.Manifest.Language() != "" { // package plugins runs all of their hundreds
		cases = cases[:min(len(cases), 30)]
	}
	return open(t, p, cases)
}

// escaped writes a string of the text format.
func escaped(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "\\%02x", c)
	}
	return b.String()
}

// answering makes a plugin that runs body and then answers text.
func answering(t *testing.T, body, text string) *Workbench {
	t.Helper()
	module := wasmtest.Assemble(fmt.Sprintf(`(module
		(memory (export "memory") 40)
		(data (i32.const 16) "%s")
		(func (export "alloc") (param i32) (result i32) (i32.const 1024))
		(func (export "score") (param i32 i32) (result i64) %s
			(i64.const %d)))`, escaped(text), body, 16<<32|len(text)))
	p, err := plugin.FromModule(plugin.Module{Name: "made", Bytes: module})
	must(t, err)
	return open(t, p, nil)
}

// TestCheck_BuiltinPluginsKeepEveryRule checks some of the plugins, others in every run.
func TestCheck_BuiltinPluginsKeepEveryRule(t *testing.T) {
	one := amount.OneIn(20)
	for _, name := range plugins.Names() {
		t.Run(name, func(t *testing.T) {
			if wasmtest.Race && name != "exact" { // they share all code that is ours
				return
			}
			if strings.HasPrefix(name, "code-") && name != "code-json" && !amount.Full() { // the same code with another grammar
				return
			}
			if testing.Short() || name != "exact" && !one() { // make conformance-check runs all
				return
			}
			t.Parallel()
			w := builtin(t, name)
			rules, err := w.Check(t.Context())
			must(t, err)
			if len(rules) != 10 {
				t.Errorf("%d rules", len(rules))
			}
			for _, r := range rules {
				if !r.Passed {
					t.Errorf("%s: %s", r.Name, r.Why)
				}
				if r.Calls == 0 && r.Name != "manifest" {
					t.Errorf("%s looks at nothing", r.Name)
				}
			}
		})
	}
}

func TestCheck_NamesTheBrokenRule(t *testing.T) {
	for _, tt := range []struct{ name, body, text, rule, why string }{
		{"it traps on a short request", `(if (i32.lt_u (local.get 1) (i32.const 80)) (then unreachable))`, `{"score":1}`, "empty", "trap"},
		{"it traps on a long request", `(if (i32.gt_u (local.get 1) (i32.const 20000)) (then unreachable))`, `{"score":1}`, "huge", "trap"},
		{"its score is out of range", ``, `{"score":2}`, "contract", "protocol"},
		{"it answers what the contract has not", ``, `{"score":1,"mood":"good"}`, "contract", "mood"},
		{"it has no manifest", ``, `{"score":1}`, "manifest", "version, license, summary"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rules, err := answering(t, tt.body, tt.text).Check(t.Context())
			must(t, err)
			for _, r := range rules {
				if r.Name == tt.rule {
					if r.Passed || !strings.Contains(r.Why, tt.why) {
						t.Errorf("%+v", r)
					}
					return
				}
			}
			t.Errorf("no rule %q", tt.rule)
		})
	}
}

// moody answers otherwise from the second call on.
type moody struct {
	metric.Guest
	calls int
}

func (m *moody) Call(ctx context.Context, export string, request, answer []byte) ([]byte, wasm.Usage, error) {
	out, usage, err := m.Guest.Call(ctx, export, request, answer)
	if m.calls++; m.calls > 1 {
		usage.Fuel++
	}
	return out, usage, err
}

func TestCheck_NamesAnAnswerThatChanges(t *testing.T) {
	w := answering(t, ``, `{"score":1}`)
	probes, err := w.probes()
	must(t, err)
	for i := range probes {
		if probes[i].was, err = w.see(t.Context(), w.module, &probes[i]); err != nil {
			t.Fatal(err)
		}
	}
	var r Rule
	must(t, w.compare(t.Context(), &r, &moody{Guest: w.module}, probes))
	if r.Passed || r.Calls != 2 || !strings.Contains(r.Why, "then") {
		t.Errorf("%+v", r)
	}
}

func TestRun_HoldsCasesToWhatTheyExpect(t *testing.T) {
	w := builtin(t, "exact")
	cases, err := ReadCases("cases.jsonl", []byte(`
{"name":"right","export":"exact","case":{"output":"a","references":["a"]},"expect":{"score":1}}
{"name":"a number that is off","export":"exact","case":{"output":"a","references":["a"]},"expect":{"score":0.5}}
{"name":"a number within the tolerance","export":"exact","case":{"output":"a","references":["a"]},"expect":{"score":0.5},"tolerance":0.5}
{"name":"a member that is not there","export":"exact","case":{"output":"a","references":["a"]},"expect":{"level":"good"}}
{"name":"an error is expected","export":"regex","case":{"output":"a"},"config":{"pattern":"("},"expect":{"score":1}}
{"name":"no such export","export":"exakt","case":{"output":"a"},"expect":{"score":1}}
{"name":"no such setting","export":"regex","case":{"output":"a"},"config":{"patern":"a"},"expect":{"score":1}}
{"name":"no such setting, as expected","export":"regex","case":{"output":"a"},"config":{"pattern":"(","patern":"a"},"expect":{"class":"plugin-error"}}
`))
	must(t, err)
	outcomes, err := open(t, w.plugin, cases).Test(t.Context())
	must(t, err)
	for i, want := range []string{"", "score is 1, expected 0.5", "", `level is null, expected "good"`, "plugin-error", `no export "exakt"`,
		`no configuration key "patern"; did you mean "pattern"?`, ""} {
		if o := outcomes[i]; o.Passed != (want == "") || !strings.Contains(o.Why, want) {
			t.Errorf("%s: %v %q, want %q", o.Case.Name, o.Passed, o.Why, want)
		}
	}
}

// TestRun_HoldsCasesToTheClassTheyExpect: a call may be expected to fail.
func TestRun_HoldsCasesToTheClassTheyExpect(t *testing.T) {
	for _, tt := range []struct{ name, body, answer, expect, want string }{
		{"without end", `(loop (br 0))`, `{}`, `{"class":"fuel"}`, ""},
		{"a trap", `unreachable`, `{}`, `{"class":"trap"}`, ""},
		{"calls without end", `(drop (call 1 (i32.const 0) (i32.const 0)))`, `{}`, `{"class":"depth"}`, ""},
		{"an answer of no kind", ``, `{"scores":1}`, `{"class":"protocol"}`, ""},
		{"an error of its own", ``, `{"error":"none"}`, `{"class":"plugin-error"}`, ""},
		{"an error of its own, with its text", ``, `{"error":"none"}`, `{"class":"plugin-error","error":"none"}`, ""},
		{"an error of its own, with another text", ``, `{"error":"none"}`, `{"class":"plugin-error","error":"some"}`, `error is "none", expected "some"`},
		{"an answer in place of a failure", ``, `{"score":1}`, `{"class":"fuel"}`, `the answer is {"score":1}, expected a call that fails with fuel`},
		{"another failure", `unreachable`, `{}`, `{"class":"fuel"}`, "expected fuel"},
		{"a failure that is not expected", `unreachable`, `{}`, `{"score":1}`, "trap: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cases, err := ReadCases("cases.jsonl", fmt.Appendf(nil, `{"name":"one","case":{"output":"a"},"expect":%s}`, tt.expect))
			must(t, err)
			o, err := openLimited(t, answering(t, tt.body, tt.answer).plugin, cases, wasm.Limits{Fuel: 1_000_000}).Test(t.Context())
			must(t, err)
			if o[0].Passed != (tt.want == "") || !strings.Contains(o[0].Why, tt.want) {
				t.Errorf("%v %q, want %q", o[0].Passed, o[0].Why, tt.want)
			}
		})
	}
}

func TestRun_NamesLinesThatAreNotCases(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"not JSON", `nonsense`, "cases.jsonl:1"},
		{"a key that is not known", `{"name":"a","case":{},"expects":{}}`, "unknown key \"expects\" [case-invalid]\n\thint: did you mean \"expect\"?"},
		{"a key of the criterion that is not known", `{"name":"a","case":{},"expect":{"score":1},"criterion":{"txt":"x"}}`, `did you mean "text"`},
		{"a value of another type", `{"name":"a","case":{},"expect":{"score":1},"tolerance":"1"}`, "tolerance is text, not a number"},
		{"a key of the answer beside the case", `{"name":"a","case":{},"score":1}`, `unknown key "score"`},
		{"a key of the criterion beside the case", `{"name":"a","case":{},"expect":{"score":1},"text":"x"}`, `unknown key "text"`},
		{"a level that is a number", `{"name":"a","case":{},"expect":{"score":1},"criterion":{"levels":[1]}}`, "criterion/levels/0 is a number, not an object"},
		{"a key of a level that is not known", `{"name":"a","case":{},"expect":{"score":1},"criterion":{"levels":[{"scor":1}]}}`, `did you mean "score"`},
		{"an answer beyond a double", `{"name":"a","case":{},"expect":{"foo":1e999}}`, "expect/foo is beyond what a float64 holds"},
		{"a list", `[1]`, "the line is a list, not an object"},
		{"no case", `{"name":"a","expect":{"score":1}}`, "case must be an object"},
		{"nothing expected", `{"name":"a","case":{}}`, "expect is missing"},
		{"an answer's key with a letter changed", `{"name":"a","case":{},"expect":{"scoer":1}}`, `did you mean "score"`},
		{"a class that there is not", `{"name":"a","case":{},"expect":{"class":"fule"}}`, `class is "fule"`},
		{"a class that depends on the machine", `{"name":"a","case":{},"expect":{"class":"deadline"}}`, `class is "deadline"`},
		{"a class that is not text", `{"name":"a","case":{},"expect":{"class":1}}`, "class is 1"},
		{"a class and an answer", `{"name":"a","case":{},"expect":{"class":"fuel","score":0}}`, "expect has class and score"},
		{"a tolerance below zero", `{"name":"a","case":{},"expect":{"score":1},"tolerance":-1}`, "tolerance"},
		{"a configuration that is a list", `{"name":"a","case":{},"config":[],"expect":{"score":1}}`, "config must be an object"},
		{"keys twice", `{"name":"a","case":{"output":"a","output":"b"},"expect":{"score":1}}`, "output"},
		{"invalid UTF-8", "{\"name\":\"\xff\",\"case\":{},\"expect\":{\"score\":1}}", "UTF-8"},
		{"a line that does not end", `{"name":"` + strings.Repeat("x", maxCaseLine), "at most 4194304 are read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadCases("cases.jsonl", []byte(tt.line))
			if fault.Of(err) != fault.Invalid || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v: %.300v", fault.Of(err), err)
			}
		})
	}
}

func TestBench_MeasuresFigures(t *testing.T) {
	w := builtin(t, "exact")
	f, err := w.Measure(t.Context(), "", 20*time.Millisecond)
	must(t, err)
	for name, x := range map[string]float64{
		"calls": float64(f.Calls), "p50": f.P50, "p99": f.P99, "overhead": f.Overhead, "per second": f.PerSecond,
		"all cores": f.AllCores, "fuel": float64(f.Fuel), "memory": float64(f.PeakMemory), "cold": f.FirstCold, "cached": f.FirstCached,
	} {
		if !(x > 0) {
			t.Errorf("%s is %v", name, x)
		}
	}
	if f.Export != "exact" || f.P99 < f.P50 || f.Overhead >= f.P50 {
		t.Errorf("%+v", f)
	}
	if _, err := answering(t, `unreachable`, `{}`).Measure(t.Context(), "", time.Millisecond); fault.Of(err) != fault.Trap {
		t.Errorf("a plugin that traps: %v", err)
	}
}

// TestBench_TimesACall: also if the time is over before the first call.
func TestBench_TimesACall(t *testing.T) {
	f, err := builtin(t, "exact").Measure(t.Context(), "", 1)
	must(t, err)
	if f.Calls < 1 || !(f.P50 > 0) || !(f.PerSecond > 0) || !(f.AllCores > 0) {
		t.Errorf("%+v", f)
	}
}

func TestRun_CasesBesideAModule(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		must(t, os.WriteFile(dir+"/"+name, []byte(text), 0o600))
	}
	write("mine.wasm", "\x00asm\x01\x00\x00\x00") // without a manifest of its own
	for _, tt := range []struct {
		name, cases, want string
		class             fault.Class
	}{
		{"are read", "cases.jsonl", "hello", ""},
		{"may be missing", "nothing.jsonl", "nothing.jsonl", fault.NotFound},
		{"do not come from outside", "../../../../etc/passwd", "", fault.Refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			write("cases.jsonl", "hello")
			write("plugin.yaml", "plugin: mine\nversion: 1.0.0\ncases: "+tt.cases+"\n")
			p, err := plugin.ReadFile(dir)
			if err == nil {
				var text []byte
				if _, text, err = p.ReadCases(); err == nil && string(text) != tt.want {
					t.Errorf("%q", text)
				}
			}
			if fault.Of(err) != tt.class {
				t.Errorf("%v", err)
			}
		})
	}
}

// must ends the test at an error of its setup.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
