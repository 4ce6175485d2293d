package main

import (
	_ "embed" // the texts
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/rubric-host/rubric-host/host/judge"
	"github.com/rubric-host/rubric-host/host/result"
	"github.com/rubric-host/rubric-host/host/script/cpython"
	"github.com/rubric-host/rubric-host/host/script/quickjs"
	"github.com/rubric-host/rubric-host/plugins"
)

func versionCommand(p *program) *cobra.Command {
	var texts bool
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version, or the licences of included software",
		RunE: func(*cobra.Command, []string) error {
			if texts {
				fmt.Fprint(p.out, licences())
				return nil
			}
			return printVersion(p.console)
		},
	}
	cmd.Flags().BoolVar(&texts, "licences", false, "print the licences of third-party software in this program")
	return cmd
}

// printVersion prints the versions of the program and of the parts that decide its numbers.
func printVersion(con *console) error {
	if con.json {
		return con.printJSON(versionFacts())
	}
	v := result.CurrentVersions("")
	_, err := fmt.Fprintf(con.out, "rubric-host %s (%s/%s, %s, wazero %s, fuel table %s)\n", v.RubricHost, runtime.GOOS, runtime.GOARCH, v.Go, v.Wazero, v.FuelTable)
	return err
}

// versionFacts returns the versions and digests for a script.
func versionFacts() map[string]any {
	v := result.CurrentVersions("")
	return map[string]any{"version": v.RubricHost, "go": v.Go, "wazero": v.Wazero, "fuel_table": v.FuelTable,
		"os": runtime.GOOS, "arch": runtime.GOARCH, "plugins": builtins(), "prompts": judge.Prompts()}
}

// builtins returns the digests of the built-in plugins by name. No module is unpacked, and no manifest read.
func builtins() map[string]string {
	out := map[string]string{}
	for _, name := range plugins.Names() {
		out[name] = plugins.Digest(name)
	}
	return out
}

// licenceParts are the licence texts of the parts of the built-in WebAssembly modules.
//
//go:embed licences/parts.txt
var licenceParts string

// licenceModules are the texts of the Go modules that the program is linked of, on any
// system; go test -run Licences -update writes them.
//
//go:embed licences/modules.txt
var licenceModules string

// licences returns the licence texts that must be distributed with the program.
func licences() string {
	return licenceParts + plugins.Notice() + "\n" + cpython.Notice + "\n" + quickjs.Notice + "\n" + licenceModules
}
