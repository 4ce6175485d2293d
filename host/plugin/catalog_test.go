package plugin

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/fault"
)

// wasm is the smallest module; with a manifest, one that carries it. Nothing
// here runs a module.
func wasm(manifest string) []byte {
	b := []byte("\x00asm\x01\x00\x00\x00")
	if manifest == "" {
		return b
	}
	section := binary.AppendUvarint(nil, uint64(len(ManifestSection)))
	section = append(append(section, ManifestSection...), manifest...)
	b = binary.AppendUvarint(append(b, 0), uint64(len(section)))
	return append(b, section...)
}

// Tree is tree, for the tests outside of this package.
var Tree = tree

// tree writes files below a new directory. A value "-> x" is a link to x.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if to, link := strings.CutPrefix(text, "-> "); link {
			err = os.Symlink(to, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCatalog_ReadsDirectories(t *testing.T) {
	first := tree(t, map[string]string{
		"Bare.wasm":                  string(wasm("")),
		"bleu/plugin.yaml":           "plugin: bleu\nexports: {bleu: b, corpus-bleu: c}\n",
		"bleu/bleu.wasm":             string(wasm("")),
		"bleu/ignored.wasm":          "not looked at: the manifest names its module",
		"deep/er/rouge/plugin.yaml":  "plugin: rouge\nmodule: built.wasm\nexports: {rougeL: l}\n",
		"deep/er/rouge/built.wasm":   string(wasm("plugin: rouge\nexports: {rougeL: the same}\n")),
		"whole.wasm":                 string(wasm("plugin: carried\nversion: 1.0.0\n")),
		"linked.wasm":                "-> whole2/inner",
		"whole2/.hidden/x.wasm":      "no module, and not looked at",
		"whole2/inner":               string(wasm("plugin: inner\n")),
		"README.md":                  "no plugin",
		"a/b/c/d/e/f/g/h/i/far.wasm": "too deep to be looked at",
	})
	second := tree(t, map[string]string{"wer.wasm": string(wasm(""))})
	c, err := Open([]Module{{Name: "exact", Bytes: wasm("")}}, first, second)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, p := range c.Plugins() {
		got[p.Manifest.Name] = strings.TrimPrefix(strings.TrimPrefix(filepath.ToSlash(p.Source), filepath.ToSlash(first)), filepath.ToSlash(second))
		if p.Code != digest.Of(p.Module()) {
			t.Errorf("%s: the digest is not of its bytes", p.Source)
		}
	}
	want := map[string]string{
		"exact": "builtin", "bare": "/Bare.wasm", "bleu": "/bleu/bleu.wasm", "rouge": "/deep/er/rouge/built.wasm", "carried": "/whole.wasm", "inner": "/linked.wasm", "wer": "/wer.wasm",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"bare", "bleu", "carried", "exact", "inner", "rouge", "wer"}, c.Names()); d != "" {
		t.Error(d)
	}
}

func TestCatalog_ListsBrokenPlugins(t *testing.T) {
	outside := tree(t, map[string]string{"secret.wasm": string(wasm("")), "plugin.yaml": "plugin: secret\n"})
	tests := []struct {
		name  string
		files map[string]string
		class fault.Class
		want  []string
	}{
		{"two plugins of a name", map[string]string{"a.wasm": string(wasm("plugin: x\n")), "b/plugin.yaml": "plugin: x\n", "b/x.wasm": string(wasm(""))}, fault.Conflict, []string{"a.wasm", "x.wasm", `has the name of plugin "x"`, "rename one of them"}},
		{"two files whose names differ in case", map[string]string{"Bleu.wasm": string(wasm("")), "bleu.wasm": string(wasm(""))}, fault.Conflict, []string{"Bleu.wasm", "bleu.wasm"}},
		{"a link out of the directory", map[string]string{"a.wasm": "-> " + filepath.Join(outside, "secret.wasm")}, fault.Refused, []string{"a.wasm is a link that leaves the plugin directory"}},
		{"a link upward", map[string]string{"a.wasm": "-> ../../../../../../../../etc/passwd"}, fault.Refused, []string{"a.wasm is a link that leaves"}},
		{"a manifest that is a link out", map[string]string{"p/plugin.yaml": "-> " + filepath.Join(outside, "plugin.yaml")}, fault.Refused, []string{"plugin.yaml is a link that leaves"}},
		{"a module that is a link out", map[string]string{"p/plugin.yaml": "plugin: a\n", "p/a.wasm": "-> " + filepath.Join(outside, "secret.wasm")}, fault.Refused, []string{"its module", "a link that leaves", "build the plugin, or correct the key module"}},
		{"a link to nothing", map[string]string{"a.wasm": "-> nowhere"}, fault.NotFound, []string{"a.wasm: no such file"}},
		{"a link to itself", map[string]string{"a.wasm": "-> a.wasm"}, fault.Invalid, []string{"a.wasm"}},
		{"a directory that is called a manifest", map[string]string{"p/plugin.yaml/x": ""}, fault.Invalid, []string{"plugin.yaml is not a regular file"}},
		{"a directory that is the module", map[string]string{"p/plugin.yaml": "plugin: a\n", "p/a.wasm/x": ""}, fault.Invalid, []string{"a.wasm is not a regular file"}},
		{"a module that is not there", map[string]string{"p/plugin.yaml": "plugin: a\nmodule: b.wasm\n"}, fault.NotFound, []string{"plugin.yaml: its module", "b.wasm: no such file"}},
		{"a manifest that is wrong", map[string]string{"p/plugin.yaml": "plugin: a\nkind: x\n"}, fault.Invalid, []string{"plugin.yaml:2:7", "kind: \"x\" is not one of: metric, scorer, judge, check"}},
		{"a manifest that is too large", map[string]string{"p/plugin.yaml": strings.Repeat("#", maxManifest+1)}, fault.Refused, []string{"plugin.yaml has more than 1048576 bytes"}},
		{"a module that is none", map[string]string{"a.wasm": "MZ"}, fault.Refused, []string{"a.wasm: it is not a WebAssembly module"}},
		{"a module with another manifest in it", map[string]string{"p/plugin.yaml": "plugin: a\nrange: [0, 2]\n", "p/a.wasm": string(wasm("plugin: a\n"))}, fault.Conflict, []string{"plugin.yaml and the manifest in", "say different things", "remove one of them"}},
		{"an empty module", map[string]string{"a.wasm": ""}, fault.Refused, []string{"it is not a WebAssembly module"}},
		{"a name that is none", map[string]string{"a b.wasm": string(wasm(""))}, fault.Invalid, []string{`"a b" is not a plugin name`, "use lower-case letters"}},
		{"an embedded manifest that is wrong", map[string]string{"a.wasm": string(wasm("plugin: a\nrange: [1, 0]\n"))}, fault.Invalid, []string{"a.wasm#rubric-host.manifest:2:8", "range must be two numbers"}},
		{"an embedded manifest that is empty", map[string]string{"a.wasm": string(wasm(" "))}, fault.Invalid, []string{"the manifest is empty"}},
		{"an embedded manifest that is too large", map[string]string{"a.wasm": string(wasm(strings.Repeat("#", maxManifest+1)))}, fault.Refused, []string{"its manifest has 1048577 bytes"}},
		{"several things at once", map[string]string{"a.wasm": "", "b.wasm": "-> nowhere", "p/plugin.yaml": "plugin: A\n"}, fault.Refused, []string{"a.wasm: it is not", "b.wasm: no such", `"A" is not a plugin name`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := tree(t, tt.files)
			if entries, err := os.ReadDir(dir); err == nil && tt.name == "two files whose names differ in case" && len(entries) == 1 {
				return // this file system cannot hold both
			}
			if err := os.WriteFile(filepath.Join(dir, "neighbour.wasm"), wasm(""), 0o600); err != nil {
				t.Fatal(err)
			}
			c, err := Open(nil, dir)
			if err != nil || len(c.Broken()) == 0 {
				t.Fatal(err)
			}
			if _, err := c.Find("neighbour", ""); err != nil {
				t.Errorf("its neighbour cannot be used: %v", err)
			}
			text := ""
			for _, b := range c.Broken() {
				if fault.Of(b.Err) != tt.class && tt.name != "several things at once" {
					t.Errorf("%s: %v; want %s", fault.Of(b.Err), b.Err, tt.class)
				}
				if _, err := c.Find(b.Name, ""); fault.Of(err) != fault.Of(b.Err) || !strings.Contains(err.Error(), "cannot be used: ") {
					t.Errorf("its use: %v; want %v", err, b.Err)
				}
				text += b.Err.Error() + "\n" + fault.Hint(b.Err) + "\n"
			}
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s\nlacks %q", text, want)
				}
			}
		})
	}
	if _, err := Open(nil, filepath.Join(outside, "none")); fault.Of(err) != fault.NotFound {
		t.Errorf("a directory that is not there: %v", err)
	}
	if _, err := Open(nil, filepath.Join(outside, "secret.wasm")); err == nil {
		t.Error("a file for a directory passes")
	}
	if c, err := Open([]Module{{Name: "a", Bytes: wasm("")}, {Name: "a", Bytes: wasm("")}}); err != nil || len(c.Broken()) != 2 || len(c.Names()) != 0 {
		t.Errorf("two modules of a name: %v", err)
	}
}

func TestCatalog_RefusesLargeModules(t *testing.T) {
	dir := tree(t, map[string]string{"a.wasm": string(wasm(""))})
	if err := os.Truncate(filepath.Join(dir, "a.wasm"), MaxModule+1); err != nil {
		t.Fatal(err)
	}
	c, err := Open(nil, dir)
	if err != nil || len(c.Broken()) != 1 {
		t.Fatal(err)
	}
	if err := c.Broken()[0].Err; fault.Of(err) != fault.Refused || !strings.Contains(err.Error(), "a.wasm has more than 16777216 bytes") {
		t.Error(err)
	}
}

func TestReadFile_ReadsAFileAlone(t *testing.T) {
	dir := tree(t, map[string]string{"p/plugin.yaml": "plugin: a\n", "p/a.wasm": string(wasm("")), "Bare.wasm": string(wasm("")), "no.txt": "x"})
	for path, want := range map[string]string{"p": "a", "Bare.wasm": "bare", "p/a.wasm": "a"} {
		p, err := ReadFile(filepath.Join(dir, path))
		if err != nil || p.Manifest.Name != want || !bytes.Equal(p.Module(), wasm("")) {
			t.Errorf("%s: %+v, %v", path, p, err)
		}
	}
	for path, class := range map[string]fault.Class{"none.wasm": fault.NotFound, "no.txt": fault.Refused, ".": fault.NotFound} {
		if p, err := ReadFile(filepath.Join(dir, path)); p != nil || fault.Of(err) != class {
			t.Errorf("%s: %s: %v; want %s", path, fault.Of(err), err, class)
		}
	}
}

func TestCatalog_ReferenceFindsOneScorer(t *testing.T) {
	module := func(manifest string) Module { return Module{Bytes: wasm(manifest)} }
	c, err := Open([]Module{
		module("plugin: rouge\ninputs: [output]\nrange: [0, 2]\nkind: scorer\ncorpus: sums\nexports: {rouge1: x, rougeL: {kind: judge, inputs: [input], range: [1, 3], corpus: other, config: {stem: true}}}\nconfig: {default: {stem: false, n: 1}}\n"),
		module("plugin: text\nexports: {length: x, shared: y}\ndefault: length\n"),
		module("plugin: words\nexports: {words: x, shared: y}\n"),
		module("plugin: one\nexports: {only: x}\n"),
		module("plugin: bare\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, ref, export string
		plugin, found     string
		err               string
	}{
		{"a plugin and an export", "rouge", "rouge1", "rouge", "rouge1", ""},
		{"an export that one plugin has", "rougeL", "", "rouge", "rougeL", ""},
		{"the default that the manifest names", "text", "", "text", "length", ""},
		{"the export of the plugin's name", "words", "", "words", "words", ""},
		{"the only export", "one", "", "one", "only", ""},
		{"a plugin that lists none", "bare", "", "bare", "score", ""},
		{"any export of a plugin that lists none", "bare", "x", "bare", "x", ""},
		{"an export that two have", "shared", "", "", "", `several plugins have the export "shared": text, words`},
		{"no default among several", "rouge", "", "", "", `plugin "rouge" has no export "score"`},
		{"an export that is misspelt", "rouge", "rouge2", "", "", `did you mean "rouge1"?`},
		{"a plugin that is misspelt", "wrods", "", "", "", `did you mean "words"?`},
		{"an export alone that is misspelt", "rouge3", "", "", "", `did you mean "rouge`},
		{"a plugin that is like no other", "zzzzzzz", "", "", "", "available: bare, one, rouge, text, words; host.Options.Plugins adds more"},
		{"an export behind a colon", "rouge:rouge1", "", "", "", "name the export beside plugin rouge: export: rouge1"},
		{"an export of an export", "rougeL", "x", "", "", `no plugin "rougeL"`},
		{"another case", "Rouge", "", "", "", `did you mean "rouge"?`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := c.Find(tt.ref, tt.export)
			if tt.err != "" {
				if fault.Of(err) != fault.NotFound || !strings.Contains(err.Error()+" "+fault.Hint(err), tt.err) {
					t.Errorf("%v: %s; want %q", err, fault.Hint(err), tt.err)
				}
				return
			}
			if err != nil || s.Plugin.Manifest.Name != tt.plugin || s.Export != tt.found {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
	own, err := c.Find("rougeL", "")
	if err != nil {
		t.Fatal(err)
	}
	usual, err := c.Find("rouge", "rouge1")
	if err != nil {
		t.Fatal(err)
	}
	bare, err := c.Find("bare", "")
	if err != nil {
		t.Fatal(err)
	}
	got := []Scorer{own, usual, bare}
	want := []Scorer{
		{Export: "rougeL", Kind: "judge", Inputs: []string{"input"}, Range: [2]float64{1, 3}, Corpus: "other", Config: map[string]any{"stem": true, "n": 1.0}},
		{Export: "rouge1", Kind: "scorer", Inputs: []string{"output"}, Range: [2]float64{0, 2}, Corpus: "sums", Config: map[string]any{"stem": false, "n": 1.0}},
		{Export: "score", Kind: "metric", Range: [2]float64{0, 1}, Config: map[string]any{}},
	}
	for i := range got {
		got[i].Plugin = nil
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	own.Config["stem"] = "changed"
	if again, err := c.Find("rougeL", ""); err != nil || again.Config["stem"] != true {
		t.Errorf("a caller changes the catalog: %v, %v", again.Config, err)
	}
}

// TestReadFile_TakesTheManifestBesideIt reads plugins by the path of their file, of their
// directory, and from a catalog.
func TestReadFile_TakesTheManifestBesideIt(t *testing.T) {
	const manifest = "plugin: a\ninputs: [output]\nrange: [0, 5]\nconfig: {schema: {type: object, additionalProperties: false}, default: {stem: true}}\n"
	seen := map[string]string{}
	for name, text := range map[string]string{
		"as it is": manifest, "another range": strings.Replace(manifest, "5", "6", 1), "another default": strings.Replace(manifest, "true", "false", 1),
		"another schema": strings.Replace(manifest, "Properties: false", "Properties: true", 1), "other inputs": strings.Replace(manifest, "output", "input", 1),
		"an export": manifest + "exports: {b: it}\n", "another kind": manifest + "kind: judge\n", "a default export": manifest + "default: b\n",
		"grants": manifest + "grants: [clock]\n", "corpus": manifest + "corpus: sum\n",
	} {
		for file, more := range map[string]string{"a.wasm": "", "a.js": "script: a.js\n"} {
			code := map[string]string{"a.wasm": string(wasm("")), "a.js": "export const score = () => 1, b = score, sum = score;"}[file]
			dir := tree(t, map[string]string{"p/plugin.yaml": text + more, "p/" + file: code, "p/other.wasm": string(wasm(""))})
			byDir, err := ReadFile(filepath.Join(dir, "p"))
			if err != nil {
				t.Fatal(err)
			}
			byFile, err := ReadFile(filepath.Join(dir, "p", file))
			if err != nil {
				t.Fatal(err)
			}
			c, err := Open(nil, dir)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(byDir, byFile, cmp.AllowUnexported(Plugin{})) + cmp.Diff(byDir, c.Plugin("a"), cmp.AllowUnexported(Plugin{})); d != "" {
				t.Errorf("%s: %s", name, d)
			}
			if other := seen[byDir.Digest]; other != "" {
				t.Errorf("%s has the digest of %s", name, other)
			}
			seen[byDir.Digest] = name
			bare, err := ReadFile(filepath.Join(dir, "p", "other.wasm"))
			if err != nil || bare.Manifest.Name != "other" || bare.Digest != bare.Code {
				t.Errorf("a file that the manifest does not name: %v", err)
			}
		}
	}
	same := func(text string) string {
		p, err := ReadFile(tree(t, map[string]string{"plugin.yaml": text, "a.wasm": string(wasm(""))}))
		if err != nil {
			t.Fatal(err)
		}
		return p.Digest
	}
	if same(manifest) != same("# a comment\nsummary: says more\nversion: 2.0.0\nlicense: MIT\n"+manifest) {
		t.Error("what decides no number is part of the digest")
	}
}

func TestCatalog_BrokenManifestIsReported(t *testing.T) {
	for _, file := range []string{"a.wasm", "a.js", "a.py"} {
		code := map[string]string{"a.wasm": string(wasm(""))}[file]
		dir := tree(t, map[string]string{"plugin.yaml": "plugin: a\nrage: [0, 2]\n", file: code})
		if _, err := ReadFile(filepath.Join(dir, file)); fault.Of(err) != fault.Invalid || !strings.Contains(err.Error(), "may be the plugin of this manifest") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestCatalog_OrderOfModulesDoesNotMatter opens the same plugins in any order.
func TestCatalog_OrderOfModulesDoesNotMatter(t *testing.T) {
	var modules []Module
	for _, name := range []string{"a", "b", "c", "a-b", "z9"} {
		modules = append(modules, Module{Bytes: wasm("plugin: " + name + "\nexports: {" + name + "x: x, shared: y}\n")})
	}
	var first []string
	rapid.Check(t, func(t *rapid.T) {
		c, err := Open(rapid.Permutation(modules).Draw(t, "modules"))
		if err != nil {
			t.Fatal(err)
		}
		all := c.Names()
		for _, p := range c.Plugins() {
			all = append(all, p.Digest)
		}
		for _, ref := range []string{"shared", "ax", "none"} {
			s, err := c.Find(ref, "")
			text := s.Export
			if err != nil {
				text = err.Error() + fault.Hint(err)
			}
			all = append(all, text)
		}
		if first == nil {
			first = all
		}
		if d := cmp.Diff(first, all); d != "" {
			t.Error(d)
		}
	})
}

func TestCatalog_ReadsEmbeddedPluginsLazily(t *testing.T) {
	read := map[string]int{}
	manifests := map[string]string{
		"one": `{"plugin":"one","exports":{"first-of-one":"one","shared":"two"}}`,
		"two": `{"plugin":"two","exports":{"first-of-two":"one","shared":"two"}}`,
	}
	carry := func() *Catalog {
		clear(read)
		return Carried(manifests, func(name string) Module {
			read[name]++
			return Module{Name: name, Bytes: wasm(manifests[name])}
		})
	}
	for _, test := range []struct {
		what string
		ask  func(c *Catalog)
		want map[string]int
	}{
		{"nothing is asked", func(*Catalog) {}, map[string]int{}},
		{"a name", func(c *Catalog) { c.Find("two", ""); c.Plugin("two") }, map[string]int{"two": 1}},
		{"an export", func(c *Catalog) { c.Find("first-of-one", "") }, map[string]int{"one": 1}},
		{"part of an export", func(c *Catalog) { c.Find("of-one", "") }, map[string]int{"one": 1, "two": 1}},
		{"an export of two", func(c *Catalog) { c.Find("shared", "") }, map[string]int{"one": 1, "two": 1}},
		{"no plugin", func(c *Catalog) { c.Plugin("three") }, map[string]int{}},
		{"all", func(c *Catalog) { c.Plugins(); c.Names(); c.Plugin("one") }, map[string]int{"one": 1, "two": 1}},
	} {
		if test.ask(carry()); !maps.Equal(read, test.want) {
			t.Errorf("%s: read %v, want %v", test.what, read, test.want)
		}
	}
	// With plugins of a directory, too.
	dir := tree(t, map[string]string{
		"mine.wasm": string(wasm("plugin: mine\nexports: {shared: one, own: two}\n")), "a/two.wasm": string(wasm("plugin: two\n")), "loose.py": "def f(): pass\n", "one.py": "def f(): pass\n",
	})
	for _, test := range []struct {
		ref, export, want string // the plugin and the export, or an error
		reads             map[string]int
	}{
		{"mine", "own", "mine own", map[string]int{"two": 1}},
		{"own", "", "mine own", map[string]int{"two": 1}},
		{"first-of-one", "", "one first-of-one", map[string]int{"one": 1, "two": 1}},
		{"one", "shared", "one shared", map[string]int{"one": 1, "two": 1}},
		{"shared", "", "several plugins have the export \"shared\": mine, one", map[string]int{"one": 1, "two": 1}},
		{"two", "", "has the name of plugin \"two\"", map[string]int{"two": 1}},
		{"first-of-two", "", "no plugin", map[string]int{"one": 1, "two": 1}}, // it is of a plugin that cannot be used
		{"loose", "f", "loose f", map[string]int{"one": 1, "two": 1}},
		{"nothing", "", "available: mine, one; ", map[string]int{"one": 1, "two": 1}},
	} {
		c, err := carry().With(dir)
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Find(test.ref, test.export)
		got := ""
		if err == nil {
			got = s.Plugin.Manifest.Name + " " + s.Export
		} else {
			got = err.Error() + " " + fault.Hint(err)
		}
		if !strings.Contains(got, test.want) || !maps.Equal(read, test.reads) {
			t.Errorf("%s %s: %s, read %v; want %s, read %v", test.ref, test.export, got, read, test.want, test.reads)
		}
		if names := c.Names(); !slices.Equal(names, []string{"mine", "one"}) || len(c.Broken()) != 2 || len(c.Plugins()) != 2 {
			t.Errorf("%v, broken %v, %d plugins", names, c.Broken(), len(c.Plugins()))
		}
	}
	c := carry()
	if s, err := c.Find("first-of-two", ""); err != nil || s.Plugin != c.Plugin("two") || c.Plugin("three") != nil {
		t.Errorf("%+v %v", s, err)
	}
	for ref, want := range map[string]string{"shared": "several plugins have", "of-two": "no plugin", "first-of-one": ""} {
		if _, err := carry().Find(ref, ""); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", ref, err, want)
		}
	}
}

func TestCatalog_EmbeddedPluginUnderAnotherNameIsADefect(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Carried(map[string]string{"one": ""}, func(string) Module { return Module{Name: "two", Bytes: wasm("")} }).Plugin("one")
}

func TestPlugin_EmbeddedModuleWithAnotherDigestIsADefect(t *testing.T) {
	p, err := FromModule(Module{Name: "one", Open: func() []byte { return wasm("") }, Digest: digest.Of(nil)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if problem, _ := recover().(string); !strings.Contains(problem, digest.Of(nil)) {
			t.Errorf("panic %q", problem)
		}
	}()
	p.Module()
}
