package main

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
	"github.com/rubric-host/rubric-host/plugins"
	"github.com/rubric-host/rubric-host/sdk/js"
)

// A scaffold is a plugin that plugin new writes.
type scaffold struct {
	language string
	project  project
	was      string // the name in its files
	names    string // pattern of valid names
	hint     string // names in words
}

var scaffolds = []scaffold{
	{"js", project{name: "new-js", carried: []templateFile{{"rubric-host.d.ts", js.Types}}, next: []string{`rubric-host score ./score.js output='The cat sat.' references='["the cat slept"]'`, "rubric-host plugin test ."}}, "NAME", pluginNames, pluginWords},
	{"python", project{name: "new-python", next: []string{`rubric-host score ./score.py output='The cat sat.' references='["the cat slept"]'`, "rubric-host plugin test ."}}, "NAME", pluginNames, pluginWords},
	{"c", project{name: "new-c", next: []string{"./build.sh", "rubric-host plugin test ."}}, "NAME", pluginNames, pluginWords},
	{"go", project{name: "new-go", next: []string{"./build.sh", "rubric-host plugin test ."}}, "NAME", pluginNames, pluginWords},
	{"rust", project{name: "plugin", next: []string{"./build.sh", "rubric-host plugin test ."}}, "mentions", rustNames, "write lower-case letters, digits and '_', beginning with a letter"},
}

const (
	pluginNames = `^[a-z0-9][a-z0-9._-]{0,63}$`
	pluginWords = "write lower-case letters, digits, '.', '_' and '-', beginning with a letter or digit"
	rustNames   = `^[a-z][a-z0-9_]{0,63}$`
)

func pluginNewCommand(p *program) *cobra.Command {
	var language string
	cmd := &cobra.Command{
		Use: "new NAME", Short: "Scaffold a working plugin",
		Long: "Scaffold a working plugin in a directory of its name: source, manifest, test cases, README.\n" +
			"JavaScript and Python need no compiler. Any other language that compiles to WebAssembly: sdk/ABI.md\n" +
			"in https://github.com/rubric-host/rubric-host.",
		Example: "rubric-host plugin new brevity --lang python\nrubric-host plugin new brevity --lang js",
		Args:    args("NAME"),
		RunE:    func(_ *cobra.Command, a []string) error { return pluginNew(p, a[0], language) },
	}
	cmd.Flags().StringVarP(&language, "lang", "l", "js", "language: "+strings.Join(scaffolded(), ", "))
	completes(cmd, "lang", words(append(scaffolded(), "javascript")...))
	return cmd
}

// scaffolded are the languages that have a scaffold.
func scaffolded() []string {
	return xslices.Map(scaffolds, func(b scaffold) string { return b.language })
}

func pluginNew(p *program, dir, language string) error {
	name := filepath.Base(dir)
	if slices.Contains(plugins.Names(), name) {
		return fault.WithHint(fault.New(fault.Usage, "%q is the name of a built-in plugin", name), "choose another")
	}
	i := slices.IndexFunc(scaffolds, func(b scaffold) bool {
		return b.language == language || b.language == "js" && language == "javascript"
	})
	if i < 0 {
		return fault.WithHint(fault.New(fault.Usage, "--lang %q: no scaffold for this language", language),
			"write %s; for other languages that compile to WebAssembly, see sdk/ABI.md in https://github.com/rubric-host/rubric-host", strings.Join(scaffolded(), ", "))
	}
	b := &scaffolds[i]
	if !regexp.MustCompile(b.names).MatchString(name) {
		return fault.WithHint(fault.New(fault.Usage, "%q is not a plugin name in %s", name, b.language), "%s", b.hint)
	}
	files, err := projectFiles(p, b.project)
	if err != nil {
		return err
	}
	for i := range files {
		files[i].text = bytes.ReplaceAll(files[i].text, []byte(b.was), []byte(name))
	}
	return writeProject(p.console, dir, files, b.project.next, "name", name)
}
