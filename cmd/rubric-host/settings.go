package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"

	"github.com/rubric-host/rubric-host/host"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

// configName is the configuration file that is looked for upward from the
// working directory.
const configName = "rubric-host.yaml"

// maxConfig is the size of the largest configuration file, in bytes.
const maxConfig = 1 << 20

// settings resolve every flag: from the command line, else the environment,
// else the configuration file, else its default.
type settings struct {
	program *program
	file    string            // configuration file; empty: there is none
	values  map[string]entry  // its top-level keys, but judges
	judges  map[string]*named // its judges, by name
	origins map[string]string // flag name to where its value came from
	problem error             // what is wrong with the configuration, for commands that go on with it
}

// entry is a key of the configuration file.
type entry struct {
	line   int
	values []string // one, or the elements of a list
}

// envPrefix begins every variable that stands for a flag.
const envPrefix = "RUBRIC_HOST_"

// envName is the environment twin of a flag, by its key.
func envName(key string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
}

// anyConfig marks commands that run whatever is wrong with the configuration.
const anyConfig = "any-config"

// unconfigured marks cmd as one that runs with a configuration that is wrong.
func unconfigured(cmd *cobra.Command) *cobra.Command {
	cmd.Annotations = map[string]string{anyConfig: "true"}
	return cmd
}

// noTwin are the flags that only make sense on a command line.
var noTwin = []string{"help", "help-all", "json"}

// resolve gives the flags of cmd their values.
func (s *settings) resolve(cmd *cobra.Command) error {
	s.origins = map[string]string{}
	s.problem = s.load(cmd)
	var wrong error // on the command line
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch err := s.set(f); {
		case err == nil:
		case f.Changed && wrong == nil:
			wrong = err
		case s.problem == nil:
			s.problem = err
		}
	})
	if wrong != nil || s.problem == nil || cmd.Annotations[anyConfig] != "" {
		return wrong
	}
	return s.problem
}

// set gives one flag its value, and notes where it came from.
func (s *settings) set(f *pflag.Flag) error {
	if slices.Contains(noTwin, f.Name) {
		return nil
	}
	if f.Changed {
		s.origins[f.Name] = "--" + f.Name
		if err := checkChoice(f, f.Value.String()); err != nil {
			return fault.WithHint(fault.New(fault.Usage, "--%s %w", f.Name, err), "%s", diag.DidYouMean(f.Value.String(), f.Annotations[choicesKey]))
		}
		return nil
	}
	key := keyOf(f)
	if v := os.Getenv(envName(key)); v != "" && f.Name != "config" {
		if err := assign(f, splitList(f, v)); err != nil {
			return fault.New(fault.Usage, "%s=%q: %w", envName(key), v, err)
		}
		s.origins[f.Name] = envName(key)
		return nil
	}
	if e, ok := s.values[key]; ok && f.Name != "config" {
		if err := assign(f, e.values); err != nil {
			return fault.New(fault.Invalid, "%s:%d: %s: %w", s.file, e.line, key, err)
		}
		s.origins[f.Name] = fmt.Sprintf("%s:%d", s.file, e.line)
		return nil
	}
	s.origins[f.Name] = "default"
	return nil
}

// splitList splits the value of a list flag from the environment at path list
// separators, as PATH is.
func splitList(f *pflag.Flag, v string) []string {
	if _, list := f.Value.(pflag.SliceValue); list {
		return filepath.SplitList(v)
	}
	return []string{v}
}

// assign sets a flag without marking it as changed on the command line.
func assign(f *pflag.Flag, values []string) error {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.Replace(values)
	}
	if len(values) != 1 {
		return fmt.Errorf("wants one value, not %d", len(values))
	}
	if err := checkChoice(f, values[0]); err != nil {
		return err
	}
	err := f.Value.Set(values[0])
	if kind := kindWords[f.Value.Type()]; err != nil && kind != "" {
		return fmt.Errorf("%q is not %s", values[0], kind)
	}
	return err
}

// checkChoice refuses a value that is not one of those that a flag takes.
func checkChoice(f *pflag.Flag, value string) error {
	known := f.Annotations[choicesKey]
	if known == nil || value == "" || slices.Contains(known, value) {
		return nil
	}
	return fmt.Errorf("%q is not one of %s", value, strings.Join(known, ", "))
}

// kindWords say in words what types of flags want.
var kindWords = map[string]string{"bool": "true or false", "int": "a whole number", "uint64": "a whole number from 0", "float64": "a number"}

// load finds and reads the configuration file, once.
func (s *settings) load(cmd *cobra.Command) error {
	path, err := cmd.Flags().GetString("config")
	if err != nil {
		return nil //nolint:nilerror // a command without the flag has no configuration
	}
	if path == "" {
		path = os.Getenv(envName("config"))
	}
	if path == "" {
		path = findUpward(configName)
	}
	if path == "" {
		return nil
	}
	src, err := host.ReadFile(path, maxConfig)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	s.file = path
	return s.parse(src)
}

// findUpward returns the nearest file of that name from the working directory
// upward, relative if it is in the directory itself.
func findUpward(name string) string {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return name
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		path := filepath.Join(parent, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// parse reads the configuration strictly: every key is a flag's name, or judges.
func (s *settings) parse(src []byte) error {
	var problems diag.List
	fail := func(line, column int, code, hint, format string, args ...any) {
		problems.Add(diag.Diagnostic{Code: code, Pos: diag.Pos{File: s.file, Line: line, Column: column}, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	s.values, s.judges = map[string]entry{}, map[string]*named{}
	root, err := readConfig(src, fail)
	switch {
	case err != nil:
		failSyntax(src, err, fail)
		return problems.Err()
	case root == nil:
		return problems.Err()
	}
	top := root.Content[0]
	if top.Kind != yaml.MappingNode {
		fail(top.Line, top.Column, "wrong-type", "", "the configuration is not an object")
		return problems.Err()
	}
	known := append(s.flagNames(), "judges")
	seen := map[string]bool{}
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, value := top.Content[i], top.Content[i+1]
		twice := seen[key.Value]
		seen[key.Value] = true
		switch {
		case twice:
			fail(key.Line, key.Column, "duplicate-key", "", "the key %q is written twice", key.Value)
		case key.Value == "judges":
			s.parseJudges(value, fail)
		case !slices.Contains(known, key.Value):
			fail(key.Line, key.Column, "unknown-key", diag.DidYouMean(key.Value, known), "unknown key %q", key.Value)
		case empty(value):
			fail(value.Line, value.Column, "value-missing", "write a value, or remove the key", "%s has no value", key.Value)
		default:
			values, ok := scalars(value)
			if !ok {
				fail(value.Line, value.Column, "wrong-type", "", "%s wants a value or a list of values", key.Value)
				continue
			}
			s.values[key.Value] = entry{line: key.Line, values: s.fromConfig(key.Value, values)}
		}
	}
	return problems.Err()
}

// readConfig returns the document of a configuration, nil when it is empty, and
// reports a second one. A panic of the reader is its own defect; here it is a
// document that cannot be read.
func readConfig(src []byte, fail failAt) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("the YAML reader gave up: %v", p)
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(src))
	var first, second yaml.Node
	if err := d.Decode(&first); errors.Is(err, io.EOF) || err == nil && (len(first.Content) == 0 || empty(first.Content[0])) {
		return nil, nil //nolint:nilnil // nothing is configured
	} else if err != nil {
		return nil, err
	}
	switch err := d.Decode(&second); {
	case err == nil:
		fail(second.Line, second.Column, "many-documents", "keep the first one", "a second document begins here")
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return &first, nil
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`)

// failSyntax reports what the YAML reader found, at the line that it names.
func failSyntax(src []byte, err error, fail failAt) {
	parts := yamlLine.FindStringSubmatch(err.Error())
	line, _ := strconv.Atoi(parts[1])
	hint := ""
	for i, text := range bytes.Split(src, []byte("\n")) {
		// It may name the line before the one it stumbled over.
		if line > 0 && i+1 >= line && i <= line && bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte("\t")) {
			hint = "indent with spaces; YAML takes no tabs"
		}
	}
	fail(line, 0, "yaml", hint, "not YAML: %s", strings.TrimPrefix(err.Error(), parts[0]))
}

// empty reports whether a key is written without a value.
func empty(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" && n.Value == "" }

// pathFlags are those whose values are paths: in the configuration file they
// start from its directory.
var pathFlags = []string{"plugins", "runs", "data", "outputs", "verdicts", "record", "replay", "cache-dir", "system-prompt"}

func (s *settings) fromConfig(key string, values []string) []string {
	dir := filepath.Dir(s.file)
	if !slices.Contains(pathFlags, key) || dir == "." {
		return values
	}
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v
		if v != "-" && !filepath.IsAbs(v) {
			out[i] = filepath.Join(dir, v)
		}
	}
	return out
}

func scalars(n *yaml.Node) ([]string, bool) {
	switch n.Kind {
	case yaml.ScalarNode:
		return []string{n.Value}, true
	case yaml.SequenceNode:
		out := make([]string, 0, len(n.Content))
		for _, c := range n.Content {
			if c.Kind != yaml.ScalarNode {
				return nil, false
			}
			out = append(out, c.Value)
		}
		return out, true
	}
	return nil, false
}

// flagNames lists the configuration keys of every flag of every command, sorted.
func (s *settings) flagNames() []string {
	seen := map[string]bool{}
	for _, c := range every(s.program.root) {
		for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
			set.VisitAll(func(f *pflag.Flag) {
				if !slices.Contains(noTwin, f.Name) && f.Name != "config" {
					seen[keyOf(f)] = true
				}
			})
		}
	}
	names := slices.Collect(maps.Keys(seen))
	slices.Sort(names)
	return names
}
