package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/xslices"
	"github.com/rubric-host/rubric-host/sdk/contract"
)

// A shipped is a JSON Schema of the program.
type shipped struct {
	Name    string `json:"name"`
	Of      string `json:"of"` // rubric, result or plugin
	Summary string `json:"summary"`
	text    func() ([]byte, error)
}

// shippedCommand completes a command that prints schemas by their name, or without a name lists
// them.
func shippedCommand(p *program, list []shipped, cmd *cobra.Command) *cobra.Command {
	var out string
	for _, s := range list {
		cmd.ValidArgs = append(cmd.ValidArgs, s.Name)
	}
	cmd.Args = args("[NAME]")
	cmd.RunE = func(_ *cobra.Command, a []string) error {
		if len(a) == 0 {
			return listShipped(p.console, list)
		}
		at := slices.IndexFunc(list, func(s shipped) bool { return s.Name == a[0] })
		if at < 0 {
			return fault.WithHint(fault.New(fault.Usage, "unknown schema %q", a[0]), "%s", diag.DidYouMean(a[0], cmd.ValidArgs))
		}
		text, err := list[at].text()
		if err != nil {
			return err
		}
		return p.writeText(out, text)
	}
	bindOut(cmd, &out)
	return cmd
}

func listShipped(con *console, list []shipped) error {
	if con.json {
		return con.printJSON(map[string]any{"schemas": list})
	}
	t := con.page()
	for _, s := range list {
		t.row(s.Name, s.Of, s.Summary)
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
	return shippedCommand(p, list, &cobra.Command{
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
	return shippedCommand(p, list, &cobra.Command{
		Use:     "schema [NAME]",
		Short:   "Print a JSON Schema of the contract with plugins",
		Long:    "Print a JSON Schema of the contract with plugins: of requests, of answers, of manifests.\nWithout a name, list them.",
		Example: "rubric-host plugin schema\nrubric-host plugin schema manifest -o plugin.schema.json",
	})
}
