package plugin

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Limits on the files that a catalog reads. They keep a hostile directory from filling
// memory; the module reader has limits of its own.
const (
	MaxModule   = 16 << 20 // bytes of a module
	maxManifest = 1 << 20  // bytes of a manifest
	maxPlugins  = 10_000   // plugins of one catalog
	maxDepth    = 8        // directories below the one that was named
)

// A Module is a module that is not a file, such as a built-in one.
type Module struct {
	Name   string // file name without its extension; used where the module carries no manifest
	Bytes  []byte
	Source string        // empty: Builtin
	Cases  func() []byte // result of ReadCases; may be nil

	// Open returns the bytes when they are first needed. Digest must then be theirs: bytes
	// with another one are a defect, and panic. Nil: Bytes has them.
	Open   func() []byte
	Digest string // "sha256:<hex>"

	Manifest []byte // the module's, as JSON that the program carries and has tested; nil without Open: it is read from Bytes
}

// With returns the catalog of c's plugins and of every plugin below each of dirs. A plugin is
// a bare .wasm file, a bare script with a function that scores, or a directory with a
// plugin.yaml that names its module or script. Files are opened once, and hashed and used from
// the same bytes; symbolic links that leave the directory are refused. A plugin that cannot be
// read, and those that share a name, are broken: using one is an error, the others work. The
// error is about a directory that cannot be read at all.
func (c *Catalog) With(dirs ...string) (*Catalog, error) {
	if len(dirs) == 0 {
		return c, nil
	}
	found := listing{loose: map[string]loose{}}
	if err := errors.Join(xslices.Map(dirs, found.readDir)...); err != nil {
		return nil, err
	}
	alone, own := maps.Clone(c.alone), slices.Concat(c.own.plugins, found.plugins)
	for _, p := range found.plugins {
		if name := strings.ToLower(p.Manifest.Name); alone[name] != nil {
			own = append(own, alone[name]())
			delete(alone, name)
		}
	}
	x := newIndex(own, slices.Concat(c.own.broken, found.broken))
	maps.Copy(x.loose, c.own.loose)
	for name, l := range found.loose {
		if x.byName[name] == nil && alone[name] == nil {
			x.loose[name] = l
		}
	}
	return newCatalog(alone, c.text, x), nil
}

// FromModule makes a plugin of a module in memory, with the manifest that it
// embeds, or a default one.
func FromModule(m Module) (*Plugin, error) {
	source := cmp.Or(m.Source, Builtin)
	embedded, format := m.Manifest, document.JSON
	if embedded == nil && m.Open == nil {
		var err error
		format = document.YAML
		if embedded, err = embeddedManifest(m.Bytes); err != nil {
			return nil, fmt.Errorf("%s: %w", source, err)
		}
	}
	manifest := &Manifest{Name: m.Name}
	if embedded != nil {
		var err error
		if manifest, err = parseManifest(source+"#"+ManifestSection, embedded, format); err != nil {
			return nil, err
		}
	} else if err := checkName(source, m.Name); err != nil {
		return nil, err
	}
	var p *Plugin
	if m.Open != nil {
		p = &Plugin{Manifest: *manifest, open: sync.OnceValue(m.verified), Code: m.Digest, Digest: m.Digest, Source: source}
	} else {
		p = alone(manifest, m.Bytes, source)
	}
	p.cases = m.Cases
	return p, nil
}

func (m Module) verified() []byte {
	b := m.Open()
	if d := digest.Of(b); d != m.Digest {
		panic(fmt.Sprintf("plugin: %s, which the program carries, has the digest %s, want %s", m.Name, d, m.Digest))
	}
	return b
}

// ReadFile reads the plugin at a path: a .wasm file, a script, or a directory with
// a manifest. A manifest beside a file that names it is the file's. The path of a
// file may have the scorer behind it that is meant by default, as in score.py:f1.
func ReadFile(ref string) (*Plugin, error) {
	path, function := SplitRef(ref)
	p, err := readFile(path, function)
	switch {
	case err != nil:
		return nil, err
	case function == "" || p.bare:
		return p, nil
	}
	if _, err := p.Scorer(function); err != nil {
		return nil, err
	}
	c := *p // the digest is that of the plugin with its manifest: the called export is not part of it
	c.Manifest.Default = function
	return &c, nil
}

func readFile(name, function string) (*Plugin, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, file.OpenFault(name, err)
	}
	dir, base := filepath.Split(name)
	if info.IsDir() {
		dir, base = name, ManifestFile
	}
	f, err := openFolder(cmp.Or(dir, "."))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.IsDir() {
		if _, err := f.Lstat(ManifestFile); errors.Is(err, fs.ErrNotExist) {
			return nil, fault.WithHint(fault.New(fault.NotFound, "the directory %s is not a plugin: it has no %s", name, ManifestFile),
				"name one plugin; a directory of several goes with "+fault.OptionPlugins)
		}
		return f.readManifested(".")
	}
	if l, ok := script.Of(base); ok {
		return f.readBareScript(base, function, l)
	}
	return f.readBare(base)
}

// notPlugins are directories of third-party files.
var notPlugins = []string{"__pycache__", "node_modules", "venv"}

// skippedDir reports whether nothing in a directory of this name is a plugin's.
func skippedDir(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains(notPlugins, name)
}

// A listing is the plugins found in directories.
type listing struct {
	plugins []*Plugin
	broken  []Broken
	loose   map[string]loose
}

func (l *listing) add(place string, p *Plugin, err error) {
	switch {
	case err != nil:
		b := Broken{Name: nameOf(filepath.Base(place)), Source: place, Err: err}
		if p != nil {
			b.Name = p.Manifest.Name
		}
		l.broken = append(l.broken, b)
	case p != nil:
		l.plugins = append(l.plugins, p)
	}
}

func (l *listing) readDir(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return fs.WalkDir(f.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		place := f.place(name)
		switch {
		case err != nil && name == ".":
			return fileFault(dir, err)
		case err != nil:
			l.add(place, nil, fileFault(place, err))
			return nil
		case len(l.plugins)+len(l.broken) > maxPlugins:
			return fault.New(fault.Invalid, "%s: more than %d plugins", dir, maxPlugins)
		case d.IsDir():
			if name != "." && (skippedDir(d.Name()) || strings.Count(name, "/") >= maxDepth) {
				return fs.SkipDir
			}
			if _, err := f.Lstat(path.Join(name, ManifestFile)); err == nil {
				p, err := f.readManifested(name)
				l.add(place, p, err)
				return fs.SkipDir
			}
		case strings.HasSuffix(d.Name(), ".wasm"):
			p, err := f.readBare(name)
			l.add(place, p, err)
		default:
			if language, ok := script.Of(d.Name()); ok {
				l.readLoose(f, name, language)
				l.module(name, place)
			}
		}
		return nil
	})
}

// A folder is an open directory with plugins. Files in it are named as in package fs, and links
// may not leave it.
type folder struct {
	*os.Root
	name string // as the user has named it
}

func openFolder(name string) (folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return folder{}, fileFault(name, err)
	}
	return folder{root, name}, nil
}

// place returns the path of a file, for messages.
func (f folder) place(name string) string { return filepath.Join(f.name, filepath.FromSlash(name)) }

func (f folder) readManifest(dir string) (*Manifest, error) {
	name := path.Join(dir, ManifestFile)
	text, err := f.read(name, maxManifest)
	if err != nil {
		return nil, err
	}
	return ParseManifest(f.place(name), text)
}

// readManifested reads the plugin of a directory with a manifest. With an error, it
// may return one of which only the manifest is known.
func (f folder) readManifested(dir string) (*Plugin, error) {
	m, err := f.readManifest(dir)
	if err != nil {
		return nil, err
	}
	return f.readModule(dir, m)
}

// readModule reads the module or the script of a manifest in a directory.
func (f folder) readModule(dir string, m *Manifest) (*Plugin, error) {
	manifest := f.place(path.Join(dir, ManifestFile))
	if m.isScript() {
		return f.readScripted(dir, manifest, m)
	}
	m.Module = cmp.Or(m.Module, m.Name+".wasm")
	name := path.Join(dir, m.Module)
	module, err := f.read(name, MaxModule)
	if err != nil {
		return &Plugin{Manifest: *m}, fault.WithHint(fmt.Errorf("%s: its module: %w", manifest, err), "build the plugin, or correct the key module; a script is named by the key script")
	}
	if err := agree(manifest, f.place(name), m, module); err != nil {
		return &Plugin{Manifest: *m}, err
	}
	return of(m, module, f.place(name)), nil
}

// beside reads the plugin of the manifest that lies beside a file and names it;
// nil if there is none. A manifest that cannot be read is an error: it may be
// the file's.
func (f folder) beside(name string) (*Plugin, error) {
	dir, base := path.Dir(name), path.Base(name)
	if _, err := f.Lstat(path.Join(dir, ManifestFile)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	m, err := f.readManifest(dir)
	if err != nil {
		return nil, fault.WithHint(fmt.Errorf("%s may be the plugin of this manifest: %w", base, err), "correct the manifest, or move the file out of its directory")
	}
	if !m.names(base) {
		return nil, nil
	}
	return f.readModule(dir, m)
}

// readBare reads a plugin that is one .wasm file, with the manifest beside it
// that names it, if there is one.
func (f folder) readBare(name string) (*Plugin, error) {
	if p, err := f.beside(name); p != nil || err != nil {
		return p, err
	}
	b, err := f.read(name, MaxModule)
	if err != nil {
		return nil, err
	}
	return FromModule(Module{Name: strings.ToLower(strings.TrimSuffix(path.Base(name), ".wasm")), Bytes: b, Source: f.place(name)})
}

// read reads a regular file of at most limit bytes.
func (f folder) read(name string, limit int64) ([]byte, error) {
	place := f.place(name)
	info, err := f.Stat(name) // before it is opened: a named pipe would wait for a writer
	if err != nil {
		return nil, fileFault(place, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fault.New(fault.Invalid, "%s is not a regular file", place)
	}
	from, err := f.Open(name)
	if err != nil {
		return nil, fileFault(place, err)
	}
	defer from.Close()
	if opened, err := from.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, fault.WithHint(fault.New(fault.Refused, "%s is another file than a moment ago", place), "try again once nothing changes it")
	}
	var all bytes.Buffer
	all.Grow(int(min(info.Size(), limit)) + bytes.MinRead)
	_, err = all.ReadFrom(io.LimitReader(from, limit+1))
	b := all.Bytes()
	switch {
	case err != nil:
		return nil, fileFault(place, err)
	case int64(len(b)) > limit:
		return nil, fault.WithHint(fault.New(fault.Refused, "%s has more than %d bytes", place, limit), "make the file smaller")
	}
	return b, nil
}

func fileFault(path string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "%s: no such file or directory", path)
	case strings.Contains(err.Error(), "not a directory"):
		return fault.WithHint(fault.New(fault.Invalid, "%s: %w", path, err), "name the directory that the plugin is in")
	case strings.Contains(err.Error(), "escapes from parent"):
		return fault.WithHint(fault.New(fault.Refused, "%s is a link that leaves the plugin directory", path), "copy the file that it points at into the directory")
	}
	return fault.New(fault.Invalid, "%s: %w", path, err)
}
