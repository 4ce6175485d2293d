package plugins

import (
	"path"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/digest"
	"github.com/rubric-host/rubric-host/host/plugin"
)

// Catalog reads the plugins that an evaluator with these directories would have: the
// built-in ones and those of the directories. Nothing is compiled. The module of a
// built-in plugin is read when it is first needed.
func Catalog(dirs ...string) (*plugin.Catalog, error) { return builtin().With(dirs...) }

// builtin is the catalog of the built-in plugins, of which the evaluators of a process read each once.
var builtin = sync.OnceValue(func() *plugin.Catalog { return plugin.Carried(manifests(), carried) })

// carried describes a built-in plugin without its module. Its manifest says what that in the
// module does, and its digest is the one that the build wrote.
func carried(name string) plugin.Module {
	m := plugin.Module{Name: name, Cases: func() []byte { return read(path.Join(name, "cases.jsonl")) }, Manifest: []byte(manifests()[name])}
	if scripts[name] != "" {
		m.Bytes = packed(name)
	} else {
		m.Open, m.Digest = func() []byte { return module(name) }, Digest(name)
	}
	return m
}

// Digest returns the digest of a built-in plugin's module: that of a built one from the list that the build wrote.
func Digest(name string) string {
	if scripts[name] != "" {
		return digest.Of(packed(name))
	}
	for line := range strings.Lines(string(read("dist/SHA256SUMS"))) {
		if hex, file, _ := strings.Cut(strings.TrimSpace(line), "  "); file == name+".wasm" {
			return "sha256:" + hex
		}
	}
	return ""
}
