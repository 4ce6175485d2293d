package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/sdk/contract"
)

// A shipped is a JSON Schema of the program.
type shipped struct {
	Name    string `json:"name"`
	Of      string `json:"of"` // rubric, result or plugin
	Summary string `json:"summary"`
	text    func(name string) ([]byte, error)
}

// schemas lists the JSON Schemas of the program.
func schemas() (list []shipped) {
	for _, name := range dialect.Names() {
		list = append(list, shipped{name, "rubric", dialect.Summary(name), dialect.Schema})
	}
	words := map[string]string{
		"case": "a case: a line of a dataset", "comparison": "a comparison: compare --json", "row": "a row: a line of rows.jsonl",
		"run": "a run: run.json", "summary": "the summary of a run",
		"request": "a request to a plugin", "answer": "a plugin's answer", "manifest": "plugin.yaml",
	}
	for _, name := range result.Schemas() {
		list = append(list, shipped{name, "result", words[name], result.Schema})
	}
	for _, name := range contract.Schemas() {
		list = append(list, shipped{name, "plugin", words[name], contract.Schema})
	}
	return list
}

func schemaCommand(p *program) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print a JSON Schema of a dialect, a result or a plugin",
		Long: "Print a JSON Schema: of a dialect's documents; of rows, runs and summaries; of the contract\n" +
			"with plugins. Without a name, list them.",
		Example: "rubric-host rubric schema\nrubric-host rubric schema native -o rubric.schema.json\nrubric-host rubric schema manifest -o plugin.schema.json",
		Args:    args("[NAME]"),
	}
	list := schemas()
	for _, s := range list {
		cmd.ValidArgs = append(cmd.ValidArgs, s.Name)
	}
	cmd.RunE = func(_ *cobra.Command, a []string) error {
		if len(a) == 0 {
			return listSchemas(p.console, list)
		}
		at := slices.Index(cmd.ValidArgs, a[0])
		if at < 0 {
			return fault.WithHint(fault.New(fault.Usage, "unknown schema %q", a[0]), "%s", diag.DidYouMean(a[0], cmd.ValidArgs))
		}
		text, err := list[at].text(a[0])
		if err != nil {
			return err
		}
		return p.writeText(out, text)
	}
	bindOut(cmd, &out)
	return cmd
}

func listSchemas(con *console, list []shipped) error {
	if con.json {
		return con.printJSON(map[string]any{"schemas": list})
	}
	t := con.page()
	for _, s := range list {
		t.row(s.Name, s.Of, s.Summary)
	}
	return t.Flush()
}
