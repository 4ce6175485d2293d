package main

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/metric"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/plugins"
)

// page returns the source of a help page.
func page(t *testing.T, topic string) string {
	t.Helper()
	text, _, err := helpPage(topic)
	must(t, err)
	return text
}

// TestHelpPages_NameEverythingInTheirTables compares the pages with the tables of the
// program: a new entry fails the test until it is documented.
func TestHelpPages_NameEverythingInTheirTables(t *testing.T) {
	want := map[string][]string{"datasets": dataset.FieldNames(), "environment": {runtimeVariable, "OPENAI_API_KEY", "OPENAI_BASE_URL", "NO_COLOR", "COLUMNS", envName("config")}}
	for _, f := range dataset.Formats() {
		want["datasets"] = append(want["datasets"], string(f))
	}
	want["samples"] = dataset.Presets()
	ofRun, ofCriterion := result.GateFigures()
	want["gates"] = append(ofRun, "criterion(ID)", "metric(ID)", "corpus(NAME)")
	for _, f := range ofCriterion {
		want["gates"] = append(want["gates"], "."+f)
	}
	for key := range judgeKeys {
		want["judges"] = append(want["judges"], key)
	}
	for name := range builtins() {
		if language, ok := strings.CutPrefix(name, "code-"); ok {
			want["metrics"] = append(want["metrics"], language)
		}
	}
	for topic, words := range want {
		text := page(t, topic)
		for _, w := range words {
			if !strings.Contains(text, "`"+w+"`") {
				t.Errorf("help %s does not name %s", topic, w)
			}
		}
	}
	codes := page(t, "exit-codes")
	for _, s := range fault.Surfaces() {
		if !strings.Contains(codes, "\n| "+strconv.Itoa(s.Exit)+" |") {
			t.Errorf("help exit-codes has no line for %d (%s)", s.Exit, s.Class)
		}
	}
}

// TestHelpPages_NameOnlyWhatExists looks for flags, commands and keys of plugins
// that the pages name and the program lacks.
func TestHelpPages_NameOnlyWhatExists(t *testing.T) {
	for _, topic := range topicNames() {
		text := page(t, topic)
		namesOnlyWhatExists(t, "help "+topic, text)
		if strings.Contains(text, "|---") && strings.Contains(text, `\|`) {
			t.Errorf("help %s has an escaped bar, which is not rendered", topic)
		}
	}
}

// TestDocuments_NameOnlyWhatExists looks for them in the code of documents that begins with a flag or the program.
func TestDocuments_NameOnlyWhatExists(t *testing.T) {
	block, span := regexp.MustCompile("(?ms)^ *```.*?^ *```"), regexp.MustCompile("`((?:--[a-z]|rubric-host )[^`]*)`")
	line := regexp.MustCompile(`(?m)^ *(?:\$ )?(rubric-host (?:[^\n]*\\\n)*[^|;#\n]*)`)
	read := 0
	must(t, fs.WalkDir(os.DirFS("../.."), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir() && (path == "bench" || path != "." && strings.HasPrefix(d.Name(), ".")): // bench has flags of its own
			return cmp.Or(err, fs.SkipDir)
		case filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(filepath.Join("../..", path))
		for _, b := range block.FindAllString(string(text), -1) {
			for _, m := range line.FindAllStringSubmatch(b, -1) {
				namesOnlyWhatExists(t, path, m[1])
			}
		}
		for _, m := range span.FindAllStringSubmatch(block.ReplaceAllString(string(text), ""), -1) {
			namesOnlyWhatExists(t, path, m[1])
			read++
		}
		return err
	}))
	if read < 100 {
		t.Errorf("only %d pieces of code", read)
	}
}

func namesOnlyWhatExists(t *testing.T, where, text string) {
	t.Helper()
	flags := map[string]bool{"help": true, "version": true}
	eachFlag(t, func(_ *cobra.Command, f *pflag.Flag) { flags[f.Name] = true })
	for _, m := range namedFlag.FindAllStringSubmatch(text, -1) {
		if !flags[m[1]] {
			t.Errorf("%s names --%s, which no command has", where, m[1])
		}
	}
	for _, m := range namedCommand.FindAllStringSubmatch(text, -1) {
		words := strings.Fields(m[1])
		found, _, err := newProgram(nil, nil, nil).root.Find(words)
		if words[0] != "grades" && words[0] != "help" && (err != nil || !found.HasParent() || found.HasSubCommands() && len(words) > 1) { // "grades" is a sentence, and help takes topics
			t.Errorf("%s names the command %q", where, m[1])
		}
	}
}

var (
	namedFlag    = regexp.MustCompile(`(?:^|[\s` + "`" + `(])--([a-z][a-z-]+)`)
	namedCommand = regexp.MustCompile("(?m)(?:^|`)rubric-host ([a-z][a-z-]*(?: [a-z][a-z-]*)?)")
)

// TestHelpMetrics_HasEveryMetric holds the table against the catalog: each metric is in a row,
// with the fields that its manifest must then have.
func TestHelpMetrics_HasEveryMetric(t *testing.T) {
	text, rows, err := helpPage("metrics")
	must(t, err)
	catalog, err := plugins.Catalog()
	must(t, err)
	for _, pl := range catalog.Plugins() {
		name := pl.Manifest.Name
		if pl.Manifest.Kind == metric.KindCheck { // no metric
			continue
		}
		for _, export := range pl.Manifest.ExportNames() {
			k := slices.IndexFunc(rows, func(r metricRow) bool { return r.Plugin == name && r.Metric == export })
			if k < 0 {
				t.Errorf("no row has %s: %s", name, export)
				continue
			}
			if r := rows[k]; len(r.Inputs) == 0 || r.Range == "" || r.Cost == "" {
				t.Errorf("%s: %s: %+v: inputs, range and cost belong into its manifest", name, export, r)
			}
		}
		shown := name
		if strings.HasPrefix(name, "code-") {
			shown = "code-LANGUAGE"
		}
		if !strings.Contains(text, "\n| "+shown+":") && !strings.Contains(text, "\n| "+shown+" |") {
			t.Errorf("the table has no row of %s", shown)
		}
	}
}

// TestHelpPages_FitTheScreen renders every page at several widths.
func TestHelpPages_FitTheScreen(t *testing.T) {
	for _, columns := range []int{80, 100} {
		for _, topic := range topicNames() {
			code := false
			text := page(t, topic)
			var blocks []string // code blocks are not wrapped
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, "```") {
					code = !code
				} else if code {
					blocks = append(blocks, "  "+strings.TrimRight(line, "\n"))
				}
			}
			shown := strings.Split(strings.TrimRight(plainMarkdown(text, columns), "\n"), "\n")
			for _, l := range shown {
				if n := utf8.RuneCountInString(l); n > columns && !slices.Contains(blocks, l) {
					t.Errorf("help %s at %d columns has a line of %d: %s", topic, columns, n, l)
				}
			}
			most := 50
			if topic == "metrics" {
				most += 90 // the table
			}
			if columns == 100 && len(shown) > most {
				t.Errorf("help %s has %d lines", topic, len(shown))
			}
		}
	}
}

// TestHelpPages_RubricAndConfigurationAreValid checks the examples that newcomers
// copy.
func TestHelpPages_RubricAndConfigurationAreValid(t *testing.T) {
	block := func(topic, begins string) []byte {
		for _, part := range strings.Split(page(t, topic), "```") {
			if strings.HasPrefix(part, "\n"+begins) {
				return []byte(part)
			}
		}
		t.Fatalf("help %s has no block that begins with %s", topic, begins)
		return nil
	}
	files := map[string][]byte{
		"rubric.yaml": block("rubrics", "rubric:"), "judges.yaml": block("judges", "judges:"), "settings.yaml": block("environment", "gate:"),
		"cases.jsonl": block("datasets", `{"id"`),
	}
	t.Chdir(t.TempDir())
	for name, text := range files {
		must(t, os.WriteFile(name, text, 0o600))
	}
	must(t, os.Mkdir("plugins", 0o700))
	for _, args := range [][]string{
		{"rubric", "lint", "--strict", "rubric.yaml"},
		{"config", "verify", "-c", "judges.yaml"},
		{"config", "verify", "-c", "settings.yaml"},
		{"eval", "rubric.yaml", "cases.jsonl", "--criterion", "right_time,short", "-q"},
	} {
		var out, errOut bytes.Buffer
		if code := run(args, strings.NewReader(""), &out, &errOut); code != 0 {
			t.Errorf("%q: exit %d\n%s%s", args, code, out.String(), errOut.String())
		}
	}
}

// An unknown plugin has no help: the error suggests the nearest name.
func TestScoreHelp_OfNoPluginIsAnError(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"score", "exactt", "--help"}, 2, `did you mean "exact"?`},
		{[]string{"score", "--help", "exactt"}, 0, "Usage:"},
		{[]string{"score", "--with", "mode=any", "--help"}, 0, "Usage:"},
		{[]string{"score", "./metric.js", "--help"}, 2, "metric.js: no such file"},
		{[]string{"score", "contains", "--help"}, 0, "Plugin exact"},
	} {
		var out, errOut bytes.Buffer
		code := run(c.args, nil, &out, &errOut)
		if code != c.code || !strings.Contains(out.String()+errOut.String(), c.want) || code != 0 && out.Len() > 0 {
			t.Errorf("%q: exit %d: %s%s", c.args, code, out.String(), errOut.String())
		}
	}
}
