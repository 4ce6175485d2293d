package host

import (
	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/rubric"
	"github.com/rubric-host/rubric-host/plugins"
)

// Versions returns the versions of the program and of what it is made of.
func Versions() result.Versions { return versions("") }

// Catalog reads the plugins that an Evaluator with these directories would have.
// Nothing is compiled. Without directories, built-in plugins are read when they are
// asked for.
func Catalog(dirs []string) (*plugin.Catalog, error) {
	if len(dirs) > 0 {
		return plugin.Open(builtins(), dirs...)
	}
	return plugin.Carried(plugins.Names(), func(name string) plugin.Module { return carried(plugins.Named(name)) }), nil
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
