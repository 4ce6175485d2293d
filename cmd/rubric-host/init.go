package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
)

//go:embed all:template
var templateFiles embed.FS

// A project is a scaffold: the files of a directory of template/, the schemas
// that they name, and the next commands.
type project struct {
	name    string
	summary string
	schemas []string       // file names
	carried []templateFile // beside those of the template
	next    []string       // commands, in the new directory
}

var projects = []project{
	{
		name: "ci", summary: "a gate for a build: computed checks, a workflow", schemas: []string{dialect.NativeSchemaFile, configSchemaFile},
		next: []string{"rubric-host eval rubric.yaml cases.jsonl", "rubric-host failures latest"},
	},
	{
		name: "rl", summary: "a reward for a trainer, from Python too", schemas: []string{dialect.NativeSchemaFile, configSchemaFile},
		next: []string{"rubric-host eval reward.yaml rollouts.jsonl -o rewards.jsonl", `rubric-host grade reward.yaml output='It leaves at 07:40.' references='["07:40"]'`},
	},
	{
		name: "plugin", summary: "your own metric, in Rust", schemas: []string{dialect.NativeSchemaFile},
		next: []string{"./build.sh", `rubric-host grade rubric.yaml --plugins . output='From PIER 3 at 07:40.' references='["pier 3"]'`},
	},
}

// configSchemaFile is the name under which a configuration refers to its schema.
const configSchemaFile = "rubric-host.schema.json"

func initCommand(p *program) *cobra.Command {
	var template string
	names := make([]string, len(projects))
	lines := make([]string, len(projects))
	for i, pr := range projects {
		names[i], lines[i] = pr.name, fmt.Sprintf("  %-7s %s", pr.name, pr.summary)
	}
	cmd := unconfigured(&cobra.Command{
		Use:   "init [DIR]",
		Short: "Scaffold a small working project",
		Long: "Scaffold a small project that works without a key and without a network:\n\n" + strings.Join(lines, "\n") + "\n\n" +
			"Existing files are not overwritten.",
		Example: "rubric-host init\nrubric-host init --template rl rewards",
		Args:    args("[DIR]"),
		RunE:    func(_ *cobra.Command, a []string) error { return runInit(p, template, append(a, ".")[0]) },
	})
	cmd.Flags().StringVarP(&template, "template", "t", "ci", "template: "+strings.Join(names, ", "))
	choices(cmd, "template", names...)
	keyed(cmd, "template")
	return cmd
}

func runInit(p *program, template, dir string) error {
	pr := projects[max(0, slices.IndexFunc(projects, func(pr project) bool { return pr.name == template }))]
	files, err := projectFiles(p, pr)
	if err != nil {
		return err
	}
	return writeProject(p.console, dir, files, pr.next, "template", pr.name)
}

// writeProject writes the files of a project into a directory, and prints the next commands.
// kind and what are the member of the JSON that names the project.
func writeProject(con *console, dir string, files []templateFile, next []string, kind, what string) error {
	if err := free(dir, files); err != nil {
		return err
	}
	var names []string
	for _, f := range files {
		if err := f.write(dir); err != nil {
			return err
		}
		names = append(names, f.name)
	}
	if con.json {
		return con.printJSON(map[string]any{"dir": dir, kind: what, "files": names, "next": next})
	}
	for _, name := range names {
		con.say("wrote %s", diag.Plain(filepath.Join(dir, filepath.FromSlash(name))))
	}
	if con.quiet {
		return nil
	}
	fmt.Fprintln(con.out, "Next:")
	if dir != "." {
		fmt.Fprintf(con.out, "  cd %s\n", diag.Shell(dir))
	}
	for _, c := range next {
		fmt.Fprintf(con.out, "  %s\n", c)
	}
	return nil
}

// templateFile is a file of a project. Its name has slashes.
type templateFile struct {
	name string
	text []byte
}

// projectFiles returns the files of a project, sorted.
func projectFiles(p *program, pr project) ([]templateFile, error) {
	var out []templateFile
	root := path.Join("template", pr.name)
	err := fs.WalkDir(templateFiles, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := templateFiles.ReadFile(name)
		out = append(out, templateFile{strings.TrimPrefix(name, root+"/"), text})
		return err
	})
	if err != nil {
		return nil, err
	}
	out = append(out, pr.carried...)
	for _, name := range pr.schemas {
		text, err := dialect.Schema(dialect.Native)
		if name == configSchemaFile {
			text, err = p.settings.schema()
		}
		if err != nil {
			return nil, err
		}
		out = append(out, templateFile{name, text})
	}
	slices.SortFunc(out, func(a, b templateFile) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// free refuses to overwrite files, and lists them.
func free(dir string, files []templateFile) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fault.New(fault.Conflict, "%s is a file, not a directory", dir)
	}
	var there []string
	for _, f := range files {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(f.name))); err == nil {
			there = append(there, f.name)
		}
	}
	if there == nil {
		return nil
	}
	return fault.WithHint(fault.New(fault.Conflict, "nothing was written: %s has %s already", dir, strings.Join(there, ", ")),
		"name another directory, or remove them")
}

func (f templateFile) write(dir string) error {
	name := filepath.Join(dir, filepath.FromSlash(f.name))
	mode := os.FileMode(0o644)
	if filepath.Ext(name) == ".sh" {
		mode = 0o755
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fault.WithHint(fault.New(fault.Usage, "%w", err), "name a directory that can be written")
	}
	return writeMode(name, f.text, mode)
}
