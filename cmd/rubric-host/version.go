package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host"
)

func (p *program) versionCommand() *cobra.Command {
	var texts bool
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version, or the licences of included software", Args: args(),
		RunE: func(*cobra.Command, []string) error {
			if texts {
				fmt.Fprint(p.out, licences())
				return nil
			}
			return p.printVersion()
		},
	}
	cmd.Flags().BoolVar(&texts, "licences", false, "print the licences of third-party software in this program")
	return cmd
}

// printVersion prints the version of the program and of what decides its numbers.
func (p *program) printVersion() error {
	v := host.Versions()
	if p.json {
		return p.printJSON(map[string]any{"version": v.RubricHost, "go": v.Go, "wazero": v.Wazero, "fuel_table": v.FuelTable,
			"os": runtime.GOOS, "arch": runtime.GOARCH, "plugins": host.Builtins(), "prompts": host.Prompts()})
	}
	_, err := fmt.Fprintf(p.out, "rubric-host %s (%s/%s, %s, wazero %s, fuel table %s)\n", v.RubricHost, runtime.GOOS, runtime.GOARCH, v.Go, v.Wazero, v.FuelTable)
	return err
}
