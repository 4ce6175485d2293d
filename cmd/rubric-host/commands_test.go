package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"

	"github.com/rubric-host/rubric-host/host/fault"
)

// commandsOf returns every command of a new program.
func commandsOf(t *testing.T) []*cobra.Command {
	t.Helper()
	var list []*cobra.Command
	for _, c := range every(newProgram(nil, nil, nil).root) {
		if !c.Hidden && c.Name() != "help" {
			list = append(list, c)
		}
	}
	if len(list) < 25 {
		t.Fatalf("only %d commands", len(list))
	}
	return list
}

// wordsOf returns the arguments that name a command.
func wordsOf(c *cobra.Command) []string { return strings.Fields(c.CommandPath())[1:] }

func TestHelp_FitsOneScreen(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range commandsOf(t) {
		t.Run(c.CommandPath(), func(t *testing.T) {
			var out, errOut bytes.Buffer
			if code := run(append(wordsOf(c), "--help"), nil, &out, &errOut); code != 0 || errOut.Len() > 0 {
				t.Fatalf("exit %d: %s", code, errOut.String())
			}
			lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
			if most := 50; len(lines) > most || len(lines) > 40 && c.Parent() == nil {
				t.Errorf("%d lines", len(lines))
			}
			for _, l := range lines {
				if n := utf8.RuneCountInString(l); n > 80 {
					t.Errorf("%d columns: %s", n, l)
				}
			}
			if !strings.Contains(out.String(), "Usage:\n  rubric-host") {
				t.Error("no usage")
			}
		})
	}
}

// TestHelp_ShowsEveryFlag asks for all flags and gives no arguments.
func TestHelp_ShowsEveryFlag(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range commandsOf(t) {
		for _, words := range [][]string{append(wordsOf(c), "--help-all"), append([]string{"--help-all"}, wordsOf(c)...)} {
			var out, errOut bytes.Buffer
			if code := run(words, nil, &out, &errOut); code != 0 || errOut.Len() > 0 || !strings.Contains(out.String(), "Usage:\n  "+c.CommandPath()) {
				t.Fatalf("%q: exit %d: %s%s", words, code, out.String(), errOut.String())
			}
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if !f.Hidden && f.Name != "help" && !strings.Contains(out.String(), "--"+f.Name) {
					t.Errorf("%q does not show --%s", words, f.Name)
				}
			})
		}
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
		t.Errorf("a command ran: %v, %v", entries, err)
	}
}

func TestFlags_SayThatTheyWantANumber(t *testing.T) {
	var out, errOut bytes.Buffer
	if code := run([]string{"score", "bleu", "--fuel", "lots"}, nil, &out, &errOut); code != 2 || !strings.Contains(errOut.String(), `"lots"`) || strings.Contains(errOut.String(), "strconv") {
		t.Errorf("exit %d: %s", code, errOut.String())
	}
}

func TestHelp_ShowsAnExampleOfEveryCommand(t *testing.T) {
	silent := []string{"runs list", "runs show", "runs remove", "version"}
	for _, c := range commandsOf(t) {
		name := strings.Join(wordsOf(c), " ")
		if c.HasSubCommands() || c.Parent().Name() == "completion" || slices.Contains(silent, name) { // cobra's own has examples in its text
			continue
		}
		if c.Example == "" {
			t.Errorf("%s has no example", name)
		}
		for _, line := range strings.Split(c.Example, "\n") {
			if !strings.Contains(line, c.CommandPath()) {
				t.Errorf("%s: the example %q is of another command", name, line)
			}
		}
	}
}

// eachFlag visits every flag of every command.
func eachFlag(t *testing.T, visit func(c *cobra.Command, f *pflag.Flag)) {
	t.Helper()
	for _, c := range commandsOf(t) {
		c.Flags().VisitAll(func(f *pflag.Flag) { visit(c, f) })
		c.PersistentFlags().VisitAll(func(f *pflag.Flag) { visit(c, f) })
	}
}

func TestFlags_HaveAVariableAndAKey(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: runs without -short")
	}
	t.Chdir(t.TempDir())
	seen := map[string]*pflag.Flag{}
	given := map[*cobra.Command][]*pflag.Flag{}
	eachFlag(t, func(c *cobra.Command, f *pflag.Flag) {
		if slices.Contains(noTwin, f.Name) || f.Name == "config" {
			return
		}
		key := keyOf(f)
		if other := seen[key]; other != nil && other.Value.Type() != f.Value.Type() {
			t.Errorf("%s --%s: the key %s is %s elsewhere, here %s", c.CommandPath(), f.Name, key, other.Value.Type(), f.Value.Type())
		}
		seen[key] = f
		given[c] = append(given[c], f)
	})
	for c, flags := range given { // all of a command at once: cobra never forgets a program
		t.Run(c.CommandPath(), func(t *testing.T) {
			for _, from := range []string{"env", "file"} {
				text := ""
				for _, f := range flags {
					if from == "env" {
						t.Setenv(envName(keyOf(f)), valueFor(f))
					} else {
						os.Unsetenv(envName(keyOf(f)))
						text += keyOf(f) + ": " + valueFor(f) + "\n"
					}
				}
				t.Setenv(envName("config"), "")
				if from == "file" {
					t.Setenv(envName("config"), configName) // a file named explicitly needs no trust
					must(t, os.WriteFile(configName, []byte(text), 0o600))
				}
				resolvesTo(t, c, flags, from)
				os.Remove(configName)
			}
		})
	}
	if len(seen) < 60 {
		t.Errorf("only %d settings", len(seen))
	}
}

// resolvesTo checks that the flags of a command have the values of valueFor, and that they
// come from where they were written: a variable each, or a line each of the file.
func resolvesTo(t *testing.T, c *cobra.Command, flags []*pflag.Flag, from string) {
	t.Helper()
	p := newProgram(nil, nil, nil)
	cmd, _, err := p.root.Find(wordsOf(c))
	must(t, err)
	if err := cmd.ParseFlags(nil); err != nil { // joins those of every command
		t.Fatal(err)
	}
	if err := p.settings.resolve(cmd); err != nil {
		t.Fatalf("from %s: %v", from, err)
	}
	for i, f := range flags {
		want := envName(keyOf(f))
		if from == "file" {
			want = fmt.Sprintf("%s:%d", configName, i+1)
		}
		if got := p.settings.origins[f.Name]; got != want {
			t.Errorf("--%s: its value comes from %s, want %s", f.Name, got, want)
		}
		if got := shownValue(cmd.Flags().Lookup(f.Name)); got != valueFor(f) {
			t.Errorf("--%s from %s: %q, want %q", f.Name, from, got, valueFor(f))
		}
	}
}

// valueFor returns a value that a flag takes, and that is not its default.
func valueFor(f *pflag.Flag) string {
	if list := f.Annotations[choicesKey]; list != nil {
		return list[len(list)-1]
	}
	switch f.Value.Type() {
	case "bool":
		return "true"
	case "int", "uint64":
		return "7"
	case "float64":
		return "0.5"
	case "duration":
		return "42s"
	case "size":
		return "128MiB"
	}
	return "x"
}

// A flag on the command line goes before a variable, that before the file, that
// before the default.
func TestConfig_CommandLineGoesFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, os.WriteFile(configName, []byte("limit: 1\nid: file\nrepeat: 2\n"), 0o600))
	t.Setenv("RUBRIC_HOST_LIMIT", "10")
	t.Setenv("RUBRIC_HOST_ID", "env")
	p := newProgram(nil, nil, nil)
	cmd, _, err := p.root.Find([]string{"eval"})
	must(t, err)
	must(t, cmd.ParseFlags([]string{"--limit", "100"}))
	must(t, p.settings.resolve(cmd))
	for name, want := range map[string]string{"limit": "100 --limit", "id": "env RUBRIC_HOST_ID", "repeat": "2 rubric-host.yaml:3", "sample": " default"} {
		if got := cmd.Flags().Lookup(name).Value.String() + " " + p.settings.origins[name]; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// The schema of the configuration accepts every key with a value of its kind, and
// refuses the same documents as verify.
func TestConfig_SchemaKnowsEveryKey(t *testing.T) {
	p := newProgram(nil, nil, nil)
	text, err := p.settings.schema()
	must(t, err)
	schema, err := jsonschema.CompileString("config.schema.json", string(text))
	must(t, err)
	values := map[string]*pflag.Flag{}
	eachFlag(t, func(_ *cobra.Command, f *pflag.Flag) { values[keyOf(f)] = f })
	for _, key := range p.settings.flagNames() {
		if err := schema.Validate(yamlValue(t, key+": "+valueFor(values[key]))); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	for name := range judgeKeys {
		if !strings.Contains(string(text), `"`+name+`"`) {
			t.Errorf("the schema does not know the key %s of judges", name)
		}
	}
	for _, bad := range []string{"repeet: 1", "repeat: often", "unscored: wurst", "judges: [a]", "judges: {a: {api_key: x}}", "judges: {a: {structured: yes}}", "fail-fast: 3"} {
		if schema.Validate(yamlValue(t, bad)) == nil {
			t.Errorf("the schema takes %q", bad)
		}
	}
	for _, good := range []string{"unscored: null", "limit: 10", "gate: [mean>=0.5]", "gate: mean>=0.5", "judges: {a: {price_in: 0.1, price_out: 0, seed: 3, structured: auto}}"} {
		if err := schema.Validate(yamlValue(t, good)); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

// yamlValue reads YAML as a JSON validator wants it.
func yamlValue(t *testing.T, text string) any {
	t.Helper()
	var v any
	must(t, yaml.Unmarshal([]byte(text), &v))
	b, err := json.Marshal(v)
	must(t, err)
	var out any
	must(t, json.Unmarshal(b, &out))
	return out
}

// Every class of failure that the program can end with has the documented code.
func TestExitCodes_AreTheDocumentedOnes(t *testing.T) {
	documented := map[int][]fault.Class{
		0: {fault.None},
		1: {fault.Gate},
		2: {fault.Usage, fault.Invalid, fault.NotFound, fault.Mismatch, fault.Conflict},
		3: {fault.Unscored, fault.Refused, fault.Load, fault.Trap, fault.Fuel, fault.Depth, fault.Deadline, fault.Memory, fault.Input, fault.Output,
			fault.Protocol, fault.PluginError, fault.Worker, fault.JudgeUnreachable, fault.JudgeAuth, fault.JudgeRequest, fault.JudgeLimit,
			fault.JudgeServer, fault.JudgeAnswer, fault.JudgeRefusal, fault.ReplayMiss},
		4:  {fault.Budget, fault.Timeout, fault.RateLimited, fault.Storage},
		5:  {fault.Empty},
		6:  {fault.Incomparable},
		70: {fault.Internal}, 130: {fault.Interrupted}, 143: {fault.Terminated},
	}
	seen := map[fault.Class]bool{}
	for code, classes := range documented {
		for _, class := range classes {
			seen[class] = true
			if got := class.ExitCode(); got != code {
				t.Errorf("%q exits %d, want %d", class, got, code)
			}
		}
	}
	for _, s := range fault.Surfaces() {
		if !seen[s.Class] {
			t.Errorf("%q exits %d, which is not documented", s.Class, s.Exit)
		}
	}
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) string {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		return name
	}
	good := write("good.yaml", "rubric: a\ncriteria:\n  - {id: x, metric: exact}\n")
	bad := write("bad.yaml", "rubric: a\n")
	for _, tt := range []struct {
		name string
		args []string
		want int
	}{
		{"no command shows the help", []string{}, 0}, // of nil, cobra makes the arguments of the test
		{"the version", []string{"version"}, 0},
		{"a command that is not there", []string{"evil"}, 2},
		{"a subcommand that is not there", []string{"rubric", "validat"}, 2},
		{"a flag that is not there", []string{"rubric", "validate", "--jsn", good}, 2},
		{"a value that is none of the choices", []string{"rubric", "validate", "--dialect", "x", good}, 2},
		{"an argument too few", []string{"rubric", "validate"}, 2},
		{"an argument too many", []string{"version", "x"}, 2},
		{"a valid rubric", []string{"rubric", "validate", good}, 0},
		{"an invalid rubric", []string{"rubric", "validate", bad}, 2},
		{"a rubric that is not there", []string{"rubric", "show", "none.yaml"}, 2},
		{"warnings", []string{"rubric", "lint", good}, 0},
		{"warnings as errors", []string{"rubric", "lint", "--strict", good}, 2},
		{"a module that is refused", []string{"plugin", "inspect", write("x.wasm", "no module")}, 3},
		{"a project over another", []string{"init", "-q"}, 0},
		{"a project over itself", []string{"init", "-q"}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, errOut bytes.Buffer
			if code := run(tt.args, strings.NewReader(""), &out, &errOut); code != tt.want {
				t.Errorf("exit %d, want %d\n%s%s", code, tt.want, out.String(), errOut.String())
			}
			if tt.want != 0 && !strings.Contains(errOut.String(), "error") && !strings.Contains(errOut.String(), "warning") {
				t.Errorf("it does not say why: %q", errOut.String())
			}
		})
	}
}

// TestPluginNew_TypesAreThoseOfTheKit compares the scaffold with the file that npm
// publishes.
func TestPluginNew_TypesAreThoseOfTheKit(t *testing.T) {
	kit, err := os.ReadFile("../../sdk/js/index.d.ts")
	must(t, err)
	t.Chdir(t.TempDir())
	var out, errOut bytes.Buffer
	if code := run([]string{"plugin", "new", "brevity"}, nil, &out, &errOut); code != 0 {
		t.Fatalf("exit %d: %s", code, errOut.String())
	}
	if written, err := os.ReadFile("brevity/rubric-host.d.ts"); err != nil || !bytes.Equal(kit, written) {
		t.Errorf("rubric-host.d.ts is not sdk/js/index.d.ts: %v", err)
	}
}
