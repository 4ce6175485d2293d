package main

import (
	_ "embed" // the texts

	"github.com/rubric-host/rubric-host/host/script/cpython"
	"github.com/rubric-host/rubric-host/host/script/quickjs"
	"github.com/rubric-host/rubric-host/plugins"
)

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
