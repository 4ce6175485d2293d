package host_test

import (
	"cmp"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors is the plan of the house: a package may import packages of this module
// only from a lower floor. Adding a package means adding a line. Half floors
// are rooms that belong below a neighbour of their own floor.
var floors = map[string]float64{
	"host/fault": 0, "host/stats": 0, "host/private": 0, "host/flight": 0, "host/digest": 0, "host/xslices": 0,

	"host/wasm/binary": 0.5, "host/wasm/extism": 0.6, "host/wasm/grant": 0.6, "host/wasm/meter": 0.6, "host/wasm/image": 0.6,
	"host/wasm/wasi":  0.7, // opens files that package grant grants
	"host/wasm/store": 0.5, "host/wasm/machinecode": 0.6,
	"host/rubric": 1, "host/diag": 1, "host/wasm": 1, "host/file": 1.1, "host/cache": 1.2, "host/llm/usage": 1, "host/llm": 1.5, "host/document": 1.5,
	"host/document/strict": 1.6,                             // reads the objects of documents
	"host/script/cpython":  1.0, "host/script/quickjs": 1.0, // the bytes of interpreters
	"host/script":       1.1, // has package wasm run scripts
	"host/interpreter":  1.2, // knows scripts, not how they are run
	"host/wasm/inspect": 1.2, // reads modules as package wasm does
	"host/wasm/worker":  1.2, // runs package wasm in processes

	"host/datafile": 2.1, // files that manifests name, for package wasm

	"host/dialect": 2, "host/dialect/tools": 2.5, "host/dataset": 2, "host/plugin": 2, "host/score": 2,

	"host/scorer": 3, "host/result": 3,

	"host/schema": 3.5, "host/compare": 3.5, // its compiler serves plan, too
	"host/claims": 3.5, // checks texts that a judge wrote

	"host/metric": 4, "host/judge": 4, "host/plan": 4,
	"host/report": 4.5, // knows the ids that package store gives

	// the nouns that a database keeps, each with the interface of its store
	"host/store": 4, "host/registry": 4, "host/review": 3.5, "host/feedback": 4,

	"host/store/database": 5,
	"host/store/sqlite":   5.1, "host/store/postgres": 5.1,
	"host/metarubric": 5, // grades verdicts with package score

	"host/runner":     5,
	"host/store/scan": 5.5, // reads run directories
	"plugins":         5,   // embeds the built modules, and makes a catalog of them

	"sdk/contract": 0.5, "sdk/js": 0.5, // for those who write plugins; they import nothing

	"host": 6,

	"host/generate": 7,

	"host/workbench": 7,

	"cmd/rubric-host": 8, "plugins/data": 8, "plugins/compile": 8, "bench/endpoint": 8, "bench/scorers": 0,
}

// kits are test kits; they may import their own room and anything below it,
// kits below them too, and only tests import them.
var kits = map[string]string{
	"host/amount":            "host/fault",
	"host/llm/llmtest":       "host/llm",
	"host/scorer/scorertest": "host/scorer",

	"host/store/postgres/postgrestest": "host/store/postgres",
	"host/wasm/wasmtest":               "host/wasm",
}

// outside lists modules that a room may not import, whatever its floor: who
// reads package wasm must not need to know of rubrics, who counts fuel must not
// need wazero, and YAML is read in one room.
var outside = map[string][]string{
	"host/script":      {"github.com/tetratelabs/wazero"}, // languages see a wasm.Guest
	"host/wasm/binary": {"github.com/tetratelabs/wazero"},
	"host/wasm/meter":  {"github.com/tetratelabs/wazero"},
	"host/wasm/extism": {"github.com/tetratelabs/wazero"},
	"host/wasm/wasi":   {"github.com/tetratelabs/wazero"},
	"host/wasm/store":  {"github.com/tetratelabs/wazero"},
	"host/plugin":      {"go.yaml.in/yaml/v4"},
	"cmd/rubric-host":  {"go.yaml.in/yaml/v4"},
}

const module = "github.com/rubric-host/rubric-host"

func TestFloors_ImportsGoDown(t *testing.T) {
	root, err := filepath.Abs("..")
	must(t, err)
	seen := map[string]bool{}
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"testdata", "examples", "sdk", "template", "target", "node_modules", "runs"}, d.Name())):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(rel)
		seen[pkg] = true
		checkImports(t, pkg, file)
		return nil
	})
	must(t, err)
	for pkg := range floors {
		if !seen[pkg] {
			t.Logf("the plan has %s, the house does not yet", pkg)
		}
	}
}

// TestFloors_AreDescribed looks for each package below this one in README.md.
func TestFloors_AreDescribed(t *testing.T) {
	text, err := os.ReadFile("README.md")
	must(t, err)
	for _, pkg := range slices.Concat(slices.Collect(maps.Keys(floors)), slices.Collect(maps.Keys(kits))) {
		if name, below := strings.CutPrefix(pkg, "host/"); below && !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("README.md does not say what %s is", pkg)
		}
	}
}

func checkImports(t *testing.T, pkg, file string) {
	level, known := floors[pkg]
	home, kit := kits[pkg]
	if kit {
		level, known = floors[home]+0.1, true
	}
	if !known {
		t.Errorf("%s: package is not on the floor plan", pkg)
		return
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	for _, imp := range f.Imports {
		dep, err := strconv.Unquote(imp.Path.Value)
		must(t, err)
		for _, ban := range outside[pkg] {
			if dep == ban || strings.HasPrefix(dep, ban+"/") {
				t.Errorf("%s: %s must not import %s", file, pkg, dep)
			}
		}
		rest, ours := strings.CutPrefix(dep, module)
		if !ours {
			continue
		}
		dep = cmp.Or(strings.TrimPrefix(rest, "/"), ".")
		depLevel, ok := floors[path.Clean(dep)]
		if home, isKit := kits[dep]; kit && isKit {
			depLevel, ok = floors[home]+0.1, true
		}
		if !ok || depLevel >= level {
			t.Errorf("%s: %s (floor %g) must not import %s (floor %g)", file, pkg, level, dep, depLevel)
		}
	}
}

func TestGoMod_HasNoReplace(t *testing.T) {
	b, err := os.ReadFile("../go.mod")
	must(t, err)
	if strings.Contains(string(b), "replace ") {
		t.Error("go.mod has a replace directive: go install of the program would fail")
	}
}
