// Package plugins holds the built-in metric plugins: their built modules, each
// a whole plugin with its manifest inside. It gives a catalog bytes and nothing
// else: a built-in goes through the same reader, sandbox and limits as anyone's
// plugin.
//
// The modules are built from the sources beside this file by build.sh, bit for
// bit; dist/SHA256SUMS and toolchain.txt pin them. A plugin that is a script is
// its sources, which are packed when it is used.
//
// Stability: experimental.
package plugins

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/script"
)

//go:embed dist/*.wasm dist/*.wasm.gz dist/SHA256SUMS run-*/plugin.yaml */cases.jsonl run-javascript/*.js run-python/*.py run-python/harness/*.py run-python-sci/*.py */NOTICE all:compiled
var files embed.FS

// scripts are the plugins that are scripts, by the runtime that each needs.
var scripts = map[string]string{"run-javascript": script.JavaScript, "run-python": script.Python, "run-python-sci": script.PythonSci}

// shared names the script whose files a script has besides its own.
var shared = map[string]string{"run-python-sci": "run-python"}

//go:embed manifests.jsonl
var manifestLines string

// manifests has the manifest of each built-in plugin, by its name: as JSON, which is read in a quarter of the time that YAML takes.
var manifests = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(manifestLines) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, `{"plugin":"`), `"`)
		all[name] = line
	}
	return all
})

// names lists the built-in plugins, sorted.
var names = sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(manifests())) })

// Names returns the names of the built-in plugins, sorted.
func Names() []string { return slices.Clone(names()) }

// Jinja returns the name and the module of the engine that renders judge prompts. It
// is not a metric, and has no manifest. The bytes are a copy.
func Jinja() (name string, module []byte) { return "jinja", read("dist/jinja.wasm") }

// Notice is the licence texts that must be distributed with the data in the plugins.
func Notice() string {
	var all strings.Builder
	for _, name := range names() {
		all.Write(read(path.Join(name, "NOTICE")))
	}
	return all.String()
}

// module returns the built module of a plugin, nil if there is none of the name. All modules
// but one are compressed: build.sh says why.
func module(name string) []byte {
	if scripts[name] != "" {
		return packed(name)
	}
	return built(name)
}

// front returns the front of a script, nil if it has none.
func front(name string) []byte { return built(name + "-front") }

func built(name string) []byte {
	file := path.Join("dist", name+".wasm")
	if b := read(file); b != nil {
		return b
	}
	return unzipped(file + ".gz")
}

// Compiled returns the artifact of a built-in plugin for wasm.Options.Carried; nil if there is none:
// package compile writes them to the directory compiled while make build runs, and go build has none.
func Compiled(key string) *io.SectionReader {
	f, err := files.Open(path.Join("compiled", key))
	if err != nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	return io.NewSectionReader(f.(io.ReaderAt), 0, info.Size())
}

func unzipped(file string) []byte {
	z, err := gzip.NewReader(bytes.NewReader(read(file)))
	if err != nil {
		return nil
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return nil
	}
	return b
}

func packed(name string) []byte {
	sources := map[string]string{}
	for _, dir := range []string{shared[name], name} {
		_ = fs.WalkDir(files, dir, func(file string, _ fs.DirEntry, _ error) error { // none of no name
			if plugin.IsScript(file) {
				sources[strings.TrimPrefix(file, dir+"/")] = string(read(file))
			}
			return nil
		})
	}
	module, err := plugin.Pack(read(path.Join(name, plugin.ManifestFile)), sources, front(name))
	if err != nil { // TestScripts_ArePacked
		panic(fmt.Sprintf("plugins: %s: %v", name, err))
	}
	return module
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
