package main

import (
	_ "embed" // the texts

	"github.com/rubric-host/rubric-host/plugins"
)

// licenceParts are the texts of what lies in the WebAssembly modules of the program.
//
//go:embed licences/parts.txt
var licenceParts string

// licenceModules are the texts of the Go modules that the program is linked of, on any
// system; go test -run Licences -update writes them.
//
//go:embed licences/modules.txt
var licenceModules string

// licences returns what the licences of others ask to be passed on with the program.
func licences() string { return licenceParts + plugins.Notice() + "\n" + licenceModules }
