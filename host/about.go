package host

import (
	"slices"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/plugins"
)

// Versions returns the versions of the program and of what it is made of.
func Versions() result.Versions { return versions("") }

// Builtins returns the digests of the built-in plugins by name.
func Builtins() map[string]string {
	out := map[string]string{}
	for _, m := range builtins() {
		out[m.Name] = rubric.DigestBytes(m.Bytes)
	}
	return out
}

// Prompts returns the digests of the judge's prompt templates by name.
func Prompts() map[string]string {
	out := map[string]string{}
	for _, p := range judge.Prompts() {
		out[p.Name] = p.Digest
	}
	return out
}

// Catalog reads the plugins that an Evaluator with these directories would have.
// Nothing is compiled. Without directories, built-in plugins are read when they are
// asked for.
func Catalog(dirs []string) (*plugin.Catalog, error) {
	if len(dirs) > 0 {
		return plugin.Open(builtins(), dirs...)
	}
	return plugin.Carried(plugins.Names(), func(name string) plugin.Module { return carried(plugins.Named(name)) }), nil
}

// PluginNames returns the names of the plugins below dirs and of the built-in
// ones, and of their exports; what cannot be read is left out.
func PluginNames(dirs []string) []string {
	c, err := Catalog(dirs)
	if err != nil {
		if c, err = Catalog(nil); err != nil {
			return nil
		}
	}
	names := c.Names()
	for _, p := range c.Plugins() {
		for _, e := range p.Manifest.ExportNames() {
			if !slices.Contains(names, e) {
				names = append(names, e)
			}
		}
	}
	return names
}

// CasesOf returns the cases that the eval file of a run brought: the file is
// read again, and held to the rubrics of the run.
func CasesOf(run *result.Run) ([]dataset.Given, error) {
	doc, err := LoadAs(run.Rubric.File, run.Rubric.Dialect)
	if err != nil {
		return nil, fault.WithHint(err, "the run took its cases from this file")
	}
	return givenOf(doc, func(r *rubric.Rubric) string {
		if d := r.Digest(); d != run.Rubric.Digest {
			return d
		}
		return ""
	}), nil
}

// givenOf turns the cases of an eval file into rows of a dataset. key names the
// rubric of a case.
func givenOf(doc *dialect.Document, key func(*rubric.Rubric) string) []dataset.Given {
	keys := map[*rubric.Rubric]string{}
	var out []dataset.Given
	for i := range doc.Cases {
		c := &doc.Cases[i]
		k, ok := keys[c.Rubric]
		if !ok {
			k = key(c.Rubric)
			keys[c.Rubric] = k
		}
		out = append(out, dataset.Given{Value: c.Fields, Pos: diag.Pos{File: doc.File, Line: c.Line}, Rubric: k})
	}
	return out
}
