package plugin

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	sandbox "github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// Builtin is the Source of a plugin that the program carries.
const Builtin = "builtin"

// A Plugin is a module with its manifest. It is immutable.
type Plugin struct {
	Manifest Manifest
	Code     string // digest of the module or script, "sha256:<hex>"
	Digest   string // of all that decides a number: Code, and parts of a manifest beside the module
	Source   string // Builtin, or a name that ReadFile takes

	module []byte
	open   func() []byte // in place of module: reads it once
	cases  []byte        // expected answers, of a plugin that is not a file
	bare   bool          // a script that no manifest names
}

// Module returns the bytes of the module or script. They must not be changed.
func (p *Plugin) Module() []byte {
	if p.open != nil {
		return p.open()
	}
	return p.module
}

// A Scorer is one scorer of a plugin, with the defaults of its manifest filled
// in.
type Scorer struct {
	Plugin *Plugin
	Export string
	Kind   string
	Inputs []string       // empty: those of the kind
	Embeds []string       // case fields whose embeddings it gets; empty: none
	Range  [2]float64     // never empty
	Corpus string         // export that scores summed stats; empty: none
	Config map[string]any // defaults, the export's over the plugin's
	Keys   []string       // configuration keys that it takes, besides those with defaults; nil: all

	Reference string // as the manifest's; may be empty
	Cost      string // as the manifest's; may be empty
}

// DefaultExport is the export that a reference means which names none, unless
// the manifest says another: the one of the plugin's own name, the only one that
// there is, else this one.
const DefaultExport = "score"

// Scorer returns the scorer of an export, the default one for the empty string.
// A fault of class NotFound lists the available plugins. Of a script without a manifest
// it is any function.
func (p *Plugin) Scorer(export string) (Scorer, error) {
	if p.bare {
		var err error
		if p, err = p.pick(export); err != nil {
			return Scorer{}, err
		}
	}
	m := &p.Manifest
	names, sure := m.ExportNames(), len(m.Exports) > 0 || export != ""
	if len(names) == 0 {
		if read, err := binary.Outline(p.Module(), binary.Limits{}); err == nil { // else loading it reports why
			names = sandbox.ScorersOf(read)
		}
	}
	export = cmp.Or(export, m.defaultOf(names))
	if sure && len(names) > 0 && !slices.Contains(names, export) {
		return Scorer{}, fault.WithHint(
			fault.New(fault.NotFound, "plugin %q has no export %q", m.Name, export),
			"%s", diag.DidYouMean(export, names))
	}
	e := m.Exports[export]
	s := Scorer{
		Plugin: p, Export: export, Kind: cmp.Or(e.Kind, m.Kind, "metric"),
		Inputs: e.Inputs, Keys: e.Keys, Range: e.Range, Corpus: cmp.Or(e.Corpus, m.Corpus), Config: map[string]any{},
		Reference: cmp.Or(e.Reference, m.Reference), Cost: cmp.Or(e.Cost, m.Cost),
	}
	if len(s.Inputs) == 0 {
		s.Inputs = m.Inputs
	}
	if s.Embeds = e.Embeds; len(s.Embeds) == 0 {
		s.Embeds = m.Embeds
	}
	if s.Range == [2]float64{} {
		s.Range = m.Range
	}
	if s.Range == [2]float64{} {
		s.Range = [2]float64{0, 1}
	}
	for _, defaults := range []map[string]any{m.Config.Default, e.Default} {
		maps.Copy(s.Config, defaults)
	}
	return s, nil
}

// InputsFor returns the case fields that a scorer of a kind is sent; empty: those
// of the kind. The scorer of a script without a manifest gets the target as well.
func (s *Scorer) InputsFor(kind string) []string {
	if s.Plugin.bare && kind == "scorer" {
		return append(slices.Clone(s.Inputs), "target")
	}
	return s.Inputs
}

// defaultOf returns the export of these that a reference means which names none.
func (m *Manifest) defaultOf(names []string) string {
	switch {
	case m.Default != "":
		return m.Default
	case len(names) == 1:
		return names[0]
	case slices.Contains(names, m.Name):
		return m.Name
	}
	return DefaultExport
}

// ExportNames returns the names of the declared exports, sorted.
func (m *Manifest) ExportNames() []string {
	return slices.Sorted(maps.Keys(m.Exports))
}

// A Catalog is the plugins that are available. It is immutable, and safe for
// concurrent use.
type Catalog struct {
	alone map[string]func() *Plugin // by name, those that need not be read with all others
	text  func(name string) []byte  // the manifest of one of these
	all   func() *index
}

type index struct {
	plugins []*Plugin // sorted by name
	byName  map[string]*Plugin
	exports map[string][]*Plugin // who has an export of this name
	broken  []Broken             // sorted by name
	loose   map[string]loose     // scripts without a manifest and a function that is known to score, by name
}

// Broken is a plugin that cannot be used. The others of its directory can.
type Broken struct {
	Name   string // as far as it is known: that of its manifest, else of its directory or file
	Source string // the path of its manifest, module or script
	Err    error  // the error, with a class
}

// loose is a script that is a plugin only if a function of it is named.
type loose struct {
	source string
	read   func() (*Plugin, error)
}

// Carried returns the catalog of the modules that a program carries. manifest returns the
// manifest of a module, with the names of its exports as they are. A module is read when it is
// asked for by its name or an export, all are when something else is asked. The
// program must have tested them: one that is not a plugin of its name is a defect,
// and panics.
func Carried(names []string, manifest func(name string) []byte, module func(name string) Module) *Catalog {
	c := &Catalog{alone: map[string]func() *Plugin{}, text: manifest}
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
		x := newIndex(xslices.Map(names, func(name string) *Plugin { return c.alone[name]() }), nil)
		if len(x.broken) > 0 {
			panic(fmt.Sprintf("built-in plugin: %v", x.broken[0].Err))
		}
		return x
	})
	return c
}

// newIndex indexes plugins. Those whose names are the same, or differ only in
// case, are broken, all of them: a name means one plugin.
func newIndex(plugins []*Plugin, broken []Broken) *index {
	x := &index{byName: map[string]*Plugin{}, exports: map[string][]*Plugin{}, broken: slices.Clone(broken), loose: map[string]loose{}}
	named := map[string][]*Plugin{}
	for _, p := range plugins {
		lower := strings.ToLower(p.Manifest.Name)
		named[lower] = append(named[lower], p)
	}
	for _, same := range named {
		if len(same) > 1 {
			x.clash(same)
			continue
		}
		p := same[0]
		x.byName[p.Manifest.Name] = p
		x.plugins = append(x.plugins, p)
		for export := range p.Manifest.Exports {
			x.exports[export] = append(x.exports[export], p)
		}
	}
	slices.SortFunc(x.plugins, func(a, b *Plugin) int { return strings.Compare(a.Manifest.Name, b.Manifest.Name) })
	slices.SortStableFunc(x.broken, func(a, b Broken) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Source, b.Source))
	})
	return x
}

func (c *index) clash(same []*Plugin) {
	slices.SortFunc(same, func(a, b *Plugin) int { return strings.Compare(a.Source, b.Source) })
	for k, p := range same {
		other := same[(k+1)%len(same)]
		c.broken = append(c.broken, Broken{p.Manifest.Name, p.Source, fault.WithHint(
			fault.New(fault.Conflict, "plugin %q of %s has the name of plugin %q of %s", p.Manifest.Name, p.Source, other.Manifest.Name, other.Source),
			"rename one of them in its manifest")})
	}
}

// Broken returns the plugins that cannot be used, sorted by name.
func (c *Catalog) Broken() []Broken { return slices.Clone(c.all().broken) }

// Plugins returns the plugins, sorted by name.
func (c *Catalog) Plugins() []*Plugin { return slices.Clone(c.all().plugins) }

// Plugin returns the plugin of a name, nil if there is none.
func (c *Catalog) Plugin(name string) *Plugin {
	if read := c.alone[name]; read != nil {
		return read()
	}
	if c.alone != nil {
		return nil
	}
	return c.all().byName[name]
}

// Names returns the names of the plugins, sorted.
func (c *Catalog) Names() []string { return c.all().names() }

func (c *index) names() []string {
	return xslices.Map(c.plugins, func(p *Plugin) string { return p.Manifest.Name })
}

// Find returns the scorer that a reference means: the name of a plugin, or else
// the name of an export that only one plugin has. export overrides the default
// export of a plugin. A plugin that cannot be used hides what else has its name.
func (c *Catalog) Find(ref, export string) (Scorer, error) {
	if c.alone == nil {
		if err := c.all().unusable(ref); err != nil {
			return Scorer{}, err
		}
	}
	if p := c.Plugin(ref); p != nil {
		return p.Scorer(export)
	}
	if export == "" {
		if owners := c.owners(ref); len(owners) == 1 {
			return owners[0].Scorer(ref)
		}
	}
	return c.all().find(ref, export)
}

// owners returns the plugins with an export, as far as they need not be read with all others.
// It reads only plugins whose manifest has the name: reading all takes 13 ms.
func (c *Catalog) owners(export string) (found []*Plugin) {
	for name, read := range c.alone {
		if !bytes.Contains(c.text(name), []byte(export)) {
			continue
		}
		if p := read(); slices.Contains(p.Manifest.ExportNames(), export) {
			found = append(found, p)
		}
	}
	return found
}

func (c *index) unusable(ref string) error {
	for _, b := range c.broken {
		if strings.EqualFold(b.Name, ref) {
			return fault.WithHint(fmt.Errorf("plugin %q cannot be used: %w", ref, b.Err), "%s", fault.Hint(b.Err))
		}
	}
	return nil
}

// find returns the scorer of an export that only one plugin has.
func (c *index) find(ref, export string) (Scorer, error) {
	owners := c.exports[ref]
	switch {
	case export == "" && len(owners) == 1:
		return owners[0].Scorer(ref)
	case export == "" && len(owners) > 1:
		names := (&index{plugins: owners}).names()
		slices.Sort(names)
		return Scorer{}, fault.WithHint(
			fault.New(fault.NotFound, "several plugins have the export %q: %s", ref, strings.Join(names, ", ")),
			"name the plugin, and the export beside it")
	}
	if l, there := c.loose[ref]; there {
		if export == "" {
			return Scorer{}, fault.WithHint(fault.New(fault.NotFound, "%s has no function with a known scorer name", l.source),
				"name its function: export: NAME in a rubric, "+fault.OptionExport+", or %s:NAME", l.source)
		}
		p, err := l.read()
		if err != nil {
			return Scorer{}, err
		}
		return p.Scorer(export)
	}
	return Scorer{}, fault.WithHint(fault.New(fault.NotFound, "no plugin %q", ref), "%s", c.suggest(ref))
}

func (c *index) suggest(ref string) string {
	known := c.names()
	for export := range c.exports {
		if !slices.Contains(known, export) {
			known = append(known, export)
		}
	}
	known = slices.AppendSeq(known, maps.Keys(c.loose))
	slices.Sort(known[len(c.plugins):])
	if s := diag.Suggest(ref, known); s != "" {
		return fmt.Sprintf("did you mean %q?", s)
	}
	text := fmt.Sprintf("available: %s; "+fault.OptionPlugins+" adds more", strings.Join(c.names(), ", "))
	if len(c.broken) > 0 {
		text += fmt.Sprintf("; cannot be used: %s ("+fault.OptionBrokenPlugins+" says why)", strings.Join(slices.Compact(xslices.Map(c.broken, func(b Broken) string { return b.Name })), ", "))
	}
	return text
}
