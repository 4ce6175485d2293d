package main

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-host/rubric-host/host/dataset"
	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/llm"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/xslices"
	"github.com/rubric-host/rubric-host/plugins"
)

func configCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show, verify and describe the settings",
		Long: "Show, verify and describe the settings. Each is a flag; else its variable RUBRIC_HOST_<KEY>;\n" +
			"else its key in the project file, else in your own file; else its default.\n\n" +
			"The project file is the one named by --config or RUBRIC_HOST_CONFIG; else the " + configName + "\n" +
			"in the working directory or above; until you trust it (config trust), only harmless keys\n" +
			"and values of it take effect. Your own file is rubric-host/config.yaml in $XDG_CONFIG_HOME\n" +
			"(~/.config).",
	}
	show := &cobra.Command{
		Use:   "show",
		Short: "Show settings that differ from the defaults, and their sources",
		Long: "Show settings that differ from the defaults, and where each value comes from. Keys of judges\nare never shown. " +
			"--json prints every setting.",
		Example: "rubric-host config show\nrubric-host config show --json",
		RunE:    func(*cobra.Command, []string) error { return configShow(p) },
	}
	verify := unconfigured(&cobra.Command{
		Use:     "verify",
		Short:   "Check the configuration: keys, types, judges, plugins",
		Long:    "Check the configuration: keys, types, choices, judges, plugins, and variables that\nare meant for settings. Nothing is sent. Exit 0, or 2 with every problem at its place.",
		Example: "rubric-host config verify\nrubric-host config verify -c ci/rubric-host.yaml",
		RunE:    func(*cobra.Command, []string) error { return configVerify(p) },
	})
	schema := unconfigured(&cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of the configuration file",
		Long:    "Print the JSON Schema of " + configName + ", made from the flags and the keys of judges.",
		Example: "rubric-host config schema > rubric-host.schema.json",
		RunE: func(*cobra.Command, []string) error {
			text, err := p.settings.schema()
			if err != nil {
				return err
			}
			return p.writeText("", text)
		},
	})
	cmd.AddCommand(show, verify, schema, trustCommand(p), untrustCommand(p))
	return cmd
}

type setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source"`       // a flag, a variable, file:line, or unset
	Env    string `json:"env,omitzero"` // of a flag
}

func configShow(p *program) error {
	list, err := p.settings.list()
	if err != nil {
		return err
	}
	user := ""
	if p.settings.user != nil {
		user = p.settings.user.file
	}
	if p.json {
		return p.printJSON(map[string]any{"file": p.settings.file, "user_file": user, "settings": list})
	}
	fmt.Fprintf(p.out, "project file: %s\n", diag.Plain(cmp.Or(p.settings.file, "none")))
	if user != "" {
		fmt.Fprintf(p.out, "your file: %s\n", diag.Plain(user))
	}
	fmt.Fprintln(p.out)
	t := p.table()
	for _, s := range list {
		if s.Source != unset {
			t.row(s.Key, orDash(s.Value), s.Source)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	p.say("all other settings are at the default; --json shows them")
	return nil
}

// list returns the settings of all commands, each key once, sorted.
func (s *settings) list() (out []setting, problem error) {
	found := map[string]bool{}
	visitFlags(s.program.root, func(f *pflag.Flag) {
		key := keyOf(f)
		if found[key] || f.Hidden || slices.Contains(noTwin, f.Name) {
			return
		}
		found[key] = true
		if err := s.set(f); err != nil && problem == nil {
			problem = err
		}
		x := setting{Key: key, Value: shownValue(f), Source: s.origins[f.Name], Env: envName(key)}
		if key == "config" && s.file != "" {
			x.Value = s.file
		}
		out = append(out, x)
	})
	slices.SortFunc(out, func(a, b setting) int { return strings.Compare(a.Key, b.Key) })
	return append(out, s.judgeList()...), problem
}

// shownValue writes the value of a flag, lists with commas. It is empty or 0 where the library chooses, as the
// help of the flag says.
func shownValue(f *pflag.Flag) string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return strings.Join(list.GetSlice(), ", ")
	}
	return f.Value.String()
}

// judgeList returns the keys of every judge. Of the variable that holds an API key it
// tells whether it is set, never its value.
func (s *settings) judgeList() (out []setting) {
	for _, name := range slices.Sorted(maps.Keys(s.judges)) {
		j := s.judges[name]
		add := func(key, value, source string) {
			out = append(out, setting{Key: "judges." + name + "." + key, Value: value, Source: source})
		}
		for _, k := range slices.Sorted(maps.Keys(j.written)) {
			e := j.written[k]
			add(k, withoutUser(e.values[0]), fmt.Sprintf("%s:%d", j.file, e.line))
		}
		state := "not set"
		if os.Getenv(j.keyEnv) != "" {
			state = "set"
		}
		add("key", state, "$"+j.keyEnv)
	}
	return out
}

// withoutUser removes credentials from a text that may be a URL.
func withoutUser(value string) string {
	u, err := url.Parse(value)
	if err != nil || u.User == nil && u.RawQuery == "" {
		return value
	}
	if u.RawQuery != "" {
		u.RawQuery = "hidden"
	}
	return u.Redacted()
}

// configVerify looks at everything that can be wrong with the configuration
// before something is run with it.
func configVerify(p *program) error {
	s := p.settings
	if s.problem != nil && s.file == "" && diag.In(s.problem) == nil && fault.Is(s.problem, fault.NotFound, fault.Invalid) {
		return s.problem // the file cannot be read
	}
	list := s.problems()
	if p.json {
		err := p.printJSON(struct {
			Valid       bool      `json:"valid"`
			File        string    `json:"file"`
			Diagnostics []problem `json:"diagnostics"`
		}{len(list.Errors()) == 0, s.file, problemsOf(list)})
		if err != nil {
			return err
		}
	} else {
		p.diagnostics(list)
	}
	if err := list.Err(); err != nil {
		p.told = true
		return err
	}
	if !p.json && s.file == "" {
		p.say("no %s here or in a parent directory; rubric-host init writes one", configName)
	} else if !p.json && !p.quiet {
		fmt.Fprintf(p.out, "%s: %s, %s, %s: OK\n", diag.Plain(s.file), diag.Count(len(s.values), "setting"), diag.Count(len(s.judges), "judge"), diag.Count(len(s.types), "artifact type"))
	}
	return nil
}

// problems returns the problems of the file and the variables, by place.
func (s *settings) problems() diag.List {
	var list diag.List
	for _, d := range diag.In(s.problem) {
		if d.Code != untrustedCode { // a command's business; all of the file is below
			list.Add(d)
		}
	}
	add := func(severity diag.Severity, file string, line int, code, hint, format string, args ...any) {
		list.Add(diag.Diagnostic{Severity: severity, Code: code, Pos: diag.Pos{File: file, Line: line}, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	if s.project != nil {
		for _, d := range s.project.needs() {
			add(diag.Warning, d.Pos.File, d.Pos.Line, d.Code, "rubric-host config trust allows it", "%s", d.Message)
		}
	}
	s.valueProblems(add)
	s.judgeProblems(add)
	list = append(list, s.strayVariables()...)
	list.Sort()
	return list
}

type addProblem func(severity diag.Severity, file string, line int, code, hint, format string, args ...any)

// checkedLater has checks for values that a command reads only when it runs.
var checkedLater = map[string]func(string) error{
	"gate":         func(v string) error { _, err := result.ParseGate(v); return err },
	"max-unscored": func(v string) error { _, err := result.ParseShare(v); return err },
	"limit":        func(v string) error { _, _, err := dataset.ParseLimit(cmp.Or(v, "1")); return err },
	"shard":        func(v string) error { _, _, err := dataset.ParseShard(cmp.Or(v, "1/1")); return err },
	"map":          func(v string) error { _, err := dataset.ParseMap(v); return err },
	"out":          func(v string) error { _, err := parseOut(v); return err },
}

// valueProblems tries every key and variable on the flags of a program of its own.
func (s *settings) valueProblems(add addProblem) {
	told := map[string]bool{}
	try := func(f *pflag.Flag, values []string, file string, line int, before string) {
		if told[file+before] {
			return
		}
		wrong := []error{assign(f, values)}
		if check := checkedLater[keyOf(f)]; wrong[0] == nil && check != nil {
			wrong = xslices.Map(values, check)
		}
		for _, err := range wrong {
			if err == nil {
				continue
			}
			told[file+before] = true
			message, hint := err.Error(), fault.OwnHint(err)
			if list := diag.In(err); list != nil { // its place is in the value
				message, hint = list[0].Message, list[0].Hint
			}
			add(diag.Error, file, line, "value-invalid", hint, "%s%s", before, message)
		}
	}
	visitFlags(newProgram(nil, nil, nil).root, func(f *pflag.Flag) {
		key := keyOf(f)
		if e, ok := s.values[key]; ok {
			try(f, e.values, e.file, e.line, key+": ")
		}
		if v := os.Getenv(envName(key)); v != "" && f.Name != "config" && !slices.Contains(noTwin, f.Name) {
			try(f, splitList(f, v), "$"+envName(key), 0, "")
		}
	})
	if e, ok := s.values["plugins"]; ok && e.needs == "" {
		if _, err := plugins.Catalog(e.values...); err != nil {
			add(diag.Error, e.file, e.line, "plugins", fault.Hint(err), "plugins: %v", err)
		}
	}
}

// judgeProblems looks at the judges, and at the one that is chosen.
func (s *settings) judgeProblems(add addProblem) {
	for _, name := range slices.Sorted(maps.Keys(s.judges)) {
		j := s.judges[name]
		if _, err := llm.New(j.endpoint); err != nil {
			add(diag.Error, j.file, j.line, "judge-invalid", fault.OwnHint(err), "judge %q: %v", name, err)
		}
		if os.Getenv(j.keyEnv) == "" && (j.keyNamed || j.endpoint.BaseURL == "") {
			add(diag.Warning, j.file, j.line, "key-unset", "export "+j.keyEnv+" before judging", "judge %q: the variable %s is not set", name, j.keyEnv)
		}
	}
	if e, ok := s.values["judge"]; ok && len(e.values) == 1 && e.values[0] != "" {
		if _, err := s.judge(e.values[0]); err != nil && diag.In(err) == nil { // the missing trust was reported before
			add(diag.Error, e.file, e.line, "judge-unknown", fault.OwnHint(err), "judge: %v", err)
		}
	}
}
