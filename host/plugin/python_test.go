package plugin

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/rubric-host/rubric-host/host/amount"
	"github.com/rubric-host/rubric-host/host/script"
	sandbox "github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/wasmtest"
)

// hardImports are files in which an import is hard to find, or only seems to be
// there.
var hardImports = []string{
	"from collections import Counter\nfrom helper import f\nfrom __future__ import annotations\nimport os\n",
	"try:\n    from better import score\nexcept ImportError:\n    from worse import score\n",
	"try: from a import b\nexcept ImportError: import c; from d import e\nelse: import f\n",
	"from a import (b, # )\n  c as d,\n)\nfrom e import f",
	"from a \\\n  import b, \\\n c\nimport d \\\n as e\n",
	"from . import a\nfrom .. import b as c\nfrom ...d.e import f\nfrom .... import g\nfrom ..... import h\nfrom .import i\nfrom...j import(k)\n",
	"import a.b.c as d, e . f, g\nfrom h . i import *\n",
	"def f():\n    import late\n    if 1: import later\n    class A: import inside; x = 1\n    return (yield from late)\n",
	"raise A from b\nimport c\n", "def g():\n    yield from x\n    from y import z\n",
	"s = 'import a\\'\\nimport b'\nt = \"\"\"\nimport c\n'''\nfrom d import e\n\"\"\"\nimport real\n",
	"s = r'\\'; import a # '\nt = R'''x\\'''' '''; import b\n'''\nu = rb\"\\\"\"; import c\n",
	"# import a\nx = 1 # from b import c\n\n\n#\\\nimport d\n",
	"f'{x}'; import a\nf\"{y['k']!r:>{w}}\"; import b\nf'{{'; import c\nf'}}'; import d\nrf'\\{x}'; import e\nf'\\N{BULLET}{x}'; import f\n",
	"f'{x['import a']}'; import b\nf\"{f\"{f\"{1}\"}\"}\"; import c\nf'''{\n# }'''\nx}'''; import d\nf'{x!r}{y=}{z!s:{a}{b}}'; import e\n",
	"f\"{s.replace(\"(\", '[')}\"\nimport a\nf'{x[\"'\"]}'\nfrom b import (c\n  as d)\n",
	"f'{(lambda: 1)()}'; import a\nf'{x:%H:%M}'; import b\nf'{d[\"a\":1]}'; import c\nf'{x != y}'; import d\nf\"{'}' + '{'}\"; import e\n",
	"importx = 1\nfrom_ = 2\nx.imports\nimport_module = 3\nimport a\n",
	"if x:\n\timport a\n\n\fimport b\n", "import a\rimport b\r\nimport c", "import \ufb01ne, caf\u00e9\n", "\ufeffimport a\n",
	"@x\nclass A:\n  '''import b'''\n  import c\n\nmatch z:\n  case 1: import d\n  case _: from e import f\n",
	"x = [1,\n# import a\n'import b',\n]; import c\n", "x = 0x1f; import a\ny = 1_000.5e-3; import b\nz = 1if 1else 2; import c\n", "async def f():\n    async with a as b: import c\n",
	"lambda: (yield)\nx: int = 3; import a\ny = {1: 2}; import b\nz = x[1:2]; import c\n", "type X = int\nimport a\n", "print('''a''' 'b' f'c' rb'd'); import e\n", "", "import", "from a import", "f'{", "'",
}

// importsByAst returns a file's imports as CPython itself finds them.
const importsByAst = `
import ast

def score(case, config):
    try:
        tree = ast.parse(case["output"].removeprefix("\ufeff"))
    except SyntaxError as e:
        return {"unscored": str(e)}
    here, found = "a/b/c/f.py".split("/"), set()
    for n in ast.walk(tree):
        if isinstance(n, ast.Import):
            found.update(x.name for x in n.names)
        elif isinstance(n, ast.ImportFrom):
            if n.level >= len(here):
                continue
            of = ".".join((here[:-n.level] if n.level else []) + ([n.module] if n.module else []))
            found.add(of)
            found.update((of + "." + x.name).strip(".") for x in n.names if x.name != "*")
    return {"score": 1, "details": {"found": sorted(found - {""})}}
`

// TestImports_AreThoseOfCPython compares the scanner with CPython's ast, on difficult
// code and on the standard library of the machine.
func TestImports_AreThoseOfCPython(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	ctx := context.Background()
	rt, err := sandbox.New(ctx, sandbox.Options{CacheDir: wasmtest.CacheDir(t), Scripts: script.Open})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close(ctx)
	l, _ := script.Find(script.Python)
	s := script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: "f.py", Files: map[string]string{"f.py": importsByAst}}
	module, err := s.Module()
	if err != nil {
		t.Fatal(err)
	}
	m, err := rt.Load(ctx, sandbox.Source{Name: "ast", Module: module}, sandbox.Limits{Fuel: 1e12, Deadline: time.Hour, Compile: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	texts := slices.Clone(hardImports)
	library, _ := filepath.Glob("/usr/lib/python3*/*.py")
	stride := max(1, len(library)/amount.Of(15, 60))
	first := rand.IntN(stride) // other files in every run
	if os.Getenv("IMPORTS_ALL") != "" {
		stride, first = 1, 0
		more, _ := filepath.Glob("/usr/lib/python3*/*/*.py")
		library = append(library, more...)
	}
	for k := first; k < len(library); k += stride {
		if b, err := os.ReadFile(library[k]); err == nil {
			texts = append(texts, string(b))
		}
	}
	valid := 0
	for _, text := range texts {
		request, err := json.Marshal(map[string]any{"contract": 1, "kind": "metric", "config": map[string]any{}, "case": map[string]any{"output": text}})
		if err != nil {
			continue // not UTF-8
		}
		b, _, err := m.Call(ctx, "score", request, nil)
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Score   *float64 `json:"score"`
			Details struct {
				Found []string `json:"found"`
			} `json:"details"`
		}
		if err := json.Unmarshal(b, &answer); err != nil {
			t.Fatal(err)
		}
		got := pythonImports("a/b/c/f.py", text).modules
		slices.Sort(got)
		got = slices.Compact(got)
		if answer.Score == nil {
			t.Logf("no Python: %.60q: %.100s", text, b)
			continue
		}
		valid++
		if !slices.Equal(got, answer.Details.Found) {
			t.Errorf("%.300s\nimports %q\nCPython %q", text, got, answer.Details.Found)
		}
	}
	t.Logf("%d files", valid)
}

func TestImports_ByAName(t *testing.T) {
	for text, want := range map[string]string{
		"import importlib\nimportlib.import_module('a.b')":          "importlib a.b",
		"from importlib import import_module\nimport_module(\"a\")": "importlib importlib.import_module a",
		"__import__('a', fromlist=['x'])":                           "a",
		"__import__(name)":                                          "*",
		"import_module(f'{x}')":                                     "*",
		"import_module('.a', __package__)":                          "*",
		"import_module('a' + x)":                                    "*",
		"load = __import__":                                         "*",
		"from importlib import import_module as load\nload(x)":      "importlib importlib.import_module *",
		"'__import__(x)' # __import__(y)":                           "",
	} {
		uses := pythonImports("f.py", text)
		got := append(uses.modules, uses.named...)
		if uses.computed {
			got = append(got, "*")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s\nimports %q, want %q", text, got, want)
		}
	}
}

func FuzzPythonImports(f *testing.F) {
	for _, text := range hardImports {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one, two := pythonImports("f.py", text).modules, pythonImports("f.py", text+"\n\n").modules
		if !slices.Equal(one, two) && !strings.ContainsAny(text, "\"'\\([{#") {
			t.Errorf("%q: %q, and with an empty line %q", text, one, two)
		}
	})
}
