package plugin

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// Builtin is the Source of a plugin that the program carries.
const Builtin = "builtin"

// A Plugin is a module with its manifest. It is immutable.
type Plugin struct {
	Manifest Manifest
	Module   []byte // the bytes that Digest is of
	Digest   string // "sha256:<hex>"
	Source   string // Builtin, or the path of the module

	cases []byte // expected answers, of a plugin in memory
}

// A Scorer is one scorer of a plugin, with the defaults of its manifest filled
// in.
type Scorer struct {
	Plugin *Plugin
	Export string
	Kind   string
	Inputs []string       // empty: those of the kind
	Range  [2]float64     // never empty
	Corpus string         // export that scores summed stats; empty: none
	Config map[string]any // defaults, the export's over the plugin's
}

// DefaultExport is the export that a reference means which names none, unless
// the manifest says another: the one of the plugin's own name, the only one that
// there is, else this one.
const DefaultExport = "score"

// Scorer returns the scorer of an export, the default one for the empty string.
// A fault of class NotFound names what there is.
func (p *Plugin) Scorer(export string) (Scorer, error) {
	m := &p.Manifest
	switch {
	case len(m.Exports) == 0:
		var err error
		if export, err = p.undeclared(export); err != nil {
			return Scorer{}, err
		}
	case export == "":
		export = m.defaultExport()
	}
	e, listed := m.Exports[export]
	if len(m.Exports) > 0 && !listed {
		return Scorer{}, fault.WithHint(
			fault.New(fault.NotFound, "plugin %q has no export %q", m.Name, export),
			"%s", diag.DidYouMean(export, m.ExportNames()))
	}
	s := Scorer{
		Plugin: p, Export: export, Kind: orString(e.Kind, m.Kind, "metric"),
		Inputs: e.Inputs, Range: e.Range, Corpus: orString(e.Corpus, m.Corpus), Config: map[string]any{},
	}
	if len(s.Inputs) == 0 {
		s.Inputs = m.Inputs
	}
	if s.Range == [2]float64{} {
		s.Range = m.Range
	}
	if s.Range == [2]float64{} {
		s.Range = [2]float64{0, 1}
	}
	for _, defaults := range []map[string]any{m.Config.Default, e.Default} {
		for k, v := range defaults {
			s.Config[k] = v
		}
	}
	return s, nil
}

func (m *Manifest) defaultExport() string {
	switch {
	case m.Default != "":
		return m.Default
	case len(m.Exports) == 1:
		return m.ExportNames()[0]
	}
	if _, ok := m.Exports[m.Name]; ok {
		return m.Name
	}
	return DefaultExport
}

// ExportNames returns the names of the declared exports, sorted.
func (m *Manifest) ExportNames() []string {
	names := make([]string, 0, len(m.Exports))
	for name := range m.Exports {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func orString(choices ...string) string {
	for _, c := range choices {
		if c != "" {
			return c
		}
	}
	return ""
}

// A Catalog is the plugins that are available. It is immutable, and safe for
// concurrent use.
type Catalog struct {
	alone map[string]func() *Plugin // by name, those that need not be read with all others
	all   func() *index
}

// An index is plugins that were read.
type index struct {
	plugins []*Plugin // sorted by name
	byName  map[string]*Plugin
	exports map[string][]*Plugin // who has an export of this name
}

// Carried returns the catalog of the modules that a program carries. Each is read
// when it is first asked for by its name, all when something else is asked. The
// program must have tested them: one that is not a plugin of its name is a defect,
// and panics.
func Carried(names []string, module func(name string) Module) *Catalog {
	c := &Catalog{alone: map[string]func() *Plugin{}}
	for _, name := range names {
		c.alone[name] = sync.OnceValue(func() *Plugin {
			p, err := FromModule(module(name))
			if err != nil || p.Manifest.Name != name {
				panic(fmt.Sprintf("plugin: %s, which the program carries: %v", name, err))
			}
			return p
		})
	}
	c.all = sync.OnceValue(func() *index {
		plugins := make([]*Plugin, len(names))
		for k, name := range names {
			plugins[k] = c.alone[name]()
		}
		x, err := newIndex(plugins)
		if err != nil {
			panic(fmt.Sprintf("plugin: what the program carries: %v", err))
		}
		return x
	})
	return c
}

// newIndex indexes plugins. Names that are the same, or differ only in case,
// are faults that name both sources.
func newIndex(plugins []*Plugin) (*index, error) {
	c := &index{byName: map[string]*Plugin{}, exports: map[string][]*Plugin{}}
	lower := map[string]*Plugin{}
	var clashes []error
	for _, p := range plugins {
		name := p.Manifest.Name
		if other := lower[strings.ToLower(name)]; other != nil {
			clashes = append(clashes, fault.WithHint(
				fault.New(fault.Conflict, "plugin %q of %s has the name of plugin %q of %s", name, p.Source, other.Manifest.Name, other.Source),
				"rename one of them in its manifest"))
			continue
		}
		lower[strings.ToLower(name)], c.byName[name] = p, p
		c.plugins = append(c.plugins, p)
		for export := range p.Manifest.Exports {
			c.exports[export] = append(c.exports[export], p)
		}
	}
	slices.SortFunc(c.plugins, func(a, b *Plugin) int { return strings.Compare(a.Manifest.Name, b.Manifest.Name) })
	return c, join(clashes)
}

// Plugins returns the plugins, sorted by name.
func (c *Catalog) Plugins() []*Plugin { return slices.Clone(c.all().plugins) }

// Plugin returns the plugin of a name, nil if there is none.
func (c *Catalog) Plugin(name string) *Plugin {
	if read := c.alone[name]; read != nil {
		return read()
	}
	return c.all().byName[name]
}

// Names returns the names of the plugins, sorted.
func (c *Catalog) Names() []string { return c.all().names() }

func (c *index) names() []string {
	names := make([]string, len(c.plugins))
	for i, p := range c.plugins {
		names[i] = p.Manifest.Name
	}
	return names
}

// Find returns the scorer that a reference means: the name of a plugin, or else
// the name of an export that only one plugin has. export overrides the default
// export of a plugin.
func (c *Catalog) Find(ref, export string) (Scorer, error) {
	if p := c.Plugin(ref); p != nil {
		return p.Scorer(export)
	}
	return c.all().find(ref, export)
}

// find returns the scorer of an export that only one plugin has.
func (c *index) find(ref, export string) (Scorer, error) {
	owners := c.exports[ref]
	switch {
	case export == "" && len(owners) == 1:
		return owners[0].Scorer(ref)
	case export == "" && len(owners) > 1:
		names := make([]string, len(owners))
		for i, p := range owners {
			names[i] = p.Manifest.Name
		}
		sort.Strings(names)
		return Scorer{}, fault.WithHint(
			fault.New(fault.NotFound, "several plugins have the export %q: %s", ref, strings.Join(names, ", ")),
			"name the plugin, and the export beside it")
	}
	return Scorer{}, fault.WithHint(fault.New(fault.NotFound, "no plugin %q", ref), "%s", c.suggest(ref))
}

// suggest says what may have been meant by a reference.
func (c *index) suggest(ref string) string {
	known := c.names()
	for export := range c.exports {
		if !slices.Contains(known, export) {
			known = append(known, export)
		}
	}
	sort.Strings(known[len(c.plugins):])
	if s := diag.Suggest(ref, known); s != "" {
		return fmt.Sprintf("did you mean %q?", s)
	}
	return fmt.Sprintf("available: %s; --plugins DIR adds more", strings.Join(c.names(), ", "))
}
