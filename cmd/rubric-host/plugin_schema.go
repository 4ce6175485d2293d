package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/sdk/contract"
)

// contractWords describe each schema of the contract.
var contractWords = map[string]string{
	"request":  "a request to a plugin",
	"answer":   "a plugin's answer",
	"manifest": "plugin.yaml",
}

func pluginSchemaCommand(p *program) *cobra.Command {
	return shippedCommand(p, &cobra.Command{
		Use:       "schema [NAME]",
		Short:     "Print a JSON Schema of the contract with plugins",
		Long:      "Print a JSON Schema of the contract with plugins: of requests, of answers, of manifests.\nWithout a name, list them.",
		Example:   "rubric-host plugin schema\nrubric-host plugin schema manifest -o plugin.schema.json",
		ValidArgs: contract.Schemas(),
	}, listContract, func(name string) ([]byte, error) {
		if !slices.Contains(contract.Schemas(), name) {
			return nil, fault.WithHint(fault.New(fault.Usage, "unknown schema %q", name), "%s", diag.DidYouMean(name, contract.Schemas()))
		}
		return contract.Schema(name)
	})
}

func listContract(con *console) error {
	var list []aSchema
	for _, name := range contract.Schemas() {
		list = append(list, aSchema{name, "plugin", contractWords[name]})
	}
	if con.json {
		return con.printJSON(map[string]any{"schemas": list})
	}
	t := con.table()
	for _, s := range list {
		t.row(s.Name, s.Summary)
	}
	return t.Flush()
}
