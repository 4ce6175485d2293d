package plugin

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/script"
)

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
