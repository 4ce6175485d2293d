// Package plugins holds the built-in metric plugins: their built modules, each
// a whole plugin with its manifest inside. It gives a catalog bytes and nothing
// else: a built-in goes through the same reader, sandbox and limits as anyone's
// plugin.
//
// The modules are built from the sources beside this file by build.sh, bit for
// bit; dist/SHA256SUMS and toolchain.txt pin them.
//
// Stability: experimental.
package plugins

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"path"
	"slices"
)

//go:embed dist/*.wasm dist/*.wasm.gz dist/SHA256SUMS */plugin.yaml */cases.jsonl readability/NOTICE
var files embed.FS

// A Built is one built-in plugin.
type Built struct {
	Name   string // as its manifest has it
	Module []byte // WebAssembly, its manifest in section "rubric-host.manifest"
	Cases  []byte // JSON lines of calls and their expected answers, for `plugin test`
}

// code lists the languages of the code plugins.
var code = []string{"bash", "c", "cpp", "go", "java", "javascript", "json", "python", "rust", "sql", "typescript", "yaml"}

// names lists the built-in plugins, sorted.
var names = func() []string {
	list := []string{"bleu", "chrf", "distance", "exact", "lexical_diversity", "perplexity", "readability", "rouge", "ter", "wer"}
	for _, language := range code {
		list = append(list, "code-"+language)
	}
	slices.Sort(list)
	return list
}()

// All returns the built-in plugins, sorted by name. The bytes are copies.
func All() []Built {
	all := make([]Built, len(names))
	for i, name := range names {
		all[i] = Named(name)
	}
	return all
}

// Names returns the names of the built-in plugins, sorted.
func Names() []string { return slices.Clone(names) }

// Named returns the built-in plugin of a name. Of any other name it has no bytes.
// The bytes are copies.
func Named(name string) Built {
	return Built{Name: name, Module: module(name), Cases: read(path.Join(name, "cases.jsonl"))}
}

// Jinja returns the name and the module of the engine that renders judge prompts. It
// is no metric, and has no manifest. The bytes are a copy.
func Jinja() (name string, module []byte) { return "jinja", read("dist/jinja.wasm") }

// Notice is what the licences of the data in the plugins ask to be passed on.
func Notice() string { return string(read("readability/NOTICE")) }

// module returns the built module of a plugin. Those with grammars are compressed, to a
// quarter.
func module(name string) []byte {
	file := path.Join("dist", name+".wasm")
	if b := read(file); b != nil {
		return b
	}
	z, err := gzip.NewReader(bytes.NewReader(read(file + ".gz")))
	if err != nil {
		return nil
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return nil
	}
	return b
}

// read returns an embedded file. That every name has its files is a test's
// business, so there is no error to hand on; a missing file reads as empty.
func read(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		return nil
	}
	return b
}
