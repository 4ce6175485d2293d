package plugin

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// usualInputs are the case fields that a script is sent which has no manifest:
// its author sees the whole case.
var usualInputs = []string{"input", "output", "references", "expected", "context", "metadata"}

func runtimes() []string {
	return xslices.Map(script.Languages(), func(l script.Language) string { return l.Name })
}

// IsScript reports whether a file's name is that of a script.
func IsScript(path string) bool {
	_, ok := script.Of(filepath.ToSlash(path))
	return ok
}

// IsPath reports whether a plugin reference is a path and not a name. A path may
// have a function behind it, as in score.py:f1.
func IsPath(ref string) bool {
	ref, _ = SplitRef(ref)
	return ref == "." || ref == ".." || strings.HasPrefix(ref, "./") || strings.HasPrefix(ref, "../") || filepath.IsAbs(ref) || strings.HasSuffix(ref, ".wasm") || IsScript(ref)
}

func (m *Manifest) isScript() bool { return m.Runtime != "" || m.Script != "" }

func (m *Manifest) scriptFile() (string, script.Language, error) {
	file := m.Script
	if file == "" {
		l, _ := script.Find(m.Runtime)
		return "score" + l.Extensions[0], l, nil
	}
	if m.Runtime != "" {
		l, _ := script.Find(m.Runtime)
		return file, l, nil
	}
	l, ok := script.Of(file)
	if !ok {
		return "", l, fault.WithHint(fault.New(fault.Invalid, "the extension of the script %s is not that of a known language", fault.Clip(file, 60)),
			"add the key runtime: one of %s", strings.Join(runtimes(), ", "))
	}
	return file, l, nil
}

// Language returns the name of the runtime that runs the plugin's script; empty: it is none.
func (m *Manifest) Language() string {
	if !m.isScript() {
		return ""
	}
	_, l, err := m.scriptFile()
	if err != nil {
		return ""
	}
	return l.Name
}

// Scripted reports whether the plugin is a script. It does not unpack a built-in module.
func (p *Plugin) Scripted() bool {
	if p.open != nil {
		return p.Manifest.Language() != ""
	}
	return script.Is(p.Module())
}

func (f folder) readScripted(dir, manifest string, m *Manifest) (*Plugin, error) {
	name, l, err := m.scriptFile()
	if err != nil {
		return &Plugin{Manifest: *m}, fmt.Errorf("%s: %w", manifest, err)
	}
	p, err := f.readScript(path.Join(dir, name), l, *m)
	if err != nil {
		return &Plugin{Manifest: *m}, fault.WithHint(fmt.Errorf("%s: its script: %w", manifest, err), "%s", cmp.Or(fault.Hint(err), "write the script, or correct the key script"))
	}
	return p, nil
}

// readBareScript reads a plugin that is one script, with the manifest beside it
// that names it, if there is one. function is the one that scores; empty: the
// usual one.
func (f folder) readBareScript(name, function string, l script.Language) (*Plugin, error) {
	if p, err := f.beside(name); p != nil || err != nil {
		return p, err
	}
	m := Manifest{Name: nameOf(path.Base(name)), Runtime: l.Name, Script: path.Base(name), Inputs: usualInputs, Default: function}
	p, err := f.readScript(name, l, m)
	if err != nil {
		return nil, err
	}
	p.Digest, p.bare = p.Code, true // there is no manifest to be part of it
	if function != "" {
		p.Source += ":" + function
	}
	return p, nil
}

// pick returns a script without a manifest as the plugin of another of its
// functions, which is the only one that the module then has.
func (p *Plugin) pick(function string) (*Plugin, error) {
	if function == "" || function == cmp.Or(p.Manifest.Default, DefaultExport) {
		return p, nil
	}
	s, err := script.Read(p.Module())
	if err != nil {
		return nil, err
	}
	s.Exports, s.Program = []string{function}, false
	module, err := s.Module()
	if err != nil {
		return nil, err
	}
	m := p.Manifest
	m.Default = function
	file, _ := SplitRef(p.Source)
	picked := alone(&m, module, file+":"+function)
	picked.bare = true
	return picked, nil
}

// SplitRef takes a path with the name of a function behind it apart, such as
// "score.py:f1". function is empty if there is none.
func SplitRef(ref string) (path, function string) {
	i := strings.LastIndexByte(ref, ':')
	if i < 0 || !script.IsName(ref[i+1:]) || !IsScript(ref[:i]) && !strings.HasSuffix(ref[:i], ".wasm") {
		return ref, ""
	}
	return ref[:i], ref[i+1:]
}

// nameOf returns the name of a plugin that is a file, as near to the file's name
// as the names of plugins allow.
func nameOf(file string) string {
	name := []byte(strings.ToLower(strings.TrimSuffix(file, path.Ext(file))))
	for i, c := range name {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && (i == 0 || !strings.ContainsRune("._-", rune(c))) {
			name[i] = '-'
		}
	}
	return cmp.Or(strings.TrimLeft(string(name[:min(len(name), 64)]), "-._"), "script")
}

// readScript makes a plugin of a script and the modules that it imports.
func (f folder) readScript(file string, l script.Language, m Manifest) (*Plugin, error) {
	name := path.Base(file)
	c := collector{folder: f, dir: path.Dir(file), language: l, files: map[string]string{}}
	if err := c.add(name); err != nil {
		return nil, err
	}
	var front []byte
	if m.Front != "" {
		var err error
		if front, err = f.read(path.Join(c.dir, m.Front), script.MaxBytes); err != nil {
			return nil, err
		}
	}
	module, err := m.packed(l, name, c.files).Module(frontSection(front)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.place(name), err)
	}
	return of(&m, module, c.place(name)), nil
}

// frontSection returns a front as a custom section: nothing without a front.
func frontSection(front []byte) []binary.Custom {
	if len(front) == 0 {
		return nil
	}
	return []binary.Custom{{Name: script.FrontSection, Bytes: front}}
}

// Pack returns a script plugin as one module, which carries its manifest: the files of the
// script by path, one of them the manifest's script, and its front, if it has one. The same
// input makes the same bytes.
func Pack(manifest []byte, files map[string]string, front []byte) ([]byte, error) {
	m, err := ParseManifest(ManifestFile, manifest)
	if err != nil {
		return nil, err
	}
	if !m.isScript() {
		return nil, fault.New(fault.Invalid, "the manifest of %s names no script", m.Name)
	}
	entry, l, err := m.scriptFile()
	if err != nil {
		return nil, err
	}
	if (m.Front != "") != (len(front) > 0) {
		return nil, fault.New(fault.Invalid, "the manifest of %s names the front %q, and %d bytes of a front are given", m.Name, m.Front, len(front))
	}
	s := m.packed(l, entry, files)
	return s.Module(append(frontSection(front), binary.Custom{Name: ManifestSection, Bytes: manifest})...)
}

func (m *Manifest) packed(l script.Language, entry string, files map[string]string) *script.Script {
	s := &script.Script{Language: l.Name, Interpreter: l.Interpreter, Entry: entry, Exports: m.functions(), Files: files, Peer: m.Peer}
	if m.Default == "" && len(m.Exports) == 0 && m.Corpus == "" && !m.Peer && isProgram(l, files[entry]) {
		s.Program, s.Exports = true, nil
	}
	return s
}

// functions are all that may be called of a script; none: the usual one.
func (m *Manifest) functions() []string {
	named := map[string]bool{}
	for name, e := range m.Exports {
		named[name], named[e.Corpus] = true, true
	}
	named[m.Corpus], named[m.Default] = true, true
	if len(m.Exports) == 0 && m.Default == "" {
		named[DefaultExport] = true
	}
	delete(named, "")
	return slices.Sorted(maps.Keys(named))
}

// A collector reads a script and its imports from the same directory.
type collector struct {
	folder   folder
	dir      string // of the script
	language script.Language
	files    map[string]string
	bytes    int
	all      bool // every file of the directory was read
}

func (c *collector) place(name string) string { return c.folder.place(path.Join(c.dir, name)) }

func (c *collector) add(name string) error {
	b, err := c.folder.read(path.Join(c.dir, name), script.MaxBytes)
	if err != nil {
		return err
	}
	c.files[name] = string(b)
	if c.bytes += len(b); c.bytes > script.MaxBytes || len(c.files) > script.MaxFiles {
		return fault.WithHint(fault.New(fault.Refused, "%s and its imports have more than %d bytes or %d files", c.place(name), script.MaxBytes, script.MaxFiles),
			"keep tables and data out of the script, or pass them in the case")
	}
	if c.language.Source != script.Python {
		return c.addImports(name, string(b))
	}
	uses := pythonImports(name, string(b))
	for _, module := range append(uses.modules, uses.named...) {
		if err := c.addModule(module); err != nil {
			return err
		}
	}
	if uses.computed {
		return c.addAll()
	}
	return nil
}

// importedPaths returns what a JavaScript file imports by a path. Comments and
// texts count, too: a file that nothing imports is never run.
func importedPaths(text string) []string {
	var paths []string
	for at, free := 0, 0; ; { // free: behind the path that was found last
		k := strings.Index(text[at:], "./")
		if k < 0 {
			return paths
		}
		start := at + k
		at = start + len("./")
		if strings.HasSuffix(text[:start], ".") {
			start--
		}
		if start <= free || text[start-1] != '"' && text[start-1] != '\'' {
			continue
		}
		end := strings.IndexAny(text[at:], text[start-1:start]+"\n")
		if end > 0 && text[at+end] != '\n' && imports(text[:start-1]) {
			paths = append(paths, text[start:at+end])
			at += end + len(`"`)
			free = at
		}
	}
}

// imports reports whether a text ends so that a path behind it is imported.
func imports(text string) bool {
	const space, word = " \t\n\f\r", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	text, called := strings.CutSuffix(strings.TrimRight(text, space), "(")
	text = strings.TrimRight(text, space)
	switch text[len(strings.TrimRight(text, word)):] {
	case "from":
		return !called
	case "require":
		return called
	case "import":
		return true
	}
	return false
}

// addImports reads the JavaScript files that one imports by a path, as far as
// they lie in the script's directory and below it.
func (c *collector) addImports(file, text string) error {
	for _, found := range importedPaths(text) {
		name := path.Join(path.Dir(file), found)
		if path.Ext(name) == "" { // as require has it
			name += ".js"
		}
		if _, known := c.files[name]; known || strings.HasPrefix(name, "../") || name == ".." {
			continue
		}
		if l, ok := script.Of(name); !ok || l.Source != script.JavaScript {
			continue
		}
		if err := c.addFound(name); err != nil {
			return err
		}
	}
	return nil
}

// addFound reads a file that may be missing: the interpreter says so where it is needed.
func (c *collector) addFound(name string) error {
	switch info, err := c.folder.Lstat(path.Join(c.dir, name)); {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.IsDir():
		return nil
	case err != nil: // a file that cannot be looked at is not one that is missing
		return fileFault(c.place(name), err)
	}
	return c.add(name)
}

// addAll reads every Python file below the script's directory: one of them
// imports modules whose names it computes.
func (c *collector) addAll() error {
	if c.all {
		return nil
	}
	c.all = true
	return fs.WalkDir(c.folder.FS(), c.dir, func(file string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(file, c.dir+"/")
		if c.dir == "." {
			name = file
		}
		switch {
		case err != nil:
			return fileFault(c.place(name), err)
		case d.IsDir() && file != c.dir && (skippedDir(d.Name()) || strings.Count(name, "/") >= maxDepth):
			return fs.SkipDir
		case d.IsDir() || path.Ext(file) != ".py":
			return nil
		}
		if _, known := c.files[name]; known {
			return nil
		}
		return c.add(name)
	})
}

// addModule reads a Python module that lies beside the script: a file, or a
// directory with files. Others are the interpreter's own matter.
func (c *collector) addModule(module string) error {
	parts := strings.Split(module, ".")
	for k := range parts {
		prefix := strings.Join(parts[:k+1], "/")
		for _, name := range []string{prefix + "/__init__.py", prefix + ".py"} {
			if _, known := c.files[name]; known {
				continue
			}
			if err := c.addFound(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// lazily compiles a pattern when it is first used.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// scorerForms say by its text that a script has a function that scores.
var scorerForms = map[string]func() *regexp.Regexp{
	script.JavaScript: lazily(`(?m)^\s*(?:(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(?:score|get_assert|getAssert|grade|evaluate|scorer)\b|(?:export\s+)?(?:const|let|var)\s+(?:score|get_assert|getAssert|grade|evaluate|scorer)\b|export\s+default\b|export\s*\{[^}]*\bscore\b|(?:module\.)?exports\b)`),
	script.Python:     lazily(`(?m)^(?:async\s+)?(?:def\s+(?:score|get_assert|grade|evaluate|compute_score|reward|reward_func|scorer|\w+_reward(?:_func)?|eval_)\s*\(|score\s*[:=])`),
}

// programForms say by its text that a script reads standard input, and
// functionForms that it has a function that scores all the same. evaluate does
// not count: programs call the function that does their work so.
var (
	programForms = map[string]func() *regexp.Regexp{
		script.JavaScript: lazily(`\bprocess\.stdin\b|/dev/stdin|\b(?:Bun|Deno)\.stdin\b|\breadFileSync\(\s*0\b`),
		script.Python:     lazily(`\bsys\.stdin\b|\bfrom\s+sys\s+import\b.*\bstdin\b|\bfileinput\b|\bopen\(\s*0\b|/dev/stdin|\binput\(\s*\)`),
	}
	functionForms = map[string]func() *regexp.Regexp{
		script.JavaScript: lazily(`(?m)^(?:export\b|(?:async\s+)?function\s*\*?\s*(?:score|get_assert|getAssert|grade)\b|(?:const|let|var)\s+(?:score|get_assert|getAssert|grade)\s*=\s*(?:async\b\s*)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)|(?:module\.)?exports\b)`),
		script.Python:     lazily(`(?m)^(?:(?:async\s+)?def\s+(?:score|get_assert|grade|compute_score|reward|reward_func|\w+_reward(?:_func)?|eval_)\s*\(|score\s*(?::[^=\n]*)?=\s*lambda\b)`),
	}
	commentLine = lazily(`(?m)^\s*(?:#|//).*$`)
)

// isProgram reports whether a script is one that is run as a whole, as AgentV
// runs its code judges.
func isProgram(l script.Language, text string) bool {
	text = commentLine().ReplaceAllString(text, "")
	return programForms[l.Source]().MatchString(text) && !functionForms[l.Source]().MatchString(text)
}

// readLoose reads a script that lies in a directory of plugins without a manifest.
// One whose functions do not have the name of a scorer may be a module of others:
// it is a plugin only for who names a function of it.
func (s *shelf) readLoose(f folder, name string, l script.Language) {
	base, place := path.Base(name), f.place(name)
	if strings.HasPrefix(base, "_") || strings.HasPrefix(base, "test_") {
		return
	}
	text, err := f.read(name, script.MaxBytes)
	switch {
	case err != nil:
		s.add(place, nil, err)
	case scorerForms[l.Source]().Match(text):
		p, err := f.readBareScript(name, "", l)
		s.add(place, p, err)
	default:
		s.loose[nameOf(base)] = loose{place, func() (*Plugin, error) { return ReadFile(place) }}
	}
}

// module notes a script below a directory as the module that Python's imports, and
// dataknobs' references to functions, call it: myapp/scoring.py is myapp.scoring.
func (s *shelf) module(file, place string) {
	name := strings.ReplaceAll(strings.TrimSuffix(file, path.Ext(file)), "/", ".")
	if _, taken := s.loose[name]; !taken {
		s.loose[name] = loose{place, func() (*Plugin, error) { return ReadFile(place) }}
	}
}

// checkScript reports keys that a script may not have.
func (p *parser) checkScript(o *strict.Object, m *Manifest) {
	fail := func(key, hint, message string) { p.Fail(o.Node.Get(key).At, key, key, hint, "%s", message) }
	switch {
	case m.isScript() && m.Module != "":
		fail("module", "keep one of them", "a plugin has a module or a script, not both")
	case m.Front != "" && !m.isScript():
		fail("front", "remove the key, or write the plugin as a script", "only a script can have a front")
	case m.Peer && m.Module != "":
		fail("peer", "remove the key, or write the plugin as a script", "only a script can have a peer")
	case m.isScript() && len(m.Data) > 0:
		fail("data", "import a module beside the script that has the data", "only a WebAssembly module can have data files")
	}
}
