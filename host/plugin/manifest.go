// Package plugin says who a plugin is: its manifest, its digest, and the catalog
// of those that are available. It runs nothing and opens no connection.
//
// Stability: experimental.
package plugin

import (
	"github.com/go-json-experiment/json/jsontext"
)

// ManifestSection is the custom section in which a module carries its manifest.
const ManifestSection = "rubric-host.manifest"

// ManifestFile is the name of a manifest beside a module.
const ManifestFile = "plugin.yaml"

// A Manifest describes a plugin. The zero value of a field is its
// default.
type Manifest struct {
	Name    string // required; lower-case letters, digits, '-', '_' and '.'
	Version string // semantic version; may be empty
	Summary string // one line
	License string // SPDX expression

	Reference string            // the implementation whose scores it reproduces, with its version; empty: none
	Cost      string            // for people: time of a call with texts of 30 words, and how it grows with their length
	Kind      string            // contract kind; zero: "metric"
	Module    string            // file name beside the manifest; empty when embedded, and for scripts
	Runtime   string            // language of the script: js or python; empty: by Script's name, or no script
	Script    string            // file name beside the manifest; empty: that of Runtime, such as score.js; with no Runtime either, no script
	Front     string            // file name of a module beside the manifest, which answers calls before its script does; empty: none
	Peer      bool              // its script may ask a second instance of itself during a call
	Inputs    []string          // case fields that it is sent; empty: those of its kind
	Embeds    []string          // case fields - output, input, references - whose embeddings the host adds to the case; empty: none
	Range     [2]float64        // of its scores; zero: 0..1
	Corpus    string            // export that scores summed stats; empty: not a corpus metric
	Config    Config            // JSON Schema of its configuration
	Exports   map[string]Export // its scorers; empty: every scorer export of the module
	Default   string            // the export of a reference that names none; empty: see DefaultExport
	Cases     string            // file of expected scores, for plugin test
	Grants    []string          // capabilities that it asks for; empty: none
	Limits    Limits            // of one call, where the defaults do not fit
	Data      map[string]Data   // its data files, by name; see Manifest.DataFor
}

// A Config describes the configuration of a plugin.
type Config struct {
	Schema  jsontext.Value // JSON Schema of the configuration; nil: any object
	Default map[string]any // used for keys that the criterion does not set
}

// An Export is one scorer of a plugin. Zero fields are those of the manifest.
type Export struct {
	Summary string // one line
	Kind    string

	Reference string
	Cost      string

	Inputs  []string
	Embeds  []string
	Range   [2]float64
	Corpus  string
	Default map[string]any // configuration on top of Config.Default
	Keys    []string       // configuration keys that it takes; nil: all
}
