package dialect

import (
	"embed"

	"github.com/rubric-host/rubric-host/host/diag"
	"github.com/rubric-host/rubric-host/host/fault"
)

//go:embed schema/*.schema.json
var schemas embed.FS

// Schema returns the JSON Schema (draft 7) of a dialect's documents, for editors and
// for validators of other makes. It accepts every document that Decode accepts; rules
// beyond JSON Schema, such as that weights sum to 1 or that ids are unique, are
// checked by Decode only.
func Schema(name string) ([]byte, error) {
	if find(name) == nil {
		err := fault.New(fault.Usage, "unknown dialect %q", name)
		return nil, fault.WithHint(err, "%s", diag.DidYouMean(name, Names()))
	}
	return schemas.ReadFile("schema/" + name + ".schema.json")
}
