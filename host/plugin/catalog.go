package plugin

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Catalog is the plugins that are available. It is immutable, and safe for
// concurrent use.
type Catalog struct {
	alone map[string]func() *Plugin // by name, those that need not be read with all others
	text  map[string]string         // their manifests
	own   *index                    // the others
	all   func() *index
}

type index struct {
	plugins []*Plugin // sorted by name
	byName  map[string]*Plugin
	exports map[string][]*Plugin // the plugins with an export of this name
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

// Carried returns the catalog of the modules that a program carries. manifests has the manifest of
// each as JSON, with the names of its exports as they are. A module is read when it is
// asked for by its name or an export, all are when something else is asked. The
// program must have tested them: one that is not a plugin of its name is a defect,
// and panics.
func Carried(manifests map[string]string, module func(name string) Module) *Catalog {
	alone := map[string]func() *Plugin{}
	for name := range manifests {
		alone[name] = sync.OnceValue(func() *Plugin {
			p, err := FromModule(module(name))
			if err != nil || p.Manifest.Name != name {
				panic(fmt.Sprintf("plugin: %s, which the program carries: %v", name, err))
			}
			return p
		})
	}
	return newCatalog(alone, manifests, newIndex(nil, nil))
}

func newCatalog(alone map[string]func() *Plugin, text map[string]string, own *index) *Catalog {
	return &Catalog{alone: alone, text: text, own: own, all: sync.OnceValue(func() *index {
		plugins := slices.Clone(own.plugins)
		for _, read := range alone {
			plugins = append(plugins, read())
		}
		x := newIndex(plugins, own.broken)
		x.loose = own.loose
		return x
	})}
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
func (c *Catalog) Broken() []Broken { return slices.Clone(c.own.broken) }

// Plugins returns the plugins, sorted by name.
func (c *Catalog) Plugins() []*Plugin { return slices.Clone(c.all().plugins) }

// Plugin returns the plugin of a name, nil if there is none.
func (c *Catalog) Plugin(name string) *Plugin {
	if read := c.alone[name]; read != nil {
		return read()
	}
	return c.own.byName[name]
}

// Names returns the names of the plugins, sorted.
func (c *Catalog) Names() []string {
	return slices.Sorted(slices.Values(slices.AppendSeq(c.own.names(), maps.Keys(c.alone))))
}

func (c *index) names() []string {
	return xslices.Map(c.plugins, func(p *Plugin) string { return p.Manifest.Name })
}

// Find returns the scorer that a reference means: the name of a plugin, or else
// the name of an export that only one plugin has. export overrides the default
// export of a plugin. A plugin that cannot be used hides what else has its name.
func (c *Catalog) Find(ref, export string) (Scorer, error) {
	if err := c.own.unusable(ref); err != nil {
		return Scorer{}, err
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

// owners returns the plugins with an export.
// It reads only plugins whose manifest has the name as a key: reading all takes 25 ms.
func (c *Catalog) owners(export string) []*Plugin {
	found := slices.Clone(c.own.exports[export])
	for name, read := range c.alone {
		if !strings.Contains(c.text[name], `"`+export+`":`) {
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

// elsewhere are names that other evaluators have for scorers that are built in.
var elsewhere = map[string]string{
	"exact_match": "exact", "equals": "exact", "string_check": "exact", "icontains": "contains", "includes": "contains",
	"starts-with": "contains", "ends-with": "contains",
	"is-json": "json", "is_json": "json", "contains-json": "json", "word-count": "length", "f1": "word_f1", "edit_distance": "levenshtein",
	"sacrebleu": "bleu", "sentence_bleu": "bleu", "corpus_bleu": "bleu", "chrf++": "chrfpp", "rouge_score": "rouge", "jiwer": "wer",
	"word_error_rate": "wer", "character_error_rate": "cer", "rapidfuzz": "levenshtein", "jaro_winkler_similarity": "jaro_winkler", "textstat": "readability",
	"similar": "cosine", "cosine_similarity": "cosine", "semantic_similarity": "cosine", "tool-call-f1": "tool_f1", "code_eval": "run-python",
}

func (c *index) suggest(ref string) string {
	switch ref {
	case "llm-rubric", "g-eval", "geval", "llm_judge", "model_graded_qa":
		return "a language model is asked by the key judge, in place of metric"
	case "not-equals", "not-contains", "not-icontains", "not-regex":
		return "write with: {negate: true} for exact, {mode: none} for contains and regex"
	}
	if name, export, ok := strings.Cut(ref, ":"); ok && c.byName[name] != nil {
		return fmt.Sprintf("name the export beside plugin %s: export: %s in a rubric, or "+fault.OptionExport, name, export)
	}
	known := c.names()
	for export := range c.exports {
		if !slices.Contains(known, export) {
			known = append(known, export)
		}
	}
	known = slices.AppendSeq(known, maps.Keys(c.loose))
	slices.Sort(known[len(c.plugins):])
	s := elsewhere[ref]
	if !slices.Contains(known, s) {
		s = diag.Suggest(ref, known)
	}
	if s != "" {
		return fmt.Sprintf("did you mean %q?", s)
	}
	text := fmt.Sprintf("available: %s; "+fault.OptionPlugins+" adds more", strings.Join(c.names(), ", "))
	if len(c.broken) > 0 {
		text += fmt.Sprintf("; cannot be used: %s ("+fault.OptionBrokenPlugins+" says why)", strings.Join(slices.Compact(xslices.Map(c.broken, func(b Broken) string { return b.Name })), ", "))
	}
	return text
}
