package plugins

import (
	"path"

	"github.com/rubric-host/rubric-host/host/xslices"
)

// A Built is one built-in plugin.
type Built struct {
	Name    string // as its manifest has it
	Module  []byte // WebAssembly, or a script in that form; its manifest in section "rubric-host.manifest"
	Cases   []byte // JSON lines of calls and their expected answers, for `plugin test`
	Runtime string // of a script: its language; empty: compiled to WebAssembly
}

// All returns the built-in plugins, sorted by name. The bytes are copies.
func All() []Built { return xslices.Map(names(), Named) }

// Named returns the built-in plugin of a name. Of any other name it has no bytes.
// The bytes are copies.
func Named(name string) Built {
	return Built{Name: name, Module: module(name), Cases: read(path.Join(name, "cases.jsonl")), Runtime: scripts[name]}
}
