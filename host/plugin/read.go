package plugin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/host/wasm/script"
)

// Limits on what a catalog reads. They keep a hostile directory from filling
// memory; the module reader has limits of its own.
const (
	MaxModule   = 16 << 20 // bytes of a module
	maxManifest = 1 << 20  // bytes of a manifest
	maxPlugins  = 10_000   // plugins of one catalog
	maxDepth    = 8        // directories below the one that was named
)

// A Module is a module that is already in memory, such as a built-in one.
type Module struct {
	Name   string // file name without its extension; used where the module carries no manifest
	Bytes  []byte
	Source string // empty: Builtin
	Cases  []byte // what ReadCases returns; may be nil
}

// Open reads a catalog: the given modules, then every plugin below each of
// dirs. A plugin is a bare .wasm file, a bare script with a function that scores,
// or a directory with a plugin.yaml that names its module or script. Files are opened once, and hashed and used from the same
// bytes; symbolic links that leave the directory are refused. The error joins
// everything that is wrong.
func Open(modules []Module, dirs ...string) (*Catalog, error) {
	var plugins []*Plugin
	var problems []error
	for _, m := range modules {
		p, err := FromModule(m)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		plugins = append(plugins, p)
	}
	for _, dir := range dirs {
		found, err := readDir(dir)
		plugins = append(plugins, found...)
		problems = append(problems, err)
		if len(plugins) > maxPlugins {
			return nil, fault.New(fault.Invalid, "%s: more than %d plugins", dir, maxPlugins)
		}
	}
	x, err := newIndex(plugins)
	if err := join(append(problems, err)); err != nil {
		return nil, err
	}
	return &Catalog{all: func() *index { return x }}, nil
}

// FromModule makes a plugin of a module in memory, with the manifest that it
// embeds, or a default one.
func FromModule(m Module) (*Plugin, error) {
	source := m.Source
	if source == "" {
		source = Builtin
	}
	p := &Plugin{Module: m.Bytes, Digest: rubric.DigestBytes(m.Bytes), Source: source, cases: m.Cases}
	embedded, err := embeddedManifest(m.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	if embedded == nil {
		p.Manifest = Manifest{Name: m.Name}
		return p, checkName(source, m.Name)
	}
	manifest, err := ParseManifest(source+"#"+ManifestSection, embedded)
	if err != nil {
		return nil, err
	}
	p.Manifest = *manifest
	return p, nil
}

// ReadFile reads the plugin at a path: a .wasm file, a script, or a directory with
// a manifest.
func ReadFile(path string) (*Plugin, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fileFault(path, err)
	}
	dir, name := filepath.Split(path)
	if info.IsDir() {
		dir, name = path, ManifestFile
	}
	root, err := os.OpenRoot(orString(dir, "."))
	if err != nil {
		return nil, fileFault(path, err)
	}
	defer root.Close()
	if info.IsDir() {
		return readManifested(root, ".", dir)
	}
	if l, ok := script.Of(name); ok {
		return readBareScript(root, name, dir, l)
	}
	return readBare(root, name, dir)
}

// notPlugins are directories in which scripts put what is not theirs.
var notPlugins = []string{"__pycache__", "node_modules", "venv"}

// skippedDir reports whether nothing in a directory of this name is a plugin's.
func skippedDir(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains(notPlugins, name)
}

// readDir reads every plugin below dir.
func readDir(dir string) ([]*Plugin, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fileFault(dir, err)
	}
	defer root.Close()
	var plugins []*Plugin
	var problems []error
	add := func(p *Plugin, err error) {
		switch {
		case err != nil:
			problems = append(problems, err)
		case p != nil:
			plugins = append(plugins, p)
		}
	}
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			problems = append(problems, fileFault(filepath.Join(dir, path), err))
			return nil
		case len(plugins) > maxPlugins:
			return fs.SkipAll
		case d.IsDir():
			if path != "." && (skippedDir(d.Name()) || strings.Count(path, "/") >= maxDepth) {
				return fs.SkipDir
			}
			if _, err := root.Lstat(join2(path, ManifestFile)); err == nil {
				add(readManifested(root, path, dir))
				return fs.SkipDir
			}
		case strings.HasSuffix(d.Name(), ".wasm"):
			add(readBare(root, path, dir))
		default:
			if l, ok := script.Of(d.Name()); ok {
				add(readLooseScript(root, path, dir, l))
			}
		}
		return nil
	})
	return plugins, join(append(problems, err))
}

func join2(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// readManifested reads the plugin of a directory with a manifest.
func readManifested(root *os.Root, path, base string) (*Plugin, error) {
	file := join2(path, ManifestFile)
	place := filepath.Join(base, filepath.FromSlash(file))
	text, err := readRegular(root, file, place, maxManifest)
	if err != nil {
		return nil, err
	}
	m, err := ParseManifest(place, text)
	if err != nil {
		return nil, err
	}
	if m.isScript() {
		return readScripted(root, path, base, place, m)
	}
	if m.Module == "" {
		m.Module = m.Name + ".wasm"
	}
	modulePath := join2(path, m.Module)
	modulePlace := filepath.Join(base, filepath.FromSlash(modulePath))
	module, err := readRegular(root, modulePath, modulePlace, MaxModule)
	if err != nil {
		return nil, fault.WithHint(fmt.Errorf("%s: its module: %w", place, err), "build the plugin, or correct the key module")
	}
	return &Plugin{Manifest: *m, Module: module, Digest: rubric.DigestBytes(module), Source: modulePlace}, nil
}

// readBare reads a plugin that is one .wasm file.
func readBare(root *os.Root, path, base string) (*Plugin, error) {
	place := filepath.Join(base, filepath.FromSlash(path))
	b, err := readRegular(root, path, place, MaxModule)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(path), ".wasm")
	return FromModule(Module{Name: strings.ToLower(name), Bytes: b, Source: place})
}

// readRegular reads a regular file of at most limit bytes below root.
func readRegular(root *os.Root, path, place string, limit int64) ([]byte, error) {
	info, err := root.Stat(path) // before it is opened: a named pipe would wait for a writer
	if err != nil {
		return nil, fileFault(place, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fault.New(fault.Invalid, "%s is not a regular file", place)
	}
	f, err := root.Open(path)
	if err != nil {
		return nil, fileFault(place, err)
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(info, opened) {
		return nil, fault.New(fault.Refused, "%s is another file than a moment ago", place)
	}
	var all bytes.Buffer
	all.Grow(int(min(info.Size(), limit)) + bytes.MinRead)
	_, err = all.ReadFrom(io.LimitReader(f, limit+1))
	b := all.Bytes()
	switch {
	case err != nil:
		return nil, fileFault(place, err)
	case int64(len(b)) > limit:
		return nil, fault.New(fault.Refused, "%s has more than %d bytes", place, limit)
	}
	return b, nil
}

// fileFault classes an error of the file system.
func fileFault(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "%s: there is no such file or directory", path)
	case strings.Contains(err.Error(), "escapes from parent"):
		return fault.New(fault.Refused, "%s is a link that leaves the plugin directory", path)
	}
	return fault.New(fault.Invalid, "%s: %w", path, err)
}

// join joins the errors that are not nil, keeping the class of the first.
func join(list []error) error {
	list = slices.DeleteFunc(list, func(err error) bool { return err == nil })
	if len(list) <= 1 {
		return errors.Join(list...)
	}
	return fault.As(fault.Of(list[0]), errors.Join(list...))
}
