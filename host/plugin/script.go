package plugin

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

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

// checkScript reports keys that a script may not have.
func (p *parser) checkScript(o *strict.Object, m *Manifest) {
	fail := func(key, hint, message string) { p.Fail(o.Node.Get(key).At, key, key, hint, "%s", message) }
	switch {
	case m.isScript() && m.Module != "":
		fail("module", "keep one of them", "a plugin has a module or a script, not both")
	case IsScript(m.Module):
		fail("module", "name it by the key script", "a script is no WebAssembly module")
	case m.Front != "" && !m.isScript():
		fail("front", "remove the key, or write the plugin as a script", "only a script can have a front")
	case m.Peer && m.Module != "":
		fail("peer", "remove the key, or write the plugin as a script", "only a script can have a peer")
	case m.isScript() && len(m.Data) > 0:
		fail("data", "import a module beside the script that has the data", "only a WebAssembly module can have data files")
	}
}
