package plugins_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/plugin"
	"github.com/rubric-host/rubric-host/host/script"
	"github.com/rubric-host/rubric-host/host/wasm/binary"
	"github.com/rubric-host/rubric-host/plugins"
)

var update = flag.Bool("update", false, "write manifests.jsonl anew")

// unpacked is the built-in plugins, unpacked once for all tests, which must not change the bytes.
var unpacked = sync.OnceValue(plugins.All)

// compiled returns the built-in plugins that are compiled to WebAssembly.
func compiled() []plugins.Built {
	return slices.DeleteFunc(slices.Clone(unpacked()), func(b plugins.Built) bool { return b.Runtime != "" })
}

func TestDist_ListsEveryModuleWithItsDigest(t *testing.T) {
	t.Parallel()
	sums, err := os.ReadFile("dist/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]string{}
	for l := range strings.Lines(string(sums)) {
		digest, file, ok := strings.Cut(strings.TrimSpace(l), "  ")
		if !ok {
			t.Fatalf("SHA256SUMS has the line %q", l)
		}
		digests[file] = digest
	}
	files, err := filepath.Glob("dist/*.wasm*")
	if err != nil {
		t.Fatal(err)
	}
	all := compiled()
	jinja, module := plugins.Jinja()
	if sum := sha256.Sum256(module); hex.EncodeToString(sum[:]) != digests[jinja+".wasm"] {
		t.Errorf("%s: digest %x, SHA256SUMS has %s; run build.sh", jinja, sum, digests[jinja+".wasm"])
	}
	fronts := 0
	for _, p := range plugins.All() {
		if front, ok := binary.CustomSection(p.Module, script.FrontSection); ok {
			fronts++
			if sum := sha256.Sum256(front); hex.EncodeToString(sum[:]) != digests[p.Name+"-front.wasm"] {
				t.Errorf("the front of %s: digest %x, SHA256SUMS has %s; run build.sh", p.Name, sum, digests[p.Name+"-front.wasm"])
			}
		}
	}
	if n := len(all) + fronts + 1; n != len(files) || n != len(digests) {
		t.Errorf("%d plugins, %d fronts and jinja are listed, %d modules are in dist, %d digests in SHA256SUMS", len(all), fronts, len(files), len(digests))
	}
	for i, p := range all {
		if i > 0 && all[i-1].Name >= p.Name {
			t.Errorf("%s comes after %s", p.Name, all[i-1].Name)
		}
		sum := sha256.Sum256(p.Module)
		if got := hex.EncodeToString(sum[:]); got != digests[p.Name+".wasm"] {
			t.Errorf("%s: digest %s, SHA256SUMS has %s; run build.sh", p.Name, got, digests[p.Name+".wasm"])
		}
		if len(p.Cases) == 0 {
			t.Errorf("%s has no cases", p.Name)
		}
	}
}

func TestDist_ModulesCarryTheirManifests(t *testing.T) {
	t.Parallel()
	for _, p := range compiled() {
		manifest, err := os.ReadFile(filepath.Join(p.Name, "plugin.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(manifest, []byte("plugin: "+p.Name+"\n")) {
			t.Errorf("%s/plugin.yaml does not begin with the plugin's name", p.Name)
		}
		const section = "rubric-host.manifest"
		got, _ := binary.CustomSection(p.Module, section)
		if n := bytes.Count(p.Module, []byte(section)); n != 1 || !bytes.Equal(got, manifest) {
			t.Errorf("%s: the module's manifest is not plugin.yaml; run build.sh", p.Name)
		}
	}
}

// TestManifests_SayWhatTheFilesSay holds manifests.jsonl, which the program reads, to plugin.yaml of each
// plugin. With -update it writes the file.
func TestManifests_SayWhatTheFilesSay(t *testing.T) {
	names, err := filepath.Glob("*/plugin.yaml") // sorted
	if err != nil {
		t.Fatal(err)
	}
	var want []byte
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		root := document.Read(name, text, document.Options{}).Root
		line := document.Compact(root)
		if schema := root.Find("config.schema"); schema != nil { // canonical, as the program does not write it anew
			canonical := document.Compact(schema)
			if err := canonical.Canonicalize(); err != nil {
				t.Fatal(err)
			}
			line = bytes.Replace(line, document.Compact(schema), canonical, 1)
		}
		want = append(append(want, line...), '\n')
	}
	if *update {
		if err := os.WriteFile("manifests.jsonl", want, 0o600); err != nil {
			t.Fatal(err)
		}
		return // what this process has is the file of before
	}
	if got, err := os.ReadFile("manifests.jsonl"); err != nil || !bytes.Equal(got, want) {
		t.Fatal("manifests.jsonl is not that of plugin.yaml: run go test ./plugins -run Manifests -update", err)
	}
	catalog, err := plugins.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := plugin.ParseManifest(name, text)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(*m, catalog.Plugin(filepath.Dir(name)).Manifest); d != "" {
			t.Errorf("%s: the program has another manifest (-want +got):\n%s", name, d)
		}
	}
}

// source matches a part of a path to a source. A table of functions may have the bytes of ".rs", too.
var source = regexp.MustCompile(`\w\.rs|cargo|registry`)

// Source paths would tie the bytes to the machine that built them.
func TestDist_ModulesCarryNoSourcePaths(t *testing.T) {
	t.Parallel()
	jinja, module := plugins.Jinja()
	for _, p := range append(compiled(), plugins.Built{Name: jinja, Module: module}) {
		if at := source.FindIndex(p.Module); at != nil {
			t.Errorf("%s holds %q at byte %d", p.Name, p.Module[max(0, at[0]-20):min(len(p.Module), at[0]+40)], at[0])
		}
	}
}
