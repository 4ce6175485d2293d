package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rubric-host/rubric-host/plugins"
)

var update = flag.Bool("update", false, "write licences/modules.txt anew")

// licenceFile are the names of files that have to be passed on.
var licenceFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying|^notice|^third_party`) })

// linked returns the modules that the program is linked of on a system, and their
// directories.
func linked(t *testing.T, system string) map[string]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{with .Module}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
	cmd.Env, cmd.Stderr = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"), os.Stderr
	out, err := cmd.Output()
	must(t, err)
	list := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, dir, found := strings.Cut(strings.TrimSpace(line), "\t")
		if found && !strings.HasPrefix(name, "github.com/rubric-host/rubric-host") {
			list[name] = dir
		}
	}
	return list
}

// textOf returns the licence of a module, with the notices that must be distributed
// with it.
func textOf(t *testing.T, name, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var text strings.Builder
	for _, e := range entries {
		if e.IsDir() || !licenceFile().MatchString(e.Name()) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(t, err)
		text.Write(bytes.TrimSpace(bytes.ReplaceAll(b, []byte("\r"), nil)))
		text.WriteString("\n\n")
	}
	if text.Len() == 0 {
		t.Errorf("%s has no licence", name)
	}
	return text.String()
}

// TestLicences_AreThoseOfWhatIsLinked looks for the text of every module that the
// program is linked of here.
func TestLicences_AreThoseOfWhatIsLinked(t *testing.T) {
	if *update {
		writeLicences(t)
	}
	sections := map[string]string{}
	for _, s := range strings.Split(licenceModules, strings.Repeat("=", 78)+"\n")[1:] {
		names, text, _ := strings.Cut(s, strings.Repeat("-", 78)+"\n\n")
		for name := range strings.Lines(names) {
			sections[strings.TrimSpace(name)] = text
		}
	}
	modules := linked(t, runtime.GOOS)
	if len(modules) < 20 {
		t.Fatalf("%d modules", len(modules))
	}
	for name, dir := range modules {
		if want := textOf(t, name, dir); sections[name] != want {
			t.Errorf("%s: licences/modules.txt has another text, or none; go test ./cmd/rubric-host -run Licences -update", name)
		}
	}
	if !strings.Contains(sections["Go"], "The Go Authors") {
		t.Error("there is no licence of Go")
	}
	for _, s := range []string{"QuickJS-NG 0.16.2", "Rich Felker", "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2", "Jean-loup Gailly", "Stefan Krah", "UNICODE LICENSE V3", "Carnegie Mellon", "Fabrice Bellard", "JSON Schema Specification Authors"} {
		if !strings.Contains(licences(), s) {
			t.Errorf("nothing is said of %s", s)
		}
	}
	for _, name := range []string{"language", "readability", "readability-es", "readability-fr"} {
		if notice, err := os.ReadFile("../../plugins/" + name + "/NOTICE"); err != nil || !strings.Contains(plugins.Notice(), string(notice)) {
			t.Errorf("the notice of %s is not there: %v", name, err)
		}
	}
}

// writeLicences writes licences/modules.txt for every system that is promised. Modules
// with the same text share it.
func writeLicences(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	must(t, err)
	by := map[string][]string{textOf(t, "Go", strings.TrimSpace(string(root))): {"Go"}}
	all := map[string]string{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		maps.Copy(all, linked(t, system))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text := textOf(t, name, all[name])
		by[text] = append(by[text], name)
	}
	var out strings.Builder
	texts := slices.SortedFunc(maps.Keys(by), func(a, b string) int { return strings.Compare(by[a][0], by[b][0]) })
	for _, text := range texts {
		fmt.Fprintf(&out, "%s\n%s\n%s\n\n%s", strings.Repeat("=", 78), strings.Join(by[text], "\n"), strings.Repeat("-", 78), text)
	}
	must(t, os.WriteFile("licences/modules.txt", []byte(out.String()), 0o600))
	licenceModules = out.String()
}

// TestLicences_NameEveryCrateOfThePlugins lists the crates that cargo may link into
// them: the licence of a new one must be checked.
func TestLicences_NameEveryCrateOfThePlugins(t *testing.T) {
	known := []string{
		"answer", "bleu", "chrf", "distance", "embedding", "exact", "jinja", "lexical_diversity", "math", "meteor", "perplexity", "readability", "rouge", "rubric-host-sdk", "rubric-host-text",
		"meta_rubric", "run-python-front", "structure", "ter", "trajectory", "wer", // ours
		"language", "readability-de", "readability-es", "readability-fr", "rubric-host-prose", // ours
		"rubric-host-code", "rubric-host-tree", // ours; the C sources of grammars/Cargo.toml are in licences/parts.txt
		"minijinja", "minijinja-contrib", "zmij", "unicode-segmentation", // in licences/parts.txt
		"sqlparser", "sqlite3-parser", "bumpalo", "bitflags", "fallible-iterator", "indexmap", "log", "memchr", // in licences/parts.txt
		"cc", "find-msvc-tools", "shlex", // of a build
		"whatlang", "hashbrown", "allocator-api2", "equivalent", "foldhash", // in plugins/language/NOTICE
		"adler2", "cfg-if", "crc32fast", "flate2", "miniz_oxide", "simd-adler32", // of tests
	}
	lock, err := os.ReadFile("../../plugins/Cargo.lock")
	must(t, err)
	for _, m := range regexp.MustCompile(`(?m)^name = "(.*)"$`).FindAllSubmatch(lock, -1) {
		if !slices.Contains(known, string(m[1])) && !strings.HasPrefix(string(m[1]), "code-") {
			t.Errorf("the crate %s is new: add its licence to licences/parts.txt, if plugins hold it", m[1])
		}
	}
}
