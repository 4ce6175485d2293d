package plugin

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	sandbox "github.com/rubric-host/rubric-host/host/wasm"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
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
	cases  func() []byte // expected answers, of a plugin that is not a file; nil: none
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
