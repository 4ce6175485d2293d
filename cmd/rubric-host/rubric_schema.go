package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/dialect"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/result"
)

// configSchema is the name of the schema of the configuration file.
const configSchema = "config"

// aSchema is a JSON Schema that the program ships.
type aSchema struct {
	Name    string `json:"name"`
	Of      string `json:"of"` // rubric, result or configuration
	Summary string `json:"summary"`
}

// schemaList lists every schema.
func schemaList() []aSchema {
	var out []aSchema
	for _, name := range dialect.Names() {
		out = append(out, aSchema{name, "rubric", dialect.Summary(name)})
	}
	for _, name := range result.Schemas() {
		out = append(out, aSchema{name, "result", map[string]string{"row": "a row: a line of rows.jsonl", "run": "a run: run.json", "summary": "the summary of a run"}[name]})
	}
	return append(out, aSchema{configSchema, "configuration", "the keys of " + configName})
}

func schemaNames() []string {
	var names []string
	for _, s := range schemaList() {
		names = append(names, s.Name)
	}
	return names
}

// shippedCommand completes a command that prints a document of the program by its name, or without
// a name lists them.
func shippedCommand(p *program, cmd *cobra.Command, list func(*console) error, text func(name string) ([]byte, error)) *cobra.Command {
	var out string
	cmd.Args = args("[NAME]")
	cmd.RunE = func(_ *cobra.Command, a []string) error {
		if len(a) == 0 {
			return list(p.console)
		}
		b, err := text(a[0])
		if err != nil {
			return err
		}
		return p.writeText(out, b)
	}
	bindOut(cmd, &out)
	return cmd
}

func schemaCommand(p *program) *cobra.Command {
	return shippedCommand(p, &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print a JSON Schema: of a dialect, of results, of the configuration",
		Long:  "Print a JSON Schema: of a dialect's documents, of rows, runs and summaries, of the configuration.\nWithout a name, list them.",
		Example: `rubric-host rubric schema
rubric-host rubric schema native -o rubric.schema.json
rubric-host rubric schema row`,
		ValidArgs: schemaNames(),
	}, listSchemas, func(name string) ([]byte, error) { return schemaText(p, name) })
}

func listSchemas(con *console) error {
	if con.json {
		return con.printJSON(map[string]any{"schemas": schemaList()})
	}
	t := con.table()
	for _, s := range schemaList() {
		t.row(s.Name, s.Of, s.Summary)
	}
	return t.Flush()
}

// schemaText returns the schema of a name.
func schemaText(p *program, name string) ([]byte, error) {
	switch {
	case slices.Contains(dialect.Names(), name):
		return dialect.Schema(name)
	case slices.Contains(result.Schemas(), name):
		return result.Schema(name)
	case name == configSchema:
		return p.settings.schema()
	}
	return nil, fault.WithHint(fault.New(fault.Usage, "unknown schema %q", name), "%s", diag.DidYouMean(name, schemaNames()))
}
