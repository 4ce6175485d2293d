package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/document/strict"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/file"
	"github.com/rubric-host/rubric-host/host/review"
	"github.com/rubric-host/rubric-host/host/store/postgres"
)

// configName is the configuration file that is looked for upward from the
// working directory.
const configName = "rubric-host.yaml"

// maxConfig is the size of the largest configuration file, in bytes.
const maxConfig = 1 << 20

// settings resolve every flag: from the command line, else the environment, else the
// project file or the one that is named, else the user's own file, else its default.
type settings struct {
	program *program
	user    *configFile            // the user's own file; nil: none
	project *configFile            // the one that is named or found; nil: none
	file    string                 // its path; empty: none
	values  map[string]entry       // top-level keys of both files, but judges
	judges  map[string]*namedJudge // judges of both files, by name
	types   map[string]review.Type // artifact types of both files, by id
	origins map[string]string      // flag name to where its value came from
	refused diag.List              // keys of an untrusted project file that the command would have used
	problem error                  // error of the configuration, for commands that run all the same
}

type configFile struct {
	file    string
	values  map[string]entry
	judges  map[string]*namedJudge
	types   map[string]review.Type
	changed bool   // it was trusted with other content
	key     string // the one that a rule looks at
}

func (s *settings) files() (list []string) {
	for _, f := range []*configFile{s.user, s.project} {
		if f != nil {
			list = append(list, f.file)
		}
	}
	return list
}

type entry struct {
	file   string
	line   int
	values []string // one, or the elements of a list
	needs  string   // why it has no effect until the file is trusted; empty: it has
}

func (e *entry) place() string { return fmt.Sprintf("%s:%d", e.file, e.line) }

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

func (s *settings) resolve(cmd *cobra.Command) error {
	s.origins, s.refused = map[string]string{}, nil
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
	if err := s.checkVariables(); err != nil && s.problem == nil {
		s.problem = err
	}
	if s.problem == nil && len(s.refused) > 0 {
		s.refused.Sort()
		s.problem = s.project.untrusted(s.refused)
	}
	if wrong != nil || s.problem == nil || cmd.Annotations[anyConfig] != "" {
		return wrong
	}
	return s.problem
}

// otherVariables have the prefix of settings and are none: the directory of
// runtimes, and the variables of this project's own build and tests.
var otherVariables = []string{runtimeVariable, envPrefix + "CACHE", envPrefix + "PYTHON", envPrefix + "PYTHON_SCI", envPrefix + "LLAMACPP"}

// strayVariables returns the variables that look like settings and are none. One that resembles a setting is an
// error: a gate or limit that is set in vain would pass unnoticed.
func (s *settings) strayVariables() (list diag.List) {
	var known []string
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, envPrefix) || value == "" || slices.Contains(otherVariables, name) {
			continue
		}
		if known == nil {
			known = []string{strings.TrimPrefix(envName("config"), envPrefix), strings.TrimPrefix(runtimeVariable, envPrefix)}
			for _, key := range s.flagNames() {
				known = append(known, strings.TrimPrefix(envName(key), envPrefix))
			}
		}
		word := strings.TrimPrefix(name, envPrefix)
		if slices.Contains(known, word) {
			continue
		}
		d := diag.Diagnostic{
			Severity: diag.Warning, Code: "variable-unknown", Pos: diag.Pos{File: "$" + name},
			Message: "unknown environment variable " + name, Hint: "rubric-host config schema describes every key",
		}
		if near := diag.Suggest(word, known); near != "" {
			d.Severity, d.Hint = diag.Error, fmt.Sprintf("did you mean %s?", envPrefix+near)
		}
		list.Add(d)
	}
	list.Sort()
	return list
}

// checkVariables refuses a misspelled variable, and warns of others.
func (s *settings) checkVariables() error {
	for _, d := range s.strayVariables() {
		if d.Severity == diag.Error {
			return fault.WithHint(fault.New(fault.Usage, "%s", diag.Plain(d.Message)), "%s", d.Hint)
		}
		s.program.say("warning: %s; %s", diag.Plain(d.Message), d.Hint)
	}
	return nil
}

// unset is the source of a setting that has its default.
const unset = "default"

// set gives one flag its value, and notes where it came from.
func (s *settings) set(f *pflag.Flag) error {
	if slices.Contains(noTwin, f.Name) {
		return nil
	}
	if f.Changed {
		s.origins[f.Name] = "--" + f.Name
		if err := checkChoice(f, f.Value.String()); err != nil {
			return fault.New(fault.Usage, "--%s %w", f.Name, err)
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
	e, ok := s.values[key]
	switch {
	case !ok || f.Name == "config":
		s.origins[f.Name] = unset
	case e.needs != "":
		s.refused.Add(s.project.need(e.line, key, e.needs))
		s.origins[f.Name] = unset + "; not trusted: " + e.place()
	default:
		if err := assign(f, e.values); err != nil {
			return fault.New(fault.Invalid, "%s: %s: %w", e.place(), key, err)
		}
		s.origins[f.Name] = e.place()
	}
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
		return fmt.Errorf("takes one value, not %d", len(values))
	}
	if err := checkChoice(f, values[0]); err != nil {
		return err
	}
	err := f.Value.Set(values[0])
	if kind := kindWords[f.Value.Type()]; err != nil && kind != "" && !errors.Is(err, errNotAbove0) {
		return fmt.Errorf("must be %s, not %q", kind, values[0])
	}
	return err
}

// checkChoice refuses a value that is not one of those that a flag takes.
func checkChoice(f *pflag.Flag, value string) error {
	known := f.Annotations[choicesKey]
	if known == nil || value == "" || slices.Contains(known, value) {
		return nil
	}
	err := fault.New(fault.Usage, "%q is not one of %s", value, strings.Join(known, ", "))
	if near := diag.Suggest(value, known); near != "" {
		return fault.WithHint(err, "did you mean %q?", near)
	}
	return err
}

// kindWords name the values that types of flags take.
var kindWords = map[string]string{"bool": "true or false", "int": "a whole number", "uint64": "a whole number from 0", "float64": "a number"}

// noConfig is the value of --config for no configuration but the user's own.
const noConfig = "none"

func (s *settings) load(cmd *cobra.Command) error {
	s.user, s.project, s.file, s.values, s.judges, s.types = nil, nil, "", map[string]entry{}, map[string]*namedJudge{}, map[string]review.Type{}
	path, err := cmd.Flags().GetString("config")
	if err != nil {
		return nil //nolint:nilerr // a command without the flag has no configuration
	}
	if err := s.loadUser(); err != nil {
		return err
	}
	path = cmp.Or(path, os.Getenv(envName("config")))
	found := path == ""
	if found {
		path = findUpward(configName)
	}
	if path == "" || path == noConfig {
		return nil
	}
	return s.loadProject(path, found)
}

// userConfig returns the path of the user's own file; empty without a home directory.
func userConfig() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "rubric-host", "config.yaml")
}

// loadUser reads the user's own file, if there is one.
func (s *settings) loadUser() error {
	path := userConfig()
	if _, err := os.Stat(path); path == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := usable(path); err != nil {
		return err
	}
	src, err := file.Read(path, maxConfig)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	s.user, err = s.parse(path, src)
	s.add(s.user)
	return err
}

// loadProject reads the file that was named or found. One that was found has to be the
// user's; keys that need trust are marked unless the user trusts it.
func (s *settings) loadProject(path string, found bool) error {
	src, err := file.Read(path, maxConfig)
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	if found {
		if err := usable(path); err != nil {
			return err
		}
	}
	s.file = path
	s.project, err = s.parse(path, src)
	if found {
		trusted, problem := s.project.trust(src)
		if !trusted {
			s.project.restrict(s.user)
		}
		err = cmp.Or(err, problem)
	}
	s.add(s.project)
	return err
}

// add lets a file say more, and other things than the files before it.
func (s *settings) add(file *configFile) {
	maps.Copy(s.values, file.values)
	maps.Copy(s.judges, file.judges)
	maps.Copy(s.types, file.types)
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

var configLimits = document.Limits{Bytes: maxConfig, Nodes: 50_000, Depth: 64}

type configReader struct {
	strict.Reader
	file *configFile
}

// parse reads the configuration strictly: every key is a flag's name, judges or
// artifact_types.
func (s *settings) parse(path string, src []byte) (*configFile, error) {
	r := &configReader{
		Reader: strict.New(document.Read(path, src, document.Options{Format: document.YAML, Noun: "configuration", Limits: configLimits})),
		file:   &configFile{file: path, values: map[string]entry{}, judges: map[string]*namedJudge{}, types: map[string]review.Type{}},
	}
	r.Noun, r.NoNulls = "configuration", true
	if top := r.Doc.Root; top != nil && !(top.Kind == document.Null && top.Empty) {
		s.read(top, r)
	}
	return r.file, r.Err()
}

func (s *settings) read(top *document.Node, r *configReader) {
	o := r.Object(top, "", "keys and values")
	if o == nil {
		return
	}
	for _, key := range s.flagNames() {
		m := o.Ask(key)
		if m == nil {
			continue
		}
		switch values, ok := scalars(m.Value); {
		case m.Value.Empty:
			r.Fail(m.Value.At, key, "value-missing", "write a value, or remove the key", "%s has no value", key)
		case !ok:
			r.Wrong(m.Value, key, "a value or a list of values")
		default:
			r.file.values[key] = entry{file: r.file.file, line: r.Doc.Line(m.At), values: r.file.paths(key, values)}
		}
	}
	if n, _ := o.Raw(strict.May, "judges"); n != nil {
		parseJudges(n, r)
	}
	if n, _ := o.Raw(strict.May, review.TypesKey); n != nil {
		r.file.types = review.ReadTypes(&r.Reader, n)
	}
	o.Close()
	for i := range r.Errors { // a list of twelve keys out of two hundred does not help
		if e := &r.Errors[i]; e.Code == "unknown-key" && !strings.Contains(e.Path, ".") && strings.HasPrefix(e.Hint, "known: ") {
			e.Hint = "rubric-host config schema describes every key"
		}
	}
}

// pathFlags are those whose values are paths: in the configuration file they
// start from its directory.
var pathFlags = []string{"plugins", "runs", "data", "outputs", "verdicts", "record", "replay", "cache-dir", "system-prompt", "store"}

func (p *configFile) paths(key string, values []string) []string {
	dir := filepath.Dir(p.file)
	if !slices.Contains(pathFlags, key) || dir == "." {
		return values
	}
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v
		if v != "-" && !filepath.IsAbs(v) && !postgres.Is(v) {
			out[i] = filepath.Join(dir, v)
		}
	}
	return out
}

// scalars returns the literal of a value, or those of a list.
func scalars(n *document.Node) ([]string, bool) {
	if n.Scalar() {
		return []string{n.Value}, true
	}
	out := make([]string, 0, len(n.Items))
	for _, item := range n.Items {
		if !item.Scalar() {
			return nil, false
		}
		out = append(out, item.Value)
	}
	return out, n.Kind == document.List
}

// flagNames lists the configuration keys of every flag of every command, sorted.
func (s *settings) flagNames() []string {
	root := s.program.root
	if len(root.Commands()) < len(commands()) {
		root = newProgram(nil, nil, nil).root
	}
	seen := map[string]bool{}
	visitFlags(root, func(f *pflag.Flag) {
		if !slices.Contains(noTwin, f.Name) && f.Name != "config" {
			seen[keyOf(f)] = true
		}
	})
	return slices.Sorted(maps.Keys(seen))
}
