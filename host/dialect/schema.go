package dialect

import "embed"

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
