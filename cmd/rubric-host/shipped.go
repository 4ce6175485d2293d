package main

import (
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/xslices"
	"github.com/rubric-host/rubric-host/sdk/contract"
)

// A shipped is a document of the program: a schema or a template.
type shipped struct {
	Name    string `json:"name"`
	Of      string `json:"of,omitzero"`      // of a schema: rubric, result or plugin
	File    string `json:"file,omitzero"`    // of a template: its usual name
	Dialect string `json:"dialect,omitzero"` // of a template
	Summary string `json:"summary"`
	text    func() ([]byte, error)
}

// shippedCommand completes a command that prints documents of a kind by their name, or without
// a name lists them.
func shippedCommand(p *program, kind string, list []shipped, cmd *cobra.Command) *cobra.Command {
	var out string
	for _, s := range list {
		cmd.ValidArgs = append(cmd.ValidArgs, s.Name)
	}
	cmd.Args = args("[NAME]")
	cmd.RunE = func(_ *cobra.Command, a []string) error {
		if len(a) == 0 {
			return listShipped(p.console, kind, list)
		}
		at := slices.IndexFunc(list, func(s shipped) bool { return s.Name == a[0] })
		if at < 0 {
			return fault.WithHint(fault.New(fault.Usage, "unknown %s %q", kind, a[0]), "%s", diag.DidYouMean(a[0], cmd.ValidArgs))
		}
		text, err := list[at].text()
		if err != nil {
			return err
		}
		if _, err := os.Lstat(out); list[at].File != "" && out != "" && err == nil { // the user may have written more into it
			return fault.WithHint(fault.New(fault.Conflict, "%s exists already", out), "remove it, or write to another file")
		}
		return p.writeText(out, text)
	}
	bindOut(cmd, &out)
	return cmd
}

func listShipped(con *console, kind string, list []shipped) error {
	if con.json {
		return con.printJSON(map[string]any{kind + "s": list})
	}
	t := con.page()
	for _, s := range list {
		t.row(s.Name, s.Of+s.Dialect, s.Summary)
	}
	return t.Flush()
}

func schemaCommand(p *program) *cobra.Command {
	list := xslices.Map(dialect.Names(), func(name string) shipped {
		return shipped{Name: name, Of: "rubric", Summary: dialect.Summary(name), text: func() ([]byte, error) { return dialect.Schema(name) }}
	})
	words := map[string]string{"case": "a case: a line of a dataset", "comparison": "a comparison: compare --json",
		"row": "a row: a line of rows.jsonl", "run": "a run: run.json", "summary": "the summary of a run"}
	for _, name := range result.Schemas() {
		list = append(list, shipped{Name: name, Of: "result", Summary: words[name], text: func() ([]byte, error) { return result.Schema(name) }})
	}
	return shippedCommand(p, "schema", list, &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print a JSON Schema of a dialect or a result",
		Long:  "Print a JSON Schema: of a dialect's documents, of rows, runs and summaries. Without a name,\nlist them.",
		Example: `rubric-host rubric schema
rubric-host rubric schema native -o rubric.schema.json
rubric-host rubric schema row`,
	})
}

func pluginSchemaCommand(p *program) *cobra.Command {
	words := map[string]string{"request": "a request to a plugin", "answer": "a plugin's answer", "manifest": "plugin.yaml"}
	list := xslices.Map(contract.Schemas(), func(name string) shipped {
		return shipped{Name: name, Of: "plugin", Summary: words[name], text: func() ([]byte, error) { return contract.Schema(name) }}
	})
	return shippedCommand(p, "schema", list, &cobra.Command{
		Use:     "schema [NAME]",
		Short:   "Print a JSON Schema of the contract with plugins",
		Long:    "Print a JSON Schema of the contract with plugins: of requests, of answers, of manifests.\nWithout a name, list them.",
		Example: "rubric-host plugin schema\nrubric-host plugin schema manifest -o plugin.schema.json",
	})
}

func templateCommand(p *program) *cobra.Command {
	list := xslices.Map(tools.Templates(), func(t tools.Template) shipped {
		return shipped{Name: t.Name, File: t.File, Dialect: t.Dialect, Summary: t.Summary, text: func() ([]byte, error) { return tools.ReadTemplate(t.Name) }}
	})
	return shippedCommand(p, "template", list, &cobra.Command{
		Use:     "template [NAME]",
		Short:   "Print a document to start from",
		Long:    "Print a document to start from. Without a name, list them. rubric-host init writes a whole project.",
		Example: "rubric-host rubric template\nrubric-host rubric template native -o rubric.yaml",
	})
}
