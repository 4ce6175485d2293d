package plugin_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/script"
)

// scriptOf returns the script of a plugin.
func scriptOf(t *testing.T, p *plugin.Plugin) *script.Script {
	t.Helper()
	s, err := script.Read(p.Module())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	scorerJS = "export function score(c) { return 1 }\n"
	scorerPy = "def score(case, config):\n    return 1\n"
)

func TestCatalog_ScriptsArePlugins(t *testing.T) {
	dir := plugin.Tree(t, map[string]string{
		"Len.js":                scorerJS,
		"words.py":              "import helper\n" + scorerPy,
		"helper.py":             "x = 1\n",
		"test_words.py":         scorerPy,
		"_later.py":             scorerPy,
		"notes.js":              "export const x = 1\n",
		"node_modules/a/one.js": scorerJS,
		"deep/other.mjs":        "export const score = () => 1\n",
		"named/plugin.yaml":     "plugin: mine\nversion: 1.0.0\nscript: grade.py\nexports: {a: one, b: {corpus: sum}}\n",
		"named/grade.py":        "def a(case, config): return 1\n",
		"usual/plugin.yaml":     "plugin: usual\nruntime: js\n",
		"usual/score.js":        scorerJS,
	})
	c, err := plugin.Open(nil, dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"len", "mine", "other", "usual", "words"}; !slices.Equal(c.Names(), want) {
		t.Fatalf("plugins %q, want %q", c.Names(), want)
	}
	for _, p := range c.Plugins() {
		s := scriptOf(t, p)
		switch p.Manifest.Name {
		case "words":
			if want := []string{"helper.py", "words.py"}; !slices.Equal(s.Paths(), want) || s.Language != "python" {
				t.Errorf("files %q, want %q", s.Paths(), want)
			}
			if !slices.Contains(p.Manifest.Inputs, "metadata") {
				t.Errorf("a bare script is sent %q", p.Manifest.Inputs)
			}
		case "mine":
			if want := []string{"a", "b", "sum"}; !slices.Equal(s.Functions(), want) {
				t.Errorf("functions %q, want %q", s.Functions(), want)
			}
		case "usual":
			if s.Language != "js" || s.Entry != "score.js" {
				t.Errorf("%+v", s)
			}
		}
		again, err := plugin.ReadFile(p.Source)
		if err != nil || again.Digest != p.Digest || again.Manifest.Name != p.Manifest.Name {
			t.Errorf("%s by its path: %v, %+v", p.Source, err, again)
		}
	}
}

func TestScript_ImportsTravelWithIt(t *testing.T) {
	dir := plugin.Tree(t, map[string]string{
		"score.py": "import os, text.norm as n, json\nfrom text import (\n    tokens,  # all\n    parts)\nfrom pkg . import deep\nimport gone\n" +
			"def score(case, config):\n    from late import x\n    return 1\n",
		"text/__init__.py": "from . import parts\n", "text/norm.py": "from .tokens import t\nfrom ..outside import x", "text/tokens.py": "", "text/parts.py": "", "text/unused.py": "",
		"late.py": "x = 1", "json.py": "print('mine')", "outside.py": "", "data.txt": "",
	})
	p, err := plugin.ReadFile(filepath.Join(dir, "score.py"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"json.py", "late.py", "score.py", "text/__init__.py", "text/norm.py", "text/parts.py", "text/tokens.py"}
	if got := scriptOf(t, p).Paths(); !slices.Equal(got, want) {
		t.Errorf("files %q\nwant  %q", got, want)
	}
}

func TestScript_DigestCoversImports(t *testing.T) {
	seen := map[string]string{}
	for _, files := range []map[string]string{
		{"score.py": scorerPy}, {"score.py": scorerPy + "\n"}, {"score.py": "import a\n" + scorerPy, "a.py": ""}, {"score.py": "import a\n" + scorerPy, "a.py": "1"},
	} {
		p, err := plugin.ReadFile(filepath.Join(plugin.Tree(t, files), "score.py"))
		if err != nil {
			t.Fatal(err)
		}
		if seen[p.Digest] != "" {
			t.Errorf("%v has the digest of %v", files, seen[p.Digest])
		}
		seen[p.Digest] = strings.Join(slices.Sorted(func(yield func(string) bool) {
			for n := range files {
				yield(n)
			}
		}), " ")
	}
}

func TestCatalog_ScriptsThatAreNotTaken(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		says  string
		class fault.Class
	}{
		{"a script that is not there", map[string]string{"plugin.yaml": "plugin: a\nversion: 1.0.0\nscript: score.js\n"}, "score.js: no such file", fault.NotFound},
		{"a language that there is not", map[string]string{"plugin.yaml": "plugin: a\nversion: 1.0.0\nruntime: ruby\n"}, `runtime: "ruby" is not one of`, fault.Invalid},
		{"a file of no language", map[string]string{"plugin.yaml": "plugin: a\nversion: 1.0.0\nscript: score.txt\n", "score.txt": ""}, "is not that of a known language", fault.Invalid},
		{"module and script", map[string]string{"plugin.yaml": "plugin: a\nversion: 1.0.0\nscript: a.js\nmodule: a.wasm\n"}, "a module or a script, not both", fault.Invalid},
		{"a script as a module", map[string]string{"plugin.yaml": "plugin: a\nversion: 1.0.0\nmodule: a.py\n", "a.py": ""}, "a script is no WebAssembly module", fault.Invalid},
		{"a script elsewhere", map[string]string{"plugin.yaml": "plugin: a\nversion: 1.0.0\nscript: ../a.js\n"}, "is not a file name", fault.Invalid},
		{"no text", map[string]string{"plugin.yaml": "plugin: a\nversion: 1.0.0\nscript: a.py\n", "a.py": "\xff\xfe"}, "is not UTF-8 text", fault.Invalid},
		{"too much", map[string]string{"plugin.yaml": "plugin: a\nversion: 1.0.0\nscript: a.py\n", "a.py": strings.Repeat("#", 5<<20)}, "more than", fault.Refused},
		{"a function without a name", map[string]string{"plugin.yaml": "plugin: a\nversion: 1.0.0\nscript: a.py\nexports: {\"a b\": no}\n", "a.py": ""}, `"a b" is not a function name`, fault.Invalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := plugin.ReadFile(plugin.Tree(t, tt.files))
			if err == nil || !strings.Contains(err.Error(), tt.says) || fault.Of(err) != tt.class {
				t.Errorf("%v (%s), want %q (%s)", err, fault.Of(err), tt.says, tt.class)
			}
		})
	}
}

func TestScript_RefusesLinksOutOfItsDirectory(t *testing.T) {
	dir := plugin.Tree(t, map[string]string{"in/score.py": "import secret\n" + scorerPy, "secret.py": "x = 1"})
	if err := os.Symlink("../secret.py", filepath.Join(dir, "in", "secret.py")); err != nil {
		if runtime.GOOS != "windows" {
			t.Fatal(err)
		}
		t.Skipf("needs the right to create symbolic links: %v", err)
	}
	if _, err := plugin.ReadFile(filepath.Join(dir, "in", "score.py")); err == nil || !strings.Contains(err.Error(), "link that leaves") {
		t.Errorf("%v", err)
	}
}

func TestScript_ReadingStandardInputIsAProgram(t *testing.T) {
	for _, tt := range []struct {
		file, text string
		want       bool
	}{
		{"a.py", "import json, sys\ndef evaluate(c):\n    return 1\nprint(evaluate(json.load(sys.stdin)))\n", true},
		{"a.py", "from sys import argv, stdin\nprint(stdin.read())\n", true},
		{"a.py", "print(open(0).read())\n", true},
		{"a.py", "print(input())\n", true},
		{"a.py", "import sys\ndef score(case, config):\n    return 1\nif __name__ == '__main__':\n    print(score(sys.stdin.read(), {}))\n", false},
		{"a.py", "import sys\ndef get_assert(output, context):\n    return 1\nsys.stdin\n", false},
		{"a.py", "# sys.stdin is not read\ndef evaluate(c):\n    return 1\n", false},
		{"a.py", "import json, sys\ncase = json.load(sys.stdin)\nscore = 0.5\nprint(json.dumps({'score': score}))\n", true},
		{"a.py", "import sys\nscore = lambda case: 1\nsys.stdin\n", false},
		{"a.js", "process.stdin.on('data', (d) => console.log(d));\n", true},
		{"a.js", "const c = JSON.parse(require('fs').readFileSync(0, 'utf8'));\nconst score = c.x / 2;\nconsole.log(JSON.stringify({ score }));\n", true},
		{"a.mjs", "const score = (await Bun.stdin.json()).x;\nconsole.log(score);\n", true},
		{"a.js", "const score = async (c) => 1;\nprocess.stdin;\n", false},
		{"a.mjs", "export default () => 1;\nprocess.stdin;\n", false},
		{"a.js", "export function score() { return 1 }\n// process.stdin\n", false},
	} {
		dir := plugin.Tree(t, map[string]string{tt.file: tt.text})
		p, err := plugin.ReadFile(filepath.Join(dir, tt.file))
		if err != nil {
			t.Fatal(err)
		}
		if got := scriptOf(t, p).Program; got != tt.want {
			t.Errorf("%s: program %v, want %v\n%s", tt.file, got, tt.want, tt.text)
		}
		if f, err := plugin.ReadFile(filepath.Join(dir, tt.file) + ":evaluate"); err != nil || scriptOf(t, f).Program {
			t.Errorf("a function that is named is called: %v", err)
		}
	}
}

func TestScript_JavaScriptImportsFiles(t *testing.T) {
	dir := plugin.Tree(t, map[string]string{
		"in/score.js":  "import { n } from './helper.js';\nimport d from \"./lib/deep.mjs\";\nexport * from './again.js'\nimport './gone.js'; import '../out.js'; import '/etc/x.js'; import 'lodash'; import './data.json'\n" + scorerJS,
		"in/helper.js": "export const n = 1; const later = () => import( './late.js' )", "in/lib/deep.mjs": "import { n } from '../helper.js'; export default n", "in/again.js": "import './score.js'",
		"in/late.js": "", "in/unused.js": "", "in/data.json": "{}", "out.js": "export const secret = 1",
	})
	read := func() *plugin.Plugin {
		p, err := plugin.ReadFile(filepath.Join(dir, "in/score.js"))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := read()
	if got, want := scriptOf(t, first).Paths(), []string{"again.js", "helper.js", "late.js", "lib/deep.mjs", "score.js"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if err := os.WriteFile(filepath.Join(dir, "in/lib/deep.mjs"), []byte("export default 2"), 0o600); err != nil {
		t.Fatal(err)
	}
	if read().Digest == first.Digest {
		t.Error("the digest does not cover what is imported")
	}
	for name, text := range map[string]string{"in/helper.js": strings.Repeat("// long\n", 1<<19), "in/late.js": "\xff"} {
		was, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
		if _, err := plugin.ReadFile(filepath.Join(dir, "in/score.js")); !fault.Is(err, fault.Refused, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
		os.WriteFile(filepath.Join(dir, name), was, 0o600)
	}
	os.Remove(filepath.Join(dir, "in/helper.js"))
	if err := os.Symlink(filepath.Join(dir, "out.js"), filepath.Join(dir, "in/helper.js")); err != nil {
		t.Fatal(err)
	}
	if _, err := plugin.ReadFile(filepath.Join(dir, "in/score.js")); err == nil {
		t.Error("a link out of the directory was followed")
	}
}

func TestIsPath_TellsFilesFromNames(t *testing.T) {
	for ref, want := range map[string]bool{"./a": true, "../a.wasm": true, "a.wasm": true, "dir/a.wasm": true, "bleu": false, "text.length": false, "a/b": false, "": false} {
		if plugin.IsPath(ref) != want {
			t.Errorf("%q: %v", ref, !want)
		}
	}
}

func TestPack_WantsTheFrontOfTheManifest(t *testing.T) {
	files := map[string]string{"score.js": "export const score = () => 1"}
	for _, front := range []string{"", "front: judge.wasm\n"} {
		for _, given := range [][]byte{nil, []byte("module")} {
			_, err := plugin.Pack([]byte("plugin: p\nversion: 1.0.0\nkind: metric\nscript: score.js\n"+front), files, given)
			if right := (front == "") == (given == nil); (err == nil) != right || err != nil && !fault.Is(err, fault.Invalid) {
				t.Errorf("%q with %q: %v", front, given, err)
			}
		}
	}
}
