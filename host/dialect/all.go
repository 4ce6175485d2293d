package dialect

import (
	"embed"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/document"
	"github.com/rubric-host/rubric-host/host/fault"
	"github.com/rubric-host/rubric-host/host/xslices"
)

// The names of the dialects.
const (
	Native       = "native"       // ours: NATIVE.md
	OpenRubricRL = "openrubricrl" // OpenRubricRL 0.1
	AgentEvals   = "agentevals"   // the AgentEvals specification
	RubricList   = "rubric"       // the rubric library 1.3
	AgentV       = "agentv"       // AgentV 2.5.8, and its later spelling
	Dataknobs    = "dataknobs"    // dataknobs-bots rubrics
)

// A dialect is one format: how its documents are read and written.
type dialect struct {
	name    string
	summary string // one line, for help texts

	// decode reads a document. Problems go to the decoder; its result is used only if
	// there are none.
	decode func(*decoder, *node) contents

	// encode writes a document from its rubrics and cases, nil if it cannot.
	encode func(*encoder, *Document) *node

	// spelling maps the words of the model, as rubric.Check uses them, to the
	// dialect's, several separated by spaces.
	spelling map[string]string
}

// all is the one list of dialects, in the order of documentation.
func all() []*dialect {
	return []*dialect{&native, &openRubricRL, &agentEvals, &rubricList, &agentV, &dataknobs}
}

func find(name string) *dialect {
	for _, d := range all() {
		if d.name == name {
			return d
		}
	}
	return nil
}

// Known returns an error of class fault.Usage unless a dialect has the name.
func Known(name string) error {
	if find(name) != nil {
		return nil
	}
	return fault.WithHint(fault.New(fault.Usage, "unknown dialect %q", name), "%s", diag.DidYouMean(name, Names()))
}

// Names returns the names of the dialects, in the order of documentation.
func Names() []string {
	return xslices.Map(all(), func(d *dialect) string { return d.name })
}

// Summary describes the documents of a dialect in one line,
// empty for an unknown name.
func Summary(name string) string {
	if d := find(name); d != nil {
		return d.summary
	}
	return ""
}

// MaxBytes is the size of the largest document. It is far above any rubric written by people and
// low enough that a hostile one costs no more than a moment.
const MaxBytes = document.MaxBytes

// Formats of a document.
const (
	JSON = document.JSON
	YAML = document.YAML
)

// The tree, which nearly every function here walks.
type (
	node   = document.Node
	member = document.Member
)

//go:embed schema/*.schema.json
var schemas embed.FS

// Schema returns the JSON Schema (draft 7) of a dialect's documents, for editors and
// for validators of other makes. It accepts every document that Decode accepts; rules
// beyond JSON Schema, such as that weights sum to 1 or that ids are unique, are
// checked by Decode only.
func Schema(name string) ([]byte, error) {
	if err := Known(name); err != nil {
		return nil, err
	}
	return schemas.ReadFile("schema/" + name + ".schema.json")
}
