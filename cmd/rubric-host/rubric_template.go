package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/dialect/tools"
	"github.com/rubric-host/rubric-host/host/fault"
)

func templateCommand(p *program) *cobra.Command {
	var out string
	var names []string
	for _, t := range tools.Templates() {
		names = append(names, t.Name)
	}
	cmd := &cobra.Command{
		Use:     "template [NAME]",
		Short:   "Print a document to start from",
		Long:    "Print a document to start from. Without a name, list them. rubric-host init writes a whole project.",
		Example: "rubric-host rubric template\nrubric-host rubric template native -o rubric.yaml",
		Args:    args("[NAME]"), ValidArgs: names,
		RunE: func(_ *cobra.Command, a []string) error {
			if len(a) == 0 {
				return listTemplates(p.console)
			}
			text, err := tools.ReadTemplate(a[0])
			if err != nil {
				return err
			}
			if _, err := os.Lstat(out); out != "" && err == nil {
				return fault.WithHint(fault.New(fault.Conflict, "%s exists already", out), "remove it, or write to another file")
			}
			return p.writeText(out, text)
		},
	}
	bindOut(cmd, &out)
	return cmd
}

func listTemplates(con *console) error {
	if con.json {
		var list []map[string]string
		for _, t := range tools.Templates() {
			list = append(list, map[string]string{"name": t.Name, "file": t.File, "dialect": t.Dialect, "summary": t.Summary})
		}
		return con.printJSON(map[string]any{"templates": list})
	}
	list := con.table()
	for _, t := range tools.Templates() {
		list.row(t.Name, t.Dialect, t.Summary)
	}
	return list.Flush()
}
