package plugins_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
	"github.com/rubric-host/rubric-host/plugins"
)

// codeFuel is what a call with at most codeBytes of text may take here; the manifests allow forty times as much,
// but a fuzzing worker must answer within ten seconds, however busy the machine is. The last instruction may
// be one that copies all of codePages: it is charged as a whole, a unit for eight bytes.
const codeFuel, codeBytes, codePages = 500_000_000, 16 << 10, 4096

// hostileCode is what fuzzing begins with, for all languages: deep nesting, what never ends, and
// values that are not text. A seed is repeated up to codeBytes.
var hostileCode = []struct {
	text   string
	repeat uint16
}{
	{"def f(a, *b, c: int = 3) -> None:\n    \"\"\"Doc.\"\"\"\n    return f'{a!r:>{b}} {c if a else b}'\n", 1},
	{"function* f(a, {b, c = 1}, ...d) { return a?.b ?? `x${c && `${d}`}` /re/g }\n", 1},
	{"package a\nfunc (r *T[P]) F(x ...int) (err error) { select { case <-c: default: go func() {}() } }\n", 1},
	{"#[test] fn f<'a>(x: &'a str) -> Result<(), E> { match x { \"y\" => Ok(()), _ if 'z' == '{' => Err(e)? } }\n", 1},
	{"@A(b = 1) record R<T>(int x) { R { } static { } T f() throws E { return new T<>() { int g; }; } }\n", 1},
	{"#define F(x) \\\n  x\ntemplate<class T> auto operator()(T&& a) const -> decltype(a) { return [=](int b) mutable { return R\"(x)\"; }; }\n", 1},
	{"case $x in a|b) echo \"${y:-$(cat <<EOF\nz\nEOF\n)}\" ;; esac\n", 1},
	{"SELECT a, count(*) FROM t LEFT JOIN (SELECT 1 UNION ALL SELECT 2) u ON t.a = u.b WHERE x IN ('y') ORDER BY 1;\n", 1},
	{"a: &b [1, {c: *b}]\n? - d\n: |+\n  e\n---\n!!x \"\\u0041\"\n", 1},
	{`{"a": [1e400, -0.0, "\ud800", null, true]}`, 1},
	{"(", 3000}, {")", 3000}, {"{", 3000}, {"[", 3000}, {"<", 3000}, {"if (x) {", 600}, {"f\"{", 400}, {"`${", 400}, {"$(", 400}, {"- ", 1000}, {" a:\n", 1000},
	{"/*", 2000}, {"\"", 3001}, {"'''", 999}, {"r#\"", 300}, {"<<EOF\n", 300}, {"\\\n", 3000}, {"#if\n", 2000}, {"a.b(", 900}, {"x = a + ", 3000},
	{"\x00", 3000}, {"\xff\xfe\x80", 1000}, {"\ufeff\u2028\u0085e\u0301\U0001f600", 500}, {"\r", 2000}, {"\t \t", 1000}, {"a\n", 20_000}, {"", 1},
}

// FuzzCode_EveryTextHasOneOutcome gives any text to each export of a language's plugin, with the fuel and the
// memory metered. It has one outcome: an answer, or an error of class fuel or memory; never a trap, and never
// an answer that another call changes.
func FuzzCode_EveryTextHasOneOutcome(f *testing.F) {
	names := slices.DeleteFunc(plugins.Names(), func(p string) bool { return !strings.HasPrefix(p, "code-") })
	for i, seed := range hostileCode {
		if testing.Short() && i%6 != 0 {
			continue
		}
		f.Add(byte(i), byte(i/3), seed.text, seed.repeat)
	}
	rt := wasmtest.Runtime(f, wasm.Options{CacheDir: wasmtest.CacheDir(f)})
	modules := map[string]*wasm.Module{}
	f.Fuzz(func(t *testing.T, language, export byte, text string, repeat uint16) {
		p := names[int(language)%len(names)]
		m := modules[p]
		if m == nil {
			var err error
			limits := wasm.Limits{Fuel: codeFuel, MemoryPages: codePages, Deadline: 10 * time.Minute}
			if m, err = rt.Load(t.Context(), wasm.Source{Name: p, Module: plugins.Named(p).Module}, limits); err != nil {
				t.Fatal(err)
			}
			modules[p] = m
		}
		if len(text) > 0 {
			text = strings.Repeat(text, 1+min(int(repeat), codeBytes/len(text)))
		}
		list := codeExports(p)
		e := list[int(export)%len(list)]
		config := map[string]any{"code_block": "none"}
		maps.Copy(config, hostileConfig(p, e, export))
		request, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "case": map[string]any{"output": strings.ToValidUTF8(text, "\ufffd"), "references": []string{"x = {\"a\": [1, 2]}"}}, "config": config})
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(text) { // the bytes as they are: no host sends them
			request = []byte(strings.Replace(string(request), "\ufffd", "\xff", 1))
		}
		answer, usage, err := m.Call(t.Context(), e, request, nil)
		if usage.Fuel > codeFuel+codePages<<16/8 {
			t.Errorf("%s %s used %d fuel", p, e, usage.Fuel)
		}
		if err != nil {
			if class := fault.Of(err); class != fault.Fuel && class != fault.Memory {
				t.Errorf("%s %s of %q: %v", p, e, text, err)
			}
			return
		}
		if s := oneOutcome(answer); s != "" {
			t.Errorf("%s %s of %q: %s", p, e, text, s)
		}
		if again, second, err := m.Call(t.Context(), e, request, nil); err != nil || string(again) != string(answer) || second.Fuel != usage.Fuel {
			t.Errorf("%s %s of %q: another answer after %d and %d fuel: %.300s", p, e, text, usage.Fuel, second.Fuel, again)
		}
	})
}

// hostileConfig varies the options of an export.
func hostileConfig(plugin, export string, n byte) map[string]any {
	switch export {
	case "checks":
		return map[string]any{"max_lines": 5, "max_nesting": 2, "max_complexity": 2, "duplicates": 10, "docstrings": 1, "comments": 1, "naming": 1, "forbid_calls": []string{"*"}, "forbid_imports": []string{"a"},
			"forbid_queries": map[string]string{"any": "(_) @n"}, "require_queries": map[string]string{"error": "(ERROR (_) @n)"}, "require_functions": map[string]any{"x": 1}}
	case "complexity":
		if plugin != "code-bash" {
			return map[string]any{"measure": []string{"cyclomatic", "cognitive", "lizard"}[int(n/8)%3]}
		}
	case "codebleu":
		return map[string]any{"variant": []string{"package", "corrected"}[int(n/8)%2]}
	case "tree_similarity":
		return map[string]any{"labels": []string{"kinds", "texts"}[int(n/8)%2]}
	}
	return nil
}
